"""Everything in the SQLite graph, streamed in the order of Maintenance.records."""

import sqlite3
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

from ..schema import KINDS
from ..types import KEYWORD_CAP
from .answers import (
    CLAIMED,
    asked_links_of,
    asked_of,
    cites_of,
    claims_of,
    steps_of,
    traced_ends_of,
    traced_of,
)
from .columns import columns, decoding, has_table, selected

Record = dict[str, Any]
Read = Callable[[sqlite3.Connection], Iterator[Record]]

_LATER = (
    "parameters",
    "extracted_by",
    "item",
    "link",
    "linked_by",
    "claim",
)  # kinds that older versions had no table for


def counts(db: sqlite3.Connection) -> dict[str, int]:
    """See Graph.statistics."""
    return {
        name: db.execute(query, {"cap": KEYWORD_CAP}).fetchone()[0]
        if has_table(db, _LATE.get(name, "entity"))
        else 0
        for name, query in COUNTS.items()
    }


def records(db: sqlite3.Connection) -> Iterator[Record]:
    """Stream the records of all kinds after `info`."""
    for read in READERS.values():
        yield from read(db)


ALL_SHARED = """
SELECT mine.passage_id AS source, other.passage_id AS target, entity.id
FROM mentions mine
JOIN entity ON entity.id = mine.entity_id AND entity.passages BETWEEN 2 AND :cap
JOIN mentions other ON other.entity_id = entity.id AND other.passage_id > mine.passage_id
"""
COUNTS = {
    "documents": "SELECT count(*) FROM document",
    "passages": "SELECT count(*) FROM passage",
    "entities": "SELECT count(*) FROM entity",
    "triples": "SELECT count(*) FROM triple",
    "statements": "SELECT count(*) FROM states",
    "mentions": "SELECT count(*) FROM mentions",
    "next": "SELECT count(*) FROM next",
    "shares_keyword": f"SELECT count(*) FROM (SELECT DISTINCT source, target FROM ({ALL_SHARED}))",
    "names": "SELECT count(*) FROM names",
    "relates_to": "SELECT count(*) FROM relates_to",
    "questions": "SELECT count(*) FROM question",
    "answers": "SELECT count(*) FROM answer",
    "failures": "SELECT count(*) FROM failure",
    "embedded_triples": "SELECT count(*) FROM triple_vector",
    "items": "SELECT count(*) FROM item",
    "links": "SELECT count(*) FROM link",
    "claims": "SELECT count(*) FROM claim",
}
_LATE = {"items": "item", "links": "link", "claims": "claim"}
"""Counts of tables that a graph of an older version may lack."""
_ANSWERS = """
SELECT answer.id, question.text AS question, method, answer.text AS text, abstained, confidence,
model, usage,
    created_at
FROM answer JOIN question ON question.id = question_id ORDER BY answer.id
"""


_EVIDENCE = {
    "steps": steps_of,
    "cites": cites_of,
    "traced": traced_of,
    "traced_ends": traced_ends_of,
    "asked": asked_of,
    "asked_links": asked_links_of,
}


def _answers(db: sqlite3.Connection) -> Iterator[Record]:
    for record in _rows(db, "answer", _ANSWERS):
        rows = {name: list(map(list, of(db, record["id"]))) for name, of in _EVIDENCE.items()}
        claims = zip(CLAIMED, claims_of(db, record["id"]), strict=True)
        yield {**record, **rows, **{name: list(map(list, some)) for name, some in claims}}


def _plain(kind: str) -> Read:
    """A kind that has a table or view of its own; with the vectors where it has some."""
    return lambda db: _of_table(db, kind)


def _of_table(db: sqlite3.Connection, kind: str) -> Iterator[Record]:
    if kind in _LATER and not has_table(db, kind):
        return
    key = ", ".join(f'{kind}."{name}"' for name in KINDS[kind].key)
    query = (
        f"SELECT {selected(db, kind, columns(kind))}{{vector}} FROM {kind}{{join}} ORDER BY {key}"
    )
    vector = next((f for f in KINDS[kind].fields if f.type.kept == "vector"), None)
    if vector is None:
        yield from _rows(db, kind, query.format(vector="", join=""))
        return
    join = f"{'LEFT ' * vector.type.test(None)}JOIN {kind}_vector USING (number)"
    yield from _rows(db, kind, query.format(vector=f", vector AS {vector.name}", join=f" {join}"))


def _rows(db: sqlite3.Connection, kind: str, query: str) -> Iterator[Record]:
    """Records of a query's rows, whose columns have the names of the kind's fields."""
    cursor = db.execute(query)
    places = {column[0]: place for place, column in enumerate(cursor.description)}
    listed = [field for field in KINDS[kind].fields if field.name in places]
    order = [places[field.name] for field in listed]
    decoded = decoding(listed)
    names = ["kind", *(field.name for field in listed)]
    for row in cursor:
        values = [row[place] for place in order]
        for place, read in decoded:
            values[place] = read(values[place])
        yield dict(zip(names, [kind, *values], strict=True))


def _shared(db: sqlite3.Connection) -> Iterator[Record]:
    rows = db.execute(f"{ALL_SHARED} ORDER BY source, target, entity.id", {"cap": KEYWORD_CAP})
    for (source, target), shared in groupby(rows, key=lambda row: row[:2]):
        keywords = [row[2] for row in shared]
        yield {
            "kind": "shares_keyword",
            "source": source,
            "target": target,
            "keywords": keywords,
            "weight": float(len(keywords)),
        }


_SPECIAL: dict[str, Read] = {"shares_keyword": _shared, "answer": _answers}
READERS: dict[str, Read] = {
    kind: _SPECIAL.get(kind) or _plain(kind) for kind in KINDS if kind != "info"
}
"""How each kind after `info` is read, in the order of Maintenance.records."""
