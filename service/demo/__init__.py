"""The packaged demonstration: 36 short documents written for it and six questions about them."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path


@dataclass(frozen=True, slots=True)
class DemoQuestion:
    """A question about the demonstration's documents.

    Args:
        answer: None when the documents do not answer it.
        documents: titles of those that the answer needs, in the order of the steps.
        hops: how many steps lead to the answer.
    """

    text: str
    answer: str | None
    documents: tuple[str, ...]
    hops: int


@contextmanager
def corpus_folder() -> Iterator[Path]:
    """Give a folder that holds the documents while the context lasts."""
    with as_file(files(__name__) / "corpus") as folder:
        yield folder


def questions() -> tuple[DemoQuestion, ...]:
    """Return the questions, in the order to ask them."""
    lines = (files(__name__) / "questions.jsonl").read_text("utf-8").splitlines()
    records = (json.loads(line) for line in lines)
    return tuple(
        DemoQuestion(
            text=record["question"],
            answer=record["answer"],
            documents=tuple(record["documents"]),
            hops=record["hops"],
        )
        for record in records
    )
