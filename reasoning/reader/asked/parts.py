"""What a word does in its sentence, by the parse: subject, patient, adjunct; and its clause."""

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

IS = "is"
"""The part of what stands on one side of "is": the other side says what it is."""
CLOSING = frozenset({".", "!", "?", "...", "…"})
"""Tokens that end a sentence."""
_SUBJECT = frozenset({"nsubj", "csubj"})
_PATIENT = frozenset({"nsubjpass", "dobj", "attr", "oprd", "dative", "obj"})
_SAME = frozenset({"conj", "appos"})
_BEING = frozenset({"be", "become"})
_ASKING = frozenset({"WDT", "WP", "WRB", "WP$"})
_OWN = frozenset({"nsubj", "nsubjpass", "expl"})
_NO_RELATIVE = frozenset({"what", "how", "why"})


def asking_sentence(doc: "Doc") -> "Span":
    """The sentence that asks: "My lamp is broken. Who mends it?" tells a situation first.

    That is the last one with a question word, and with a question mark if any has both; else all.
    """
    edges = [0, *(t.i + 1 for t in doc[:-1] if _closes(t)), len(doc)]
    asking = [one for a, b in pairwise(edges) if _asks(one := doc[a:b])]
    marked = [one for one in asking if one.text.rstrip().endswith("?")]
    return [doc[:], *asking, *marked][-1]


def _closes(token: "Token") -> bool:
    """Whether a sentence ends here, or "The treasurer, what's her job?" begins to ask."""
    return token.text in CLOSING or (token.text == "," and token.nbor().lower_ in _NO_RELATIVE)


def _asks(sentence: "Span") -> bool:
    return any(t.tag_ in _ASKING for t in sentence)


def question_word(doc: "Doc") -> "Token | None":
    """The first "who", "which", "when", "whose" of the sentence that asks."""
    return next((t for t in asking_sentence(doc) if t.tag_ in _ASKING), None)


def part_of(doc: "Doc") -> tuple[str, str]:
    """What the question word is to its verb: "subject", "patient", "adjunct" or "", and that."""
    asking = question_word(doc)
    if asking is None:
        return "", ""
    token = asking
    while token.head.i != token.i and token.head.pos_ in ("NOUN", "PROPN", "ADJ", "NUM", "ADV"):
        if token.dep_ not in ("det", "amod", "advmod", "quantmod", "nummod", "poss"):
            break
        token = token.head
    played = part_played(token)
    helping = next((t for t in doc[token.i + 1 :] if t.dep_ == "aux" and t.lemma_ == "do"), None)
    if helping is not None and asking.tag_ != "WRB" and (not played or played[0] == "subject"):
        return "patient", _main_verb(helping)
    if played is not None:
        return played[0], played[1].text if played[1].pos_ == "VERB" else ""
    return ("adjunct" if asking.tag_ == "WRB" else ""), ""


def _main_verb(helping: "Token") -> str:
    """The verb that "does" helps; the last word, where the tagger found none: "… did Ann tour?"."""
    behind = [t for t in helping.doc[helping.i + 1 :] if t.is_alpha]
    verbs = (t for t in behind if t.pos_ == "VERB")
    return next(verbs, behind[-1]).text if behind else ""


def part_played(token: "Token") -> "tuple[str, Token] | None":
    """What a token is to the verb or noun that it hangs on, and that, or None."""
    while token.dep_ in _SAME and token.head.i != token.i:
        token = token.head
    head = token.head
    if token.dep_ in _SUBJECT:
        return "subject", head
    if token.dep_ in _PATIENT:
        return "patient", head
    if token.dep_ in ("pobj", "pcomp"):
        by = head.dep_ == "agent" or (head.lower_ == "by" and head.head.pos_ in ("VERB", "AUX"))
        by = by or (head.lower_ == "with" and head.head.lemma_ == "replace")
        return ("subject" if by else "adjunct"), head.head
    if token.dep_ in ("npadvmod", "advmod", "prep"):
        return "adjunct", head
    return None


