"""Strings of the pages that might be the answer, with all their mentions."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from ...kg.extraction.triples import mention_spans
from ...kg.text.words import bare_title, stems
from ...kg.types import Statement
from .asked.alike import alike
from .asked.dates import dates_of, in_figures, is_date
from .asked.forms import CURRENCY, LONG
from .asked.initials import long_forms
from .asked.names import inside, is_code, key, same_name, told_apart
from .asked.question import Asked
from .pages import Evidence, Page, place_of
from .spans import Spans
from .trimmed import symbol, trimmed
from .written import written

LABELS = (
    "PERSON", "ORG", "GPE", "LOC", "FAC", "NORP", "DATE", "CARDINAL", "QUANTITY", "WORK", "NAME",
    "EVENT", "TITLE", "CHUNK", "END", "SPAN", "OPTION",
)  # fmt: skip
"""Kinds of mention: spaCy's entity labels, then how else it was found; the most telling first."""

_MERGED = {
    "WORK_OF_ART": "WORK", "MONEY": "QUANTITY", "PERCENT": "QUANTITY", "TIME": "DATE",
    "ORDINAL": "CARDINAL", "LAW": "NAME", "PRODUCT": "NAME", "LANGUAGE": "NORP", "NOBLE": "PERSON",
}  # fmt: skip
_LOWER_WORD = re.compile(r"\b[a-z]")
LEADING = re.compile(
    r"^(?:the|a|an|this|that|these|those|his|her|its|their|both|also|some|such) ", re.IGNORECASE
)
_PRONOUNS = frozenset(
    "he she it they this that these those who which what we you i him her them us me there".split()
)
_CODE = r"[\w+-]*(?:[A-Z\d]|[\w+][-_./+][\w+])[\w.+/-]*"  # "dpkg-source", "Vecht", "/etc/fstab"
_SECTION = re.compile(r"^[A-Z]?\.?\d+(?:\.\d+)+\.? (?=[A-Z])", re.MULTILINE)  # "2.7.3 Turnouts"
_GOES_ON = re.compile(r"(?:[/_@.][a-z]\w*|\*/)+")  # where a token ends within a path or an address
_AMOUNT = re.compile(r"[$€£¥]?\d[\d.,]*")
_MILLIONS = re.compile(r" ?(?:(thousand|million|billion|trillion)|[mk]|[mb]n)(?!\w)")  # "€10 m"
_JOINS = "._/@+-"
_LONGEST_CODE = 40  # characters
_COMES_FROM = re.compile(rf"[\w{_JOINS}]{{1,{_LONGEST_CODE}}}\Z")  # … or begins: "col.names"
_PLACES = frozenset({"GPE", "LOC", "FAC"})
_BEGINNING = 60  # words
_MEASURED = re.compile(  # "a frequency of exactly 2600 Hz"
    r"^(?:the |an? )?[a-z]+ of (?:exactly |precisely )?(?=[$€£]?\d)"
)
_UNITS = (
    rf"{CURRENCY}|seconds?|minutes?|hours?|days?|weeks?|months?|years?|degrees?|percent|per cent"
    r"|%|[€£$¥]|EUR|USD|GBP|CHF|k?g|[mck]?m|lbs?|inch(?:es)?|feet|miles?|tons?|tonnes?|[kMG]?Hz"
    r"|[kMGT]i?B|(?:kilo|centi|milli)?met(?:er|re)s?|(?:kilo)?grams?"
)
_UNIT = re.compile(rf"(?: (?:thousand|million|billion))? ?(?:{_UNITS})(?![\w])")
_COLUMN_UNIT = re.compile(  # "Price (EUR)", "Price EUR", "Duration in days", "Capacity (reels)"
    rf"(?:(?<=[(\[])|(?<=\bin )|(?<=\D )(?!(?:second|minute|hour|day|week|month|year)$))({_UNITS})"
    r"[)\]]?$|(?<=\()([a-z]+[^\W\ds]s)\)$"
    r"|(?<=[(\[])(m?s|min|h|m?[VAW]|kWh?|[Bb]auds?|dB\w?|bits?|bytes?|°[CFK]?|m?l|rpm|px|dpi|fps|mph"
    r"|km/h|kbps|[kMG]?bits?/s|ppm)[)\]]$"
)
_RATE = re.compile(rf"(?:{_UNITS}) per \w+", re.IGNORECASE)  # "Hours per week"
_VERSION = re.compile(r"(?<![\w.])v?\d+(?:\.\d+)+(?!\w)")
_FIGURE = re.compile(r"[\d.,]*\d")
_EXPLAINED = re.compile(r" [–—-] .*", re.DOTALL)  # "Random access memory – what programs work in"
_MONEY = ("$", "€", "£", "¥")  # before the figure
MAX_LENGTH = 90  # characters of a candidate
MOST = 40
"""Candidates of a question. Of 1,424 questions the best was among so many for 99 %: to describe
all, some 150, would take as long as the span reader does."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where a candidate stands.

    Args:
        start: first character in the passage's text; end is one past the last. Both 0 for a title,
            an option or the end of a triple.
        statement: the triple whose tail (or head, when `reverse`) it is, for mentions labelled END.
    """

    page: Page
    label: str
    start: int = 0
    end: int = 0
    sentence: int = 0
    statement: Statement | None = None
    reverse: bool = False


