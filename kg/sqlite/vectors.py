"""Similarity search in the SQLite graph.

Conditions and searches `within` read the temporary tables that `file.put_ids` filled: `asked`,
`inside`.
"""

import json
import sqlite3
import threading
from collections.abc import Iterator
from typing import Literal

from ..types import Scored, Vector
from ..vectors import CHUNK, Vectors
from .columns import has_table
from .errors import Damaged

INSIDE = "(SELECT id FROM temp.inside)"
STATED_INSIDE = f"triple.id IN (SELECT triple_id FROM states WHERE passage_id IN {INSIDE})"
WITHIN = f"passage.id IN {INSIDE}"

Kind = Literal["passage", "triple"]
Rows = Iterator[list[tuple[int, bytes]]]


class Matrix:
    """The vectors of all passages in memory; what has changed is read when they are asked for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept = Vectors()
        self._whose: tuple[str, str] | None = None
        self._changes = self._entries = 0

    def current(self, db: sqlite3.Connection) -> Vectors:
        """Return all vectors as this connection's transaction sees them.

        Best as its first reading: then no other thread can have kept a later state, beside which
        this one would have to be read whole.
        """
        with self._lock:
            row = db.execute(
                "SELECT stamp, fingerprint, passage_changes FROM graph_info"
            ).fetchone()
            if row is None:
                return Vectors()
            *whose, changes = row
            if self._whose != tuple(whose):
                self._kept, self._whose = Vectors(), None  # first, so that memory is not doubled
            elif changes == self._changes:
                return self._kept
            return self._read(db, (whose[0], whose[1]), changes)

    def _read(self, db: sqlite3.Connection, whose: tuple[str, str], changes: int) -> Vectors:
        entries = _last_entry(db)
        if self._whose and (changes < self._changes or (entries or 0) < self._entries):
            return Vectors.of(_rows(db))
        if self._whose is None or entries is None:
            self._kept = Vectors()
            self._kept = Vectors.of(_rows(db))
        else:
            self._kept = _caught_up(db, self._kept, self._entries)
        self._whose, self._changes, self._entries = whose, changes, entries or 0
        return self._kept


def _caught_up(db: sqlite3.Connection, kept: Vectors, entry: int) -> Vectors:
    """What was kept up to an entry of the log, as it is now."""
    query = "SELECT DISTINCT number FROM passage_vector_log WHERE entry > ?"
    logged = [row[0] for row in db.execute(query, (entry,))]
    kept = kept.without(logged)
    highest = int(kept.numbers.max(initial=-1))
    between = [number for number in logged if number <= highest]
    return kept.and_also(Vectors.of(_among(db, between))).and_also(Vectors.of(_rows(db, highest)))


def _rows(db: sqlite3.Connection, above: int = -1) -> Rows:
    query = "SELECT number, vector FROM passage_vector WHERE number > ? ORDER BY number"
    return parts(db.execute(query, (above,)))


def _among(db: sqlite3.Connection, numbers: list[int]) -> Rows:
    query = (
        "SELECT number, vector FROM json_each(?) CROSS JOIN passage_vector ON number = value "
        "ORDER BY number"
    )
    return parts(db.execute(query, (json.dumps(numbers),)))


def parts(cursor: sqlite3.Cursor) -> Rows:
    """Read rows (number, vector) a chunk at a time.

    Raises:
        Damaged: vectors of different lengths.
    """
    while rows := cursor.fetchmany(CHUNK):
        if len({len(vector) for _, vector in rows}) > 1:
            raise Damaged("vectors of different lengths")
        yield rows


def _last_entry(db: sqlite3.Connection) -> int | None:
    """Of the log, 0 while it is empty; None in a graph of an older version, which has none."""
    if not has_table(db, "passage_vector_log"):
        return None
    return db.execute("SELECT max(entry) FROM passage_vector_log").fetchone()[0] or 0


def vectors(db: sqlite3.Connection, kind: Kind, condition: str) -> Vectors:
    """Read the vectors of the passages or triples that meet a condition."""
    query = (
        f"SELECT number, vector FROM {kind} JOIN {kind}_vector USING (number) "
        f"WHERE {condition} ORDER BY number"
    )
    return Vectors.of(parts(db.execute(query)))


def nearest(
    db: sqlite3.Connection, kind: Kind, among: Vectors, vector: Vector, limit: int
) -> list[Scored]:
    """Find the `limit` nearest to a unit vector (d,), best first, ties by id."""
    if limit <= 0 or not among.chunks:
        return []
    return in_order(db, kind, dict(zip(*among.nearest(vector, limit), strict=True)))[:limit]


def in_order(db: sqlite3.Connection, kind: Kind, scores: dict[int, float]) -> list[Scored]:
    """Sort scores, given by number: best first, ties by id."""
    rows = db.execute(
        f"SELECT {kind}.id, number FROM json_each(?) CROSS JOIN {kind} ON number = value",
        (json.dumps(list(scores)),),
    )
    found = [Scored(id_, scores[number]) for id_, number in rows]
    return sorted(found, key=lambda scored: (-scored.score, scored.id))
