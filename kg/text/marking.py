"""What to show of a text: its telling sentences, and which words of them to mark."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .splitting import sentence_spans
from .stemming import terms_in
from .words import SYLLABIC

Span = tuple[int, int]
_VERSION = re.compile(r"(?<!\d)\d++(?:\.\d++)+")  # is one word: "0.9.1" is not "0.10.1"
_LETTER = rf"[^\W{SYLLABIC.pattern[1:-1]}]"
_WORD = re.compile(
    rf"{_VERSION.pattern}|{SYLLABIC.pattern}+|{_LETTER}+(?:[’'-](?!\d+\.\d){_LETTER}+)*"
)
_SMALL = re.compile("[\u3040-\u309f]{2}|.?[はがをにでとへのもやかねよ].?")  # kana that say little
_ITEMS = re.compile(", (?:and )?| and ")  # of an answer that is a list
SHORT = 2  # characters that mean something else in another case
_STOP = re.compile(r"[:;|\t]|[.!?。！？][\"'”’)]*\Z")
HEADING = 8  # words, at most
LONGEST = 600  # characters of a sentence; what is no prose has none that end


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A sentence of a text.

    Args:
        start: its first character in the text.
        end: the one after its last.
        marked: characters of the text to mark in it, in order, none overlapping.
        heading: that it stands under, "" where there is none or nobody looked.
    """

    text: str
    start: int
    end: int
    marked: tuple[Span, ...] = ()
    heading: str = ""

    def parts(self) -> list[tuple[str, bool]]:
        """Give its pieces in order, each with whether it is marked."""
        found, at = [], self.start
        for start, end in self.marked:
            found += [(self._of(at, start), False), (self._of(start, end), True)]
            at = end
        found.append((self._of(at, self.end), False))
        return [one for one in found if one[0]]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: the sentence, its place, the places to mark, its heading."""
        marked = [list(span) for span in self.marked]
        place = {"start": self.start, "end": self.end, "marked": marked, "heading": self.heading}
        return {"sentence": self.text, **place}

    def _of(self, start: int, end: int) -> str:
        return self.text[start - self.start : end - self.start]


def stating(
    text: str,
    title: str,
    start: int,
    end: int,
    words: Sequence[str],
    language: str = "",
    field: str = "",
) -> Excerpt:
    """Excerpt the sentence or sentences around characters [start, end).

    Args:
        words: head and tail of what they state; marked where they stand there, else what lies
            between start and end is.
        language: of the text, where it is not English.
        field: whose value the last of the words is in a row: "Grade" of "Grade: A".
    """
    around = [(s, e) for s, e in sentence_spans(text, title, language) if s < end and start < e]
    first, last = (around[0][0], around[-1][1]) if around else (start, end)
    if last - first > LONGEST:
        first, last = max(first, start - LONGEST // 4), min(last, end + LONGEST // 4)
    near, within = (start, end), (first, last)
    value = _field(text, field, words[-1], near, within) if words else None
    places = [_place(text, word, near, within) for word in words[: -1 if value else None]]
    spans = [place for place in (*places, value) if place]
    return Excerpt(text[first:last], first, last, _apart(spans or [(start, end)]))


def places_of(text: str, start: int, end: int, read: str) -> tuple[Span, ...]:
    """Find what was read in characters [start, end): as a whole, else the items of a list."""
    within = start, end
    whole = _place(text, read, within, within)
    items = [] if whole else (_place(text, item, within, within) for item in _ITEMS.split(read))
    return _apart([whole] if whole else filter(None, items))


def best_sentences(
    text: str, title: str, question: str, most: int = 2, language: str = ""
) -> list[Excerpt]:
    """Excerpt the sentences with most of the question's words, in the order of the text.

    The words are marked. A heading, and what says nothing but some of them, comes after a sentence
    that says as many. Of a text without any of them: its first sentence.

    Args:
        language: of the text, see `stemming.stems_in`: its words are also compared by those stems.
    """
    asked = _terms(question, language)
    known: set[str] = set()
    chosen: list[Span] = []
    left = sentence_spans(text, title, language)
    while left and len(chosen) < most:
        told = [_terms(text[s:e], language) for s, e in left]
        said = [asked & own - known for own in told]
        bare = [_heads(text, span) or own <= asked for span, own in zip(left, told, strict=True)]
        best = max(range(len(left)), key=lambda n: (len(said[n]), not bare[n], -n))
        if chosen and not said[best]:
            break
        known |= said[best]
        chosen.append(left.pop(best))
    return [_quote(text, span, asked, language) for span in sorted(chosen)]


def _heads(text: str, span: Span) -> bool:
    """Whether a sentence is a short line of its own, without a stop or fields, over others."""
    start, end = span
    alone = text[:start].rstrip(" \t")[-1:] in ("", "\n") and text[end : end + 1] == "\n"
    return alone and len(text[start:end].split()) <= HEADING and not _STOP.search(text, start, end)


def _quote(text: str, span: Span, asked: frozenset[str], language: str) -> Excerpt:
    start, end = span[0], min(span[1], span[0] + LONGEST)
    marked: list[Span] = []
    for word in _WORD.finditer(text, start, end):
        if SYLLABIC.match(word[0]):
            marked += _shared(text, word.span(), asked)
            continue
        own = frozenset(terms_in(word[0], language))
        if own and own <= asked if _VERSION.fullmatch(word[0]) else not asked.isdisjoint(own):
            marked.append(word.span())
    return Excerpt(text[start:end], start, end, tuple(marked))


def _terms(text: str, language: str) -> frozenset[str]:
    """Terms to compare; of Chinese and Japanese pairs of characters: one is in half of all texts.

    A character that stands alone is one, too.
    """
    found = frozenset(terms_in(text, language))
    if not SYLLABIC.search(text):
        return found
    runs = [word[0] for word in _WORD.finditer(text) if SYLLABIC.match(word[0])]
    pairs = (run[n : n + 2] for run in runs for n in range(max(1, len(run) - 1)))
    words = (term for term in found if not SYLLABIC.match(term))
    return frozenset(words) | {pair for pair in pairs if not _SMALL.fullmatch(pair)}


def _shared(text: str, run: Span, asked: frozenset[str]) -> list[Span]:
    """The longest stretches of a run of characters whose pairs are all asked for."""
    found: list[Span] = []
    for at in range(run[0], max(run[0] + 1, run[1] - 1)):
        end = min(at + 2, run[1])
        if text[at:end] not in asked:
            continue
        if found and at < found[-1][1]:
            found[-1] = found[-1][0], end
        else:
            found.append((at, end))
    return found


def _place(text: str, words: str, near: Span, within: Span) -> Span | None:
    """Where the words stand, whole: in the span itself, else in what is quoted.

    Of one or two characters also in the same case: "A" is no article.
    """
    pattern = re.compile(_whole(words), 0 if len(words) <= SHORT else re.IGNORECASE)
    found = words and (pattern.search(text, *near) or pattern.search(text, *within))
    return found.span() if found else None


def _whole(words: str) -> str:
    """A pattern of words that begin and end where words do; Chinese has no such places."""
    first, last = ("" if SYLLABIC.match(one) else r"(?{}\w)" for one in (words[:1], words[-1:]))
    said = r"\s+".join(map(re.escape, words.split()))
    return f"{first.format('<!')}{said}{last.format('!')}"


def _field(text: str, name: str, value: str, near: Span, within: Span) -> Span | None:
    """Where the value of a field stands: "A" in "Al is light; Grade: A"."""
    said = rf"{_whole(name)}\s*[:=]\s*({_whole(value)})"
    pattern = re.compile(said, re.IGNORECASE)
    found = name and value and (pattern.search(text, *near) or pattern.search(text, *within))
    return found.span(1) if found else None


def _apart(spans: Iterable[Span]) -> tuple[Span, ...]:
    """In order, without those that begin in an earlier one."""
    apart: list[Span] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if end > start and (not apart or start >= apart[-1][1]):
            apart.append((start, end))
    return tuple(apart)
