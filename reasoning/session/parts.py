"""What questions are answered with: it stays the same from one to the next."""

import functools
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...kg.errors import BadRequest, EmptyGraph
from ...kg.spelling import quoted
from ...kg.store import Graph
from ...kg.text.words import words
from ...kg.types import Passage, Triple, Vector
from ...kg.vectors import dots
from ...models.encoder import Encoder
from ...models.kept_vectors import KeptVectors
from ...models.language import LanguageModel
from ..claims import FACTS, ClaimedGraph
from ..prompts import Demonstration, Template
from ..reader import Parse, Reader
from ..retrieval import Retriever
from ..sources import SOURCES, Source

if TYPE_CHECKING:
    from ...kg.wikidata.knowledge import Knowledge


@dataclass(frozen=True)
class Parts:
    """Graph, encoder, parser, retriever, model: a method combines them and owns none.

    Args:
        parse: texts to spaCy parses, in order.
        retriever: finds passages in the whole graph or among given ones.
        reading: the reader without a language model; None makes one with the packaged weights.
        model: chooses, reads and writes where a method asks for it; None: methods do without one,
            or say that they need it.
        prompts: folder of one's own prompts; None takes HOPTRAIL_PROMPTS, where that is set.
        encoded: vectors of triples that the graph lacked, by id, for the caller to store.
        sources: where evidence may come from. Wikidata's statements are passages of a graph that is
            a `ClaimedGraph`; some methods ask for them themselves.
        live: Wikidata over its endpoint, opened at the first use; None where none is to be asked.
        kept: vectors of triples that the graph lacks, from question to question.
    """

    graph: Graph
    encoder: Encoder
    parse: Parse
    retriever: Retriever
    reading: Reader | None = None
    model: LanguageModel | None = None
    prompts: Path | None = None
    encoded: dict[str, Vector] = field(default_factory=dict)
    sources: tuple[Source, ...] = SOURCES
    live: "Callable[[], Knowledge] | None" = None
    kept: KeptVectors = field(default_factory=KeptVectors)

    @functools.cached_property
    def reader(self) -> Reader:
        """The reader without a language model."""
        return self.reading or Reader(self.parse)

    def template(self, name: str) -> Template:
        """Read the prompt of this name; errors as in `Template.named`."""
        return Template.named(name, self.prompts)

    def nearest(
        self, text: str, demonstrations: Sequence[Demonstration], label: str, count: int
    ) -> list[Demonstration]:
        """Choose the `count` demonstrations whose text under `label` is nearest, the nearest last.

        Raises:
            BadRequest: a demonstration without that label.
        """
        if not demonstrations or count < 1:
            return []
        for number, demonstration in enumerate(demonstrations, 1):
            if label not in demonstration:
                raise BadRequest(f"Demonstration {number} of the prompt has no {label!r}.")
        vectors = self.encoder.encode_queries([text, *(str(d[label]) for d in demonstrations)])
        order = np.argsort(-dots(vectors[1:], vectors[0]), kind="stable")[:count]
        return [demonstrations[i] for i in order[::-1]]

    def triple_vectors(self, triples: Collection[Triple]) -> dict[str, Vector]:
        """Give vectors, by id, of triples that the graph holds none of: encoded once, and kept."""
        missing = {t.id: t.text for t in triples if t.id not in self.encoded}
        if missing:
            dimension = self.encoder.fingerprint.dimension
            texts = list(missing.values())
            vectors = self.kept.of(texts, self.encoder.encode_passages, dimension)
            self.encoded.update(zip(missing, vectors, strict=True))
        return self.encoded


class Retrieved(NamedTuple):
    """A passage with its score, and the ids of the near copies that it stands for."""

    passage: Passage
    score: float
    near: tuple[str, ...] = ()


def retrieve(
    graph: Graph,
    retriever: Retriever,
    question: str,
    limit: int,
    within: Collection[str] | None = None,
) -> list[Retrieved]:
    """Retrieve passages with their scores, best first.

    After them what Wikidata states that is like the question, where the graph tells it.

    Raises:
        BadRequest: the question is empty, or has no words.
        EmptyGraph: there is nothing to search.
    """
    if not question.strip():
        raise BadRequest('The question is empty. Put it in quotes: "Who …?"')
    if not words(question):
        raise BadRequest(f"The question {quoted(question)} has no words to look for.")
    found = retriever.search(question, limit, within)
    if not found and not graph.statistics()["passages"]:
        raise EmptyGraph(
            f"The graph in {graph.where} holds no passages yet.",
            "Fill it first: hoptrail ingest PATH",
        )
    passages = graph.passages([one.id for one in found])
    retrieved = [Retrieved(passages[s.id], s.score, s.also) for s in found if s.id in passages]
    if isinstance(graph, ClaimedGraph):
        facts = graph.near(question, [one.passage for one in retrieved], FACTS)
        retrieved += [Retrieved(passage, score) for passage, score in facts]
    return retrieved
