"""The rule for "Is parking included?", where a sentence says just these words."""

import re
from collections.abc import Iterator
from dataclasses import replace

from ....kg.extraction.tokens import FIRMS
from ....kg.text.words import stems, words
from ..asked.alike import alike
from ..pages import Evidence, Page
from .permission import CONDITION
from .replies import asks
from .rulings import REPLY, Ruling
from .said import IN_FIGURES, QUOTES, SPEAKS_AS, TAKE, Said, Unit, of_clauses, of_question

_PREPOSITIONS = frozenset("at in of by with for on from to between during before after".split())
_PAY = frozenset(stems("pay"))
_POSSIBLE = frozenset(stems("supported possible allowed permitted"))
_CAN_BE = frozenset(stems("run use do make work go"))
"""Verbs of "Can tasks run between hosts?" that "… are not supported" does not say."""
_GOES_BACK = re.compile(
    r"\W*(?:but|however|except\w*|only|unless|not|though|although|yet|otherwise|instead"
    r"|th(?:is|at) (?:is|was|does|will|has)|it (?:was|will|would)|exceptions?|none of|nothing of"
    r"|wrong|false|nonsense|untrue)\b",
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
_STANDS_FOR = FIRMS | {"it", "he", "she", "they"}
_PLACED = frozenset("in at on near under behind above and".split())
_DONE = _PLACED | frozenset("by with for from to as into during since".split())
"""What goes on behind something that is so in a place; behind something that was done."""
_LITTLE_MORE = re.compile(
    r"in price|in fare|in fee|in rent|free of charge|for free|at no (?:extra )?(?:charge|cost)"
    r"|everywhere\b.*|throughout\b.*"
)
"""Behind what is asked, without articles: takes nothing from it."""
_TAKES_BACK = re.compile(
    r"\b(?:nobody|nothing|hardly|barely|few)\b|^under (?:construction|repair|review)"
    r"|^in (?:principle|part|theory|training|writing|name|plans?|first|last|next)\b"
    r"|^on (?:request|lead|payment)"
)
_AT_TIMES = re.compile(
    r"\b(?:spring|summer|autumn|winter|season|\w+days?|weekends?|mornings?|evenings?|nights?|jan\w*"
    r"|feb\w*|march|april|may|june|july|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*|cases?|times)\b"
)
_ENDS = re.compile(r"[.!?][)\]*_]*\Z")


def by_statement(evidence: Evidence) -> Ruling | None:
    """Decide by a sentence that says the words of the question in their order, and no others.

    Where another sentence says them and a condition, or the contrary, nothing is asserted.
    """
    asked = evidence.asked
    question = of_question(asked.text) if asked.kind == "yesno" else None
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


def _verdict(evidence: Evidence, question: Said, page: Page, number: int) -> str:
    """Whether a sentence says "yes" or "no" to a question; "" where it says another thing, or both.

    What it adds to the words of the question takes nothing from a "yes" where that is about what
    happened, about what is there, or about somebody by name.
    """
    if number in page.fields or len(page.spans[number]) > 3 * len(question.units) + 12:
        return ""
    if asks(page.texts[number]):
        return ""
    named = evidence.asked.named_stems
    above = named & frozenset(stems(f"{page.passage.title} {page.passage.heading}"))
    free = question.past or "there" in question.units[0]
    free = (free or not question.units[0].isdisjoint(named)) and "can" not in question.verbs
    told = {
        "no" if said.denied else "yes"
        for clause in of_clauses(page.spans[number])
        for said, asked in _variants(clause, question, above, page.heads.get(number, frozenset()))
        if said.denied <= 1
        if any(
            _states(one, asked)
            for one in _shortened(said, asked, free and asked.verbs == question.verbs)
        )
    }
    return told.pop() if len(told) == 1 else ""


def _variants(
    said: Said, question: Said, above: frozenset[str], heads: frozenset[str]
) -> Iterator[tuple[Said, Said]]:
    """Both, and as they are without names that the title says, or that "it" stands for.

    Args:
        heads: stems of what the sentence's triples are about.
    """
    for asked in _without(question, above):
        yield said, asked
    if said.said and said.said[0] in _STANDS_FOR and not question.who:
        count = next((n for n, unit in enumerate(question.units) if not unit & heads), 0)
        if count:
            rest = replace(said, units=said.units[1:], said=said.said[1:])
            yield rest, replace(question, units=question.units[count:])


def _without(question: Said, above: frozenset[str]) -> Iterator[Said]:
    """The question, and as it is without names that the title says: "at Larkin Hire"."""
    yield question
    units = question.units
    if question.who and units[0] & _PAY and units[1:] and units[1] & {"by", "with"}:
        yield Said((*units[2:], TAKE), frozenset({"be"}), "", question.past)
    for n in range(1, len(units)):
        if units[n] & _PREPOSITIONS and units[n + 1 :] and _all_in(units[n + 1 :], above):
            yield Said(units[:n], question.verbs, question.who, question.past)
        if not question.who and _all_in(units[:n], above):
            yield Said(units[n:], question.verbs, "you", question.past)


def _shortened(said: Said, asked: Said, free: bool) -> Iterator[Said]:
    """What is said, and the beginning of it that is as long as the question, if that says it."""
    yield said
    count = len(asked.units)
    if said.denied or not 0 < count < len(said.units):
        return
    more = " ".join(said.said[count:])
    little = _LITTLE_MORE.fullmatch(more) is not None
    goes_on = _DONE if said.past else _PLACED
    adds = not _DENIES.search(more) and not _TAKES_BACK.search(more)
    if free and said.said[count] in goes_on and adds:
        little = little or not (
            CONDITION.search(more) or (not said.past and _AT_TIMES.search(more))
        )
    if little:
        yield replace(said, units=said.units[:count], said=said.said[:count])


def _all_in(units: tuple[Unit, ...], above: frozenset[str]) -> bool:
    return all(unit & above for unit in units)


def _states(said: Said, asked: Said) -> bool:
    """Whether a sentence states, or denies, what is asked, in either voice."""
    perfect = asked.verbs - said.verbs == {"have"} and said.verbs <= asked.verbs
    if said.past and not asked.past and perfect:
        asked = replace(asked, verbs=said.verbs, past=True)  # "Has it closed?" – "It closed."
    mine, its = said.units, asked.units
    if said.past != asked.past:
        return False
    if said.verbs == asked.verbs and said.who in SPEAKS_AS.get(asked.who, ("",)):
        return _same(mine, its) or _turned(mine, its)
    by_them = asked.who in ("you", "one") or (asked.who == "i" and "can" in asked.verbs)
    if by_them and not said.who and said.verbs == asked.verbs | {"be"} != asked.verbs:
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


def _is_possible(said: Said, asked: Said) -> bool:
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
        or QUOTES.search(text)
    )


def _against(evidence: Evidence, question: Said, verdict: str, page: Page) -> bool:
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
    number = IN_FIGURES.get(stem, stem)
    return alike(stem) | {number} | (TAKE if stem in TAKE else frozenset())
