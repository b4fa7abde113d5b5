"""Sets of spaCy's labels and small walks over a parse that the rules share."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Token

SUBJECTS = frozenset({"nsubj", "nsubjpass"})
RELATIVES = frozenset({"who", "which", "that", "whom", "whose", "where", "when"})
PLACES = frozenset({"GPE", "LOC", "FAC"})
HE = frozenset({"he", "she", "his", "her", "him", "hers", "himself", "herself"})
IT = frozenset({"it", "its", "itself"})
THEY = frozenset({"they", "their", "them"})
DEMONSTRATIVES = frozenset({"this", "these", "that", "those", "such"})
MODALS = frozenset({"can", "could", "may", "might", "must", "shall", "should", "ca"})
NEVER = frozenset({"never", "longer", "hardly", "rarely", "seldom"})
CONDITIONS = frozenset({"if", "unless", "whether"})
UNFULFILLED = frozenset(  # verbs after which "to …" need not come true
    """attempt decide decline expect fail have hope intend like need plan prefer promise refuse seem
    threaten try want wish""".split()
)
IDIOMS = frozenset(  # nouns that say nothing after a bare preposition: "in addition"
    """addition case charge conclusion contrast effect example fact general instance mind order part
    particular place practice principle theory turn""".split()
)
MADE = frozenset(  # what was is no person, whatever recognisers call it
    """build compose construct create design develop direct establish found incorporate invent
    launch manufacture produce publish release write""".split()
)
FIRMS = frozenset(
    "agency company corporation firm foundation institute organisation organization".split()
)
MAX_LIST = 50  # members of a list; beyond it is no prose


def conjuncts(token: "Token") -> "list[Token]":
    """Return a token and what "and" joins to it."""
    found = [token]
    for joined in found:
        if len(found) > MAX_LIST:
            break
        found += [c for c in joined.children if c.dep_ == "conj" and c.i > joined.i]
    return found


def prepositional(preposition: "Token") -> "Iterator[Token]":
    """Return the objects of a preposition, with what "and" joins to them."""
    for child in preposition.children:
        if child.lower_ in IDIOMS and not any(c.dep_ != "prep" for c in child.children):
            continue
        if child.dep_ == "pobj" or (child.dep_ == "pcomp" and child.pos_ != "VERB"):
            yield from conjuncts(child)
