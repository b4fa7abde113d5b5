"""Claims that recorded answers rest on: as records have them, and evidence again."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from ..answers import Answer, Chain, Citation, SupportedTriple
from ..linked import Claim, LinkedGraph, LinkedItem, Origin
from ..tracing import TracedTriple
from ..types import Triple
from .facts import Fact, facts, stated

Row = Sequence[Any]
Step = tuple[int, int, float, SupportedTriple]
"""Chain, order, the chain's score, the triple."""
FIELDS = ("claim_steps", "claim_cites", "claim_traced")
"""Of records; each row ends with the id of a claim, see `ClaimRows`."""


class ClaimRows(NamedTuple):
    """What an answer has of Wikidata, in order.

    Args:
        steps: (chain, order, score, claim id).
        cites: (rank, votes, score, claim id), for each claim that a cited fact tells.
        traced: (order, round, entity, guidance, claim id).
    """

    steps: Sequence[Row] = ()
    cites: Sequence[Row] = ()
    traced: Sequence[Row] = ()


def claim_rows(answer: Answer, kept: LinkedGraph) -> ClaimRows:
    """Find the claims that an answer rests on; what an endpoint was asked live is none."""
    steps = [
        (number, place, chain.score, id_)
        for number, chain in enumerate(answer.chains)
        for place, step in enumerate(chain.triples)
        if (id_ := _claim(step.triple.extractor))
    ]
    traced = [
        (place, one.round, one.entity, one.guidance, id_)
        for place, one in enumerate(answer.tracing.triples)
        if (id_ := _claim(one.triple.extractor))
    ]
    told = {p.passage_id: p.wikidata for p in answer.passages}
    items = sorted({origin.item for origin in told.values() if origin})
    by_passage: dict[str, Fact] = {}
    if items:
        made = facts(kept.claims(items), kept.items(items))
        by_passage = {fact.passage.id: fact for fact in made}
    cites = [
        (rank, cited.votes, cited.score, id_)
        for rank, cited in enumerate(answer.passages)
        if (fact := by_passage.get(cited.passage_id))
        for id_ in fact.claims
    ]
    return ClaimRows(steps, cites, traced)


def _claim(extractor: str) -> str | None:
    origin = Origin.of(extractor)
    return origin.claim if origin else None


@dataclass(frozen=True)
class ClaimEvidence:
    """Evidence made of claims as they are kept now; rows whose claim is gone are none.

    Args:
        rows: of one answer.
        claims: that they lead to, by id.
        items: that these are of, by QID.
    """

    rows: ClaimRows
    claims: Mapping[str, Claim]
    items: Mapping[str, LinkedItem]

    def steps(self) -> list[Step]:
        """Make the steps of chains; what is cited is their passage."""
        passages = {id_: fact.passage.id for _, _, _, fact in self._cited() for id_ in fact.claims}
        return [
            (chain, place, score, SupportedTriple(self._triple(id_), tuple(_at(passages, id_))))
            for chain, place, score, id_ in self.rows.steps
            if id_ in self.claims
        ]

    def cites(self) -> list[tuple[int, Citation]]:
        """Make citations, with their ranks; a fact is told again of what is left of it."""
        return [
            (
                rank,
                Citation(
                    *(fact.passage.id, fact.passage.title, fact.passage.text, votes, score),
                    document_id=fact.document.id,
                    source=fact.document.source,
                ),
            )
            for rank, votes, score, fact in self._cited()
        ]

    def traced(self) -> list[tuple[int, TracedTriple]]:
        """Make traced triples, with their order."""
        return [
            (place, TracedTriple(self._triple(id_), number, entity, guidance))
            for place, number, entity, guidance, id_ in self.rows.traced
            if id_ in self.claims
        ]

    def _cited(self) -> list[tuple[int, int, float, Fact]]:
        found = []
        for (rank, votes, score), some in groupby(self.rows.cites, key=lambda row: tuple(row[:3])):
            told = [self.claims[row[3]] for row in some if row[3] in self.claims]
            told.sort(key=lambda one: (one.item_id, one.pid, one.id))
            found += [(rank, votes, score, fact) for fact in facts(told, dict(self.items))]
        return found

    def _triple(self, claim_id: str) -> Triple:
        claim = self.claims[claim_id]
        return stated(self.items[claim.item_id], claim)


def chains_of(steps: Iterable[Step]) -> tuple[Chain, ...]:
    """Make chains of their steps, in order."""
    ordered = sorted(steps, key=lambda step: step[:2])
    return tuple(
        Chain(tuple(step[3] for step in chain), score)
        for (_, score), chain in groupby(ordered, key=lambda step: (step[0], step[2]))
    )


def _at(passages: Mapping[str, str], claim_id: str) -> list[str]:
    return [passages[claim_id]] if claim_id in passages else []
