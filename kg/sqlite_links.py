"""Edges between passages of the SQLite graph."""

import sqlite3
from collections.abc import Collection
from itertools import groupby

from .sqlite_file import ask
from .types import KEYWORD_CAP, Link, LinkKind

_EDGES = """
SELECT source, target FROM {table} WHERE source IN (SELECT id FROM temp.asked)
UNION
SELECT source, target FROM {table} WHERE target IN (SELECT id FROM temp.asked)
ORDER BY source, target
"""

# One row for each pair and keyword; of a pair that was asked for at both ends, the smaller id is
# the source.
_SHARED = """
SELECT mine.passage_id AS source, other.passage_id AS target, entity.id
FROM temp.asked
CROSS JOIN mentions mine ON mine.passage_id = asked.id
JOIN entity ON entity.id = mine.entity_id AND entity.passages BETWEEN 2 AND :cap
JOIN mentions other ON other.entity_id = entity.id AND other.passage_id <> mine.passage_id
WHERE source < target OR target NOT IN (SELECT id FROM temp.asked)
ORDER BY source, target, entity.id
"""


def links(
    db: sqlite3.Connection, passage_ids: Collection[str], kinds: Collection[LinkKind]
) -> list[Link]:
    """See GraphStore.neighbours."""
    ask(db, passage_ids)
    found: list[Link] = []
    if "NAMES" in kinds:
        found += [Link("NAMES", *row) for row in db.execute(_EDGES.format(table="names"))]
    if "NEXT" in kinds:
        found += [Link("NEXT", *row) for row in db.execute(_EDGES.format(table="next"))]
    if "SHARES_KEYWORD" in kinds:
        rows = db.execute(_SHARED, {"cap": KEYWORD_CAP})
        for (source, target), shared in groupby(rows, key=lambda row: row[:2]):
            keywords = tuple(row[2] for row in shared)
            found.append(Link("SHARES_KEYWORD", source, target, float(len(keywords)), keywords))
    return found
