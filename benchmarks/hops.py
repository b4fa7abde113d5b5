"""A hop of TRACE where the graph is, and in memory: `python benchmarks/hops.py GRAPH FILE`.

GRAPH is a file or a Neo4j URI whose triples have vectors, FILE holds questions. For each question
five beams of one triple, from the ten passages of the hop retriever: `Graph.rank_triples` against
fetching the passages' triples with their vectors and ranking them here, in turn. Both rank the
passages' triples alone; "beyond" also ranks those that share an entity. Milliseconds are medians.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from hoptrail.kg.candidates import Taken, may_chain
from hoptrail.kg.store import Graph
from hoptrail.kg.types import Triple, Vector
from hoptrail.loaders.questions.files import read_questions
from hoptrail.models.encoder import SentenceEncoder
from hoptrail.reasoning.retrieval import Hop
from hoptrail.service.settings import open_store

BEAMS, PASSAGES, K = 5, 10, 25
Chains = list[list[Triple]]


def main() -> None:
    """Print medians and their ratio."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("graph", metavar="GRAPH")
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--limit", type=int, default=40, help="only the first questions")
    options = parser.parse_args()
    taken: dict[str, list[float]] = {"memory": [], "graph": [], "beyond": []}
    differ = 0
    with open_store(options.graph) as graph:
        encoder = SentenceEncoder()
        hop = Hop(graph, encoder)
        for question in list(read_questions(options.file))[: options.limit]:
            text = question.question
            ids = [found.id for found in hop.search(text, PASSAGES)]
            [first] = graph.rank_triples([()], ids, encoder.encode_queries([text]), BEAMS).chains
            chains = [[one.triple] for one in first]
            if not chains:
                continue
            queries = encoder.encode_queries([f"{text} {chain[0].text}" for chain in chains])
            here = timed(taken["memory"], lambda c=chains, i=ids, q=queries: memory(graph, c, i, q))
            there, _ = (
                timed(
                    taken[name],
                    lambda c=chains, i=ids, q=queries, b=beyond: [
                        [one.triple.id for one in of_chain]
                        for of_chain in graph.rank_triples(c, i, q, K, beyond=b).chains
                    ],
                )
                for name, beyond in (("graph", False), ("beyond", True))
            )
            differ += list(map(set, here)) != list(map(set, there))
    figures = {name: statistics.median(times[3:] or times) for name, times in taken.items()}
    print(", ".join(f"{name} {ms:.1f} ms" for name, ms in figures.items()))
    print(f"memory / graph: {figures['memory'] / figures['graph']:.1f}; other top {K}: {differ}")


def memory(graph: Graph, chains: Chains, ids: list[str], queries: Vector) -> list[list[str]]:
    """The same by fetching vectors and ranking them here."""
    triples = {s.triple.id: s.triple for s in graph.triples_of(ids) if may_chain(s.triple)}
    vectors = graph.triple_embeddings(list(triples))
    matrix, held = np.array(list(vectors.values())), list(vectors)
    best = []
    for chain, query in zip(chains, queries, strict=True):
        taken, order = Taken(chain), np.argsort(-(matrix @ query), kind="stable")
        able = (held[i] for i in order if taken.leaves(triples[held[i]]))
        best.append([id_ for id_, _ in zip(able, range(K), strict=False)])
    return best


def timed(times: list[float], work: Callable[[], list[list[str]]]) -> list[list[str]]:
    """Do it, and keep the milliseconds."""
    started = time.perf_counter()
    found = work()
    times.append(1000 * (time.perf_counter() - started))
    return found


if __name__ == "__main__":
    main()