@dataclass(frozen=True)
class AnswerCandidate:
    """A possible answer, as first spelt, with every mention.

    Args:
        key: see `names.key`; a symbol is its own.
    """

    text: str
    key: str
    mentions: list[Mention] = field(default_factory=list)

    @property
    def label(self) -> str:
        """The most telling label among the mentions."""
        labels = {mention.label for mention in self.mentions}
        return next(label for label in LABELS if label in labels)


def candidates(
    evidence: Evidence, spans: Spans, value: tuple[Page, int, int] | None = None
) -> list[AnswerCandidate]:
    """Collect the likeliest candidates of the pages, each once, in order of first mention.

    Where a question lets choose from two things that have pages, there are only these two.

    Args:
        value: where a row's value stands that is among them, however likely.
    """
    mentions = _of_options(evidence, spans) or [*_of_pages(evidence, spans)]
    if value and not any((m.page, m.start, m.end) == value for _, m in mentions):
        page, start, end = value
        read = Mention(page, "SPAN", start, end, page.sentence_at(start))
        mentions.append((page.text[start:end], read))
    found: dict[str, AnswerCandidate] = {}
    noun = frozenset(stems(evidence.asked.focus))
    noun = noun.union(*map(alike, noun))  # "the movie" is not which film it is
    for text, mention in mentions:
        text = _MEASURED.sub("", " ".join(text.split()))
        text = trimmed(text, mention.page.text, mention.start, mention.end)
        if is_date(text):
            text = evidence.asked.year_of(text) or text
        if evidence.asked.form == LONG:
            text = _EXPLAINED.sub("", text)
        same = told_apart(text)
        if same in found:
            found[same].mentions.append(mention)
        elif _says_something(text, noun) or _is_symbol(text, mention):
            found[same] = AnswerCandidate(text, key(text) or text, [mention])
    told = list(found.values())
    if evidence.asked.identity:
        told = _no_names(told)
    best = {id(one) for one in _likeliest(told, spans)}
    return [
        one
        for one in told
        if id(one) in best or any((m.page, m.start, m.end) == value for m in one.mentions)
    ]


def _no_names(found: list[AnswerCandidate]) -> list[AnswerCandidate]:
    """Those that are no names of people, or of what recognisers take for places."""
    names = [one.key for one in found if one.label == "PERSON" or one.label in _PLACES]
    return [
        candidate
        for candidate in found
        if _LOWER_WORD.search(candidate.text)
        or not any(inside(name, candidate.key) for name in names)
    ]


def _likeliest(found: list[AnswerCandidate], spans: Spans) -> list[AnswerCandidate]:
    """Those that the span reader thinks most of, and options, in their order."""
    if len(found) <= MOST:
        return found
    scores = [spans.score((m.page, m.start, m.end) for m in c.mentions) for c in found]
    best = set(sorted(range(len(found)), key=lambda n: -scores[n])[:MOST])
    return [c for n, c in enumerate(found) if n in best or c.label == "OPTION"]


def _says_something(text: str, noun: frozenset[str]) -> bool:
    """Whether it is more than a pronoun, or the noun that is asked for."""
    normal = key(text)
    if is_code(text):
        return len(text) <= MAX_LENGTH
    if not normal or len(normal) > MAX_LENGTH or normal in _PRONOUNS:
        return False
    return not (noun and text.islower() and noun.issuperset(stems(text)))


def _is_symbol(text: str, mention: Mention) -> bool:
    return bool(text) and symbol(mention.page.text, mention.start, mention.end)


