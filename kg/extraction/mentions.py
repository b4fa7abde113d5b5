"""Where a passage speaks of something: its title, dates, quoted works, names, capitalised runs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Doc

MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
DATE = re.compile(
    rf"\b(?:{_DAY} (?:of )?{MONTH},? \d{{3,4}}|{MONTH} {_DAY}, \d{{4}}|{MONTH} \d{{4}}"
    rf"|{MONTH} \d{{1,2}}\b(?!,)|(?:1\d|20)\d\d)\b"
)
"""A date of English prose, or a year alone."""
ASIDE = re.compile(r"(?:e\. ?g|i\. ?e|etc|viz|cf|a\. ?k\. ?a)\.?", re.IGNORECASE)
"""What introduces a name and is none."""

_RANK = (
    "(?:Earl|Duke|Baron|Count|Marquess|Viscount|Countess|Duchess|Baroness|Prince|Princess|King|Queen"
    "|Lord|Margrave|Landgrave|Elector|Emperor|Empress)"
)
_NAME = r"[A-Z][\w.'’-]{1,30}"
_LAND = r"[A-Z][\w'’]{1,30}"
_NOBLE = re.compile(  # "Anna Pole, 3rd Duchess of Saxe-Hoya": spaCy stops at the comma
    rf"{_NAME}(?: {_NAME}){{0,4}},? (?:(?:\d{{1,2}}(?:st|nd|rd|th)|the) )?{_RANK} "
    rf"(?:of|de|von|zu) {_LAND}(?:[ -]{_LAND}){{0,3}}"
)
_QUOTED = re.compile(r"[\"“]([^\"“”\n]{2,60}?)[,.]?[\"”]")
_LEADING = frozenset({"the", "a", "an", "'s", "’s", '"', "“", "(", "'"})
_OBJECTS = frozenset("to the a an this these your all any each".split())
_TRAILING = frozenset({"'s", "’s", '"', "”", ",", "–", "(", ")", "'", "-"}) | {
    "in",
    "of",
    "at",
    "on",
    "for",
    "and",
    "to",
}


@dataclass(frozen=True, slots=True)
class Span:
    """Tokens [start, end) of one mention.

    Args:
        label: TITLE, DATE, WORK (quoted), NOBLE, NAME (a capitalised run), or spaCy's entity label.
    """

    start: int
    end: int
    label: str


def mention_spans(doc: "Doc", title: str) -> list[tuple[int, int, str]]:
    """Find mentions as (first character, one past the last, label), in order, none overlapping.

    The title is the passage's bare title, or "".
    """
    spans = sorted(spans_of(doc, title), key=lambda span: span.start)
    return [(doc[s.start].idx, doc[s.end - 1].idx + len(doc[s.end - 1]), s.label) for s in spans]


def spans_of(doc: "Doc", title: str) -> list[Span]:
    """Find every mention as tokens, the surest kind first: where two overlap, the earlier stays."""
    taken: set[int] = set()
    chosen = []
    for start, end, label in _candidates(doc, title):
        inside = range(start, end)
        if inside and taken.isdisjoint(inside):
            taken.update(inside)
            chosen.append(Span(start, end, label))
    return chosen


def _candidates(doc: "Doc", title: str) -> Iterator[tuple[int, int, str]]:
    text = doc.text
    if len(title) > 2:
        yield from _matches(doc, text, re.compile(rf"(?<!\w){re.escape(title)}(?!\w)"), "TITLE")
    yield from _matches(doc, text, _NOBLE, "NOBLE")
    yield from _matches(doc, text, DATE, "DATE")
    yield from _matches(doc, text, _QUOTED, "WORK", 1)
    for entity in doc.ents:
        start, end = _trimmed(doc, entity.start, entity.end)
        if not _commands(doc, start, end):
            yield start, end, entity.label_
    yield from (name for name in _capitalised(doc) if not _commands(doc, *name[:2]))


def _matches(
    doc: "Doc", text: str, pattern: re.Pattern[str], label: str, group: int = 0
) -> Iterator[tuple[int, int, str]]:
    for match in pattern.finditer(text):
        span = doc.char_span(*match.span(group), alignment_mode="expand")
        if span is not None:
            yield span.start, span.end, label


def _trimmed(doc: "Doc", start: int, end: int) -> tuple[int, int]:
    while start < end and (doc[start].lower_ in _LEADING or doc[start].is_space):
        start += 1
    while end > start and (doc[end - 1].lower_ in _TRAILING or doc[end - 1].is_space):
        if doc[end - 1].text == ")" and _opens(doc, start, end - 1):  # "innd(8)"
            break
        end -= 1
    closes = end < len(doc) and doc[end].text == ")"
    return start, end + (closes and _opens(doc, start, end))


def _commands(doc: "Doc", start: int, end: int) -> bool:
    """Whether one word that begins a sentence is rather a verb: "Refer to section 2"."""
    one = end - start == 1 and end < len(doc) and doc[start].is_sent_start
    return bool(one) and doc[end].lower_ in _OBJECTS


def _opens(doc: "Doc", start: int, end: int) -> bool:
    """Whether tokens open a parenthesis that they do not close."""
    text = doc[start:end].text
    return text.count("(") > text.count(")")


def _capitalised(doc: "Doc") -> Iterator[tuple[int, int, str]]:
    """Runs of capitalised proper nouns, which the entity recogniser may have missed."""
    start = None
    for token in doc:
        if token.pos_ == "PROPN" and token.text[0].isupper():
            start = token.i if start is None else start
        elif start is not None:
            yield start, token.i, "NAME"
            start = None
    if start is not None:
        yield start, len(doc), "NAME"
