"""TRACE: reasoning chains, triple by triple, from the retrieved passages' graph (TRACE §3)."""

import re
import time
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ...kg.text import normal_form, words
from ...kg.types import (
    Answer,
    Chain,
    Citation,
    Passage,
    Statement,
    Step,
    SupportedTriple,
    Triple,
    Vector,
)
from ..parts import Parts
from ..reader import ReaderPassage, Reading
from .selectors import BySimilarity, Option, Selector

LONGEST_RELATION = 6  # words; longer ones are nested prepositions that a parse got wrong


@dataclass(frozen=True, slots=True)
class _Beam:
    triples: tuple[Triple, ...] = ()
    score: float = 0.0
    ended: bool = False


@dataclass(frozen=True)
class Trace:
    """Rank triples, select the next one, keep the best chains, read (TRACE Algorithm 1).

    Without a language model retrieval and the reader find the answer, and chains then lead to it.

    Args:
        passages: retrieved, read, and searched for triples (N).
        candidates: triples the ranker offers at each step (K; the paper tunes 15 to 30, Appendix
            C.4).
        max_hops: L; the paper has 4 with a language model, 3 explain best without
            (docs/trace.md).
        beams: b (Appendix C.4).
        chains: R (Appendix C.4).
        spread: beams start in different passages and do not compete before the end.
        adaptive_stop: the option "no need for additional triples" (§3.3).
        selector: None: similarity, led to the reader's answer.
    """

    parts: Parts
    passages: int = 5
    candidates: int = 25
    max_hops: int = 3
    beams: int = 5
    chains: int = 5
    spread: bool = True
    adaptive_stop: bool = True
    selector: Selector | None = None

    def answer(self, question: str, within: Collection[str] | None = None) -> Answer:
        """Answer from the whole graph, or `within` passages; errors as in `Parts.retrieve`."""
        started, steps = time.perf_counter(), []
        found = self.parts.retrieve(question, self.passages, within)
        steps.append(_retrieval_step(question, self.parts.retriever.name, found, started))
        statements = self.parts.graph.triples_of([passage.id for passage, _ in found])
        reading = self._read(question, found, statements, steps)
        chains = self._chains(question, found, statements, reading, steps)
        return Answer(
            question=question,
            method="trace",
            text=reading.text if reading.answered else "",
            abstained=not reading.answered,
            confidence=reading.confidence,
            candidates=reading.candidates,
            chains=tuple(chains),
            passages=_cited(found, chains, reading.text),
            steps=tuple(steps),
            usage={
                "calls": 0,
                "tokens_in": 0,
                "tokens_out": 0,
                "seconds": round(time.perf_counter() - started, 3),
            },
        )

    def _read(
        self,
        question: str,
        found: list[tuple[Passage, float]],
        statements: list[Statement],
        steps: list[Step],
    ) -> Reading:
        started = time.perf_counter()
        by_passage: dict[str, list[Statement]] = {passage.id: [] for passage, _ in found}
        for statement in statements:
            by_passage[statement.passage_id].append(statement)
        reading = self.parts.reader.read(
            question,
            [ReaderPassage(passage, by_passage[passage.id], score) for passage, score in found],
        )
        output = f"{reading.text} (p = {reading.confidence:.2f}, {reading.rule or 'scorer'})"
        evidence = tuple(s.triple.id for s in reading.support)
        steps.append(Step("read", question, output, evidence, 0, time.perf_counter() - started))
        return reading

    # -- chains ------------------------------------------------------------------------------------
    def _chains(
        self,
        question: str,
        found: list[tuple[Passage, float]],
        statements: list[Statement],
        reading: Reading,
        steps: list[Step],
    ) -> list[Chain]:
        stated: dict[Triple, list[str]] = {}
        for statement in statements:
            if _worth_ranking(statement.triple):
                stated.setdefault(statement.triple, []).append(statement.passage_id)
        goal = reading.text  # a guess that is not given is explained as well
        builder = _Builder(
            self, question, stated, _priors(found), self.selector or BySimilarity(goal)
        )
        beams = builder.run(steps)
        if self.selector is None:
            beams = _explaining(beams, reading)
            for statement in reading.support:
                stated.setdefault(statement.triple, [statement.passage_id])
        return [
            Chain(tuple(SupportedTriple(t, tuple(stated[t])) for t in beam.triples), beam.score)
            for beam in beams[: self.chains]
            if beam.triples
        ]


