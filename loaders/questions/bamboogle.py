"""Bamboogle: Question, Answer; a table of two columns, or records of these two fields."""

from ..records import Record
from .question import Question


def question(record: Record) -> Question:
    """Read a record of Bamboogle: two hops, no paragraphs.

    Raises:
        SourceError: a field is missing or of the wrong kind.
    """
    return Question(
        id=f"bamboogle, {record.place}",
        question=record.text("Question").strip(),
        answer=record.text("Answer").strip(),
        aliases=(),
        type="",
        hops=2,
        paragraphs=(),
        evidences=(),
        dataset="bamboogle",
    )
