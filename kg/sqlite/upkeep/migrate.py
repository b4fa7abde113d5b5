"""Brings a graph that an older version wrote into the shape this one writes."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from ...graph_info import too_old
from ...text.stemming import searched
from ...text.words import SYLLABIC, normal_title
from ...types import SCHEMA_VERSION, Passage
from ..columns import lacking
from ..file import SqliteFile, nothing
from ..write import derive_again

_OBJECTS = "SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"
_FILLED = {("graph_info", "stamp"): "hex(randomblob(8))"}
"""Columns whose values are not constant, and so can't be a new column's default."""

GONE = ("triple_vector_gone", "triple_vector_below")
"""Triggers of older versions for a log that nobody reads any more."""

_ALWAYS = frozenset(
    "document failure passage triple mentions states "
    "question answer step step_passage cites".split()
)
"""Tables of every version, which nothing else gives again."""
_SHADOW = "passage_words_"  # tables of the full-text index, made with it

Column = tuple[str, bool, str | None]


def outdated(db: sqlite3.Connection) -> bool:
    """Find out whether an older version wrote the graph."""
    row = db.execute("SELECT schema_version FROM graph_info").fetchone()
    return row is not None and row[0] < SCHEMA_VERSION


@contextmanager
def writing(file: SqliteFile, where: str, create: bool = False) -> Iterator[sqlite3.Connection]:
    """Lend a transaction that writes, and first brings an older graph up to date."""
    with file.writing(create) as db:
        if outdated(db):
            migrate(db, where)
        elif lacking(db):  # a property that this version knows and its maker did not
            make_missing(db)
        yield db


def migrate(db: sqlite3.Connection, where: str) -> None:
    """Make tables, columns, indexes and views that are missing; derive again what they hold.

    The caller's transaction makes it all or nothing.

    Raises:
        SchemaMismatch: a table lacks a column, whose values only ingesting can give, or is gone.
    """
    if lacking := obstacles(db):
        raise too_old(where, "; ".join(lacking))
    for name in GONE:
        db.execute(f"DROP TRIGGER IF EXISTS {name}")
    db.execute("DROP TABLE IF EXISTS triple_vector_log")
    make_missing(db)
    _split_again(db)
    derive_again(db)
    db.execute(
        "UPDATE graph_info SET schema_version = ?, stamp = hex(randomblob(8)), "
        "passage_changes = passage_changes + 1",  # whoever keeps what it counted reads anew
        (SCHEMA_VERSION,),
    )


def _split_again(db: sqlite3.Connection) -> None:
    """Split the words of Chinese and Japanese passages, which were runs before version 5."""
    texts = db.execute("SELECT number, title, text FROM passage").fetchall()
    changed = [row for row in texts if SYLLABIC.search(row[1] + row[2])]
    if not changed:
        return
    for number, title, text in changed:
        terms = json.dumps(Passage("", 0, title, text).terms, ensure_ascii=False)
        db.execute(
            "UPDATE passage SET normal_title = ?, terms = ? WHERE number = ?",
            (normal_title(title), terms, number),
        )
    db.execute("INSERT INTO passage_words (passage_words) VALUES ('delete-all')")
    db.executemany(
        "INSERT INTO passage_words (rowid, title, text) VALUES (?, ?, ?)",
        ((number, searched(title, ""), searched(text, "")) for number, title, text in texts),
    )


def make_missing(db: sqlite3.Connection) -> None:
    """Make tables, columns, indexes, triggers and views that are not there, or not as they are."""
    held = {name: sql for name, _, sql in db.execute(_OBJECTS).fetchall()}
    with closing(nothing()) as fresh:
        for name, kind, sql in fresh.execute(_OBJECTS).fetchall():
            if kind == "view" and held.get(name) not in (None, sql):
                db.execute(f"DROP VIEW {name}")
                db.execute(sql)
            elif name not in held and not name.startswith(_SHADOW):
                db.execute(sql)
            elif kind == "table" and name in held:
                _add_columns(db, name, _columns(fresh, name))


def missing(db: sqlite3.Connection) -> list[str]:
    """Name the tables, indexes, triggers and views, or columns, that `make_missing` would make.

    A table that lacks a column whose values only ingesting can give counts as missing.
    """
    held = {name: sql for name, _, sql in db.execute(_OBJECTS).fetchall()}
    with closing(nothing()) as fresh:
        names = []
        for name, kind, sql in fresh.execute(_OBJECTS).fetchall():
            if name not in held or (kind == "view" and held[name] != sql):
                names.append(name)
            elif kind == "table":
                added = _missing(db, name, _columns(fresh, name))
                lost = any(required and default is None for _, (_, required, default) in added)
                names += [name] if lost else [f"{name}.{column}" for column, _ in added]
        return names


def obstacles(db: sqlite3.Connection) -> list[str]:
    """List what `migrate` of an older graph would fail for."""
    if not outdated(db):
        return []
    held = {name for name, kind, _ in db.execute(_OBJECTS).fetchall() if kind == "table"}
    lost = [f"it has lost {table}" for table in sorted(_ALWAYS - held)]
    with closing(nothing()) as fresh:
        return lost + [
            f"{table} has no {column}"
            for table, kind, _ in fresh.execute(_OBJECTS).fetchall()
            if kind == "table" and table in held
            for column, (_, required, default) in _missing(db, table, _columns(fresh, table))
            if required and default is None
        ]


def _add_columns(db: sqlite3.Connection, table: str, wanted: dict[str, Column]) -> None:
    for name, (kind, required, default) in _missing(db, table, wanted):
        filled = _FILLED.get((table, name))
        default = "''" if filled else default
        rule = ("NOT NULL " if required else "") + (f"DEFAULT {default}" if default else "")
        db.execute(f'ALTER TABLE {table} ADD COLUMN "{name}" {kind} {rule}')
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
