"""One layer of GNN-Ret's message passing on the SQLite graph: one join for each kind of edge."""

import sqlite3
from collections.abc import Collection, Iterable, Mapping

import numpy as np

from .sqlite_file import ask
from .types import KEYWORD_CAP, LinkKind, Vector
from .vectors import DECIMALS, Vectors

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
NUMBERS = "SELECT id, number FROM temp.asked CROSS JOIN passage USING (id) ORDER BY id"
NEIGHBOURS: dict[LinkKind, str] = {
    "NEXT": _EITHER_WAY.format(table="next"),
    "SHARES_KEYWORD": _SHARING,
    "NAMES": _EITHER_WAY.format(table="names"),
}


def propagate(
    db: sqlite3.Connection,
    vectors: Vectors,
    distances: Mapping[str, float],
    senders: Collection[str],
    alpha: float,
    vector: Vector,
    kinds: Collection[LinkKind],
) -> dict[str, float]:
    """See GraphStore.propagate; `vectors` are all passages', or those that may receive."""
    ask(db, [id_ for id_ in senders if id_ in distances])
    messages: dict[str, float] = {}
    for kind in dict.fromkeys(kinds):
        for source, target in db.execute(NEIGHBOURS[kind]):
            if source != target:
                sent = distances[source]
                messages[target] = min(messages.get(target, sent), sent)
    return {
        id_: alpha * distances.get(id_, unchanged) + (1 - alpha) * messages[id_]
        for id_, unchanged in _distances(db, vectors, vector, messages)
    }


def _distances(
    db: sqlite3.Connection, vectors: Vectors, vector: Vector, ids: Collection[str]
) -> Iterable[tuple[str, float]]:
    """1 - cosine of those that have a vector here, by id."""
    ask(db, ids)
    rows = db.execute(NUMBERS).fetchall()
    here, cosines = vectors.cosines([number for _, number in rows], vector)
    distances = 1 - np.round(cosines.astype(np.float64), DECIMALS)
    there = (id_ for (id_, _), held in zip(rows, here, strict=True) if held)
    return zip(there, distances.tolist(), strict=True)
