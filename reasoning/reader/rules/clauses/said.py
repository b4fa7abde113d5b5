"""What a question of yes or no asks, and what a clause says, as sequences to compare."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .....kg.text.words import stems, words
from .ellipsis import ON_CONDITION, SUBJECTS, Clause
from .joined import told_apart
from .no_more import has_stopped, without_reason

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_FORMS = {
    "be": "is are am was were be been being 's ’s 're ’re 'm ’m",
    "do": "do does did",
    "have": "has have had 've ’ve",
    "can": "can ca could",
    "will": "will wo 'll ’ll",
    "must": "must",
}
_AUXILIARY = {form: verb for verb, forms in _FORMS.items() for form in forms.split()}
_PAST = frozenset("was were did had".split())
_NOT = frozenset("not n't n’t never no".split())
_PASSED_OVER = frozenset(
    """a all an the any every our your my also now currently unfortunately please ever yet still
    already gmbh inc llc ltd plc""".split()
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
HIRE = frozenset(stems("hire rent"))
_LIKE = (
    *(TAKE, HIRE),
    *(
        frozenset(stems(line)) | frozenset(line.split())
        for line in (
            "delete remove erase",
            "mend repair fix",
            "begin start",
            "buy purchase",
            "close shut",
            "just only",
            "bike bicycle",
            "photo photograph",
            "phone telephone",
            "film movie",
            "kid child",
            "me you us",
            "myself yourself ourselves",
            "allow permit",
            "include part",
            "compulsory mandatory obligatory",
            "several multiple",
        )
    ),
)
"""Words of which one says what another does."""
ANYBODY = "anybody"
_PEOPLE = {
    "nobody": frozenset({ANYBODY}),
    "everybody": frozenset({ANYBODY, "everybody"}),
    "somebody": frozenset({"somebody"}),
    "anybody": frozenset({ANYBODY}),
}
_PEOPLE |= {word.replace("body", "one"): said for word, said in _PEOPLE.items()}
_ANYBODY_ASKED = frozenset({ANYBODY, "somebody"})
_ARTICLES = frozenset("a an the this that".split())
_NONE = frozenset({"nobody", "none", "neither"})
_IS_IT_POSSIBLE = re.compile(r"^is it possible to ", re.IGNORECASE)
_TO_DO = re.compile(r"\b(?:for|of) (?=\w+ing\b)", re.IGNORECASE)
"""A key "for copying" is one "to copy"."""
_HIRE_OUT = re.compile(r"\b(hire|rent) out\b", re.IGNORECASE)
_AT_ONCE = re.compile(r"\bat (?:once|the same time)\b", re.IGNORECASE)
_HAVE_TO = re.compile(r"\b(?:have|has|had|need|needs) to\b", re.IGNORECASE)
_HAVE = frozenset("have has had need needs".split())
_MUST, _NOBODY, _TOGETHER = "must", "nobody", "simultaneously"
QUOTES = re.compile(r"[\"“”„«»]")
_EVERY = frozenset({"all", "every", "everybody", "everyone"})

Unit = frozenset[str]
"""The stems of a word, any of which is it; the word itself where it is one that stems leave out."""


@dataclass(frozen=True, slots=True)
class Said:
    """A question or a clause without articles, auxiliary verbs and whoever speaks or is asked.

    Args:
        verbs: the auxiliary ones, by their infinitives, without "do".
        who: "we", "you", "i" or "one" where that is the subject.
        said: the words of the units, as they stand.
        start: number of the first token.
        parted: how many units stand before each comma, and before the name in "her niece Clara".
        every: whether it speaks of all.
    """

    units: tuple[Unit, ...]
    verbs: frozenset[str]
    who: str
    past: bool
    denied: int = 0
    said: tuple[str, ...] = ()
    start: int = 0
    parted: frozenset[int] = frozenset()
    every: bool = False

    def after(self, count: int) -> "Said":
        """The same without its first words."""
        parted = frozenset(n - count for n in self.parted)
        return replace(self, units=self.units[count:], said=self.said[count:], parted=parted)


def of_question(text: str) -> Said | None:
    """What a question asks whether it is so; None where it is denied, or about "it"."""
    text = _HIRE_OUT.sub(r"\1", _TO_DO.sub("to ", _IS_IT_POSSIBLE.sub("can one ", text)))
    text = _AT_ONCE.sub(_TOGETHER, text)
    said = words(text)
    if len(said) < 2 or said[0] not in _AUXILIARY or _NOT.intersection(said) or QUOTES.search(text):
        return None
    who = said[1] if said[1] in SPEAKS_AS else ""
    if said[1] in _ANYBODY or re.match(r"\w+n['’]t\b", text):
        return None
    first, *others = [said[0], *words(_HAVE_TO.sub(_MUST, text))[2 if who else 1 :]]
    rest = [word for word in others if word not in _PASSED_OVER]
    rest = [word for word in rest if word not in _AUXILIARY]
    units = tuple(_asked(word) for word in rest)
    verbs = {_AUXILIARY[word] for word in (first, *others) if word in _AUXILIARY}
    if len(units) < (1 if who else 2):
        return None
    every = not _EVERY.isdisjoint(others)
    verbs -= {"do"}
    return Said(units, frozenset(verbs), who, first in _PAST, said=tuple(rest), every=every)


def of_clauses(sentence: "Span") -> Iterator[Said]:
    """What a sentence says as a whole, and what is said by the clauses and lists that it joins."""
    whole = _without_note(sentence)
    for part, denied in ((whole, 0), *told_apart(sentence), *_in_parentheses(whole)):
        yield _of_tokens(part, denied)
        if brief := without_reason(part):
            yield _of_tokens(brief, denied)
        if given_up := has_stopped(part):
            yield replace(_of_tokens(given_up, denied + 1), past=False)


def _in_parentheses(tokens: "Sequence[Token]") -> "Iterator[Clause]":
    """A clause of its own within a sentence: "One level is read (levels below are not)"."""
    first = next((n for n, t in enumerate(tokens) if t.text == "("), len(tokens))
    last = next((n for n, t in enumerate(tokens) if t.text == ")"), 0)
    within = tokens[first + 1 : last]
    if any(t.dep_ in SUBJECTS for t in within) and not any(map(_conditions, tokens)):
        yield within, 0


def _conditions(token: "Token") -> bool:
    return ON_CONDITION.fullmatch(token.text) is not None


def _of_tokens(tokens: "Sequence[Token]", denied: int = 0) -> Said:
    units, said = list[Unit](), list[str]()
    verbs, parted, tops = set[str](), set[int](), _verbs_of(tokens)
    who = ""
    for token, low in _spelt(tokens):
        if low == "," or _is_called(token):
            parted.add(len(units))
        first = not units and not verbs and not who
        if low in _NOT or (first and low in _NONE):
            denied += _denials(token, low, tokens, tops, len(units))
        if low in _PASSED_OVER or low in _NOT or (first and low in _NONE and low != _NOBODY):
            continue
        if low in _AUXILIARY and token.tag_ != "POS":
            verbs.add("could" if low == "could" else _AUXILIARY[low])
        elif first and low in ("we", "you"):
            who = low
        elif own := words(low):
            lemma = stems(token.lemma_) if token.pos_ == "VERB" and len(own) == 1 else ()
            units.extend(unit(word).union(lemma) for word in own)
            said.extend(own)
    past = any(t.lower_ in _PAST or t.tag_ == "VBD" for t in tokens)
    own = (t for t in tops if t in tokens and t.dep_ == "conj")
    joined = any(t.tag_ == "VBN" for t in own)  # "They sang but never danced"
    every = any(token.lower_ in _EVERY for token in tokens)
    its = (tuple(units), frozenset(verbs - {"do"}), who, past or (joined and not verbs))
    return Said(*its, denied, tuple(said), tokens[0].i if tokens else 0, frozenset(parted), every)


def _spelt(tokens: "Sequence[Token]") -> "Iterator[tuple[Token, str]]":
    """The words in lower case, some as one: "have to" is "must", "no one" "nobody"."""
    behind, until = "", 0
    for n, token in enumerate(tokens):
        low, then = token.lower_, tokens[n + 1].lower_ if n + 1 < len(tokens) else ""
        joined, behind = low == behind or n < until, ""
        if joined:
            continue
        if low == "at" and (length := _at_once(tokens[n : n + 4])):
            yield token, _TOGETHER
            until = n + length
        elif low in _HAVE and then == "to":
            yield token, _MUST
            behind = then
        elif low == "need" and then in _NOT:
            yield token, _MUST
        elif token.dep_ == "prt" and low == "out" and not HIRE.isdisjoint(stems(token.head.lemma_)):
            continue  # "We do not hire out pianos"
        elif low == "no" and then in ("one", "longer"):
            yield token, _NOBODY if then == "one" else low
            behind = then
        elif low in ("for", "of") and len(then) > 3 and then.endswith("ing"):
            yield token, "to"  # a key "for copying" is one "to copy"
        else:
            yield token, low


def _at_once(tokens: "Sequence[Token]") -> int:
    """How many tokens say "at once", if they do."""
    found = _AT_ONCE.match(" ".join(token.lower_ for token in tokens))
    return len(found.group().split()) if found else 0


def _denials(
    token: "Token", low: str, tokens: "Sequence[Token]", tops: "set[Token]", before: int
) -> int:
    """How often a word denies a clause: twice where it may be so in part, as "not all" may."""
    if low in _NONE:
        return 1
    if low == "no" and before <= 1:
        leads = not before and token.doc[token.i + 1 : token.i + 2].text == ","
        return 0 if leads else 1  # "No, dogs are welcome"
    of_all = low != "no" and any(t.lower_ in _EVERY and t.i > token.i for t in tokens)
    return 1 if _denies_all(token, tops) and not of_all else 2


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
    if negation.dep_ == "det" and head.dep_ in ("dobj", "attr"):  # "She spoke no French"
        head = head.head
    return head in verbs or (head.dep_ in ("aux", "auxpass") and head.head in verbs)


def _is_called(name: "Token") -> bool:
    """Whether a name follows whom it names, as in "her niece Clara", which is not Clara's."""
    if name.pos_ != "PROPN" or not name.i:
        return False
    noun, whole = name.nbor(-1), name if name.dep_ != "compound" else name.head
    own = any(t.dep_ in ("poss", "det") for t in noun.children)
    return noun.pos_ == "NOUN" and own and not any(t.dep_ == "case" for t in whole.children)


def _without_note(sentence: "Span") -> "list[Token]":
    """The tokens of a sentence but for the number of a note: "2 It does not", "in 1917.[3]"."""
    tokens = list(sentence)
    if len(tokens) > 2 and tokens[0].text.isdecimal() and tokens[1].tag_ not in ("NNS", "NNPS"):
        one = any(t.tag_ == "VBZ" and t.head == sentence.root for t in [*tokens, sentence.root])
        if tokens[1].lower_ in _ARTICLES or (one and int(tokens[0].text) > 1):
            tokens = tokens[1:]
    return [
        t
        for n, t in enumerate(tokens)
        if not (t.text.isdecimal() and n and tokens[n - 1].text == "[" and _is(tokens, n + 1, "]"))
    ]


def unit(word: str) -> Unit:
    """The stems of a word and of those that say the same."""
    if word in _PEOPLE:
        return _PEOPLE[word]
    word = IN_FIGURES.get(word, word)
    own = frozenset(stems(word) or (word,))
    return own.union(*(like for like in _LIKE if not own.isdisjoint(like)))


def _asked(word: str) -> Unit:
    return _ANYBODY_ASKED if _PEOPLE.get(word, frozenset({""})) <= _ANYBODY_ASKED else unit(word)
