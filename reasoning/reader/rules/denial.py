"""The rule for "Is there a lift at the mill?", where a clause denies it in another order."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ....kg.text.words import stems, words
from ..pages import Evidence, Page
from .clauses.said import SPEAKS_AS, Said, of_clauses, of_question, unit
from .permission import CONDITION
from .replies import asks, verdict_of
from .rulings import REPLY, Ruling
from .statement import UNSURE, meant, names_of, same_time, stands

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_MAY = re.compile(
    r"^(?:may|might|should|(?:am|are|is|was|were|will) (?=(?:i|you|we|one)\b))"
    r"(i|you|we|one)? ?(?:allowed|permitted|able) to\b|^(?:may|should)(?= )",
    re.IGNORECASE,
)
"""Asks what "can" asks."""
_THERE = re.compile(
    r"^(?:(?:is|are|was|were) there|(?:do|does|did) .+? (?:have|offer|provide)(?! to\b))\b"
    r"|^(?:has|have|had) .+ got\b",
    re.IGNORECASE,
)
"""Asks whether there is something."""
_LIGHT = frozenset(
    "at in of for on to by with into there this these you we i us me must".split()
).union(stems("have got get offer provide own exist available"))
_PERMITTED = frozenset(stems("allowed permitted possible welcome may can must supported"))
_HANDLED = frozenset(stems("bring take keep use have come go get do make put"))
"""Verbs of "Can I bring a dog?" that "Dogs are not allowed" does not say."""
_HERE = frozenset(stems("site premises here grounds ashore aboard moment anywhere"))
"""Of a place that the title or the question names it is all."""
_PLACED = frozenset("at in of on to by with for".split())
_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
_NEED = re.compile(r"\b(?:needs?|ha(?:ve|s|d)) (?:not|to)\b|\bno need\b", re.IGNORECASE)
"""Denied, it forbids nothing."""
_NUMBER = re.compile(r"\(?\d+(?:\.\d+)+\.?\)?|\d+[.)]|\([a-z\d]\)|[*•–-]")
_FORBIDS = re.compile(r"\W*(?:never|do not|don['’]t) (?=\w)", re.IGNORECASE)
_NOTHING = re.compile(r"(?:and |but )?(?:no|without(?: an?| any)?) (.+)", re.IGNORECASE)
_CELLS, _PARTS = re.compile(r"[|\n;]"), re.compile(r",\s|[.]\s|\s[-–]\s|\sand (?=no\b)")
_LABEL = re.compile(r"\W*([^:,]{1,40}): ")
_LABELS = frozenset(stems("access equipment facilities amenities features services contents note"))
_LETTERED = re.compile(r"(?<=[a-z] )[A-Z]\b")
_DENIES = re.compile(
    r"\b(?:not|no|never|nor|cannot|without|nobody|none|forbidden|prohibited|banned)\b|n['’]t\b",
    re.IGNORECASE,
)
_LEAST = 0.5  # of a question's words, in the sentence that a guess rests on, or above it
_ASKED_BEFORE = 2  # sentences before a "No." that may ask what it replies to


def by_denial(evidence: Evidence) -> Ruling | None:
    """Decide "no" by a clause that denies all that is asked, whatever it says first.

    What denies it of something narrower, or only at times, is shown; so it is where another
    sentence says the same words without denying them.
    """
    asked = evidence.asked
    question = of_question(_MAY.sub(_as_can, asked.text)) if asked.kind == "yesno" else None
    if question is None:
        return None
    shown = None
    for page in evidence.pages:
        above = _above(page)
        for number, text in enumerate(page.texts):
            if asks(text):
                continue
            told = _denied(evidence, question, page, number, above)
            if told and stands(page, number) and not _against(evidence, page, number):
                return Ruling("no", REPLY, read=(page, number))
            if told is not None and shown is None:
                shown = Ruling("no", "default", read=(page, number))
    return shown


def denied_after_all(evidence: Evidence, decided: Ruling | None) -> Ruling | None:
    """What a clause denies, where no other rule says more than a guess."""
    if decided is None or decided.rule != "default":
        return decided
    told = by_denial(evidence)
    if told is None or (decided.read is not None and told.read != decided.read):
        return decided
    return told


def by_likeness(evidence: Evidence) -> Ruling | None:
    """Guess "no" by the sentence that says most of the question, where it denies; or its "Yes"."""
    asked = evidence.asked
    if asked.kind != "yesno":
        return None
    content = asked.stems - _PERMITTED
    best, found = _LEAST, None
    for page in evidence.pages:
        above = _above(page)
        for number, text in enumerate(page.texts):
            own = verdict_of(text)
            since = max(0, number - _ASKED_BEFORE) if own else number
            said = frozenset[str]().union(*page.said[since : number + 1])
            like = len(content & (said | above)) / max(1, len(content))
            if like > best and content & said and not asks(text):
                verdict = own or ("no" if _DENIES.search(text) else "")
                best, found = like, Ruling(verdict, "default", read=(page, number))
    return found if found and found.answer else None


def _as_can(found: re.Match[str]) -> str:
    return f"can {found.group(1) or ''}".rstrip()


def _above(page: Page) -> frozenset[str]:
    return frozenset(stems(f"{page.passage.title} {page.passage.heading}"))


def _denied(
    evidence: Evidence, question: Said, page: Page, number: int, above: frozenset[str]
) -> bool | None:
    """Whether a sentence denies what is asked, wholly or (False) of something narrower."""
    there = bool(_THERE.search(evidence.asked.text))
    if there and _lacks(evidence, page.texts[number], above):
        return True
    told = [
        _denies(one, asked, evidence, above, there)
        for line in _lines(page.spans[number])
        if not ("can" in question.verbs and _NEED.search(line.text))
        for said in _ways(line)
        for one, asked in ((said, question), *meant(page, said, question, names_of(evidence)))
    ]
    known = [one for one in told if one is not None]
    return any(known) if known else None


def _lines(span: "Span") -> "Iterator[Span]":
    """A sentence by its lines, without their numbers: an item is no part of what stands below it.

    What stands behind a colon explains: "There is no slide: it was taken down".
    """
    start, told = span.start, False
    for token in span:
        told = told or token.tag_ in _FINITE
        number = token.i == start and _NUMBER.fullmatch(token.text)
        if number or ("\n" in token.text and token.is_space) or (told and _ends(token)):
            if start < token.i:
                yield span.doc[start : token.i]
            start, told = token.i + 1, False
    if start < span.end:
        yield span.doc[start : span.end]


def _ends(token: "Token") -> bool:
    """Whether something else begins behind a token: an explanation, or another sentence."""
    behind = token.doc[token.i + 1 : token.i + 2].text
    return token.text == ":" or (token.text.endswith(".") and behind[:1].isupper())


def _ways(line: "Span") -> Iterator[Said]:
    for said in of_clauses(line):
        if _FORBIDS.match(line.text) and not said.who:  # "Never climb alone"
            yield replace(said, verbs=frozenset({"can"}), who="you", past=False, denied=1)
        elif said.denied == 1:
            yield said


def _denies(
    said: Said, question: Said, evidence: Evidence, above: frozenset[str], there: bool
) -> bool | None:
    """Whether a denied clause says all that is asked and no more; None unless it says all."""
    if (said.every and not question.every) or not _is_so(said, question, there):
        return None
    told = (said.verbs & {"must"}).union(*said.units)
    permits = "can" in question.verbs and bool(told & _PERMITTED)
    light = _LIGHT | (_PERMITTED | _HANDLED if permits else frozenset())
    units, known = question.units, light | above
    from_it = {n for n, unit in enumerate(units[1:]) if unit & above and "from" in units[n]}
    wanted = [unit for n, unit in enumerate(units) if not unit & known and n not in from_it]
    if not wanted or any(not unit & told for unit in wanted) or _turned(said, question, evidence):
        return None
    asked = light.union(_HERE, *question.units)
    return all(
        unit & asked or (n and unit & above and _placed(said, n)) or _of_a_name(said, n, evidence)
        for n, unit in enumerate(said.units)
    )


def _placed(said: Said, n: int) -> bool:
    """Whether a word stands behind a preposition: "on the site", not "the pool is not heated"."""
    return any(word in _PLACED for word in said.said[max(0, n - 2) : n])


def _of_a_name(said: Said, n: int, evidence: Evidence) -> bool:
    """Whether a word says what a name is of: "the brewer Tom Finch"."""
    behind = said.units[n + 1 : n + 2]
    named = bool(behind) and bool(behind[0] & evidence.asked.named_stems)
    return named and n > 0 and said.said[n - 1] in _PLACED


def _is_so(said: Said, question: Said, there: bool) -> bool:
    """Whether a clause is about the same time, and says whether it is, can be or will be so."""
    if not same_time(said, question):
        return False
    if there:
        return "there" in said.said[:1] or said.verbs <= {"have"}
    who = said.who in SPEAKS_AS.get(question.who, ("",))
    passive = (question.who in ("you", "one", "i") and not said.who) or (
        said.who == "we" and not question.who
    )
    mine, its = said.verbs - {"have"}, question.verbs - {"have"}
    if passive:
        mine, its = mine - {"be"}, its - {"be"}
    elif not who:
        return False
    told = (said.verbs & {"must"}).union(*said.units)
    if "can" in its and (told & _PERMITTED or not mine):
        its, mine = its - {"can"}, mine - {"must"}
    return mine - {"be"} == its - {"be"} if not its else mine in (its, its - {"will"})


def _turned(said: Said, question: Said, evidence: Evidence) -> bool:
    """Whether two names stand in another order, or one is only here who does it."""
    if ("by" in said.said) != ("by" in question.said):
        return True
    orders = [
        [next((n for n, unit in enumerate(one.units) if unit & name), -1) for name in names]
        for names in [evidence.asked.names]
        for one in (said, question)
    ]
    both = [pair for pair in zip(*orders, strict=True) if min(pair) >= 0]
    return sorted(both) != sorted(both, key=lambda pair: pair[1])


def _lacks(evidence: Evidence, text: str, above: frozenset[str]) -> bool:
    """Whether a list says that something is not there: "Shed A: mower, no strimmer"."""
    asked = evidence.asked
    content = asked.stems - _LIGHT
    known = content | above | _HERE | _stems(asked.text)
    for cell in _CELLS.split(text):
        label = _LABEL.match(cell)
        head = label.group(1) if label else ""
        parts = _PARTS.split(cell[label.end() if label else 0 :])
        for n, part in enumerate(parts):
            found = _NOTHING.fullmatch(part.strip(" .!*•-–"))
            if found is None or CONDITION.search(part):
                continue
            own, of = _stems(found.group(1)), _stems(head or (parts[0] if n else ""))
            lettered = all(one in cell for one in _LETTERED.findall(asked.text))
            numbered = any(map(str.isdigit, "".join(of & content)))
            about = of <= known | _LABELS or numbered
            of_it = bool(own & content - above) and own <= known
            if of_it and about and lettered and content <= own | of | above:
                return True
    return False


def _stems(text: str) -> frozenset[str]:
    return frozenset[str]().union(*(unit(word) for word in words(text) if stems(word)))


def _against(evidence: Evidence, at: Page, number: int) -> bool:
    """Whether another sentence says the words asked about, and does not deny them."""
    content = evidence.asked.stems - _LIGHT - _PERMITTED
    for page in evidence.pages:
        needed = content - _above(page)
        for n, (text, said) in enumerate(zip(page.texts, page.said, strict=True)):
            if (page is at and n == number) or asks(text) or not needed <= said:
                continue
            if not needed and page is not at:
                continue
            if not _DENIES.search(text) or CONDITION.search(text) or UNSURE.search(text):
                return True
    return False
