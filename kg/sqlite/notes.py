"""What was computed of passages and can be computed again, in a table beside the graph's own.

Made when something is first kept: versions that do not know it pass it over, and their deleting of
a passage takes it along.
"""

import sqlite3
from collections.abc import Collection, Mapping

from ..notes import NoteKind
from .columns import has_table
from .file import put_ids

_TABLE = """
CREATE TABLE IF NOT EXISTS passage_note (
    number INTEGER NOT NULL REFERENCES passage (number) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    maker TEXT NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (number, kind)
)
"""
_READ = """
SELECT id, value FROM temp.asked CROSS JOIN passage USING (id)
JOIN passage_note USING (number) WHERE kind = ? AND maker = ?
"""


def read(
    db: sqlite3.Connection, kind: NoteKind, maker: str, passage_ids: Collection[str]
) -> dict[str, bytes]:
    """See Graph.noted."""
    if not has_table(db, "passage_note"):
        return {}
    put_ids(db, passage_ids)
    return dict(db.execute(_READ, (kind, maker)))


def write(db: sqlite3.Connection, kind: NoteKind, maker: str, values: Mapping[str, bytes]) -> None:
    """See GraphStore.note."""
    db.execute(_TABLE)
    db.executemany(
        "INSERT OR REPLACE INTO passage_note (number, kind, maker, value) "
        "SELECT number, ?, ?, ? FROM passage WHERE id = ?",
        ((kind, maker, value, id_) for id_, value in values.items()),
    )