def _of_options(evidence: Evidence, spans: Spans) -> list[tuple[str, Mention]]:
    """The options with every mention of theirs, or nothing unless each has a page of its own."""
    options = [(bare_title(o), evidence.page_of(o)) for o in evidence.asked.options]
    pages = [page for _, page in options if page is not None]
    if len(pages) < 2 or pages[0] is pages[1]:
        return []
    mentions = [(text, Mention(page, "OPTION")) for text, page in options if page is not None]
    for found, mention in _of_pages(evidence, spans):
        for text, _ in options:
            if same_name(key(found), key(text)):
                mentions.append((text, mention))
    return mentions


def _of_pages(evidence: Evidence, spans: Spans) -> Iterator[tuple[str, Mention]]:
    titles = Counter(page.title for page in evidence.pages)
    for page in evidence.pages:
        if titles[page.title] == 1 and _names_a_thing(page):
            yield bare_title(page.passage.title), Mention(page, "TITLE")
        yield from _above(page, evidence.asked)
        numbers = [found.span() for found in _SECTION.finditer(page.text)]
        for text, mention in _of_text(page, evidence.asked, spans):
            whole = page.text[mention.start : mention.end].strip()
            apart = "\n" in whole or page.crosses(mention.start, mention.end)
            if not apart and not any(a <= mention.start < end for a, end in numbers):
                yield text, mention


def _above(page: Page, asked: Asked) -> Iterator[tuple[str, Mention]]:
    """Dates and versions in a title or heading, where such a thing is asked for."""
    for above in filter(None, (page.passage.title, page.passage.heading)):
        if asked.kind == "date":
            for start, end in dates_of(above):
                yield above[start:end], Mention(page, "DATE")
        elif asked.form == "version":
            for found in _VERSION.finditer(above):
                yield found.group(), Mention(page, "CARDINAL")


def _of_text(page: Page, asked: Asked, spans: Spans) -> Iterator[tuple[str, Mention]]:
    yield from _spans(page, asked)
    for start, end in spans.more(page):
        start, end = _begin(page.text, start), _end(page.text, start, end)
        start = _behind_name(page, start, end)
        text = LEADING.sub("", page.text[start:end])
        yield text, Mention(page, "SPAN", start, end, page.sentence_at(start))
    yield from _ends(page)


def _begin(text: str, start: int) -> int:
    """Where what begins within a path, an address or a compound does so: "named-checkzone"."""
    inside = start + (text[start] in _JOINS)
    found = _COMES_FROM.search(text, max(0, inside - _LONGEST_CODE), inside)
    before = found.group().lstrip(_JOINS) if found and text[inside : inside + 1].isalpha() else ""
    ends = before[-1:] == "." and text[inside].isupper()  # a sentence, with no blank behind it
    if not before[:1].isalpha() or before[-1] not in _JOINS or ends or "--" in before:
        return start
    return inside - len(before)


def _end(text: str, start: int, end: int) -> int:
    """Where what ends within a path or an address does so, or a number before its "million"."""
    further = _GOES_ON.match(text, end)
    if not further and _AMOUNT.fullmatch(text, start, end):
        further = _MILLIONS.match(text, end)
        further = further if further and (further[1] or not text[start].isdigit()) else None
    return further.end() if further else end


def _behind_name(page: Page, start: int, end: int) -> int:
    """Where what begins in a column's name has its value: "2 hours" of "Answer within: 2 hours"."""
    for name, first, last in page.fields.get(page.sentence_at(start), ()):
        if first - len(name) - 2 <= start < first < end <= last:
            return first
    return start


def _names_a_thing(page: Page) -> bool:
    """Whether a title is of what its text is about: the text begins with half of its words."""
    opening = set(page.key.split()[:_BEGINNING])
    title = page.title.split()
    return sum(word in opening for word in title) * 2 >= len(title)


