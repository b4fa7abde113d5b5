"""The columns of the SQLite tables, as kg/schema.py describes what they hold.

The table of a kind has its name. A graph of an older version may lack a column, or a whole table.
"""

import base64
import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any, TypeVar

from ..schema import KINDS, REQUIRED, Field

Made = TypeVar("Made")

TABLES = (
    *("parameters", "document", "failure", "passage", "entity", "mentions", "triple", "states"),
    *("extracted_by", "names", "item", "link", "linked_by", "claim"),
)
"""Kinds that have such a table; others are views, queries, or tables of schema.sql alone."""
_APART = ("vector", "evidence")  # in tables of their own


def columns(kind: str, names: Iterable[str] | None = None) -> list[Field]:
    """Return the fields of a kind that are columns of its table; of some names, in their order."""
    here = {field.name: field for field in KINDS[kind].fields if field.type.kept not in _APART}
    return list(here.values()) if names is None else [here[name] for name in names]


def declared(kind: str) -> str:
    """Write the columns of a kind as CREATE TABLE has them."""
    return ",\n    ".join(
        f'"{field.name}" {field.type.column}{_rule(field)}' for field in columns(kind)
    )


def selected(db: sqlite3.Connection, kind: str, listed: Iterable[Field]) -> str:
    """Write columns as SELECT has them, with the default of each that an older graph lacks."""
    held = _held(db, kind)
    return ", ".join(
        f'{kind}."{field.name}"'
        if field.name in held or field.default is REQUIRED
        else f'{_literal(field)} AS "{field.name}"'
        for field in listed
    )


def lacking(db: sqlite3.Connection) -> bool:
    """Find out whether a table is not there, or lacks a column that kg/schema.py describes."""
    if not all(has_table(db, name) for name in ("question_triple_entity", "claim_traced")):
        return True
    return any({field.name for field in columns(kind)} - _held(db, kind) for kind in TABLES)


class Insertion:
    """Writes rows of a kind: all its columns, and others of the same table after them.

    Args:
        kind: of the rows; its table has its name.
        others: further columns.
        derived: of the kind's columns only the key and those that are derived.
    """

    def __init__(self, kind: str, *others: str, derived: bool = False) -> None:
        listed = derived_columns(kind) if derived else columns(kind)
        self._columns = [(field.name, _WRITE.get(field.type.kept)) for field in listed]
        names = [*(name for name, _ in self._columns), *others]
        quoted = ", ".join(f'"{name}"' for name in names)
        self.statement = f"INSERT INTO {kind} ({quoted}) VALUES ({', '.join('?' * len(names))})"

    def row(self, held: Mapping[str, Any], *others: object) -> tuple[Any, ...]:
        """Return the values that the statement takes: of the kind's columns, then the others."""
        row = [
            held[name] if write is None or held[name] is None else write(held[name])
            for name, write in self._columns
        ]
        return (*row, *others)


def derived_columns(kind: str) -> list[Field]:
    """Return the key of a kind, and those of its columns that follow from other records."""
    return columns(kind, (*KINDS[kind].key, *KINDS[kind].names(derived=True)))


def decoding(listed: Iterable[Field]) -> list[tuple[int, Callable[[Any], Any]]]:
    """Return how to read the columns that are not kept as they are, by their place."""
    found = ((place, _READ.get(field.type.kept)) for place, field in enumerate(listed))
    return [(place, read) for place, read in found if read]


def made(
    db: sqlite3.Connection, kind: str, make: type[Made], source: str, order: str
) -> dict[str, Made]:
    """Read dataclasses by id, whose fields are columns of a kind.

    Args:
        db: the graph.
        kind: of the rows.
        make: what to make of a row.
        source: where the rows come from, as FROM has it.
        order: of the rows, as ORDER BY has it.
    """
    listed = columns(kind, (field.name for field in fields(make)))  # pyright: ignore[reportArgumentType]
    query = f"SELECT {kind}.id, {selected(db, kind, listed)} FROM {source} ORDER BY {order}"
    decoded = decoding(listed)
    found = {}
    for key, *row in db.execute(query):
        for place, read in decoded:
            held = read(row[place])
            row[place] = tuple(held) if isinstance(held, list) else held
        found[key] = make(*row)
    return found


def has_table(db: sqlite3.Connection, name: str) -> bool:
    """Find out whether a graph, perhaps of an older version, has a table."""
    return bool(db.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (name,)).fetchone())


def has_column(db: sqlite3.Connection, table: str, name: str) -> bool:
    """Find out whether a table of a graph, perhaps of an older version, has a column."""
    return name in _held(db, table)


def _held(db: sqlite3.Connection, table: str) -> set[str]:
    return {row[1] for row in db.execute(f"PRAGMA table_info({table})")}


def _rule(field: Field) -> str:
    default = "" if field.default in (REQUIRED, None) else f" DEFAULT {_literal(field)}"
    return default if field.type.test(None) else f" NOT NULL{default}"


def _literal(field: Field) -> str:
    value, write = field.default, _WRITE.get(field.type.kept)
    if value is None:
        return "NULL"
    value = write(value) if write else value
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)


def _json(text: str | None) -> Any:  # noqa: ANN401 - a list or a map
    return None if text is None else json.loads(text)


def _base64(vector: bytes | None) -> str | None:
    return None if vector is None else base64.b64encode(vector).decode("ascii")


_READ: dict[str, Callable[[Any], Any]] = {
    "list": _json,
    "map": _json,
    "truth": bool,
    "vector": _base64,
}
_WRITE: dict[str, Callable[[Any], Any]] = {
    "list": lambda value: json.dumps(list(value), ensure_ascii=False),
    "map": lambda value: json.dumps(dict(value), sort_keys=True, ensure_ascii=False),
    "truth": int,
}
