"""MuSiQue, answerable and full.

id, question, answer, answer_aliases, answerable, question_decomposition [{question, answer}],
paragraphs [{title, paragraph_text, is_supporting}].

In the full files each question stands twice under one id: once it can be answered from its
paragraphs, once not.
"""

from ..records import Record
from . import parts
from .question import Question

UNANSWERABLE = " (unanswerable)"
"""Follows the id of the twin that can't be answered: ids differ then."""


def question(record: Record) -> Question:
    """Read a record of MuSiQue.

    Raises:
        SourceError: a field is missing or of the wrong kind.
    """
    own = record.text("id", "") or record.place
    answerable = parts.flag(record, "answerable", record.data.get("answer", "") is not None)
    steps = list(parts.subquestions(record, "question_decomposition"))
    return Question(
        id=own if answerable else own + UNANSWERABLE,
        question=record.text("question"),
        answer=record.text("answer", ""),
        aliases=record.texts("answer_aliases"),
        type=record.text("type", ""),
        hops=parts.hops(record, "question_decomposition"),
        paragraphs=tuple(parts.paragraphs(record)),
        evidences=(),
        answerable=answerable,
        subquestions=tuple(asked for asked, _ in steps),
        subanswers=tuple(answer for _, answer in steps),
        dataset="musique",
        pair=own,
    )
