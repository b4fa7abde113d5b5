"""The hop retriever: a passage inherits the score of the best passage that leads to it.

GNN-Ret's frame (one layer, max message, K senders) with four changes: hybrid scores, links by
title, masking of what the question itself names, and residual words (docs/retrieval.md).
"""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import ClassVar

from ...kg.store import GraphStore
from ...kg.text import terms
from ...kg.titles import named_titles, title_grams
from ...kg.types import Bridge, Candidate, Candidates, Scored
from ...models.encoder import Encoder

STEMS = 60  # of a question; what a longer one adds is not weighed


@dataclass(frozen=True)
class Hop:
    """½ dense + ½ full text, then one masked hop from the best over titles and rare entities.

    Args:
        pool: depth of both first-stage lists; a question's best is 1, its `pool`-th 0.
        dense: weight of the dense half.
        senders: K, passages that messages come from.
        title: bonus for a passage whose title the question names.
        names: weight of "the sender's text names the receiver's title".
        named: of "the receiver's text names the sender's title".
        shares: of a shared entity, times its idf; 0.5 for Wikipedia-like corpora where every bridge
            has its own page, 0.8 where few do.
        most: an entity that more passages mention leads nowhere.
        residual: weight of the question's words that the receiver adds.
    """

    graph: GraphStore
    encoder: Encoder
    pool: int = 100
    dense: float = 0.5
    senders: int = 20
    title: float = 0.3
    names: float = 1.0
    named: float = 0.4
    shares: float = 0.65
    most: int = 50
    residual: float = 1.0
    name: ClassVar[str] = "hop"

    def search(
        self, question: str, limit: int, within: Collection[str] | None = None
    ) -> list[Scored]:
        """See Retriever."""
        vector = self.encoder.encode_queries([question])[0]
        stems = terms(question)[:STEMS]
        grams = list(dict.fromkeys(gram for _, gram in title_grams(question)))
        depth = max(self.pool, limit)
        seen = self.graph.candidates(vector, question, grams, stems, depth, within)
        if not seen.found:
            return []
        scale = _Scale.of(seen.found, self.pool)
        first = {c.id: self._first(c, scale) for c in seen.found}
        seeds = self._seeds(question, grams, seen.found, first)
        best = sorted(seeds, key=lambda id_: (-seeds[id_], id_))[: self.senders]
        bridges = self.graph.bridges(best, vector, stems, self.most, within)
        covered = {c.id: c.covered for c in seen.found}
        weights = _weights(seen)
        scores = dict(seeds)
        message: dict[str, float] = {}
        for bridge in bridges:
            target = bridge.target
            scores.setdefault(target.id, self._first(target, scale))
            new = sum(weights.get(s, 0.0) for s in target.covered - covered[bridge.source])
            sent = first[bridge.source] * self._link(bridge, seen.passages)
            sent *= 1 + self.residual * new
            message[target.id] = max(message.get(target.id, 0.0), sent)
        found = [Scored(id_, score + message.get(id_, 0.0)) for id_, score in scores.items()]
        return sorted(found, key=lambda s: (-s.score, s.id))[:limit]

    def _first(self, candidate: Candidate, scale: "_Scale") -> float:
        return self.dense * scale.dense(candidate) + (1 - self.dense) * scale.text(candidate)

    def _seeds(
        self,
        question: str,
        grams: Collection[str],
        found: Collection[Candidate],
        first: Mapping[str, float],
    ) -> dict[str, float]:
        titles = {candidate.title for candidate in found}.intersection(grams)
        [asked] = named_titles([question], lambda _: titles)
        return {c.id: first[c.id] + self.title * (c.title in asked) for c in found}

    def _link(self, bridge: Bridge, passages: int) -> float:
        """The best of the ways that lead across."""
        shared = 0.0
        if bridge.rarest is not None and passages > 2:
            shared = self.shares * math.log(passages / bridge.rarest) / math.log(passages / 2)
        return max(self.names * bridge.names, self.named * bridge.named, shared)


@dataclass(frozen=True, slots=True)
class _Scale:
    """What makes a question's dense and full-text scores comparable."""

    dense_floor: float
    dense_best: float
    text_floor: float
    text_best: float

    @staticmethod
    def of(found: Collection[Candidate], pool: int) -> "_Scale":
        cosines = sorted((c.cosine for c in found), reverse=True)[: pool + 1]
        texts = sorted((c.bm25 for c in found if c.bm25 > 0), reverse=True)[:pool]
        floor = texts[-1] if len(texts) >= pool else 0.0
        return _Scale(cosines[-1], cosines[0], floor, texts[0] if texts else 1.0)

    def dense(self, candidate: Candidate) -> float:
        return (candidate.cosine - self.dense_floor) / (self.dense_best - self.dense_floor + 1e-9)

    def text(self, candidate: Candidate) -> float:
        if candidate.bm25 <= self.text_floor:
            return 0.0
        return (candidate.bm25 - self.text_floor) / (self.text_best - self.text_floor + 1e-9)


def _weights(seen: Candidates) -> dict[str, float]:
    """Share of each stem in the question, by idf as BM25 has it; they sum to 1."""
    idf = {
        stem: math.log(1 + (seen.passages - count + 0.5) / (count + 0.5))
        for stem, count in seen.frequencies.items()
    }
    total = sum(idf.values()) or 1.0
    return {stem: value / total for stem, value in idf.items()}
