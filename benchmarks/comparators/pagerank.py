"""Personalised PageRank over passages and phrases, in the manner of HippoRAG 2.

Source: Gutiérrez et al., From RAG to Memory: Non-Parametric Continual Learning for Large Language
Models (2025), §3, with the defaults of its published code. Nodes are passages and phrases (ends of
triples); a passage is tied to the phrases of its triples, and head to tail. A walk that starts at
the question's triples and passages ranks the passages.

Three things differ. No language model is asked: triples are Hoptrail's own, and the five that are
nearest to the question are taken as they are, where HippoRAG 2 lets a model drop some. And phrases
of like meaning are not tied: by this encoder (cosine of at least 0.8) that cost 1.4 points of
recall@5 on 2WikiMultihopQA.
"""

import base64
import hashlib
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from scipy import sparse

from hoptrail.kg.store import GraphStore
from hoptrail.kg.types import Scored, Triple, Vector
from hoptrail.models.encoder import Encoder

TOLERANCE = 1e-8


@dataclass(frozen=True)
class PageRank:
    """One walk a question; `PageRank.over(graph, …)` makes the index.

    Args:
        encoder: the graph's.
        passages: ids, (p,).
        vectors: of the passages, (p, d).
        ends: head and tail of every triple as nodes, (t, 2).
        triples: vectors of the triples, (t, d).
        spread: how many passages hold a node's phrase, (nodes,); 1 for passages.
        walk: transition probabilities from column to row, (nodes, nodes).
        facts: triples that seed a question's phrases, and how many phrases remain.
        passage_weight: of a passage's similarity beside the phrases'.
        damping: chance to walk on instead of starting anew.
    """

    encoder: Encoder
    passages: list[str]
    vectors: Vector
    ends: np.ndarray
    triples: Vector
    spread: np.ndarray
    walk: sparse.csr_array
    facts: int = 5
    passage_weight: float = 0.05
    damping: float = 0.5
    name: ClassVar[str] = "pagerank"

    @classmethod
    def over(cls, graph: GraphStore, encoder: Encoder, kept: Path) -> Self:
        """The index of a graph.

        Args:
            graph: read whole, into memory.
            encoder: the graph's; also reads the triples.
            kept: folder in which their vectors stay for the next run.
        """
        ids, vectors, triples, stated = _read(graph)
        found = Counter(t for _, t in stated)
        triples = {id_: triple for id_, triple in triples.items() if found[id_]}
        phrases = sorted({end for t in triples.values() for end in (t.head_id, t.tail_id)})
        node = {phrase: len(ids) + n for n, phrase in enumerate(phrases)}
        place = {id_: n for n, id_ in enumerate(ids)}
        holds = {
            (place[passage], node[end])
            for passage, triple in stated
            if triple in triples
            for end in (triples[triple].head_id, triples[triple].tail_id)
        }
        ends = np.array([(node[t.head_id], node[t.tail_id]) for t in triples.values()])
        edges = np.concatenate(
            [
                np.array([(a, b, 1.0) for a, b in sorted(holds)]),
                np.column_stack([ends, [float(found[id_]) for id_ in triples]]),
            ]
        )
        nodes = len(ids) + len(phrases)
        spread = np.ones(nodes)
        held, times = np.unique(edges[: len(holds), 1].astype(int), return_counts=True)
        spread[held] = times
        texts = [triple.text for triple in triples.values()]
        walk = _transitions(edges, nodes)
        return cls(encoder, ids, vectors, ends, _vectors(texts, encoder, kept), spread, walk)

    def search(
        self, question: str, limit: int, within: Collection[str] | None = None
    ) -> list[Scored]:
        """See `hoptrail.reasoning.retrieval.Retriever`."""
        vector = self.encoder.encode_queries([question])[0]
        start = self._phrases(vector)
        start[: len(self.passages)] = self.passage_weight * _scaled(self.vectors @ vector)
        ranks = self._walked(start / start.sum())[: len(self.passages)]
        scores = zip(self.passages, ranks.tolist(), strict=True)
        found = [Scored(*pair) for pair in scores if within is None or pair[0] in within]
        return sorted(found, key=lambda s: (-s.score, s.id))[:limit]

    def _phrases(self, vector: Vector) -> np.ndarray:
        """Where the walk starts among the phrases: the best triples' ends, rare ones first."""
        weights, times = np.zeros(len(self.spread)), np.zeros(len(self.spread))
        scores = _scaled(self.triples @ vector)
        for triple in np.argsort(-scores, kind="stable")[: self.facts]:
            for end in self.ends[triple]:
                weights[end] += scores[triple] / self.spread[end]
                times[end] += 1
        weights /= np.maximum(times, 1)
        weights[np.argsort(-weights, kind="stable")[self.facts :]] = 0
        return weights

    def _walked(self, start: np.ndarray) -> np.ndarray:
        rank = start
        while True:
            after = (1 - self.damping) * start + self.damping * (self.walk @ rank)
            if np.abs(after - rank).sum() < TOLERANCE:
                return after
            rank = after


def _read(
    graph: GraphStore,
) -> tuple[list[str], Vector, dict[str, Triple], list[tuple[str, str]]]:
    """Passage ids, their vectors (p, d), triples by id, and (passage, triple) as stated.

    Triples that are only tied to a name, without a relation, are left out.
    """
    ids, vectors, triples, stated = [], [], {}, []
    for record in graph.maintenance.records():
        match record["kind"]:
            case "passage":
                ids.append(record["id"])
                vectors.append(np.frombuffer(base64.b64decode(record["embedding"]), "<f4"))
            case "triple":
                triple = Triple(*(record[k] for k in ("head", "relation", "tail", "extractor")))
                if not triple.tied:
                    triples[triple.id] = triple
            case "states":
                stated.append((record["passage_id"], record["triple_id"]))
    return ids, np.array(vectors), triples, stated


def _vectors(texts: Sequence[str], encoder: Encoder, kept: Path) -> Vector:
    """(n, d), from the file of an earlier run where there is one."""
    key = hashlib.sha256("\n".join([encoder.fingerprint.weights, *texts]).encode()).hexdigest()
    file = kept / f"vectors-{key[:16]}.npy"
    if not file.exists():
        np.save(file, encoder.encode_passages(texts, progress=lambda done: None))
    return np.load(file)


def _transitions(edges: np.ndarray, nodes: int) -> sparse.csr_array:
    """Undirected edges (n, 3: node, node, weight) as probabilities of the next step."""
    one, other = edges[:, 0].astype(int), edges[:, 1].astype(int)
    ends = (np.concatenate([one, other]), np.concatenate([other, one]))
    weights = sparse.csr_array((np.tile(edges[:, 2], 2), ends), shape=(nodes, nodes))
    strength = np.asarray(weights.sum(axis=0)).ravel()
    return weights @ sparse.diags_array(1 / np.maximum(strength, 1e-12)).tocsr()


def _scaled(scores: np.ndarray) -> np.ndarray:
    """From 0 (the worst) to 1 (the best)."""
    low, high = scores.min(), scores.max()
    return (scores - low) / (high - low + 1e-12)
