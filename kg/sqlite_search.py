"""Similarity and keyword search in the SQLite graph.

Conditions and searches `within` read the temporary tables that `sqlite_file.ask` filled: `asked`,
`inside`.
"""

import sqlite3
import threading

import numpy as np

from .sqlite_file import encodable
from .text import STOP, words
from .types import Scored, Vector
from .vectors import from_bytes

TITLE_WEIGHT = 2.0
QUERY_WORDS = 128  # distinct words of a keyword search; what a longer text adds is not looked at

INSIDE = "(SELECT id FROM temp.inside)"
STATED_INSIDE = f"triple.id IN (SELECT triple_id FROM states WHERE passage_id IN {INSIDE})"
_ENDS = "FROM temp.asked CROSS JOIN triple USING (id)"
SHARING_AN_END = f"""
triple.id IN (
    WITH ends (id) AS (SELECT head_id {_ENDS} UNION SELECT tail_id {_ENDS})
    SELECT triple.id FROM ends CROSS JOIN triple ON head_id = ends.id
    UNION SELECT triple.id FROM ends CROSS JOIN triple ON tail_id = ends.id
    EXCEPT SELECT id FROM temp.asked
)
"""


class Matrix:
    """All vectors of a kind, kept in memory until the graph says that they have changed.

    Args:
        kind: "passage" or "triple".
    """

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._lock = threading.Lock()
        self._seen: tuple[str, int] | None = None
        self._kept: tuple[list[str], Vector] = [], np.empty((0, 0), np.float32)

    def current(self, db: sqlite3.Connection) -> tuple[list[str], Vector]:
        """Ids, sorted, and their vectors (n, d), as this connection's transaction sees them."""
        changes = db.execute(f"SELECT stamp, {self._kind}_changes FROM graph_info").fetchone()
        with self._lock:
            if self._seen != changes or changes is None:
                self._kept = vectors(db, self._kind, "TRUE")
                self._seen = changes
            return self._kept


def vectors(db: sqlite3.Connection, kind: str, condition: str) -> tuple[list[str], Vector]:
    """Ids, sorted, and vectors (n, d) of the passages or triples that meet a condition."""
    rows = db.execute(
        f"SELECT id, vector FROM {kind} JOIN {kind}_vector USING (number) "
        f"WHERE {condition} ORDER BY id"
    ).fetchall()
    if not rows:
        return [], np.empty((0, 0), np.float32)
    matrix = from_bytes(b"".join(vector for _, vector in rows)).reshape(len(rows), -1)
    return [id_ for id_, _ in rows], matrix


def keyword_search(db: sqlite3.Connection, text: str, limit: int, inside: bool) -> list[Scored]:
    """See GraphStore.keyword_search."""
    telling = [word for word in dict.fromkeys(words(text)) if word not in STOP and encodable(word)]
    query = " OR ".join(f'"{word}"' for word in telling[:QUERY_WORDS])
    if not query:
        return []
    rows = db.execute(
        f"SELECT passage.id, -bm25(passage_words, {TITLE_WEIGHT}, 1.0) AS score "
        "FROM passage_words JOIN passage ON number = passage_words.rowid "
        f"WHERE passage_words MATCH ? {f'AND passage.id IN {INSIDE}' if inside else ''} "
        "ORDER BY score DESC, passage.id LIMIT ?",
        (query, max(limit, 0)),
    )
    return [Scored(*row) for row in rows]