def parts_played(token: "Token") -> "Iterator[tuple[str, Token]]":
    """All that a token is: in its clause, in a relative clause about it, by what it "is".

    "Front 242, who coined the term" is the subject of "coined", "Shapiro, founder of X" the one who
    founded, and in "The oldest port is Hurd" the one side is what the other says.
    """
    played = part_played(token)
    if played is not None:
        yield played
    for child in token.children:
        if child.dep_ == "relcl":
            asked = (t for t in child.children if t.tag_ in ("WP", "WDT") and _behind(t, token))
            yield from ((part, child) for t in asked for part in _as(t.dep_))
            if child.lemma_ in _BEING:
                yield from ((IS, t) for t in child.children if t.dep_ == "attr")
        elif child.dep_ == "appos" and child.lower_.rstrip("s").endswith(("er", "or")):
            yield "subject", child
    if token.dep_ in ("nsubj", "attr") and token.head.lemma_ in _BEING:
        others = (t for t in token.head.children if t.dep_ in ("nsubj", "attr") and t.i != token.i)
        yield from ((IS, other) for other in others)


def _behind(pronoun: "Token", token: "Token") -> bool:
    """Whether a relative pronoun stands right behind: parsers tie it to another of a list."""
    return all(t.is_punct or t.pos_ == "ADP" for t in token.doc[token.i + 1 : pronoun.i])


def _as(dependency: str) -> tuple[str, ...]:
    if dependency in _SUBJECT:
        return ("subject",)
    return ("patient",) if dependency in _PATIENT else ()


def apart(token: "Token", named: "Token") -> bool:
    """Whether a token stands in another clause than a name, with another subject.

    "The Alder is red; the Birch is blue": the second says nothing of the Alder. What "who …" says
    of one of several names it says of that one alone.
    """
    if any(t.text == ";" for t in token.doc[min(token.i, named.i) : max(token.i, named.i)]):
        return True
    mine, other = clause_of(token), clause_of(named)
    if mine.i == other.i:
        return False
    if other.dep_ == "relcl" and other.head.i == token.i:
        return not any(_behind(t, token) for t in other.children if t.tag_ in ("WP", "WDT"))
    if other.dep_ == "relcl" and any(t.i == token.i for t in other.head.conjuncts):
        return True
    return _beside(mine, other) or _beside(other, mine)


def told_kind(token: "Token") -> "Iterator[Token]":
    """The nouns that say what kind of thing a word is: "blhc is a tool", "Hurd, a kernel"."""
    if token.dep_ == "nsubj" and token.head.lemma_ == "be":
        yield from (t for t in token.head.children if t.dep_ == "attr")
    if token.dep_ == "appos":
        yield token.head
    yield from (t for t in token.children if t.dep_ == "appos")


def in_parenthesis_of(token: "Token") -> "Token | None":
    """What stands right before the parenthesis that a token is in: that is what it is said of."""
    first = token.sent.start
    opens = depth = 0
    for i in range(token.i - 1, first, -1):
        text = token.doc[i].text
        depth += (text == ")") - (text == "(")
        if depth < 0:  # of this one; further ones may stand before it
            opens, depth = i, 0
        elif opens and not depth and text not in "()":
            return token.doc[i]
    return None


def clause_of(token: "Token") -> "Token":
    """The verb of the clause that a token is in: the nearest above it with a subject."""
    while token.head.i != token.i and not any(c.dep_ in _OWN for c in token.children):
        token = token.head
    return token


def _beside(first: "Token", second: "Token") -> bool:
    """Whether a clause hangs on another as its equal, with a subject that is no pronoun."""
    if not any(c.dep_ in _OWN and c.pos_ != "PRON" for c in first.children):
        return False
    while first.dep_ in ("conj", "parataxis") or (first.dep_ == "ccomp" and first.i < first.head.i):
        first = first.head
        if first.i == second.i:
            return True
    return False
