"""Question files that a command names, read whole before any work."""

from collections.abc import Sequence
from pathlib import Path

from ..kg.errors import BadRequest
from ..kg.text.words import words
from ..loaders.questions.files import Question, read_questions
from ..loaders.records import quoted

SUFFIXES = (".json", ".jsonl", ".csv", ".tsv")
"""That say nothing of what is in a file; QuALITY's do."""


def question_sets(files: Sequence[Path]) -> dict[str, tuple[Path, list[Question]]]:
    """Each file once, with its questions, under its name: the whole path where stems are alike.

    Raises:
        BadRequest: a file holds no questions, or one that has no words.
        SourceError: a record can't be read.
    """
    files = list({file.resolve(): file for file in files}.values())
    stems = [f.stem if f.suffix.lower() in SUFFIXES else f.name for f in files]
    names = [str(f) if stems.count(s) > 1 else s for f, s in zip(files, stems, strict=True)]
    return {name: (f, _questions(f)) for name, f in zip(names, files, strict=True)}


def _questions(file: Path) -> list[Question]:
    questions = list(read_questions(file))
    if not questions:
        raise BadRequest(f"{file} holds no questions.")
    for question in questions:
        if not words(question.question):
            raise BadRequest(
                f"{file}: question {quoted(question.id)} has no words to look for; take it out."
            )
    return questions
