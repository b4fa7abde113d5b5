"""Moves a SQLite graph to another encoder: new vectors beside the old ones, then in their place."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import asdict

from ...graph_info import already, check_dimension, check_target
from ...maintenance import Embedded, Unembedded
from ...text.words import passage_reading
from ...types import Fingerprint, Vector
from ...vectors import to_bytes
from ..file import SqliteFile, put_ids, read_info
from .migrate import writing

KINDS: tuple[Embedded, ...] = ("passage", "triple")
_READ = {"passage": "title, text", "triple": "head, relation, tail"}
_LACKING = """
FROM {kind} JOIN {kind}_vector USING (number)
WHERE NOT EXISTS (SELECT 1 FROM {kind}_vector_next n WHERE n.number = {kind}.number)
"""
_NOT_EMBEDDED = """
FROM triple WHERE NOT EXISTS (SELECT 1 FROM triple_vector v WHERE v.number = triple.number)
"""


class SqliteReembedding:
    """`kg.maintenance.Reembedding` in a file."""

    def __init__(self, file: SqliteFile, where: str, fingerprint: Fingerprint) -> None:
        self._file = file
        self._where = where
        self._fingerprint = fingerprint

    def begin(self) -> None:
        """Go on with the vectors of this encoder; see `Maintenance.reembedding`."""
        with writing(self._file, self._where) as db:
            info = read_info(db)
            if info is not None and info.fingerprint == self._fingerprint:
                raise already(self._where, self._fingerprint)
            if target(db) == self._fingerprint:
                return
            for kind in KINDS:
                db.execute(f"DELETE FROM {kind}_vector_next")
            text = json.dumps(asdict(self._fingerprint))
            db.execute("UPDATE graph_info SET next_fingerprint = ?", (text,))

    def count(self) -> int:
        counts = (f"SELECT count(*) {_LACKING.format(kind=kind)}" for kind in KINDS)
        with self._file.reading() as db:
            return sum(db.execute(query).fetchone()[0] for query in counts)

    def lacking(self, limit: int) -> Iterator[Unembedded]:
        for kind in KINDS:
            yield from _parts(self._file, kind, _LACKING.format(kind=kind), limit)

    def keep(self, given: Unembedded, vectors: Vector) -> None:
        with writing(self._file, self._where) as db:
            check_target(self._where, target(db), self._fingerprint)
            check_dimension(self._where, self._fingerprint.dimension, vectors)
            _keep(db, given, vectors)

    def finish(self) -> bool:
        with writing(self._file, self._where) as db:
            check_target(self._where, target(db), self._fingerprint)
            if any(_texts(db, kind, _LACKING.format(kind=kind), 1, "") for kind in KINDS):
                return False
            for kind in KINDS:
                _put_in_place(db, kind)
            db.execute(
                "UPDATE graph_info SET fingerprint = next_fingerprint, next_fingerprint = NULL, "
                "stamp = hex(randomblob(8)), passage_changes = passage_changes + 1"
            )
            return True


def target(db: sqlite3.Connection) -> Fingerprint | None:
    """Return the encoder that the graph is being moved to."""
    row = db.execute("SELECT next_fingerprint FROM graph_info").fetchone()
    return Fingerprint(**json.loads(row[0])) if row and row[0] else None


def not_embedded(file: SqliteFile, limit: int) -> Iterator[Unembedded]:
    """See Maintenance.not_embedded."""
    return _parts(file, "triple", _NOT_EMBEDDED, limit)


def _keep(db: sqlite3.Connection, given: Unembedded, vectors: Vector) -> None:
    kind, texts = given.kind, given.texts
    put_ids(db, texts)
    rows = db.execute(
        f"SELECT id, number, {_READ[kind]} FROM temp.asked CROSS JOIN {kind} USING (id) "
        f"JOIN {kind}_vector USING (number)"
    )
    numbers = {row[0]: row[1] for row in rows if _text(kind, row[2:]) == texts[row[0]]}
    db.executemany(
        f"INSERT OR REPLACE INTO {kind}_vector_next (number, vector) VALUES (?, ?)",
        (
            (numbers[id_], to_bytes(vector))
            for id_, vector in zip(texts, vectors, strict=True)
            if id_ in numbers
        ),
    )


def _put_in_place(db: sqlite3.Connection, kind: Embedded) -> None:
    """Exchange the tables by name: copying would write every vector once more."""
    table = f"{kind}_vector"
    made = db.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (f"{table}_next",)).fetchall()
    of_table = "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?"
    triggers = db.execute(of_table, (table,)).fetchall()
    db.execute(f"DROP TABLE {table}")
    db.execute(f"ALTER TABLE {table}_next RENAME TO {table}")
    for [sql] in [*made, *triggers]:
        db.execute(sql)


def _parts(file: SqliteFile, kind: Embedded, condition: str, limit: int) -> Iterator[Unembedded]:
    last = ""
    while True:
        with file.reading() as db:
            texts = _texts(db, kind, condition, limit, last)
        if not texts:
            return
        yield Unembedded(kind, texts)
        last = list(texts)[-1]


def _texts(
    db: sqlite3.Connection, kind: Embedded, condition: str, limit: int, after: str
) -> dict[str, str]:
    rows = db.execute(
        f"SELECT id, {_READ[kind]} {condition} AND id > ? ORDER BY id LIMIT ?", (after, limit)
    )
    return {row[0]: _text(kind, row[1:]) for row in rows}


def _text(kind: Embedded, row: tuple[str, ...]) -> str:
    return passage_reading(*row) if kind == "passage" else " ".join(row)
