"""The autoregressive constructor: chains grow triple by triple, the best ones stay (TRACE §3.3)."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....kg.answers import Chain, SupportedTriple
from ....kg.types import Triple
from ....models.language import BudgetSpent
from ...prompts.showing import triple_text
from ...session.session import Session
from .ranking import Ranker, Stated
from .selectors import Option, Selector
from .wording import WordRanker


@dataclass(frozen=True, slots=True)
class Beam:
    """A chain under way; its score is the sum of its choices' log-probabilities."""

    triples: tuple[Triple, ...] = ()
    score: float = 0.0
    ended: bool = False


@dataclass(frozen=True, slots=True)
class Search:
    """How chains are searched for; `Trace` says what each setting means."""

    max_hops: int
    beams: int
    chains: int
    spread: bool
    adaptive_stop: bool


class Builder:
    """Builds the chains of one question."""

    def __init__(
        self,
        session: Session,
        search: Search,
        selector: Selector,
        ranker: Ranker | WordRanker,
    ) -> None:
        self.session, self.search = session, search
        self.selector, self.ranker = selector, ranker

    def run(self) -> list[Beam]:
        """Build the R best chains, best first; fewer hops where the budget ends them."""
        beams, steps = [Beam()], self.session.steps
        for hop in range(self.search.max_hops if self.ranker.stated else 0):
            started = time.perf_counter()
            try:
                beams = self._grow(beams, first=hop == 0)
            except BudgetSpent as spent:
                steps.add("budget", "", f"No more triples are chosen: {spent}.", (), started)
                break
            self._record(beams, started)
            self.session.tell_of_named("it makes one chain (TRACE, limitation 3)")
            if all(beam.ended for beam in beams):
                break
        return sorted(beams, key=lambda beam: -beam.score)[: self.search.chains]

    def _grow(self, beams: list[Beam], *, first: bool) -> list[Beam]:
        open_, ended = [b for b in beams if not b.ended], [b for b in beams if b.ended]
        chains = [beam.triples for beam in open_]
        options = self.ranker.options(chains)
        chosen = self.selector.choose(self.session.question, chains, options)
        grown = []
        for beam, of_beam, logs in zip(open_, options, chosen, strict=True):
            grown += self._extensions(beam, of_beam, logs, first)
        unique = {frozenset(b.triples): b for b in sorted(grown + ended, key=lambda b: b.score)}
        # Beams that do not compete keep their number; of the others R go on (Algorithm 1, line 21).
        most = self.search.beams if self.search.spread else self.search.chains
        return sorted(unique.values(), key=lambda beam: -beam.score)[:most]

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
            logs[0] = -np.inf
        places = [*range(1, len(logs)), 0]  # of equal ones "no need" comes last
        order = sorted((i for i in places if np.isfinite(logs[i])), key=lambda i: -logs[i])
        if self.search.spread:  # a beam follows its own best way only
            order = self._one_a_passage(options, order) if first else order[:1]
        return [self._extended(beam, options, logs, i) for i in order[: self.search.beams]]

    def _extended(self, beam: Beam, options: list[Option], logs: np.ndarray, choice: int) -> Beam:
        """The chain with the triple that is chosen; 0 is "no need for additional triples"."""
        score = beam.score + float(logs[choice])
        if choice == 0:
            return Beam(beam.triples, score, ended=True)
        chain = (*beam.triples, options[choice - 1].triple)
        return Beam(chain, score, self.search.adaptive_stop and self.selector.ends(chain))

    def _one_a_passage(self, options: list[Option], order: list[int]) -> list[int]:
        first: dict[str, int] = {}
        for i in filter(None, order):
            first.setdefault(self.ranker.stated[options[i - 1].triple][0], i)
        return list(first.values())

    def _record(self, beams: list[Beam], started: float) -> None:
        lines = "\n".join(
            f"{beam.score:.2f} " + " → ".join(map(triple_text, beam.triples)) for beam in beams
        )
        triples = dict.fromkeys(triple for beam in beams for triple in beam.triples)
        chains, name = supported(beams, self.ranker.stated), f"chain ({self.selector.name})"
        self.session.steps.add(name, "", lines, tuple(triples), started, chains)


def supported(beams: Sequence[Beam], stated: Stated) -> tuple[Chain, ...]:
    """Make chains of beams: each triple with the passages that state it; none of an empty beam."""
    return tuple(
        Chain(tuple(SupportedTriple(t, tuple(stated[t])) for t in beam.triples), float(beam.score))
        for beam in beams
        if beam.triples
    )
