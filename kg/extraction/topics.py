"""What a text is about: whether its title, or a section's heading, names a thing.

"Edvard Grieg" and "The inetd Super-Server" do, "Travel policy" and "Scheduling Tasks" head a text
without naming what its "it" and "he" mean.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ..text.titles import may_link, unnumbered
from ..text.words import STOP, WORD, bare_title, normal_title, words
from ..types import Section

_ASKING = frozenset("about getting how using what when where which who why working your".split())
_SMALL = frozenset(
    "a al an and at bin da de del der di du el for in la le of on or the to van von".split()
)
_GERUND = re.compile(r"[A-Z][a-z]+ing \S")
OPENING = 600  # characters in which a text says what it is about
NUMBERING = 40  # characters that a heading's number takes at most


class Part(NamedTuple):
    """Text [start, end) of a passage under one heading, without it, and the thing it is about.

    Args:
        topic: a title or heading; "" where none names a thing.
    """

    start: int
    end: int
    topic: str


def stands(section: Section, text: str) -> bool:
    """Find out whether the line that begins a section is its heading, numbered or not."""
    line = text[section.start : section.start + len(section.heading) + NUMBERING].split("\n", 1)[0]
    return bool(section.heading) and unnumbered(line.strip()) == section.heading


def parts_of(text: str, title: str, sections: Sequence[Section]) -> list[Part]:
    """Divide a document's text into parts, in order; blanks may lie between them."""
    divided = any(section.heading for section in sections)
    thing = title if names_a_thing(title, text, divided) else ""
    begun = [Section(0), *sections] if not sections or sections[0].start else list(sections)
    parts, before = list[Part](), ""
    for section, (start, end) in zip(begun, _between(begun, len(text)), strict=True):
        if stands(section, text):
            start = min(end, start + len(text[start:end].split("\n", 1)[0]))
        elif parts and section.heading == before:  # it goes on, on another page
            parts.append(Part(start, end, parts[-1].topic))
            continue
        before = section.heading
        own = before and before != title and names_a_thing(before, text[start:end], True)
        parts.append(Part(start, end, before if own else thing))
    return parts


def _between(sections: Sequence[Section], length: int) -> Iterator[tuple[int, int]]:
    yield from pairwise([*(section.start for section in sections), length])


def within(parts: Sequence[Part], start: int, end: int) -> list[Part]:
    """Cut the parts that lie in text[start:end] out, as parts of that."""
    inside = [p for p in parts if p.start < end and p.end > start]
    return [Part(max(p.start - start, 0), min(p.end, end) - start, p.topic) for p in inside]


def names_a_thing(title: str, text: str, divided: bool) -> bool:
    """Find out whether a title names what the text under it is about.

    It does if the text begins by speaking of it; or if it has the form of a name: of a text that is
    divided into sections, none of its words may then occur as a common one.

    Args:
        title: of a document or section, without its number.
        text: under it, without its headings, at least the beginning.
        divided: whether it has sections, as a manual has; an encyclopedia's paragraphs have none.
    """
    name = bare_title(title)
    if not may_link(normal_title(title)):
        return False
    named = set(words(name)) - STOP
    if named and named <= set(words(_first_line(text))):
        return True
    if not _has_form_of_a_name(name):
        return False
    return not divided or named.isdisjoint(_common(text))


def _first_line(text: str) -> str:
    """The beginning of the first line that is a sentence."""
    lines = text.split("\n")
    return next((line for line in lines if line.rstrip().endswith((".", ":"))), "")[:OPENING]


def _has_form_of_a_name(title: str) -> bool:
    first, *rest = title.split() or [""]
    if first.lower() in _ASKING or title.endswith(("?", "!")) or _GERUND.match(title):
        return False
    named = [word for word in (first, *rest) if word.lower() not in _SMALL]
    return bool(named) and all(map(_is_written_as_name, named))


def _is_written_as_name(word: str) -> bool:
    bare = word.lstrip("\"'“‘(")
    return not bare[:1].islower() or any(c.isupper() or c.isdigit() for c in bare)


def _common(text: str) -> set[str]:
    """The words of a text that stand in it in lower case."""
    return {word for word in WORD.findall(text) if word.islower()}
