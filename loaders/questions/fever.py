"""FEVER: claims that Wikipedia supports, refutes or leaves open.

Claims: id, claim, label, evidence [[[annotation, evidence id, page, line]]]: sets of sentences,
each of which is enough. Pages, of the wiki-pages files: id, text, lines: number, tab, sentence.
"""

import re
import unicodedata
from collections.abc import Iterator

from ...kg.text.words import clean
from ...kg.types import Passage, Section
from ..records import Record, kind, quoted
from .question import Fact, Question

LABELS = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
OPEN = LABELS[2]
_MARKS = {"LRB": "(", "RRB": ")", "LSB": "[", "RSB": "]", "LCB": "{", "RCB": "}", "COLON": ":"}
_LINE = re.compile(r"(\d{1,4})\t([^\t]*\S)")  # links follow the next tab
_PLACE = re.compile(r"line (\d+)")
_ESCAPE = re.compile(f"-({'|'.join(_MARKS)})-")


def question(record: Record) -> Question:
    """Read a claim, with the labels as options; not answerable where it is left open.

    Raises:
        SourceError: a field is missing or of the wrong kind.
    """
    label = record.text("label", "").upper()
    if label and label not in LABELS:
        raise record.error(f"field 'label' must be one of {', '.join(LABELS)}, not {quoted(label)}")
    sets = tuple(dict.fromkeys(_sets(record)))
    return Question(
        id=record.text("id", "") or record.place,
        question=record.text("claim"),
        answer=label,
        aliases=(),
        type="",
        hops=0,
        paragraphs=(),
        evidences=(),
        answerable=label != OPEN,
        dataset="fever",
        options=LABELS,
        evidence_sets=sets,
    )


def is_page(record: Record) -> bool:
    """Tell whether a record is a page of the wiki-pages files."""
    return record.data.keys() == {"id", "text", "lines"}


def title(page: str) -> str:
    """Spell a page's title as people do: "Savage_-LRB-band-RRB-" is "Savage (band)"."""
    composed = unicodedata.normalize("NFC", page)  # claims and pages differ in it
    return _unescaped(composed).replace("_", " ")


def text(record: Record) -> tuple[str, tuple[Section, ...]]:
    """Join a page's sentences, each on its line and a section: "line 0", "line 1", ….

    Lines without a sentence stay empty, but for those at either end.
    """
    text, sections, last = "", list[Section](), -1
    for line in filter(None, map(_LINE.match, record.text("lines").split("\n"))):
        number = int(line[1])
        if sections:
            text += "\n" * (number - last) or " "  # numbers that do not rise are a line's own text
        if number > last:
            sections.append(Section(len(text), f"line {number}"))
            last = number
        text += _unescaped(line[2]).strip()
    return text, tuple(sections)


def lines(passage: Passage, start: int, end: int) -> range:
    """Return the numbers of the page's lines that text[start:end] of a passage is on; start < end.

    Empty where the passage is of no such page.
    """
    begins = _PLACE.fullmatch(passage.heading)
    if not begins:
        return range(0)
    first, more = passage.text.count("\n", 0, start), passage.text.count("\n", start, end)
    return range(int(begins[1]) + first, int(begins[1]) + first + more + 1)


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: _MARKS[found[1]], text)


def _sets(record: Record) -> Iterator[tuple[Fact, ...]]:
    """Without those of open claims, which name no sentence."""
    for number, group in enumerate(record.items("evidence")):
        if not isinstance(group, list):
            raise record.error(f"field 'evidence[{number}]' must be a list, not {kind(group)}")
        found = tuple(f for f in (_fact(record, number, item) for item in group) if f)
        if found:
            yield found


def _fact(record: Record, number: int, item: object) -> Fact | None:
    match item:
        case [_, _, None, None]:
            return None
        case [_, _, str(page), int(line)]:
            return title(clean(page)), line
        case _:
            raise record.error(
                f"field 'evidence[{number}]' must hold [annotation, evidence, page, line]"
            )
