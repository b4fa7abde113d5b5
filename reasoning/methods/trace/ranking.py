"""The triple ranker: where chains may go on (TRACE §3.3, equation 4)."""

import time
from collections.abc import Iterable, Mapping, Sequence

from ....kg.candidates import RankedTriple, RankedTriples, Taken, may_chain
from ....kg.text.words import words
from ....kg.types import Passage, Statement, Triple, Vector
from ....kg.vectors import DECIMALS
from ...session.session import Session
from .selectors import MAX_OPTIONS, Option

MOST_ENCODED = 1000
"""Triples beyond the passages that a question encodes, at most, where the graph lacks their
vectors; a thousand take some seconds."""

Stated = dict[Triple, list[str]]
"""Triples with the passages that state them, in the order of the passages."""


class Ranker:
    """The triples that the chains of one question may be made of.

    Looks at the graph once when it is made, and once whenever it is asked about chains: for all of
    them together, without their triples' vectors leaving the graph. Triples that have none are
    encoded here, once a question.

    Args:
        session: what it found are the passages; expansion stays within its passages.
        candidates: K.
        ranked: else the passages' first triples are the candidates, as many as there are letters.
        expand: chains may go on beyond the passages, over an entity.

    Attributes:
        statements: what the passages state, by (passage, start, triple id).
        stated: the triples that a chain may hold, with the passages that state them; grows by what
            lies beyond.
        passages: those beyond, by id.
    """

    def __init__(self, session: Session, candidates: int, *, ranked: bool, expand: bool) -> None:
        self._session, self._candidates = session, candidates
        self._ranked, self._expand = ranked, expand and ranked
        self._ids = [passage.id for passage in session.found]
        self._offer = Offer(session)
        self._left, self._refused = MOST_ENCODED, dict[str, None]()
        self.passages: dict[str, Passage] = {}
        self.stated: Stated = {}
        self._place: dict[str, int] = {}
        self._query = self._queries([()])
        [self._first] = self._look([()], self._query, None, beyond=False).chains
        self.statements = _in_order(self._first, self._ids)
        self._place = {id_: place for place, id_ in enumerate(_ids(self.statements))}
        self.stated |= chainable(self.statements)

    def nearest(self) -> list[tuple[Triple, float]]:
        """Rank the passages' triples by their similarity to the question, best first."""
        return self._by_similarity(self._first, self._query[0])

    def options(self, chains: Sequence[Sequence[Triple]]) -> list[list[Option]]:
        """Find the K triples nearest to question + chain, for each chain; best first.

        With `ranked` off: the first that the passages state, in their order.
        """
        if any(chains):
            queries = self._queries(chains)
            limit = self._candidates if self._ranked else None
            found = self._look(chains, queries, limit, beyond=self._expand).chains
        else:  # what was looked up at first
            queries, found = [self._query[0]] * len(chains), [self._first] * len(chains)
        return [
            [self._offer(*one, self.stated, chain) for one in self._best(chain, of_chain, query)]
            for chain, of_chain, query in zip(chains, found, queries, strict=True)
        ]

    def _best(
        self, chain: Sequence[Triple], found: Sequence[RankedTriple], query: Vector
    ) -> list[tuple[Triple, float]]:
        taken = Taken(chain)
        best = [one for one in self._by_similarity(found, query) if taken.leaves(one[0])]
        if self._ranked:
            return best[: self._candidates]
        return sorted(best, key=lambda one: self._place[one[0].id])[:MAX_OPTIONS]

    # -- looks at the graph
    def _queries(self, chains: Sequence[Sequence[Triple]]) -> Vector:
        texts = [" ".join([self._session.question, *(t.text for t in one)]) for one in chains]
        return self._session.encoder.encode_queries(texts)

    def _look(
        self,
        chains: Sequence[Sequence[Triple]],
        queries: Vector,
        limit: int | None,
        *,
        beyond: bool,
    ) -> RankedTriples:
        """One statement, for all chains."""
        session = self._session
        found = session.graph.rank_triples(
            chains, self._ids, queries, limit, session.within, beyond
        )
        self.passages |= found.passages
        for one in (one for of_chain in found.chains for one in of_chain):
            if beyond and one.triple.id not in self._place:
                self.stated[one.triple] = [s.passage_id for s in one.statements]
        return found

    def _by_similarity(
        self, found: Sequence[RankedTriple], query: Vector
    ) -> list[tuple[Triple, float]]:
        """What a chain may hold, best first: those that lack a vector in their place."""
        able = [one for one in found if may_chain(one.triple)]
        vectors = self._encoded([one.triple for one in able if one.similarity is None])
        scored: list[tuple[Triple, float]] = []
        for one in able:
            if one.similarity is not None:
                scored.append((one.triple, one.similarity))
            elif one.triple.id in vectors:
                scored.append((one.triple, round(float(vectors[one.triple.id] @ query), DECIMALS)))
        last = len(self._place)
        return sorted(
            scored, key=lambda one: (-one[1], self._place.get(one[0].id, last), one[0].id)
        )

    def _encoded(self, lacking: Sequence[Triple]) -> Mapping[str, Vector]:
        """Vectors of these, but for those beyond the passages that are too many."""
        started, parts = time.perf_counter(), self._session.parts
        new = [t for t in lacking if t.id not in parts.encoded and t.id not in self._refused]
        far = [triple for triple in new if triple.id not in self._place]
        refused = far[max(self._left, 0) :]
        self._left -= len(far)
        self._refused |= dict.fromkeys(triple.id for triple in refused)
        vectors = parts.triple_vectors([t for t in lacking if t.id not in self._refused])
        if refused:
            told = (
                f"{len(refused)} triples next to the chains have no vector and are not looked at; "
                f"a question encodes {MOST_ENCODED} of them. `ingest --embed-triples` encodes all."
            )
            self._session.steps.add("expand", "", told, (), started)
        return vectors


