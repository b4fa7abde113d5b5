"""The made-up world in a graph, once for all tests of methods."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from support.fakes import WordEncoder
from world import Question, SymbolicReader, World, fill, pages, questions

from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.retrieval import retriever
from hoptrail.reasoning.session.parts import Parts


@dataclass(frozen=True)
class Ground:
    """The world's graph and questions.

    Args:
        parts: everything a method takes, with the given model.
    """

    store: SqliteStore
    questions: list[Question]
    parts: Callable[..., Parts]

    def ids(self, titles) -> list[str]:
        return self.store.passages_of([f"world: {title}" for title in titles])

    def own(self, question: Question) -> list[str]:
        return self.ids(question.paragraphs)

    def titles(self, passage_ids) -> list[str]:
        return [passage.title for passage in self.store.passages(passage_ids).values()]


@pytest.fixture(scope="session")
def ground(tmp_path_factory) -> Iterator[Ground]:
    world, encoder = World.made(), WordEncoder(256)
    with SqliteStore(tmp_path_factory.mktemp("world") / "world.db") as store:
        fill(store, pages(world), encoder, SymbolicReader())

        def parts(model=None, **more) -> Parts:
            return Parts(
                store, encoder, Pipeline(), retriever("hop", store, encoder), model=model, **more
            )

        yield Ground(store, questions(world), parts)
