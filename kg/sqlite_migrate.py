"""Brings a graph that an older version wrote into the shape this one writes."""

import sqlite3
from contextlib import closing

from .graph_info import too_old
from .sqlite_file import nothing
from .sqlite_write import derive_again
from .types import SCHEMA_VERSION

_OBJECTS = "SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"


def migrate(db: sqlite3.Connection, where: str) -> None:
    """Make the tables, indexes and views that are missing, and derive again what they hold.

    Raises:
        SchemaMismatch: a table lacks a column, whose values only ingesting can give.
    """
    held = {name: sql for name, _, sql in db.execute(_OBJECTS)}
    with closing(nothing()) as fresh:
        for name, kind, sql in fresh.execute(_OBJECTS).fetchall():
            if kind == "view" and held.get(name) not in (None, sql):
                db.execute(f"DROP VIEW {name}")
                db.execute(sql)
            elif name not in held:
                db.execute(sql)
            else:
                _add_columns(db, name, fresh, where)
    derive_again(db)
    db.execute("UPDATE graph_info SET schema_version = ?", (SCHEMA_VERSION,))


def _add_columns(db: sqlite3.Connection, table: str, fresh: sqlite3.Connection, where: str) -> None:
    held, wanted = _columns(db, table), _columns(fresh, table)
    for name in wanted.keys() - held.keys():
        kind, required, default = wanted[name]
        if required and default is None:
            raise too_old(where, f"{table} has no {name}")
        rule = f"NOT NULL DEFAULT {default}" if required else ""
        db.execute(f"ALTER TABLE {table} ADD COLUMN {name} {kind} {rule}")


def _columns(db: sqlite3.Connection, table: str) -> dict[str, tuple[str, bool, str | None]]:
    """Of each column its type, whether it must not be null, and its default."""
    rows = db.execute(f"PRAGMA table_info({table})")
    return {name: (kind, bool(required), default) for _, name, kind, required, default, _ in rows}
