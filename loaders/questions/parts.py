"""Fields of question files that several layouts share."""

import re
from collections.abc import Iterator

from ...kg.text.words import clean
from ..records import Record, kind
from .question import Fact, Paragraph

_STEP = re.compile(r"#(\d+)")
_HOPS = re.compile(r"(\d)hop")  # MuSiQue's ids: "3hop1__12_34_56"


def flag(record: Record, field: str, default: bool) -> bool:
    """Read true or false, the default where it is absent.

    Raises:
        SourceError: it is something else.
    """
    value = record.data.get(field, default)
    if not isinstance(value, bool):
        raise record.error(f"field {field!r} must be true or false, not {kind(value)}")
    return value


def whole(record: Record, field: str, default: int | None = None) -> int:
    """Read a whole number.

    Raises:
        SourceError: it is something else, or absent without a default.
    """
    value = record.data.get(field)
    if value is None and default is not None:
        return default
    if not isinstance(value, int) or isinstance(value, bool):
        raise record.error(f"field {field!r} must be a whole number, not {kind(value)}")
    return value


def inner(record: Record, field: str) -> Record:
    """Read the object that a field holds, with its place: "line 3, answer".

    Raises:
        SourceError: it is something else, or absent.
    """
    value = record.data.get(field)
    if value is None:
        raise record.error(f"field {field!r} is missing")
    if not isinstance(value, dict):
        raise record.error(f"field {field!r} must be an object, not {kind(value)}")
    return Record(record.path, f"{record.place}, {field}", value)


def paragraphs(record: Record) -> Iterator[Paragraph]:
    """Read paragraphs as this project and MuSiQue write them."""
    for paragraph in record.inner("paragraphs"):
        field = "paragraph_text" if "paragraph_text" in paragraph.data else "text"
        text = paragraph.text(field)
        yield Paragraph(
            title=paragraph.text("title", ""),
            text=text.strip(),
            is_supporting=flag(paragraph, "is_supporting", False),
            sentences=tuple(_starts(paragraph, len(text) - len(text.lstrip()))),
        )


def _starts(paragraph: Record, cut: int) -> Iterator[int]:
    """Where its sentences begin, without the blanks that were cut from its text's beginning."""
    last = 0
    for place in paragraph.items("sent_starts"):
        if not isinstance(place, int) or place < last:
            raise paragraph.error("field 'sent_starts' must hold characters in order, from 0 on")
        yield max(0, place - cut)
        last = place


def facts(record: Record) -> Iterator[Fact]:
    """Read HotpotQA's supporting facts."""
    for number, fact in enumerate(record.items("supporting_facts")):
        match fact:
            case [str(title), int(sentence)]:
                yield clean(title), sentence
            case _:
                raise record.error(f"field 'supporting_facts[{number}]' must be [title, number]")


def triples(record: Record, field: str) -> Iterator[tuple[str, str, str]]:
    """Read 2WikiMultihopQA's evidences, or their ids."""
    for number, evidence in enumerate(record.items(field)):
        match evidence:
            case [str(head), str(relation), str(tail)]:
                yield clean(head), clean(relation), clean(tail)
            case _:
                raise record.error(f"field '{field}[{number}]' must be [head, relation, tail]")


def subquestions(record: Record, field: str) -> Iterator[tuple[str, str]]:
    """Read a decomposition's (question, answer), the answers of earlier ones filled in."""
    answers: list[str] = []

    def filled(reference: re.Match[str]) -> str:
        step = int(reference[1])
        return answers[step - 1] if 1 <= step <= len(answers) else reference[0]

    for step in record.inner(field):
        asked, answer = _STEP.sub(filled, step.text("question")), step.text("answer", "")
        yield asked, answer
        answers.append(answer)


def hops(record: Record, steps: str) -> int:
    """Count the hops: as said, else as MuSiQue's ids say, else the steps of the decomposition."""
    if record.data.get("hops") is not None:
        return whole(record, "hops")
    named = _HOPS.match(record.text("id", ""))
    return int(named[1]) if named else len(record.items(steps))
