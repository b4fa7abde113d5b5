"""A reader, and passages as ingestion gives them to it."""

from collections.abc import Callable, Sequence

import pytest

from hoptrail.kg.extraction.triples import statements, tidy
from hoptrail.kg.types import Passage
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.reader import Reader, ReaderPassage, Reading

Given = Callable[[Sequence[Passage]], list[ReaderPassage]]
Read = Callable[..., Reading]


@pytest.fixture(scope="session")
def pipeline() -> Pipeline:
    return Pipeline()


@pytest.fixture(scope="session")
def reader(pipeline: Pipeline) -> Reader:
    return Reader(pipeline)


@pytest.fixture(scope="session")
def given(pipeline: Pipeline) -> Given:
    """Passages with what the pipeline's grammar states, best first."""

    def parsed(passages: Sequence[Passage]) -> list[ReaderPassage]:
        docs = pipeline(tidy(passage.text) for passage in passages)
        return [
            ReaderPassage(passage, statements(passage.id, doc, passage.title), 1 / (n + 1))
            for n, (passage, doc) in enumerate(zip(passages, docs, strict=True))
        ]

    return parsed


@pytest.fixture
def read(reader: Reader, given: Given) -> Read:
    """What is read of texts, or (title, text), each of which is a passage."""

    def reading(question: str, *texts: str | tuple[str, str]) -> Reading:
        titled: Sequence[tuple[str, str]] = [
            text if isinstance(text, tuple) else ("Notes", text) for text in texts
        ]
        passages = [Passage(f"d{n}", 0, *text) for n, text in enumerate(titled)]
        return reader.read(question, given(passages))

    return reading
