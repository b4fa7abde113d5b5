"""Where chains of triples go on in the SQLite graph.

Statements read the temporary tables that `file.put_ids` filled: `asked`, `inside`.
"""

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..candidates import RankedTriple, RankedTriples, Taken, may_chain
from ..types import Passage, Statement, Triple, Vector
from ..vectors import DECIMALS, Vectors
from .file import put_ids
from .read import passages, triples
from .vectors import STATED_INSIDE, parts

_STATED = """
SELECT number, triple.id FROM temp.asked CROSS JOIN states ON passage_id = asked.id
CROSS JOIN triple ON triple.id = triple_id
ORDER BY place, "start" IS NULL, "start", triple.id
"""
_AT = """
SELECT asked.id, number, triple.id FROM temp.asked CROSS JOIN triple ON {end} = asked.id
"""
_VECTORS = """
SELECT number, vector FROM json_each(?) CROSS JOIN triple_vector ON number = value
"""
_STATEMENTS = """
SELECT triple_id, passage_id, "start", "end"
FROM temp.asked CROSS JOIN states ON triple_id = asked.id ORDER BY passage_id
"""
_PART = 64  # triples looked at in turn, until a chain has as many as it takes


class _Found(NamedTuple):
    """Candidates of all chains: `places` of each chain's among them."""

    numbers: list[int]
    ids: list[str]
    places: list[NDArray[np.intp]]


@dataclass
class _Look:
    """One look at the graph.

    Args:
        asked: passage ids, in the order that ties go by.
        within: that must state what lies beyond them; None for the whole graph.
        triples: by id, as far as they were read.
    """

    db: sqlite3.Connection
    asked: Sequence[str]
    within: Collection[str] | None
    stated: dict[int, str] = field(init=False)
    triples: dict[str, Triple] = field(default_factory=dict)

    def __post_init__(self) -> None:
        put_ids(self.db, self.asked)
        self.stated = dict(self.db.execute(_STATED))

    def candidates(self, chains: Sequence[Sequence[Triple]], beyond: bool) -> _Found:
        ids = dict(self.stated)
        of_chains = [dict(self.stated) for _ in chains]
        if beyond:
            at = self._at_ends_of({triple for chain in chains for triple in chain})
            for chain, held in zip(chains, of_chains, strict=True):
                for triple in chain:
                    held |= at.get(triple.id, {})
                ids |= held
        place = {number: place for place, number in enumerate(ids)}
        places = [np.array([place[n] for n in held], np.intp) for held in of_chains]
        return _Found(list(ids), list(ids.values()), places)

    def _at_ends_of(self, triples: Collection[Triple]) -> Mapping[str, dict[int, str]]:
        """By triple: the ids, by number, of all that share an entity with it."""
        ends = {triple.id: {triple.head_id, triple.tail_id} for triple in triples}
        put_ids(self.db, sorted(set().union(*ends.values())))
        at: dict[str, dict[int, str]] = {}
        for end in ("head_id", "tail_id"):
            query = _AT.format(end=end)
            if self.within is not None:
                query += f"WHERE {STATED_INSIDE}"
            for entity, number, id_ in self.db.execute(query):
                at.setdefault(entity, {})[number] = id_
        return {
            triple: {n: id_ for end in both for n, id_ in at.get(end, {}).items()}
            for triple, both in ends.items()
        }

    def scores(self, numbers: Sequence[int], queries: Vector) -> NDArray[np.float64]:
        """Similarities (chains, numbers) as they are compared, NaN without a vector."""
        place = {number: place for place, number in enumerate(numbers)}
        found = np.full((len(queries), len(numbers)), np.nan)
        exact = queries.astype(np.float64)
        cursor = self.db.execute(_VECTORS, (json.dumps(numbers),))
        for held, matrix in Vectors.of(parts(cursor)).chunks:
            columns = [place[number] for number in held.tolist()]
            found[:, columns] = np.round(exact @ matrix.astype(np.float64).T, DECIMALS)
        return found

    def in_turn(self, ids: Sequence[str]) -> Iterator[Triple]:
        """Triples in this order, read a part at a time."""
        for start in range(0, len(ids), _PART):
            part = ids[start : start + _PART]
            missing = [id_ for id_ in part if id_ not in self.triples]
            if missing:
                self.triples |= triples(self.db, missing)
            yield from (self.triples[id_] for id_ in part)

    def statements(self, chosen: Collection[str]) -> dict[str, list[Statement]]:
        """Of the passages asked about where these state a triple, else of all."""
        place = {id_: place for place, id_ in enumerate(self.asked)}
        inside, own = None if self.within is None else set(self.within), set(self.stated.values())
        put_ids(self.db, chosen)
        found: dict[str, list[Statement]] = {}
        for id_, passage, start, end in self.db.execute(_STATEMENTS):
            if passage in place if id_ in own else (inside is None or passage in inside):
                one = Statement(passage, self.triples[id_], start, end)
                found.setdefault(id_, []).append(one)
        for listed in found.values():
            listed.sort(key=lambda one: place.get(one.passage_id, 0))
        return found


def rank_triples(
    db: sqlite3.Connection,
    chains: Sequence[Sequence[Triple]],
    passage_ids: Collection[str],
    queries: Vector,
    limit: int | None,
    within: Collection[str] | None,
    beyond: bool,
) -> RankedTriples:
    """See Graph.rank_triples."""
    look = _Look(db, list(dict.fromkeys(passage_ids)), within)
    if within is not None:
        put_ids(db, within, "inside")
    found = look.candidates(chains, beyond)
    scores = look.scores(found.numbers, queries)
    # What the passages state was found first, in the order of ties; the others go by their ids.
    first = len(look.stated)
    by_id = sorted(range(first, len(found.ids)), key=found.ids.__getitem__)
    rank = np.arange(len(found.ids))
    rank[by_id] = np.arange(first, len(found.ids))
    picked: list[list[tuple[Triple, float | None]]] = []
    for chain, places, row in zip(chains, found.places, scores, strict=True):
        of_chain = row[places]
        order = places[np.lexsort((rank[places], -of_chain))]  # NaN comes last
        picked.append(_picked(look, Taken(chain), [found.ids[p] for p in order], row[order], limit))
    stated = look.statements({triple.id for of_chain in picked for triple, _ in of_chain})
    asked = set(look.asked)
    others = {s.passage_id for listed in stated.values() for s in listed} - asked
    held: dict[str, Passage] = passages(db, sorted(others))
    return RankedTriples(
        [
            [RankedTriple(t, score, stated[t.id]) for t, score in of_chain if t.id in stated]
            for of_chain in picked
        ],
        held,
    )


def _picked(
    look: _Look,
    taken: Taken,
    ids: Sequence[str],
    scores: NDArray[np.float64],
    limit: int | None,
) -> list[tuple[Triple, float | None]]:
    """The nearest that the chain may take, and all of these that have no vector."""
    seeing = int(np.count_nonzero(~np.isnan(scores)))
    picked: list[tuple[Triple, float | None]] = []
    for triple, score in zip(look.in_turn(ids[:seeing]), scores.tolist(), strict=False):
        if limit is not None and len(picked) >= limit:
            break
        if limit is None or (may_chain(triple) and taken.leaves(triple)):
            picked.append((triple, score))
    for triple in look.in_turn(ids[seeing:]):
        if limit is None or (may_chain(triple) and taken.leaves(triple)):
            picked.append((triple, None))
    return picked
