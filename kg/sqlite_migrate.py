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
            elif lacking := _columns(fresh, name) - _columns(db, name):
                raise too_old(where, f"{name} has no {', '.join(sorted(lacking))}")
    derive_again(db)
    db.execute("UPDATE graph_info SET schema_version = ?", (SCHEMA_VERSION,))


def _columns(db: sqlite3.Connection, table: str) -> set[str]:
    return {row[1] for row in db.execute(f"PRAGMA table_info({table})")}
