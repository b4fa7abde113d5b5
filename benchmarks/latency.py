"""What a hop costs: `python benchmarks/latency.py GRAPH QUESTIONS`.

GRAPH is a file or a Neo4j URI, its user and password as for `hoptrail` itself; QUESTIONS is a file
that `hoptrail evaluate retrieval` takes. Each question goes to all retrievers in turn, so that
whatever else the machine does slows them alike. The floor, on Neo4j, is one statement that asks the
vector index for the 101 nearest passages and the full-text index for the 100 best, and answers ids
and scores. Questions are encoded beforehand, outside the timing; what that takes is printed too.
Ratios are those of the medians.
"""

import argparse
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import neo4j
import numpy as np

from hoptrail.kg.neo4j.traverse import lucene
from hoptrail.kg.types import Vector
from hoptrail.loaders.questions.files import read_questions
from hoptrail.models.encoder import SentenceEncoder
from hoptrail.reasoning.retrieval import Hop, Hybrid
from hoptrail.service.settings import open_store

POOL = 100
LIMIT = 10  # passages wanted
WARM_UP = 20  # questions that are asked twice, and timed only the second time
FLOOR = """
CALL () {
  CALL db.index.vector.queryNodes('hoptrail_passage_embedding', $near, $vector) YIELD node, score
  RETURN node.id AS id, score
  UNION ALL
  CALL db.index.fulltext.queryNodes('hoptrail_passage_text', $lucene, {limit: $pool})
  YIELD node, score
  RETURN node.id AS id, score
}
RETURN id, score
"""

Search = Callable[[str], object]


@dataclass(frozen=True)
class Remembering(SentenceEncoder):
    """Encodes a question the first time it is asked."""

    vectors: dict[str, Vector] = field(default_factory=dict)

    def encode_queries(self, texts: Sequence[str]) -> Vector:
        """See Encoder."""
        for text in texts:
            if text not in self.vectors:
                self.vectors[text] = super().encode_queries([text])[0]
        return np.stack([self.vectors[text] for text in texts])


@contextmanager
def floor(uri: str, encoder: Remembering) -> Iterator[Search]:
    """The server's own two searches in one statement."""
    auth = os.environ.get("HOPTRAIL_NEO4J_USER", "neo4j"), os.environ["HOPTRAIL_NEO4J_PASSWORD"]
    database = os.environ.get("HOPTRAIL_NEO4J_DATABASE", "neo4j")
    with neo4j.GraphDatabase.driver(
        uri, auth=auth, notifications_min_severity="OFF", telemetry_disabled=True
    ) as driver:

        def search(question: str) -> object:
            vector = encoder.encode_queries([question])[0].tolist()
            asked = {"vector": vector, "near": POOL + 1, "lucene": lucene(question), "pool": POOL}
            found = driver.execute_query(FLOOR, asked, database_=database, routing_="r")
            return [dict(row) for row in found.records]

        yield search


def milliseconds(search: Search, question: str) -> float:
    """What one search takes."""
    start = time.perf_counter()
    search(question)
    return 1000 * (time.perf_counter() - start)


def times(searches: dict[str, Search], questions: Sequence[str]) -> dict[str, list[float]]:
    """Milliseconds of each search for each question."""
    measured: dict[str, list[float]] = {name: [] for name in searches}
    first = questions[:WARM_UP]
    for number, question in enumerate([*first, *questions]):
        for name, search in searches.items():
            took = milliseconds(search, question)
            if number >= len(first):
                measured[name].append(took)
    return measured


def show(measured: dict[str, list[float]], encoding: list[float]) -> None:
    """Print medians, 95th percentiles, and how many times as long as the others hop takes."""
    medians = {name: float(np.median(values)) for name, values in measured.items()}
    print(f"{'':12} {'median ms':>10} {'p95 ms':>10} {'hop / it':>10} {'encoding too':>14}")
    once = float(np.median(encoding))
    for name, values in measured.items():
        ratio = medians["hop"] / medians[name]
        all_in = (medians["hop"] + once) / (medians[name] + once)
        p95 = np.percentile(values, 95)
        print(f"{name:12} {medians[name]:10.1f} {p95:10.1f} {ratio:10.2f} {all_in:14.2f}")
    print(f"{'encoding':12} {once:10.1f} {np.percentile(encoding, 95):10.1f}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("graph", metavar="GRAPH")
    parser.add_argument("questions", type=Path, metavar="QUESTIONS")
    parser.add_argument("--first", type=int, default=200, metavar="N", help="how many questions")
    given = parser.parse_args()
    found = islice(read_questions(given.questions), given.first)
    questions = [question.question for question in found]
    if not questions:
        parser.error(f"{given.questions}: no questions to ask")
    encoder = Remembering()
    encoder.encode_queries(["What loads the weights?"])
    encoding = [milliseconds(lambda q: encoder.encode_queries([q]), q) for q in questions]
    with open_store(given.graph) as store:
        hybrid, hop = Hybrid(store, encoder), Hop(store, encoder)
        searches: dict[str, Search] = {
            "hybrid": lambda question: hybrid.search(question, LIMIT),
            "hop": lambda question: hop.search(question, LIMIT),
        }
        print(f"{store.statistics()['passages']} passages, {len(questions)} questions")
        if "://" not in given.graph:
            show(times(searches, questions), encoding)
            return
        with floor(given.graph, encoder) as search:
            show(times({"floor": search, **searches}, questions), encoding)


if __name__ == "__main__":
    main()
