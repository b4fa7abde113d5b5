"""FEVER: claims that Wikipedia supports, refutes or leaves open.

Claims: id, claim, label, evidence [[[annotation, evidence id, page, line]]]: sets of sentences,
each of which is enough. Pages, of the wiki-pages files: id, text, lines: number, tab, sentence.
"""

import re
from collections.abc import Iterator

from ..reading import clean
from ..records import Record, kind
from .question import Fact, Question

LABELS = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
OPEN = LABELS[2]
_MARKS = {"LRB": "(", "RRB": ")", "LSB": "[", "RSB": "]", "LCB": "{", "RCB": "}", "COLON": ":"}
_LINE = re.compile(r"\d+\t([^\t]*\S)")  # links follow the next tab
_ESCAPE = re.compile(f"-({'|'.join(_MARKS)})-")


def question(record: Record) -> Question:
    """The record's claim, with the labels as options; not answerable where it is left open.

    Raises:
        SourceError: a field is missing or of the wrong kind.
    """
    label = record.text("label", "").upper()
    if label and label not in LABELS:
        raise record.error(f"field 'label' must be one of {', '.join(LABELS)}, not {label!r}")
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
    """Whether a record is a page of the wiki-pages files."""
    return record.data.keys() == {"id", "text", "lines"}


def title(page: str) -> str:
    """What a page is called: "Savage_-LRB-band-RRB-" is "Savage (band)"."""
    return _unescaped(page).replace("_", " ")


def text(record: Record) -> str:
    """The sentences of a page, in its order, without their links; "" where it has none."""
    found = (_LINE.match(line) for line in record.text("lines").split("\n"))
    return " ".join(_unescaped(line[1]).strip() for line in found if line)


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
