"""The tables of a graph on SQLite, and what a connection to them needs."""

import sqlite3
from importlib.resources import files

PAGE_CACHE_KIB = 64 * 1024


def nothing(path: str = ":memory:") -> sqlite3.Connection:
    """An empty graph in memory; with "" as the path, in a file that goes when it is closed."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    for statement in schema():
        connection.execute(statement)
    set_up(connection)
    return connection


def set_up(connection: sqlite3.Connection) -> None:
    """What every connection to a graph needs: its settings, and the tables that `ask` fills."""
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute(f"PRAGMA cache_size = -{PAGE_CACHE_KIB}")
    for table in ("asked", "inside"):
        connection.execute(
            f"CREATE TEMP TABLE {table} (id TEXT PRIMARY KEY, place INTEGER NOT NULL) WITHOUT ROWID"
        )


def schema() -> list[str]:
    """The statements of sqlite_schema.sql."""
    script = (files(__package__ or "hoptrail.kg") / "sqlite_schema.sql").read_text("utf-8")
    statements, current = [], ""
    for line in script.splitlines(keepends=True):
        current += line
        if sqlite3.complete_statement(current):
            statements.append(current)
            current = ""
    return statements
