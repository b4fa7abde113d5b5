"""Brings a graph that an older version wrote into the shape this one writes."""

import sqlite3
from contextlib import closing

from .graph_info import too_old
from .sqlite_file import nothing
from .sqlite_write import derive_again
from .types import SCHEMA_VERSION

_OBJECTS = "SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"
_FILLED = {("graph_info", "stamp"): "hex(randomblob(8))"}
"""Columns whose values are not constant, and so can't be a new column's default."""

Column = tuple[str, bool, str | None]


def outdated(db: sqlite3.Connection) -> bool:
    """Whether an older version wrote the graph."""
    row = db.execute("SELECT schema_version FROM graph_info").fetchone()
    return row is not None and row[0] < SCHEMA_VERSION


def migrate(db: sqlite3.Connection, where: str) -> None:
    """Make tables, columns, indexes and views that are missing; derive again what they hold.

    The caller's transaction makes it all or nothing.

    Raises:
        SchemaMismatch: a table lacks a column, whose values only ingesting can give.
    """
    if lacking := obstacles(db):
        raise too_old(where, "; ".join(lacking))
    held = {name: sql for name, _, sql in db.execute(_OBJECTS).fetchall()}
    with closing(nothing()) as fresh:
        for name, kind, sql in fresh.execute(_OBJECTS).fetchall():
            if kind == "view" and held.get(name) not in (None, sql):
                db.execute(f"DROP VIEW {name}")
                db.execute(sql)
            elif name not in held:
                db.execute(sql)
            elif kind == "table":
                _add_columns(db, name, _columns(fresh, name))
    derive_again(db)
    db.execute("UPDATE graph_info SET schema_version = ?", (SCHEMA_VERSION,))


def obstacles(db: sqlite3.Connection) -> list[str]:
    """See Upkeep.obstacles."""
    if not outdated(db):
        return []
    held = {name for name, kind, _ in db.execute(_OBJECTS).fetchall() if kind == "table"}
    with closing(nothing()) as fresh:
        return [
            f"{table} has no {column}"
            for table, kind, _ in fresh.execute(_OBJECTS).fetchall()
            if kind == "table" and table in held
            for column, (_, required, default) in _missing(db, table, _columns(fresh, table))
            if required and default is None
        ]


def _add_columns(db: sqlite3.Connection, table: str, wanted: dict[str, Column]) -> None:
    for name, (kind, required, default) in _missing(db, table, wanted):
        filled = _FILLED.get((table, name))
        rule = f"NOT NULL DEFAULT {chr(39) * 2 if filled else default}" if required else ""
        db.execute(f"ALTER TABLE {table} ADD COLUMN {name} {kind} {rule}")
        if filled:
            db.execute(f"UPDATE {table} SET {name} = {filled}")


def _missing(
    db: sqlite3.Connection, table: str, wanted: dict[str, Column]
) -> list[tuple[str, Column]]:
    held = _columns(db, table)
    return [(name, column) for name, column in wanted.items() if name not in held]


def _columns(db: sqlite3.Connection, table: str) -> dict[str, Column]:
    """Of each column its type, whether it must not be null, and its default."""
    rows = db.execute(f"PRAGMA table_info({table})").fetchall()
    return {name: (kind, bool(required), default) for _, name, kind, required, default, _ in rows}
