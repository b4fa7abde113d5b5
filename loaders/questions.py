"""Questions of a benchmark file: HotpotQA, 2WikiMultihopQA, MuSiQue, or this project's JSON lines.

The layout is told from each record's content:

- this project: id, question, answer, answer_aliases, type, hops, evidences,
  paragraphs [{title, text, is_supporting}], decomposition [{question, answer}]
- HotpotQA: _id, question, answer, type, context [[title, [sentence]]],
  supporting_facts [[title, sentence number]]
- 2WikiMultihopQA: the same, and evidences [[head, relation, tail]]
- MuSiQue: id, question, answer, answer_aliases, answerable, question_decomposition,
  paragraphs [{title, paragraph_text, is_supporting}]
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..kg.text import stable_id
from .reading import clean
from .records import Record, kind, records

_MUSIQUE_HOPS = re.compile(r"(\d)hop")
_STEP = re.compile(r"#(\d+)")
_TWO_WIKI_HOPS = {
    "bridge_comparison": 4
}  # two bridges, then the comparison; every other type takes 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph that came with a question."""

    title: str
    text: str
    is_supporting: bool

    @property
    def document_id(self) -> str:
        """Depends on title and text alone: the same paragraph in several files is one document."""
        return stable_id("record", self.title, self.text)


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its gold answer.

    Args:
        answer: "" when the file gives none (a hidden test set, or nothing to answer).
        aliases: other spellings that count as right.
        type: the benchmark's own name for the kind of question; may be empty.
        hops: steps needed; 0 when not known.
        paragraphs: its own paragraphs, in the file's order; may be empty.
        evidences: gold triples (head, relation, tail); may be empty.
        answerable: False when the right reaction is to abstain.
        subquestions: what to ask one after the other, with the gold answers of earlier ones filled
            in where MuSiQue has "#1"; may be empty.
    """

    id: str
    question: str
    answer: str
    aliases: tuple[str, ...]
    type: str
    hops: int
    paragraphs: tuple[Paragraph, ...]
    evidences: tuple[tuple[str, str, str], ...]
    answerable: bool = True
    subquestions: tuple[str, ...] = ()


def read_questions(path: Path) -> Iterator[Question]:
    """Questions in the file's order, lazily.

    Raises:
        SourceError: the file can't be read, or a record is malformed (named by its line or
            number, and field).
    """
    for record in records(path):
        yield parse_question(record)


def parse_question(record: Record) -> Question:
    """One question.

    Raises:
        SourceError: a field is missing or of the wrong kind.
    """
    official = "context" in record.data
    paragraphs = _context(record) if official else _paragraphs(record)
    answer = record.text("answer", "")
    kind_of_question = record.text("type", "")
    return Question(
        id=record.text("id", "") or record.text("_id", "") or record.place,
        question=record.text("question"),
        answer=answer,
        aliases=record.texts("answer_aliases"),
        type=kind_of_question,
        hops=_TWO_WIKI_HOPS.get(kind_of_question, 2) if official else _hops(record),
        paragraphs=tuple(paragraphs),
        evidences=tuple(_evidences(record)),
        answerable=_flag(record, "answerable", record.data.get("answer", "") is not None),
        subquestions=tuple(_subquestions(record)),
    )


def _paragraphs(record: Record) -> Iterator[Paragraph]:
    for paragraph in record.inner("paragraphs"):
        field = "paragraph_text" if "paragraph_text" in paragraph.data else "text"
        yield Paragraph(
            title=paragraph.text("title", ""),
            text=paragraph.text(field).strip(),
            is_supporting=_flag(paragraph, "is_supporting", False),
        )


def _context(record: Record) -> Iterator[Paragraph]:
    supporting = {clean(title) for title in _supporting_titles(record)}
    for number, pair in enumerate(record.items("context")):
        match pair:
            case [str(title), [*sentences]] if all(isinstance(s, str) for s in sentences):
                title = clean(title)
                yield Paragraph(title, clean(_sentences(sentences)), title in supporting)
            case _:
                raise record.error(f"field 'context[{number}]' must be [title, [sentence, …]]")


def _sentences(sentences: list[str]) -> str:
    # HotpotQA's sentences carry the space before them, 2WikiMultihopQA's do not.
    spaced = any(sentence[:1].isspace() for sentence in sentences[1:])
    return ("" if spaced else " ").join(sentences).strip()


def _supporting_titles(record: Record) -> Iterator[str]:
    for number, fact in enumerate(record.items("supporting_facts")):
        match fact:
            case [str(title), int()]:
                yield title
            case _:
                raise record.error(f"field 'supporting_facts[{number}]' must be [title, number]")


def _evidences(record: Record) -> Iterator[tuple[str, str, str]]:
    for number, evidence in enumerate(record.items("evidences")):
        match evidence:
            case [str(head), str(relation), str(tail)]:
                yield clean(head), clean(relation), clean(tail)
            case _:
                raise record.error(f"field 'evidences[{number}]' must be [head, relation, tail]")


def _subquestions(record: Record) -> Iterator[str]:
    field = "question_decomposition" if "question_decomposition" in record.data else "decomposition"
    answers: list[str] = []

    def filled(reference: re.Match[str]) -> str:
        step = int(reference[1])
        return answers[step - 1] if 1 <= step <= len(answers) else reference[0]

    for step in record.inner(field):
        yield _STEP.sub(filled, step.text("question"))
        answers.append(step.text("answer", ""))


def _hops(record: Record) -> int:
    value: Any = record.data.get("hops")
    if value is None:
        named = _MUSIQUE_HOPS.match(record.text("id", ""))
        return int(named[1]) if named else len(record.items("question_decomposition"))
    if not isinstance(value, int) or isinstance(value, bool):
        raise record.error(f"field 'hops' must be a whole number, not {kind(value)}")
    return value


def _flag(record: Record, field: str, default: bool) -> bool:
    value = record.data.get(field, default)
    if not isinstance(value, bool):
        raise record.error(f"field {field!r} must be true or false, not {kind(value)}")
    return value
