"""One layer of GNN-Ret's message passing on the SQLite graph: one join for each kind of edge."""

import sqlite3
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from .sqlite_file import ask
from .types import KEYWORD_CAP, LinkKind, Vector
from .vectors import DECIMALS

_EITHER_WAY = """
SELECT source, target FROM temp.asked CROSS JOIN {table} ON source = asked.id
UNION ALL SELECT target, source FROM temp.asked CROSS JOIN {table} ON target = asked.id
"""
_SHARING = f"""
SELECT DISTINCT asked.id, other.passage_id FROM temp.asked
CROSS JOIN mentions mine ON mine.passage_id = asked.id
CROSS JOIN entity ON entity.id = mine.entity_id AND entity.passages BETWEEN 2 AND {KEYWORD_CAP}
CROSS JOIN mentions other ON other.entity_id = entity.id
"""
NEIGHBOURS: dict[LinkKind, str] = {
    "NEXT": _EITHER_WAY.format(table="next"),
    "SHARES_KEYWORD": _SHARING,
    "NAMES": _EITHER_WAY.format(table="names"),
}


def propagate(
    db: sqlite3.Connection,
    vectors: tuple[Sequence[str], Vector],
    distances: Mapping[str, float],
    senders: Collection[str],
    alpha: float,
    vector: Vector,
    kinds: Collection[LinkKind],
) -> dict[str, float]:
    """See GraphStore.propagate; `vectors` are all passages', or those that may receive, by id."""
    ask(db, [id_ for id_ in senders if id_ in distances])
    messages: dict[str, float] = {}
    for kind in dict.fromkeys(kinds):
        for source, target in db.execute(NEIGHBOURS[kind]):
            if source != target:
                sent = distances[source]
                messages[target] = min(messages.get(target, sent), sent)
    return {
        id_: alpha * distances.get(id_, unchanged) + (1 - alpha) * messages[id_]
        for id_, unchanged in _distances(vectors, vector, sorted(messages))
    }


def _distances(
    vectors: tuple[Sequence[str], Vector], vector: Vector, ids: Iterable[str]
) -> Iterable[tuple[str, float]]:
    """1 - cosine of those that have a vector here."""
    held, matrix = vectors
    places = [(id_, bisect_left(held, id_)) for id_ in ids]
    there = [(id_, place) for id_, place in places if held[place : place + 1] == [id_]]
    if not there:
        return []
    cosines = (matrix[[place for _, place in there]] @ vector).astype(np.float64)
    distances = 1 - np.round(cosines, DECIMALS)
    return [(id_, float(d)) for (id_, _), d in zip(there, distances, strict=True)]