def _spans(page: Page, asked: Asked) -> Iterator[tuple[str, Mention]]:
    spans = set(mention_spans(page.doc, page.passage.title))
    spans |= {(e.start_char, e.end_char, e.label_) for e in page.doc.ents}
    spans |= {(c.start_char, c.end_char, "CHUNK") for c in page.doc.noun_chunks}
    whole = page.text
    spans |= {
        (t.idx - (whole[t.idx - 1 : t.idx] in _MONEY), _measured(whole, t.idx + len(t)), "CARDINAL")
        for t in page.doc
        if t.like_num
    }
    spans |= set(_in_places(page))
    spans |= set(_beside(page, asked.focus))
    dates = in_figures(whole)
    spans = {one for one in spans if not any(_within(one, date) for date in dates)}
    spans |= {(*span, "DATE") for span in dates}
    spans |= {(*span, "NAME") for span in written(asked, whole)}
    if asked.form == LONG:
        spans |= {(*span, "NAME") for span in long_forms(asked.short, whole)}
    spans |= {(start, end, "NAME") for of_one in page.fields.values() for _, start, end in of_one}
    units = _units(page)
    for start, end, label in sorted(spans):
        if _cut(whole, start, end):
            continue
        known = _MERGED.get(label, label)
        unit = units.get((start, end), "")
        text = LEADING.sub("", whole[start:end])
        text = f"{unit}{text}" if unit in _MONEY else f"{text} {unit}".rstrip()
        mention = Mention(
            page, known if known in LABELS else "NAME", start, end, page.sentence_at(start)
        )
        yield text, mention


def _units(page: Page) -> dict[tuple[int, int], str]:
    """What a row's figures are of, where their column says it: "EUR" of "Price (EUR): 1490.5"."""
    return {
        (start, end): unit
        for of_one in page.fields.values()
        for name, start, end in of_one
        if (unit := _unit_of(name)) and _FIGURE.fullmatch(page.text, start, end)
    }


def _unit_of(column: str) -> str:
    found = _COLUMN_UNIT.search(column)
    return (
        column.lower() if _RATE.fullmatch(column) else found[found.lastindex or 0] if found else ""
    )


def _cut(text: str, start: int, end: int) -> bool:
    """Whether a span is a piece of a longer word: "pool/main" of "pool/main/a"."""
    if text[start:end].isdigit():
        return False
    before, behind = text[max(0, start - 2) : start], text[end : end + 2]
    if text[start] == "@" and before[-1:].isalnum():
        return True
    return bool(
        re.fullmatch(r"\w[-/_+@]", before)
        or (text[start].islower() and re.fullmatch(r"[a-z]\.", before))  # "names" of "col.names"
        or (text[start] == "/" and before[-1:] == "*")  # of "**/lost+found*/"
        or re.fullmatch(r"[/_@+]\w|\+\+|\.[a-z]|\*/", behind)
    )


def _within(span: tuple[int, int, str], date: tuple[int, int]) -> bool:
    """Whether a span is a piece of a date: "07" of "2009-07-22"."""
    return date[0] <= span[0] < span[1] <= date[1] and date != span[:2]


def _beside(page: Page, focus: str) -> Iterator[tuple[int, int, str]]:
    """Names and codes right before or behind the noun asked for: "the utility dpkg-source"."""
    if len(focus) < 3:
        return
    noun = rf"(?i:\b{re.escape(focus)}s?\b)"
    for pattern in (rf"{noun} [\"“'‘]?({_CODE})", rf"(?<![\w-])({_CODE}) {noun}"):
        for match in re.finditer(pattern, page.text):
            end = match.end(1) - (match.group(1)[-1] in ".-/")
            if figure := _FIGURE.fullmatch(page.text, match.start(1), end):
                end = _measured(page.text, figure.end())  # "Deposit 20 %"
            yield match.start(1), end, "NAME"


def _measured(text: str, end: int) -> int:
    """Where a number ends with its unit: "900 euros"."""
    unit = _UNIT.match(text, end)
    return unit.end() if unit else end


def _in_places(page: Page) -> Iterator[tuple[int, int, str]]:
    """Places with those they lie in ("Edinburgh, Scotland"), two people ("Ann and Ben Lee")."""
    for first, second in pairwise(page.doc.ents):
        labels, between = {first.label_, second.label_}, page.doc[first.end : second.start].text
        if labels <= _PLACES and between == ",":
            yield first.start_char, second.end_char, "GPE"
        elif labels == {"PERSON"} and between in ("and", "&"):
            yield first.start_char, second.end_char, "PERSON"


def _ends(page: Page) -> Iterator[tuple[str, Mention]]:
    whole, headline = page.text, None if _names_a_thing(page) else page.title
    for statement in page.statements:
        sentence = page.sentence_of(statement)
        span = page.spans[sentence] if page.spans else None
        for text, reverse in ((statement.triple.tail, False), (statement.triple.head, True)):
            start = place_of(text, whole, span.start_char, span.end_char) if span else -1
            place = (start, start + len(text)) if start >= 0 else (0, 0)
            if (start >= 0 and _cut(whole, *place)) or key(text) == headline:
                continue
            yield text, Mention(page, "END", *place, sentence, statement, reverse)
