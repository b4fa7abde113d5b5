"""The autoregressive constructor: chains grow triple by triple, the best ones stay (TRACE §3.3)."""

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ....kg.text.words import words
from ....kg.types import Passage, Statement, Triple, Vector
from ....models.language import BudgetSpent
from ...prompts.showing import triple_text
from ...session.session import Session
from ...session.steps import Steps
from .selectors import MAX_OPTIONS, Option, Selector

MAX_RELATION_WORDS = 6  # longer ones are nested prepositions that a parse got wrong
MAX_NEIGHBOURS = 1000  # statements looked through for the passages of triples beyond

Stated = dict[Triple, list[str]]
"""Triples with the passages that state them, in the order of the passages."""


@dataclass(frozen=True, slots=True)
class Beam:
    """A chain under way; its score is the sum of its choices' log-probabilities."""

    triples: tuple[Triple, ...] = ()
    score: float = 0.0
    ended: bool = False


@dataclass(frozen=True, slots=True)
class Search:
    """How chains are searched for; `Trace` says what each setting means."""

    candidates: int
    max_hops: int
    beams: int
    chains: int
    spread: bool
    ranked: bool
    adaptive_stop: bool
    expand: int


class Builder:
    """Builds the chains of one question.

    Args:
        session: expansion stays within its passages.
        stated: grows by what expansion reaches.
    """

    def __init__(
        self, session: Session, search: Search, selector: Selector, stated: Stated
    ) -> None:
        self.session, self.search, self.selector = session, search, selector
        self.question, self.within = session.question, session.within
        self.stated, self.priors = stated, _priors(session.found)
        self.triples: list[Triple] = []
        self.matrix = np.empty((0, 0), np.float32)
        self._take(stated)
        self.asked = f" {' '.join(words(session.question))} "

    def run(self) -> list[Beam]:
        """Build the R best chains, best first; fewer hops where the budget ends them."""
        beams, steps = [Beam()], self.session.steps
        for hop in range(self.search.max_hops if self.triples else 0):
            started = time.perf_counter()
            if self.search.expand and hop == 1:
                self._tell_what_is_out_of_reach(beams)
            try:
                beams = self._grow(beams, first=hop == 0)
            except BudgetSpent as spent:
                steps.add("budget", "", f"No more triples are chosen: {spent}.", (), started)
                break
            _record(steps, self.selector.name, beams, started)
            self.session.tell_of_named("it makes one chain (TRACE, limitation 3)")
            if all(beam.ended for beam in beams):
                break
        return sorted(beams, key=lambda beam: -beam.score)[: self.search.chains]

    def _grow(self, beams: list[Beam], *, first: bool) -> list[Beam]:
        open_, ended = [b for b in beams if not b.ended], [b for b in beams if b.ended]
        queries = self._queries(open_)
        if self.search.expand and not first:
            self._reach(open_, queries)
        options = [self._rank(beam, query) for beam, query in zip(open_, queries, strict=True)]
        chosen = self.selector.choose(self.question, [beam.triples for beam in open_], options)
        grown = []
        for beam, of_beam, logs in zip(open_, options, chosen, strict=True):
            grown += self._extensions(beam, of_beam, logs, first)
        unique = {frozenset(b.triples): b for b in sorted(grown + ended, key=lambda b: b.score)}
        return sorted(unique.values(), key=lambda beam: -beam.score)[: self.search.beams]

    def _queries(self, beams: Sequence[Beam]) -> Vector:
        texts = [" ".join([self.question, *(t.text for t in beam.triples)]) for beam in beams]
        return self.session.encoder.encode_queries(texts)

    # -- candidates
    def _rank(self, beam: Beam, query: Vector) -> list[Option]:
        """The triple ranker: the K triples nearest to question + chain (equation 4)."""
        similarity = self.matrix @ query
        ends = _ends([beam])
        pairs = {(triple.head_id, triple.tail_id) for triple in beam.triples}
        said = {triple.text for triple in beam.triples}
        order, most = np.argsort(-similarity, kind="stable"), self.search.candidates
        if not self.search.ranked:
            order, most = np.arange(len(self.triples)), MAX_OPTIONS
        options = []
        for i in order:
            triple = self.triples[i]
            if (triple.head_id, triple.tail_id) not in pairs and triple.text not in said:
                prior = max(self.priors.get(p, 0.0) for p in self.stated[triple])
                linked = self._linked(triple, ends)
                options.append(Option(triple, float(similarity[i]), prior, linked))
            if len(options) == most:
                break
        return options

    def _linked(self, triple: Triple, ends: set[str]) -> bool:
        if ends:
            return triple.head_id in ends or triple.tail_id in ends
        return any(len(e) > 2 and f" {e} " in self.asked for e in (triple.head_id, triple.tail_id))

    def _reach(self, beams: Sequence[Beam], queries: Vector) -> None:
        """Triples beyond the retrieved passages that share an entity with a chain."""
        graph, found = self.session.graph, []
        for beam, query in zip(beams, queries, strict=True):
            ids = [triple.id for triple in beam.triples]
            found += graph.expand(ids, query, self.search.expand, self.within)
        known = {triple.id for triple in self.triples}
        wanted = list(dict.fromkeys(s.id for s in found if s.id not in known))
        if not wanted:
            return
        heads = {triple.head_id for triple in graph.triples(wanted).values()}
        about = graph.triples_about(sorted(heads), MAX_NEIGHBOURS)
        inside = [s for s in about if self.within is None or s.passage_id in self.within]
        more = stated_in(s for s in inside if s.triple.id in wanted)
        self.stated |= more
        self._take(more)

    def _tell_what_is_out_of_reach(self, beams: Sequence[Beam]) -> None:
        started, graph = time.perf_counter(), self.session.graph
        about = graph.triples_about(sorted(_ends(beams)), MAX_NEIGHBOURS)
        near = {s.triple.id for s in about} - {triple.id for triple in self.triples}
        blind = len(near) - len(graph.triple_embeddings(sorted(near)))
        if blind:
            told = (
                f"{blind} of {len(near)} triples next to the chains have no vector, so expansion "
                "does not reach them. A graph made by `ingest --embed-triples` has all vectors."
            )
            self.session.steps.add("expand", "", told, (), started)

    def _take(self, triples: Iterable[Triple]) -> None:
        new = list(triples)
        if new:
            vectors = self.session.parts.triple_vectors(new)
            rows = np.array([vectors[t.id] for t in new], np.float32)
            self.matrix = np.concatenate([self.matrix, rows]) if self.triples else rows
            self.triples += new

    # -- the next beams
    def _extensions(
        self, beam: Beam, options: list[Option], logs: np.ndarray, first: bool
    ) -> list[Beam]:
        if not options:  # every triple is in the chain
            return [Beam(beam.triples, beam.score, ended=True)]
        if logs[1:].max() == -np.inf:  # it named none of them
            return [Beam(beam.triples, beam.score, ended=True)]
        if not self.search.adaptive_stop:
            logs = logs - np.logaddexp.reduce(logs[1:])
        order = np.argsort(-logs[1:], kind="stable") + 1
        if self.search.spread:
            order = self._one_a_passage(options, order) if first else order[:1]
        best = [int(i) for i in order[: self.search.beams] if np.isfinite(logs[i])]
        grown = [Beam((*beam.triples, options[i - 1].triple), beam.score + logs[i]) for i in best]
        if self.search.adaptive_stop and np.isfinite(logs[0]):
            grown.append(Beam(beam.triples, beam.score + logs[0], ended=True))
            if self.search.spread:  # a beam follows its own best way only
                return [max(grown, key=lambda b: b.score)]
        return grown

    def _one_a_passage(self, options: list[Option], order: np.ndarray) -> list[int]:
        first: dict[str, int] = {}
        for i in order:
            first.setdefault(self.stated[options[i - 1].triple][0], int(i))
        return list(first.values())


