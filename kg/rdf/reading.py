"""Records of a graph, read from the RDF that `writing` made of them."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from typing import Any

from ..errors import BadRequest
from ..schema import KINDS, REQUIRED, Field
from ..types import SCHEMA_VERSION
from . import vocabulary as v
from .spool import Spool, Value

Record = dict[str, Any]

_NUMBERS = tuple(f"{v.XSD}{name}" for name in ("integer", "double", "boolean"))
_IN_JSON = ("list", "map", "evidence")
_EMPTY: dict[str, Any] = {"a text": "", "a list of texts": [], "a whole number": 0}
"""What stands for what is derived, until it is derived again."""


def holds_a_graph(spool: Spool) -> bool:
    """Tell RDF that `writing` made from that of others."""
    return next(spool.have(v.TYPE, v.class_of("info")), None) is not None


def records(spool: Spool) -> Iterator[Record]:
    """Give the records, as `Maintenance.restore` takes those of an older version.

    What is derived is left out, or stands there empty: it is derived again.

    Raises:
        BadRequest: a node has two values where a graph has one, or an IRI that is not its own.
    """
    for kind in v.kinds():
        for subject, key in _in_order(spool, kind):
            yield _record(spool, kind, subject, key)


def described(spool: Spool, number: int) -> str:
    """Name the record of this number, counted from 1, for messages."""
    record = next(islice(records(spool), number - 1, number), None)
    return "" if record is None else v.node(record["kind"], *_key(record))


def _key(record: Record) -> Iterator[str]:
    return (record[name] for name in KINDS[record["kind"]].key)


def _in_order(spool: Spool, kind: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The nodes of a kind, by their ids."""
    with closing(sqlite3.connect("", isolation_level=None)) as db:
        db.execute("CREATE TABLE node (iri, first, second)")
        db.executemany("INSERT INTO node VALUES (?, ?, ?)", _placed(spool, kind))
        for iri, *key in db.execute("SELECT * FROM node ORDER BY first, second"):
            yield iri, tuple(key[: len(KINDS[kind].key)])


def _placed(spool: Spool, kind: str) -> Iterator[tuple[str, str, str]]:
    for iri in spool.have(v.TYPE, v.class_of(kind)):
        key = v.key_of(kind, iri)
        if key is None:
            raise BadRequest(f"{iri} is not the IRI of a {kind}")
        first, second, *_ = *key, "", ""
        yield iri, first, second


def _record(spool: Spool, kind: str, subject: str, key: tuple[str, ...]) -> Record:
    said: dict[str, list[Value]] = {}
    for name, value in spool.of(subject):
        said.setdefault(name, []).append(value)
    record: Record = {"kind": kind, **dict(zip(KINDS[kind].key, key, strict=True))}
    for field in v.kept(kind):
        values = said.get(v.property_of(kind, field.name), [])
        if len(values) > 1:
            raise BadRequest(
                f"{subject} has {len(values)} values of {v.property_of(kind, field.name)}"
            )
        if values:
            record[field.name] = _value(field, values[0])
    for name, own in zip(KINDS[kind].key, key, strict=True):
        if record[name] != own:
            raise BadRequest(f"{subject} is about {record[name]!r}, though its IRI says {own!r}")
    if kind == "info":
        record["schema_version"] = _older(record.get("schema_version"))
    for field in KINDS[kind].fields:
        if field.derived and field.default is REQUIRED:
            record[field.name] = _EMPTY[field.type.says]
    return record


def _older(version: object) -> object:
    """So that what is derived is derived again; a newer version stays one, to be refused."""
    if isinstance(version, int) and version <= SCHEMA_VERSION:
        return min(version, SCHEMA_VERSION - 1)
    return version


def _value(field: Field, value: Value) -> Any:  # noqa: ANN401 - `records.checked` tests it
    """What a field's literal or IRI says; where it says nothing, the text itself, to be refused."""
    if field.name in v.LINKS:
        key = v.key_of(v.LINKS[field.name], value.text)
        return key[0] if key else value.text
    if field.type.kept in _IN_JSON or value.kind in _NUMBERS:
        try:
            read = json.loads(value.text)
        except (ValueError, RecursionError):
            return value.text
        return float(read) if value.kind == f"{v.XSD}double" and type(read) is int else read
    return value.text
