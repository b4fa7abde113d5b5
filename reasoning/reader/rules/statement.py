"""The rule for "Is parking included?", where a sentence says just these words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ....kg.text.words import stems, words
from ..asked.alike import alike
from ..pages import Evidence, Page
from .permission import CONDITION
from .replies import asks
from .rulings import REPLY, Ruling

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
_PASSED_OVER = frozenset("a an the any our your my also now currently unfortunately please".split())
_SPEAKS_AS = {  # whoever is asked about, and as whom the document speaks of them
    "i": frozenset({"you"}),
    "one": frozenset({"you"}),
    "we": frozenset({"we", "you"}),
    "you": frozenset({"we", "you"}),
}
_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_IN_FIGURES = {word: str(number) for number, word in enumerate(_NUMBERS)}
_PREPOSITIONS = frozenset("at in of by with for on from to between during before after".split())
_ANYBODY = frozenset("it he she they this that these those".split())
_POSSIBLE = frozenset(stems("supported possible allowed permitted"))
_TAKE = frozenset(stems("take taken accept"))
"""Of cheques, cards or dogs the one says the other."""
_CAN_BE = frozenset(stems("run use do make work go"))
"""Verbs of "Can tasks run between hosts?" that "… are not supported" does not say."""
_IS_IT_POSSIBLE = re.compile(r"^is it possible to ", re.IGNORECASE)
_GOES_BACK = re.compile(
    r"\W*(?:but|however|except\w*|only|unless|not|though|although|yet|otherwise|instead"
    r"|th(?:is|at) (?:is|was|does|will|has)|it (?:was|will|would)|exceptions?)\b",
    re.IGNORECASE,
)
_BYGONE = re.compile(
    r"\b(?:old|former\w*|obsolete|archived?|outdated|until|draft|examples?|myths?|proposals?|planned"
    r"|supersed\w+|wrong)\b",
    re.IGNORECASE,
)
"""Above a statement: it may hold no more, or never did."""
_UNSURE = re.compile(r"\b(?:may|might|should|would|could|usually|planned|expected|likely)\b", re.I)
_DENIES = re.compile(r"\b(?:not|never|no|cannot|none|nor|without)\b|n['’]t\b", re.IGNORECASE)
_ENDS = re.compile(r"[.!?][)\]*_]*\Z")
_QUOTES = re.compile(r"[\"“”„«»]")

Unit = frozenset[str]
"""The stems of a word, any of which is it; the word itself where it is one that stems leave out."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A question or a sentence without articles, auxiliary verbs and whoever speaks or is asked.

    Args:
        verbs: the auxiliary ones, by their infinitives, without "do".
        who: "we", "you", "i" or "one" where that is the subject.
    """

    units: tuple[Unit, ...]
    verbs: frozenset[str]
    who: str
    past: bool
    denied: int = 0


def by_statement(evidence: Evidence) -> Ruling | None:
    """Decide by a sentence that says the words of the question in their order, and no others.

    Where another sentence says them and a condition, or the contrary, nothing is asserted.
    """
    asked = evidence.asked
    question = _of_question(asked.text) if asked.kind == "yesno" else None
    if question is None:
        return None
    told: dict[str, tuple[Page, int]] = {}
    sure = True
    for page in evidence.pages:
        for number in range(len(page.spans)):
            verdict = _verdict(evidence, question, page, number)
            if verdict:
                told.setdefault(verdict, (page, number))
                sure = sure and _stands(page, number)
    if len(told) != 1:
        return None
    [(verdict, read)] = told.items()
    sure = sure and not any(_against(evidence, question, verdict, page) for page in evidence.pages)
    return Ruling(verdict, REPLY if sure else "default", read=read)


def _of_question(text: str) -> _Said | None:
    """What a question asks whether it is so; None where it is denied, or about "it"."""
    text = _IS_IT_POSSIBLE.sub("can one ", text)
    said = words(text)
    if (
        len(said) < 2
        or said[0] not in _AUXILIARY
        or _NOT.intersection(said)
        or _QUOTES.search(text)
    ):
        return None
    who = said[1] if said[1] in _SPEAKS_AS else ""
    if said[1] in _ANYBODY or re.match(r"\w+n['’]t\b", text):
        return None
    rest = [word for word in said[2 if who else 1 :] if word not in _PASSED_OVER]
    units = tuple(_unit(word) for word in rest if word not in _AUXILIARY)
    verbs = {_AUXILIARY[word] for word in (said[0], *rest) if word in _AUXILIARY}
    if len(units) < (1 if who else 2):
        return None
    return _Said(units, frozenset(verbs - {"do"}), who, said[0] in _PAST)


def _of_sentence(page: Page, number: int) -> _Said:
    units: list[Unit] = []
    verbs: set[str] = set()
    who, past, denied, before = "", False, 0, ""
    for token in page.spans[number]:
        low = token.lower_
        own = words(low)
        first = not units and not verbs and not who
        past = past or low in _PAST or token.tag_ == "VBD"
        leads = first and low == "no" and token.doc[token.i + 1 : token.i + 2].text == ","
        if low in _NOT and not leads:  # "No, dogs are welcome"
            main = _of_main_clause(token, page.spans[number]) or (low == "no" and len(units) <= 1)
            denied += 1 if main else 2
        elif low in _AUXILIARY and token.tag_ != "POS":
            verbs.add("could" if low == "could" else _AUXILIARY[low])
        elif first and low in ("we", "you"):
            who = low
        elif own and low not in _PASSED_OVER and not (low == "longer" and before == "no"):
            lemma = stems(token.lemma_) if token.pos_ == "VERB" and len(own) == 1 else ()
            units.extend(_unit(word).union(lemma) for word in own)
        before = low
    return _Said(tuple(units), frozenset(verbs - {"do"}), who, past, denied)


def _of_main_clause(negation: "Token", sentence: "Span") -> bool:
    """Whether a sentence is denied as a whole: not in "Cards that are not signed are accepted"."""
    head, root = negation.head, sentence.root
    if head.lower_ == "longer":  # "no longer"
        head = head.head
    return head == root or (head.dep_ in ("aux", "auxpass") and head.head == root)


def _unit(word: str) -> Unit:
    word = _IN_FIGURES.get(word, word)
    own = frozenset(stems(word) or (word,))
    return own if own.isdisjoint(_TAKE) else _TAKE


def _verdict(evidence: Evidence, question: _Said, page: Page, number: int) -> str:
    """Whether a sentence says "yes" or "no" to a question; "" where it says another thing."""
    if number in page.fields or len(page.spans[number]) > 3 * len(question.units) + 12:
        return ""
    if asks(page.texts[number]):
        return ""
    said = _of_sentence(page, number)
    above = evidence.asked.named_stems & frozenset(
        stems(f"{page.passage.title} {page.passage.heading}")
    )
    if said.denied > 1 or not any(_states(said, one) for one in _without(question, above)):
        return ""
    return "no" if said.denied else "yes"


def _without(question: _Said, above: frozenset[str]) -> Iterator[_Said]:
    """The question, and as it is without names that the title says: "at Larkin Hire"."""
    yield question
    units = question.units
    for n in range(1, len(units)):
        if units[n] & _PREPOSITIONS and units[n + 1 :] and _all_in(units[n + 1 :], above):
            yield _Said(units[:n], question.verbs, question.who, question.past)
        if not question.who and _all_in(units[:n], above):
            yield _Said(units[n:], question.verbs, "you", question.past)


def _all_in(units: tuple[Unit, ...], above: frozenset[str]) -> bool:
    return all(unit & above for unit in units)


def _states(said: _Said, asked: _Said) -> bool:
    """Whether a sentence states, or denies, what is asked, in either voice."""
    mine, its = said.units, asked.units
    if said.past != asked.past:
        return False
    if said.verbs == asked.verbs and said.who in _SPEAKS_AS.get(asked.who, ("",)):
        return _same(mine, its) or _turned(mine, its)
    if asked.who and not said.who and said.verbs == asked.verbs | {"be"} != asked.verbs:
        return _but_for(its[0], mine, its[1:])  # "Do you accept cheques?" – "Cheques are accepted."
    if said.who == "we" and not asked.who and asked.verbs == said.verbs | {"be"} != said.verbs:
        return bool(mine) and _but_for(mine[0], its, mine[1:])  # … and the other way round
    return "can" in asked.verbs and said.verbs == {"be"} and _is_possible(said, asked)


def _but_for(verb: Unit, passive: tuple[Unit, ...], rest: tuple[Unit, ...]) -> bool:
    """Whether a sentence in the passive says a verb behind its subject, and the rest."""
    return any(
        n > 0 and bool(unit & verb) and _same((*passive[:n], *passive[n + 1 :]), rest)
        for n, unit in enumerate(passive)
    )


def _is_possible(said: _Said, asked: _Said) -> bool:
    """Whether it says of what is asked that it is, or is not, supported or possible."""
    mine, its = said.units, asked.units
    if said.who or len(mine) == 0:
        return False
    if asked.who and len(mine) > 3 and "it" in mine[0] and mine[1] & _POSSIBLE and "to" in mine[2]:
        return _same(mine[3:], its)
    *told, last = mine
    if not last & _POSSIBLE:
        return False
    light = (its[:n] + its[n + 1 :] for n, unit in enumerate(its) if unit & _CAN_BE)
    return any(_same(tuple(told), one) for one in (its, *light))


def _same(mine: tuple[Unit, ...], its: tuple[Unit, ...]) -> bool:
    return len(mine) == len(its) > 0 and all(a & b for a, b in zip(mine, its, strict=True))


def _turned(mine: tuple[Unit, ...], its: tuple[Unit, ...]) -> bool:
    """Whether a sentence begins with what the question ends with: "On Sundays dogs are allowed"."""
    return any(_same(mine, its[n:] + its[:n]) for n in range(1, len(its)) if its[n] & _PREPOSITIONS)


def _stands(page: Page, number: int) -> bool:
    """Whether nothing around a statement says that it holds only at times, or no more."""
    above = f"{page.passage.title}\n{page.passage.heading}"
    before, text = page.sentence(number - 1) if number else "", page.sentence(number)
    behind = page.sentence(number + 1)
    goes_on = behind[:1].islower() and not _ENDS.search(text)
    continues = text[:1].islower() and bool(before) and not _ENDS.search(before)
    return not (
        _BYGONE.search(above)
        or before.endswith(":")
        or text.endswith((":", ",", ";", "-", "–"))
        or goes_on
        or continues
        or _GOES_BACK.match(behind)
        or _QUOTES.search(text)
    )


def _against(evidence: Evidence, question: _Said, verdict: str, page: Page) -> bool:
    """Whether a sentence of a page says all words asked about, and a condition or the contrary."""
    content = evidence.asked.stems - _POSSIBLE - _CAN_BE - _PREPOSITIONS or evidence.asked.stems
    asked = evidence.asked.text
    for number, text in enumerate(page.texts):
        said = page.said[number]
        if asks(text) or not all(not said.isdisjoint(_spelt(stem)) for stem in content):
            continue
        if _verdict(evidence, question, page, number):
            continue
        condition = CONDITION.search(text)
        if condition and condition.group().lower() not in words(asked):
            return True
        if _UNSURE.search(text) or bool(_DENIES.search(text)) != (verdict == "no"):
            return True
    return False


def _spelt(stem: str) -> frozenset[str]:
    number = _IN_FIGURES.get(stem, stem)
    return alike(stem) | {number} | (_TAKE if stem in _TAKE else frozenset())