def stated_in(statements: Iterable[Statement]) -> Stated:
    """Keep the triples that a chain may be made of, in the statements' order."""
    stated: Stated = {}
    for statement in statements:
        if _worth_ranking(statement.triple):
            stated.setdefault(statement.triple, []).append(statement.passage_id)
    return stated


def _priors(found: Mapping[Passage, float]) -> dict[str, float]:
    """Retrieval scores by passage id on one scale, whatever the retriever: the best is 1."""
    best = max(found.values(), default=1.0) or 1.0
    return {passage.id: max(score, 0.0) / best for passage, score in found.items()}


def _worth_ranking(triple: Triple) -> bool:
    named = re.search(r"[A-Z0-9]", triple.head + triple.tail) is not None
    return named and len(triple.relation.split()) <= MAX_RELATION_WORDS


def _ends(beams: Iterable[Beam]) -> set[str]:
    return {end for b in beams for t in b.triples for end in (t.head_id, t.tail_id)}


def _record(steps: Steps, name: str, beams: list[Beam], started: float) -> None:
    lines = "\n".join(
        f"{beam.score:.2f} " + " → ".join(map(triple_text, beam.triples)) for beam in beams
    )
    ids = dict.fromkeys(t.id for beam in beams for t in beam.triples)
    steps.add(f"chain ({name})", "", lines, tuple(ids), started)
