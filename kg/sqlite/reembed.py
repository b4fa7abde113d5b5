"""Moves a SQLite graph to another encoder: new vectors beside the old ones, then in their place."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import asdict

from ..graph_info import check_target
from ..maintenance import Embedded
from ..text.words import passage_reading
from ..types import Fingerprint, Vector
from ..vectors import to_bytes
from .file import ask

KINDS: tuple[Embedded, ...] = ("passage", "triple")
_READ = {"passage": "title, text", "triple": "head, relation, tail"}
_LACKING = """
FROM {kind} JOIN {kind}_vector USING (number)
WHERE NOT EXISTS (SELECT 1 FROM {kind}_vector_next n WHERE n.number = {kind}.number)
"""
_NOT_EMBEDDED = """
FROM triple WHERE NOT EXISTS (SELECT 1 FROM triple_vector v WHERE v.number = triple.number)
"""


def target(db: sqlite3.Connection) -> Fingerprint | None:
    """The encoder that the graph is being moved to."""
    row = db.execute("SELECT next_fingerprint FROM graph_info").fetchone()
    return Fingerprint(**json.loads(row[0])) if row and row[0] else None


def begin(db: sqlite3.Connection, fingerprint: Fingerprint) -> None:
    """See Upkeep.begin_reembedding."""
    if target(db) == fingerprint:
        return
    for kind in KINDS:
        db.execute(f"DELETE FROM {kind}_vector_next")
    db.execute("UPDATE graph_info SET next_fingerprint = ?", (json.dumps(asdict(fingerprint)),))


def lacking(db: sqlite3.Connection, kind: Embedded, limit: int, after: str) -> dict[str, str]:
    """See Upkeep.not_reembedded."""
    return _texts(db, kind, _LACKING.format(kind=kind), limit, after)


def count_lacking(db: sqlite3.Connection) -> int:
    """See Upkeep.count_not_reembedded."""
    counts = (f"SELECT count(*) {_LACKING.format(kind=kind)}" for kind in KINDS)
    return sum(db.execute(query).fetchone()[0] for query in counts)


def not_embedded(db: sqlite3.Connection, limit: int, after: str) -> dict[str, str]:
    """See Upkeep.not_embedded."""
    return _texts(db, "triple", _NOT_EMBEDDED, limit, after)


def keep(
    db: sqlite3.Connection, kind: Embedded, texts: Mapping[str, str], vectors: Iterable[Vector]
) -> None:
    """See Upkeep.keep_reembedded; the caller has checked the encoder."""
    ask(db, texts)
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


def finish(db: sqlite3.Connection, where: str, fingerprint: Fingerprint) -> bool:
    """See Upkeep.finish_reembedding."""
    check_target(where, target(db), fingerprint)
    if any(lacking(db, kind, 1, "") for kind in KINDS):
        return False
    for kind in KINDS:
        _put_in_place(db, kind)
    db.execute(
        "UPDATE graph_info SET fingerprint = next_fingerprint, next_fingerprint = NULL, "
        "stamp = hex(randomblob(8)), passage_changes = passage_changes + 1, "
        "triple_changes = triple_changes + 1"
    )
    return True


def _put_in_place(db: sqlite3.Connection, kind: Embedded) -> None:
    """By name: copying would write every vector once more."""
    table = f"{kind}_vector"
    made = db.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (f"{table}_next",)).fetchall()
    of_table = "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?"
    triggers = db.execute(of_table, (table,)).fetchall()
    db.execute(f"DROP TABLE {table}")
    db.execute(f"ALTER TABLE {table}_next RENAME TO {table}")
    for [sql] in [*made, *triggers]:
        db.execute(sql)


def _texts(
    db: sqlite3.Connection, kind: Embedded, condition: str, limit: int, after: str
) -> dict[str, str]:
    rows = db.execute(
        f"SELECT id, {_READ[kind]} {condition} AND id > ? ORDER BY id LIMIT ?", (after, limit)
    )
    return {row[0]: _text(kind, row[1:]) for row in rows}


def _text(kind: Embedded, row: tuple[str, ...]) -> str:
    return passage_reading(*row) if kind == "passage" else " ".join(row)
