"""Strings of the pages that might be the answer, with all their mentions."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...kg.text.words import bare_title, stems
from ...kg.types import Statement
from .asked.alike import alike
from .asked.dates import dates_of
from .asked.forms import LONG
from .asked.initials import long_forms
from .asked.names import inside, is_code, key, same_name, told_apart
from .asked.question import Asked
from .pages import Evidence, Page, place_of
from .places import FIGURE, LANDS, LEADING, cut, in_a_date, is_whole, measured, places, told, worded
from .spans import Spans
from .trimmed import symbol
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
_PRONOUNS = frozenset(
    "he she it they this that these those who which what we you i him her them us me there".split()
)
_CODE = r"[\w+-]*(?:[A-Z\d]|[\w+][-_./+][\w+])[\w.+/-]*"  # "dpkg-source", "Vecht", "/etc/fstab"
_GOES_ON = re.compile(r"(?:[/_@.][a-z]\w*|\*/)+")  # where a token ends within a path or an address
_AMOUNT = re.compile(r"[$€£¥]?\d[\d.,]*")
_MILLIONS = re.compile(r" ?(?:(thousand|million|billion|trillion)|[mk]|[mb]n)(?!\w)")  # "€10 m"
_JOINS = "._/@+-"
_LONGEST_CODE = 40  # characters
_COMES_FROM = re.compile(rf"[\w{_JOINS}]{{1,{_LONGEST_CODE}}}\Z")  # … or begins: "col.names"
_BEGINNING = 60  # words
_VERSION = re.compile(r"(?<![\w.])v?\d+(?:\.\d+)+(?!\w)")
_EXPLAINED = re.compile(r" [–—-] .*", re.DOTALL)  # "Random access memory – what programs work in"
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
        text, same, dated = told(mention.page.parsed, text, mention.start, mention.end)
        if dated and (year := evidence.asked.year_of(text)):
            text, same = year, told_apart(year)
        if evidence.asked.form == LONG:
            text = _EXPLAINED.sub("", text)
            same = told_apart(text)
        if same in found:
            found[same].mentions.append(mention)
        elif _says_something(text, noun) or _is_symbol(text, mention):
            found[same] = AnswerCandidate(text, key(text) or text, [mention])
    every = list(found.values())
    if evidence.asked.identity:
        every = _no_names(every)
    best = {id(one) for one in _likeliest(every, spans)}
    return [
        one
        for one in every
        if id(one) in best or any((m.page, m.start, m.end) == value for m in one.mentions)
    ]


def _no_names(found: list[AnswerCandidate]) -> list[AnswerCandidate]:
    """Those that are no names of people, or of what recognisers take for places."""
    names = [one.key for one in found if one.label == "PERSON" or one.label in LANDS]
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
        for text, mention in _of_text(page, evidence.asked, spans):
            if is_whole(page.parsed, mention.start, mention.end):
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


def _spans(page: Page, asked: Asked) -> Iterator[tuple[str, Mention]]:
    of, own = page.parsed, places(page.parsed)
    more = {one for one in _beside(page, asked.focus) if not in_a_date(of, one)}
    more |= {(*span, "NAME") for span in written(asked, page.text)}
    if asked.form == LONG:
        more |= {(*span, "NAME") for span in long_forms(asked.short, page.text)}
    more = {one for one in more if not cut(of, *one[:2])}
    for start, end, label in sorted({*own, *more}) if more else own:
        known = _MERGED.get(label, label)
        known = known if known in LABELS else "NAME"
        yield worded(of, start, end), Mention(page, known, start, end, page.sentence_at(start))


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


def _beside(page: Page, focus: str) -> Iterator[tuple[int, int, str]]:
    """Names and codes right before or behind the noun asked for: "the utility dpkg-source"."""
    if len(focus) < 3:
        return
    noun = rf"(?i:\b{re.escape(focus)}s?\b)"
    for pattern in (rf"{noun} [\"“'‘]?({_CODE})", rf"(?<![\w-])({_CODE}) {noun}"):
        for match in re.finditer(pattern, page.text):
            end = match.end(1) - (match.group(1)[-1] in ".-/")
            if figure := FIGURE.fullmatch(page.text, match.start(1), end):
                end = measured(page.text, figure.end())  # "Deposit 20 %"
            yield match.start(1), end, "NAME"


def _ends(page: Page) -> Iterator[tuple[str, Mention]]:
    whole, headline = page.text, None if _names_a_thing(page) else page.title
    for statement in page.statements:
        sentence = page.sentence_of(statement)
        span = page.spans[sentence] if page.spans else None
        for text, reverse in ((statement.triple.tail, False), (statement.triple.head, True)):
            start = place_of(text, whole, span.start_char, span.end_char) if span else -1
            place = (start, start + len(text)) if start >= 0 else (0, 0)
            if (start >= 0 and cut(page.parsed, *place)) or key(text) == headline:
                continue
            yield text, Mention(page, "END", *place, sentence, statement, reverse)
