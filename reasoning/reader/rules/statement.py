"""The rule for "Is parking included?", where a sentence says just these words."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ....kg.extraction.tokens import FIRMS
from ....kg.text.words import stems, words
from ..asked.alike import alike
from ..pages import Evidence, Page
from .clauses.joined import AT_TIMES
from .clauses.meant import stands_for
from .clauses.said import (
    ANYBODY,
    HIRE,
    IN_FIGURES,
    QUOTES,
    SPEAKS_AS,
    TAKE,
    Said,
    Unit,
    of_clauses,
    of_question,
)
from .permission import CONDITION
from .replies import asks
from .rulings import REPLY, Ruling

if TYPE_CHECKING:
    from spacy.tokens import Span

_PREPOSITIONS = frozenset("at in of by with for on from to between during before after".split())
_PAY, _PAID_BY = frozenset(stems("pay")), frozenset({"by", "with", "in"})
_POSSIBLE = frozenset(stems("supported possible allowed permitted"))
_CAN_BE = frozenset(stems("run use do make work go"))
"""Verbs of "Can tasks run between hosts?" that "… are not supported" does not say."""
_GOES_BACK = re.compile(
    r"\W*(?:but|however|except\w*|only|unless|not|though|although|yet|otherwise|instead"
    r"|th(?:is|at) (?:is|was|does|will|has)|it (?:was|will|would)|exceptions?|none of|nothing of"
    r"|wrong|false|nonsense|untrue)\b",
    re.IGNORECASE,
)
BYGONE = re.compile(
    r"\b(?:old|former\w*|obsolete|archived?|outdated|until|draft|examples?|myths?|proposals?|planned"
    r"|supersed\w+|wrong)\b",
    re.IGNORECASE,
)
"""Above a statement: it may hold no more, or never did."""
UNSURE = re.compile(r"\b(?:may|might|should|would|could|usually|planned|expected|likely)\b", re.I)
_DENIES = re.compile(r"\b(?:not|never|no|cannot|none|nor|without)\b|n['’]t\b", re.IGNORECASE)
_STANDS_FOR = FIRMS | {"it", "they"}
_MUTUAL = frozenset(stems("marry married divorce divorced"))
_CONVERSE = {unit: HIRE for unit in HIRE} | {
    "borrow": frozenset({"lend"}),
    "buy": frozenset({"sell"}),
    "purchas": frozenset({"sell"}),
}
"""What customers do, and what the others do then."""
_PLACED = frozenset("in at on near under behind above and".split())
_DONE = _PLACED | frozenset(
    "by with for from to as into during since before after until when twice again".split()
)
"""What goes on behind something that is so in a place; behind something that was done."""
_LITTLE_MORE = re.compile(
    r"in (?:price|fare|fee|rent)|at (?:present|moment)|free of charge|for free"
    r"|at no (?:extra )?(?:charge|cost)|everywhere\b.*|throughout\b.*|\d+ (?:second|minute|hour)s"
)
"""Behind what is asked, without articles: takes nothing from it."""
_TO_THIS_DAY = re.compile(
    r"at|(?:any)?more|longer|so far|either|at (?:present|moment)|in (?:price|fare|fee|rent)"
)
"""… behind what is denied ("all" and "any" are passed over): it is denied no less."""
_SET_IN_TIME = re.compile(r"\b(?:before|after|when|while|during|until|till)\b")
"""Of something that happened: when it did, not whether."""
_TAKES_BACK = re.compile(
    r"\b(?:nobody|nothing|hardly|barely|few)\b|^under (?:construction|repair|review)"
    r"|^in (?:principle|part|theory|training|writing|name|plans?|first|last|next)\b"
    r"|^on (?:request|lead|payment)"
)
_FIRST_NAME = re.compile(r"\w+ ((?:[^\W\d_a-z][\w'’.-]*(?: \d+\b)? ?)+)")
_IN_PART = re.compile(r"\bbut not (?!\w+ed\b)", re.IGNORECASE)
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
                sure = sure and stands(page, number)
    if len(told) != 1:
        return None
    [(verdict, read)] = told.items()
    sure = sure and not any(_against(evidence, question, verdict, page) for page in evidence.pages)
    return Ruling(verdict, REPLY if sure else "default", read=read)


def stated_after_all(evidence: Evidence, decided: Ruling | None) -> Ruling | None:
    """What a sentence states that another rule only shows, for which it says too much."""
    if decided is None or decided.rule != "default" or decided.read is None:
        return decided
    stated = by_statement(evidence)
    sure = stated is not None and stated.rule == REPLY and stated.read == decided.read
    return stated if stated is not None and sure else decided


def _verdict(evidence: Evidence, question: Said, page: Page, number: int) -> str:
    """Whether a sentence says "yes" or "no" to a question; "" where it says another thing, or both.

    What it adds to the words of the question takes nothing from a "yes" where that is about what
    happened, about what is there, or about somebody by name.
    """
    if number in page.fields or len(page.spans[number]) > 3 * len(question.units) + 24:
        return ""
    if asks(page.texts[number]):
        return ""
    named = evidence.asked.named_stems
    titled = frozenset(stems(f"{page.passage.title} {page.passage.heading}"))
    above = named & titled
    people = (page.text[a:b] for (a, b), label in page.recognised.items() if label == "PERSON")
    above -= frozenset(stems(" ".join(people)))
    free = question.past or "there" in question.units[0]
    free = (free or not question.units[0].isdisjoint(named)) and "can" not in question.verbs
    free = free and not _IN_PART.search(page.texts[number]) and not _set_against(page, number)
    names = names_of(evidence)
    heads = page.heads.get(number, frozenset[str]())
    told = {
        "no" if said.denied else "yes"
        for clause in of_clauses(page.spans[number])
        for way in _ways(question, above, page.words | titled)
        for said, asked in (
            *_variants(clause, way, above, heads),
            *meant(page, clause, way, names),
        )
        if said.denied <= 1
        if any(
            _states(one, asked)
            for one in _shortened(said, asked, free and _is_whole(asked, question))
        )
    }
    return told.pop() if len(told) == 1 else ""


def _set_against(page: Page, number: int) -> bool:
    """Whether a sentence denies and says a verb twice: "not paid in May, but paid in June"."""
    verbs = [t.lemma_ for t in page.spans[number] if t.pos_ == "VERB"]
    return len(set(verbs)) < len(verbs) and bool(_DENIES.search(page.texts[number]))


def names_of(evidence: Evidence) -> tuple[frozenset[str], ...]:
    """The stems of each name asked about, and of that which stands first, recognised or not."""
    first = _FIRST_NAME.match(evidence.asked.text)
    own = frozenset(stems(first.group(1))) if first else frozenset[str]()
    names = evidence.asked.names
    return names if not own or any(own <= name for name in names) else (own, *names)


def _ways(question: Said, above: frozenset[str], known: frozenset[str]) -> Iterator[Said]:
    """The question, and the same in other words: "get divorced", "rent one" of who hires out.

    Args:
        known: the words of the page: what it speaks of may be paid "in cash", or by cheque.
    """
    yield question
    units, verbs = question.units, question.verbs
    by = next((n for n, unit in enumerate(units) if n and unit & _PAID_BY), len(units))
    if question.who and units[0] & _PAY and units[by + 1 :] and _all_in(units[1:by][-1:], known):
        yield Said((*units[by + 1 :], TAKE), frozenset({"be"}), "", question.past)
    for n in range(1, len(units) - 1):
        if "get" in units[n] and units[n + 1] & _MUTUAL:
            yield replace(question, units=(*units[:n], *units[n + 1 :]))
    if verbs == {"be"} and units[-1] & _MUTUAL:
        yield replace(question, verbs=frozenset[str]())
    if question.who in ("i", "one", "we") and "can" in verbs and units[0] & _CONVERSE.keys():
        given = (frozenset().union(*(_CONVERSE[u] for u in units[0] if u in _CONVERSE)), *units[1:])
        last = next((n for n, unit in enumerate(given) if "from" in unit), len(given))
        if last == len(given) or _all_in(given[last + 1 :], above | {"you"}):
            yield replace(question, units=given[:last], verbs=verbs - {"can"}, who="you")


def meant(
    page: Page, said: Said, question: Said, names: tuple[frozenset[str], ...]
) -> Iterator[tuple[Said, Said]]:
    """Both without their subjects, where one is named and the other stands for the name."""
    if question.who:
        if said.denied and said.said[:1] == ("there",) and "must" in said.verbs:
            need = replace(said.after(1), verbs=frozenset({"must"}), who="you")
            yield need, question  # "There is no need to …"
        if said.units and ANYBODY in said.units[0]:
            yield replace(said.after(1), who="you"), question
        return
    dated = len(said.said) > 2 and said.said[0] in ("in", "since") and said.said[1].isdecimal()
    told = 2 if dated and said.past and not said.denied else 0  # "In 1903 she joined …"
    for name in names:
        count = next((n for n, u in enumerate(question.units) if not u & name), 0)
        its = stands_for(page, said.said[told:], said.start, name) if count else 0
        rest = said.after(told + its)
        if its and rest.units:
            yield rest, replace(question, units=question.units[count:])


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
            yield said.after(1), replace(question, units=question.units[count:])


def _without(question: Said, above: frozenset[str]) -> Iterator[Said]:
    """The question, and as it is without names that the title says: "at Larkin Hire"."""
    yield question
    units = question.units
    for n in range(1, len(units)):
        if units[n] & _PREPOSITIONS and units[n + 1 :] and _all_in(units[n + 1 :], above):
            yield Said(units[:n], question.verbs, question.who, question.past)
        if not question.who and _all_in(units[:n], above):
            yield Said(units[n:], question.verbs, "you", question.past)


def _shortened(said: Said, asked: Said, free: bool) -> Iterator[Said]:
    """What is said, and the beginning of it that is as long as the question, if that says it."""
    yield said
    count = len(asked.units)
    if not 0 < count < len(said.units):
        return
    if said.denied:
        if _TO_THIS_DAY.fullmatch(" ".join(said.said[count:])):
            yield replace(said, units=said.units[:count], said=said.said[:count])
        return
    more = " ".join(said.said[count:])
    adds = not _DENIES.search(more) and not _TAKES_BACK.search(more)
    if said.past:
        more = _SET_IN_TIME.sub("", more)
    little = _LITTLE_MORE.fullmatch(more) is not None
    goes_on = _DONE if said.past else _PLACED
    begins = said.said[count] in goes_on or (said.past and count in said.parted)
    if said.said[count] == "by" and asked.who:
        return  # by whom is another question
    if free and begins and adds:
        little = little or not (CONDITION.search(more) or (not said.past and AT_TIMES.search(more)))
    if little:
        yield replace(said, units=said.units[:count], said=said.said[:count])


def _all_in(units: tuple[Unit, ...], above: frozenset[str]) -> bool:
    return all(unit & above for unit in units)


def _is_whole(asked: Said, question: Said) -> bool:
    """Whether a question ends as it was asked: without "after Ann" much may be added to it."""
    return asked.verbs == question.verbs and asked.units[-1:] == question.units[-1:]


def _states(said: Said, asked: Said) -> bool:
    """Whether a sentence states, or denies, what is asked, in either voice."""
    asked = _as_told(said, asked)
    mine, its = said.units, asked.units
    if said.past != asked.past or (said.denied and said.every and not asked.every):
        return False
    if said.verbs == asked.verbs and said.who in SPEAKS_AS.get(asked.who, ("",)):
        return _same(mine, its) or _turned(mine, its)
    by_them = asked.who in ("you", "one") or (asked.who == "i" and "can" in asked.verbs)
    if by_them and not said.who and said.verbs == asked.verbs | {"be"} != asked.verbs:
        return _but_for(its[0], mine, its[1:])  # "Do you accept cheques?" – "Cheques are accepted."
    if said.who == "we" and not asked.who and asked.verbs == said.verbs | {"be"} != said.verbs:
        return bool(mine) and _but_for(mine[0], its, mine[1:])  # … and the other way round
    return "can" in asked.verbs and said.verbs == {"be"} and _is_possible(said, asked)


def same_time(said: Said, asked: Said) -> bool:
    """Whether a sentence tells of the time that a question asks about, in either perfect."""
    return said.past == _as_told(said, asked).past


def _as_told(said: Said, asked: Said) -> Said:
    """The question in the sentence's tense, where both ask what is so now."""
    perfect = asked.verbs - said.verbs == {"have"} and said.verbs <= asked.verbs
    if said.past and not asked.past and perfect:
        return replace(asked, verbs=said.verbs, past=True)  # "Has it closed?" – "It closed."
    if asked.past and not said.past and said.verbs - asked.verbs == {"have"}:
        return replace(asked, verbs=said.verbs, past=False)  # … and the other way round
    return asked


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


def stands(page: Page, number: int) -> bool:
    """Whether nothing around a statement says that it holds only at times, or no more."""
    above = f"{page.passage.title}\n{page.passage.heading}"
    before, text = page.sentence(number - 1) if number else "", page.sentence(number)
    behind = page.sentence(number + 1)
    goes_on = behind[:1].islower() and not _ENDS.search(text)
    continues = text[:1].islower() and bool(before) and not _ENDS.search(before)
    return not (
        BYGONE.search(above)
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
        if "will" in question.verbs and _is_past(page.spans[number]):
            continue
        condition = CONDITION.search(text)
        if condition and condition.group().lower() not in words(asked):
            return True
        if UNSURE.search(text) or bool(_DENIES.search(text)) != (verdict == "no"):
            return True
    return False


def _is_past(sentence: "Span") -> bool:
    root = sentence.root
    return root.tag_ == "VBD" or any(t.lower_ in ("was", "were", "had") for t in root.children)


def _spelt(stem: str) -> frozenset[str]:
    number = IN_FIGURES.get(stem, stem)
    return alike(stem) | {number} | (TAKE if stem in TAKE else frozenset())
