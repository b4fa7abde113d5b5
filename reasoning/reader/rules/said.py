"""What a question of yes or no asks, and what a clause says, as sequences to compare."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ....kg.text.words import stems, words

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_FORMS = {
    "be": "is are am was were be been being 's ’s 're ’re 'm ’m",
    "do": "do does did",
    "have": "has have had 've ’ve",
    "can": "can ca could",
    "will": "will wo 'll ’ll",
}
_AUXILIARY = {form: verb for verb, forms in _FORMS.items() for form in forms.split()}
_PAST = frozenset("was were did had".split())
_NOT = frozenset("not n't n’t never no".split())
_PASSED_OVER = frozenset(
    """a all an the any every our your my also now currently unfortunately please gmbh inc llc ltd
    plc""".split()
)
SPEAKS_AS = {  # whoever is asked about, and as whom the document speaks of them
    "i": frozenset({"you"}),
    "one": frozenset({"you"}),
    "we": frozenset({"we", "you"}),
    "you": frozenset({"we", "you"}),
}
_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
IN_FIGURES = {word: str(number) for number, word in enumerate(_NUMBERS)}
_ANYBODY = frozenset("it he she they this that these those".split())
TAKE = frozenset(stems("take taken accept"))
"""Of cheques, cards or dogs the one says the other."""
_IS_IT_POSSIBLE = re.compile(r"^is it possible to ", re.IGNORECASE)
_HAVE_TO = re.compile(r"\b(?:have|has|had|need|needs) to\b", re.IGNORECASE)
_MUST = "must"
QUOTES = re.compile(r"[\"“”„«»]")
ON_CONDITION = re.compile(
    r"\b(?:if|unless|when\w*|while|until|till|provided|as long as|in case|once|except\w*|only)\b",
    re.IGNORECASE,
)
_ALL = ("all", "every")
_HANGS_ON = frozenset({"prep", "mark", "advmod", "aux", "npadvmod"})
_CLAUSAL = frozenset({"nsubj", "nsubjpass", "expl"})

Unit = frozenset[str]
"""The stems of a word, any of which is it; the word itself where it is one that stems leave out."""


@dataclass(frozen=True, slots=True)
class Said:
    """A question or a clause without articles, auxiliary verbs and whoever speaks or is asked.

    Args:
        verbs: the auxiliary ones, by their infinitives, without "do".
        who: "we", "you", "i" or "one" where that is the subject.
        said: the words of the units, as they stand.
    """

    units: tuple[Unit, ...]
    verbs: frozenset[str]
    who: str
    past: bool
    denied: int = 0
    said: tuple[str, ...] = ()


def of_question(text: str) -> Said | None:
    """What a question asks whether it is so; None where it is denied, or about "it"."""
    text = _IS_IT_POSSIBLE.sub("can one ", text)
    said = words(text)
    if len(said) < 2 or said[0] not in _AUXILIARY or _NOT.intersection(said) or QUOTES.search(text):
        return None
    who = said[1] if said[1] in SPEAKS_AS else ""
    if said[1] in _ANYBODY or re.match(r"\w+n['’]t\b", text):
        return None
    first, *others = [said[0], *words(_HAVE_TO.sub(_MUST, text))[2 if who else 1 :]]
    rest = [word for word in others if word not in _PASSED_OVER]
    units = tuple(_unit(word) for word in rest if word not in _AUXILIARY)
    verbs = {_AUXILIARY[word] for word in (first, *rest) if word in _AUXILIARY}
    if len(units) < (1 if who else 2):
        return None
    return Said(units, frozenset(verbs - {"do"}), who, first in _PAST)


def of_clauses(sentence: "Span") -> Iterator[Said]:
    """What a sentence says as a whole, and what the clauses say that it joins.

    "Dogs are welcome in the garden but not in the dining room" says that they are in the garden,
    and that they are not in the dining room.
    """
    yield _of_tokens(list(sentence))
    parts = list(clauses(sentence))
    if len(parts) > 1 and not ON_CONDITION.search(sentence.text) and _are_told(sentence, parts):
        yield from (_of_tokens(part, denied) for part, denied in parts)


def _are_told(sentence: "Span", parts: "Sequence[tuple[list[Token], int]]") -> bool:
    """Whether each clause is said for itself: it hangs on no verb of saying, nor on "in winter"."""
    if ";" in sentence.text:
        return True
    verbs = {sentence.root, *sentence.root.conjuncts}
    first = next((token for token in sentence if token.dep_ in _CLAUSAL), None)
    if first is None or first.head not in verbs:
        return False
    before = sentence[: first.left_edge.i - sentence.start]
    if any(token.dep_ in _HANGS_ON for token in before):
        return False
    later = (part for part, _ in parts[1:])
    return all(any(t.head in verbs for t in part if t.dep_ in _CLAUSAL) for part in later)


def clauses(sentence: "Span") -> "Iterator[tuple[list[Token], int]]":
    """The clauses that a sentence joins, and how often each is denied beyond its own words."""
    for part in _parts(sentence):
        at = next(
            (n for n, t in enumerate(part) if t.lower_ == "but" and _is(part, n + 1, "not")), 0
        )
        place = next((n for n in range(at - 1, 0, -1) if part[n].dep_ == "prep"), 0)
        if at and place and [token.dep_ for token in part[at + 2 : at + 3]] == ["prep"]:
            yield part[:at], 0
            yield [*part[:place], *part[at + 2 :]], 1
        else:
            yield part, 0


def _parts(sentence: "Span") -> "list[list[Token]]":
    """The clauses of a sentence with subjects of their own, parted by a semicolon, "but", "and"."""
    parts: list[list[Token]] = []
    part: list[Token] = []
    for token in sentence:
        part.append(token)
        joins = token.text == ";" or (token.dep_ == "cc" and token.lower_ in ("but", "and", "so"))
        behind = sentence.doc[token.i + 1 : sentence.end]
        if joins and any(t.dep_ in _CLAUSAL for t in part) and _begins_clause(behind):
            parts.append(part[:-1])
            part = []
    return [*parts, part]


def _begins_clause(span: "Span") -> bool:
    """Whether a subject stands before any verb."""
    for token in span:
        if token.dep_ in _CLAUSAL:
            return True
        if token.pos_ in ("VERB", "AUX") or token.text in (",", ";"):
            return False
    return False


def _of_tokens(tokens: "Sequence[Token]", denied: int = 0) -> Said:
    units, said = list[Unit](), list[str]()
    verbs, tops = set[str](), _verbs_of(tokens)
    who, past, before, must = "", False, "", False
    for n, token in enumerate(tokens):
        low = token.lower_
        own = words(low)
        first = not units and not verbs and not who
        past = past or low in _PAST or token.tag_ == "VBD"
        leads = first and low == "no" and token.doc[token.i + 1 : token.i + 2].text == ","
        if must and low == "to":
            must = False
        elif low in ("have", "has", "had", "need", "needs") and _is(tokens, n + 1, "to"):
            units.append(_unit(_MUST))
            said.append(_MUST)
            must = True
        elif low in _NOT and not leads:  # "No, dogs are welcome"
            main = _denies_all(token, tops) or (low == "no" and len(units) <= 1)
            of_all = any(
                _is(tokens, later, word) for later in range(n, len(tokens)) for word in _ALL
            )
            denied += 1 if main and not of_all else 2  # "not all" are none, and may be some
        elif low in _AUXILIARY and token.tag_ != "POS":
            verbs.add("could" if low == "could" else _AUXILIARY[low])
        elif first and low in ("we", "you"):
            who = low
        elif own and low not in _PASSED_OVER and not (low == "longer" and before == "no"):
            lemma = stems(token.lemma_) if token.pos_ == "VERB" and len(own) == 1 else ()
            units.extend(_unit(word).union(lemma) for word in own)
            said.extend(own)
        before = low
    return Said(tuple(units), frozenset(verbs - {"do"}), who, past, denied, tuple(said))


def _is(tokens: "Sequence[Token]", n: int, word: str) -> bool:
    return n < len(tokens) and tokens[n].lower_ == word


def _verbs_of(tokens: "Sequence[Token]") -> "set[Token]":
    """What a clause says of its subject: the words that hang on none of its others."""
    within = {token.i for token in tokens}
    tops = {t for t in tokens if t.head.i == t.i or t.head.i not in within}
    return tops.union(*(t.conjuncts for t in tops))


def _denies_all(negation: "Token", verbs: "set[Token]") -> bool:
    """Whether a clause is denied as a whole: not in "Cards that are not signed are accepted"."""
    head = negation.head
    if head.lower_ == "longer":  # "no longer"
        head = head.head
    return head in verbs or (head.dep_ in ("aux", "auxpass") and head.head in verbs)


def _unit(word: str) -> Unit:
    word = IN_FIGURES.get(word, word)
    own = frozenset(stems(word) or (word,))
    return own if own.isdisjoint(TAKE) else TAKE