class _Builder:
    """The autoregressive constructor over one question's triples."""

    def __init__(
        self,
        method: Trace,
        question: str,
        stated: dict[Triple, list[str]],
        priors: dict[str, float],
        selector: Selector,
    ) -> None:
        self.method, self.question, self.selector = method, question, selector
        self.stated, self.priors = stated, priors
        self.triples = list(stated)
        vectors = method.parts.triple_vectors(self.triples) if self.triples else {}
        self.matrix = np.array([vectors[t.id] for t in self.triples], np.float32)
        self.asked = f" {' '.join(words(question))} "

    def run(self, steps: list[Step]) -> list[_Beam]:
        """The R best chains, best first."""
        beams = [_Beam()]
        for hop in range(self.method.max_hops if self.triples else 0):
            started = time.perf_counter()
            beams = self._grow(beams, first=hop == 0)
            steps.append(_chain_step(self.selector.name, beams, started))
            if all(beam.ended for beam in beams):
                break
        return sorted(beams, key=lambda beam: -beam.score)[: self.method.chains]

    def _grow(self, beams: list[_Beam], *, first: bool) -> list[_Beam]:
        open_, ended = [b for b in beams if not b.ended], [b for b in beams if b.ended]
        options = [
            self._rank(beam, query) for beam, query in zip(open_, self._queries(open_), strict=True)
        ]
        chosen = self.selector.choose(self.question, [beam.triples for beam in open_], options)
        grown = []
        for beam, of_beam, logs in zip(open_, options, chosen, strict=True):
            grown += self._extensions(beam, of_beam, logs, first)
        unique = {frozenset(b.triples): b for b in sorted(grown + ended, key=lambda b: b.score)}
        return sorted(unique.values(), key=lambda beam: -beam.score)[: self.method.beams]

    def _queries(self, beams: Sequence[_Beam]) -> Vector:
        texts = [" ".join([self.question, *(t.text for t in beam.triples)]) for beam in beams]
        return self.method.parts.encoder.encode_queries(texts)

    def _rank(self, beam: _Beam, query: Vector) -> list[Option]:
        """The triple ranker: the K triples nearest to question + chain (equation 4)."""
        similarity = self.matrix @ query
        ends = {end for triple in beam.triples for end in (triple.head_id, triple.tail_id)}
        pairs = {(triple.head_id, triple.tail_id) for triple in beam.triples}
        said = {triple.text for triple in beam.triples}
        options = []
        for i in np.argsort(-similarity, kind="stable"):
            triple = self.triples[i]
            if (triple.head_id, triple.tail_id) not in pairs and triple.text not in said:
                prior = max(self.priors[p] for p in self.stated[triple])
                linked = self._linked(triple, ends)
                options.append(Option(triple, float(similarity[i]), prior, linked))
            if len(options) == self.method.candidates:
                break
        return options

    def _linked(self, triple: Triple, ends: set[str]) -> bool:
        if ends:
            return triple.head_id in ends or triple.tail_id in ends
        return any(len(e) > 2 and f" {e} " in self.asked for e in (triple.head_id, triple.tail_id))

    def _extensions(
        self, beam: _Beam, options: list[Option], logs: np.ndarray, first: bool
    ) -> list[_Beam]:
        order = np.argsort(-logs[1:], kind="stable") + 1
        if self.method.spread:
            order = self._one_a_passage(options, order) if first else order[:1]
        best = [int(i) for i in order[: self.method.beams]]
        grown = [_Beam((*beam.triples, options[i - 1].triple), beam.score + logs[i]) for i in best]
        if self.method.adaptive_stop and np.isfinite(logs[0]):
            grown.append(_Beam(beam.triples, beam.score + logs[0], ended=True))
            if self.method.spread:  # a beam follows its own best way only
                return [max(grown, key=lambda b: b.score)]
        return grown

    def _one_a_passage(self, options: list[Option], order: np.ndarray) -> list[int]:
        first: dict[str, int] = {}
        for i in order:
            first.setdefault(self.stated[options[i - 1].triple][0], int(i))
        return list(first.values())


def _worth_ranking(triple: Triple) -> bool:
    named = re.search(r"[A-Z0-9]", triple.head + triple.tail) is not None
    return named and len(triple.relation.split()) <= LONGEST_RELATION


def _priors(found: list[tuple[Passage, float]]) -> dict[str, float]:
    """Retrieval scores on one scale, whatever the retriever: the best is 1."""
    best = max((score for _, score in found), default=1.0) or 1.0
    return {passage.id: max(score, 0.0) / best for passage, score in found}


def _distinct(triples: Iterable[Triple]) -> tuple[Triple, ...]:
    return tuple(dict.fromkeys(triples))


def _explaining(beams: list[_Beam], reading: Reading) -> list[_Beam]:
    """Chains that lead to the answer, the reader's own first; all of them where none does."""
    goal = normal_form(reading.text)
    led = [b for b in beams if any(goal in (t.head_id, t.tail_id) for t in b.triples)]
    if reading.support:
        led.insert(0, _Beam(_distinct(s.triple for s in reading.support)))
    return list({frozenset(beam.triples): beam for beam in reversed(led)}.values())[::-1] or beams


def _cited(
    found: list[tuple[Passage, float]], chains: Sequence[Chain], goal: str
) -> tuple[Citation, ...]:
    """Passages by the votes of the chains' triples (TRACE-Doc, §3.4), then by retrieval.

    Those without a vote are left out, as in the paper, unless they hold the answer or nothing was
    voted for.
    """
    votes = Counter(
        passage_id for chain in chains for step in chain.triples for passage_id in step.passage_ids
    )
    cited = [
        Citation(p.id, p.title, p.text, votes[p.id], score)
        for p, score in found
        if votes[p.id] or not votes or (goal and goal in p.text)
    ]
    return tuple(sorted(cited, key=lambda citation: -citation.votes))


def _retrieval_step(
    question: str, name: str, found: list[tuple[Passage, float]], started: float
) -> Step:
    lines = "\n".join(f"{score:.3f} {passage.title}" for passage, score in found)
    ids = tuple(passage.id for passage, _ in found)
    return Step(f"retrieve ({name})", question, lines, ids, 0, time.perf_counter() - started)


def _chain_step(name: str, beams: list[_Beam], started: float) -> Step:
    lines = "\n".join(
        f"{beam.score:.2f} "
        + " → ".join(f"⟨{t.head}; {t.relation}; {t.tail}⟩" for t in beam.triples)
        for beam in beams
    )
    ids = tuple(dict.fromkeys(t.id for beam in beams for t in beam.triples))
    return Step(f"chain ({name})", "", lines, ids, 0, time.perf_counter() - started)
