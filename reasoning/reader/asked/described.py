"""What a question only describes: the founder in "Where was the founder of X born?".

Such a question asks two things. What a sentence says of X itself answers the second of the wrong
one ("X was born in …"); a sentence that answers says the description, too, or stands on the page of
the thing described, to which a page of X leads.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ....kg.text.words import terms
from .alike import alike
from .parts import question_word

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_CLAUSES = frozenset({"relcl", "acl"})  # that tie a noun to a name
_TIES = _CLAUSES.union(("poss", "prep"))  # likewise: "of X", "X's"
_OWN = frozenset({"amod", "compound", "nmod"})
_TELLING = frozenset({"NOUN", "ADJ", "VERB", "ADV"})
_VAGUE = frozenset({"beginning", "end", "start", "time"})  # "the end of 2022" is no thing
PEOPLE = frozenset(terms("man people person somebody someone woman"))
"""Stems that describe nobody."""
KIN = frozenset(
    terms(
        "aunt brother child daughter father grandfather grandmother husband mother parent sibling"
        " sister son spouse uncle wife"
    )
)
"""Stems of relatives: whoever is somebody's child is not said to be a mother."""
PERSONS = re.compile(
    r"(?!(?:comput|serv|us|numb|lett|pap|ord|chapt|riv|tow|cent|print|rout|fold|contain|mot|sens"
    r"|monit|fact|err|col|vect|process|regist|pow|lay|head|buff|point|driv|compil|install|browser"
    r"|charact|cov|corn|weath|wat|oth|numb|tow|theat|care|newslett|newspap|dinn|summ|wint|supp|orchest"
    r"|floo|doo|mirr|tract|profess)(?:er|or)$)\w{2,}(?:er|or|ist|ian|man|woman|ee)|professor|chief"
    r"|student|friend|founder|user|hero|partner|head|agent|assistant|clerk|minister|saint"
)
"""What people are called by what they do: "Which journalist …?"."""


def description(doc: "Doc", names: Sequence[str], asked: "Sequence[Token]" = ()) -> frozenset[str]:
    """Find the stems of all that describes things by names, as "founder" in "the founder of X".

    People by whatever ties them to a name; other things by clauses alone ("the company that bought
    X"), since what is said of "the board of X" is mostly said of X, in other words.

    Args:
        doc: a question's parse.
        names: in it, as it spells them.
        asked: the nouns asked for ("name" and "tool" in "the name of the tool"), which describe
            nothing.
    """
    named = set(_tokens(doc, names))
    asking = question_word(doc)
    if asking is not None and asking.tag_ == "WRB" and any(t.pos_ == "VERB" for t in doc):
        asked = ()  # "Where was the founder born?": parsers take the founder for what is asked for
    words = set[str]()
    for noun in doc:
        ties = [c for c in noun.children if c.dep_ in _TIES and _within(c, named)]
        if not ties or noun.pos_ != "NOUN" or noun.i in named or noun.lower_ in _VAGUE:
            continue
        if not (_is_somebody(noun) or any(tie.dep_ in _CLAUSES for tie in ties)):
            continue
        if any(noun.i == t.i for t in asked) or (asking is not None and _asks(noun, asking)):
            continue
        own = [noun, *(c for c in noun.children if c.dep_ in _OWN)]
        said = [*own, *(t for tie in ties for t in tie.subtree)]
        told = (t.text for t in said if t.pos_ in _TELLING and t.i not in named)
        words.update(terms(" ".join(told)))
    return frozenset(words) - PEOPLE


def _is_somebody(noun: "Token") -> bool:
    """Whether it is another one than what it is of: a book's author, not its cover."""
    word = noun.lemma_.lower()
    return bool(PERSONS.fullmatch(word)) or not KIN.isdisjoint(terms(word))


def unsaid(wanted: frozenset[str], said: frozenset[str]) -> frozenset[str]:
    """Which of some stems neither a text's stems nor those like them say; relatives exactly."""
    return frozenset(s for s in wanted - said if s in KIN or said.isdisjoint(alike(s)))


def _tokens(doc: "Doc", names: Sequence[str]) -> Iterator[int]:
    """The tokens of all names."""
    starts, text = [token.idx for token in doc], doc.text
    for name in dict.fromkeys(names):
        at = text.find(name)
        while at >= 0:
            yield from range(bisect_left(starts, at), bisect_left(starts, at + len(name)))
            at = text.find(name, at + 1)


def _asks(noun: "Token", asking: "Token") -> bool:
    """Whether it is the question word's noun ("Which city"), or says what "who" is."""
    if asking.head.i == noun.i or any(t.i == asking.i for t in noun.subtree):
        return True
    return (
        asking.tag_ == "WP"
        and asking.head.lemma_ == "be"
        and noun.head.i == asking.head.i
        and noun.dep_ in ("attr", "nsubj")
    )


def _within(token: "Token", named: set[int]) -> bool:
    return any(t.i in named for t in token.subtree)