def _ids(statements: Iterable[Statement]) -> Iterable[str]:
    return dict.fromkeys(statement.triple.id for statement in statements)


def _in_order(found: Iterable[RankedTriple], passage_ids: Sequence[str]) -> tuple[Statement, ...]:
    place = {id_: number for number, id_ in enumerate(passage_ids)}

    def order(one: Statement) -> tuple[int, float, str]:
        start = float("inf") if one.start is None else one.start
        return place[one.passage_id], start, one.triple.id

    return tuple(sorted((s for one in found for s in one.statements), key=order))


def chainable(statements: Iterable[Statement]) -> Stated:
    """The triples of these that a chain may hold."""
    stated: Stated = {}
    for statement in statements:
        if may_chain(statement.triple):
            stated.setdefault(statement.triple, []).append(statement.passage_id)
    return stated


class Offer:
    """Makes an option of a triple: with its passage's retrieval score, and whether it goes on."""

    def __init__(self, session: Session) -> None:
        self._priors = _priors(session.found)
        self._asked = f" {' '.join(words(session.question))} "

    def __call__(
        self, triple: Triple, similarity: float, stated: Stated, chain: Sequence[Triple]
    ) -> Option:
        prior = max(self._priors.get(passage, 0.0) for passage in stated[triple])
        return Option(triple, similarity, prior, self._linked(triple, chain))

    def _linked(self, triple: Triple, chain: Sequence[Triple]) -> bool:
        if ends := {end for one in chain for end in (one.head_id, one.tail_id)}:
            return triple.head_id in ends or triple.tail_id in ends
        return any(len(e) > 2 and f" {e} " in self._asked for e in (triple.head_id, triple.tail_id))


def _priors(found: Mapping[Passage, float]) -> dict[str, float]:
    """Retrieval scores by passage id on one scale, whatever the retriever: the best is 1."""
    best = max(found.values(), default=1.0) or 1.0
    return {passage.id: max(score, 0.0) / best for passage, score in found.items()}
