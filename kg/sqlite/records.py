"""Everything in the SQLite graph, streamed in the order of Maintenance.records."""

import base64
import json
import sqlite3
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

from ..types import KEYWORD_CAP
from .answers import cites_of, steps_of
from .queries import ALL_SHARED, place

Record = dict[str, Any]
Read = Callable[[sqlite3.Connection], Iterator[Record]]


def records(db: sqlite3.Connection) -> Iterator[Record]:
    """All kinds after `info`."""
    for read in KINDS.values():
        yield from read(db)


def parameters(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """Fitted parameters: (kind, JSON), by kind; none in a graph of an older version."""
    if not has_table(db, "parameters"):
        return []
    return db.execute("SELECT id, text FROM parameters ORDER BY id").fetchall()


def has_table(db: sqlite3.Connection, name: str) -> bool:
    """A graph of an older version may lack one."""
    return bool(db.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (name,)).fetchone())


_DOCUMENTS = "SELECT id, title, source, sha256, metadata, ingested_at FROM document ORDER BY id"
_PASSAGES = """
SELECT id, document_id, position, title, normal_title, text, terms, {place},
    vector AS embedding
FROM passage JOIN passage_vector USING (number) ORDER BY id
"""
_ENTITIES = """
SELECT id, name, aliases, terms, passages, wikidata_id, description FROM entity ORDER BY id
"""
_TRIPLES = """
SELECT id, head, relation, tail, extractor, vector AS embedding
FROM triple LEFT JOIN triple_vector USING (number) ORDER BY id
"""
_EXTRACTED_BY = "SELECT passage_id, extractor FROM extracted_by ORDER BY passage_id"
_RELATES = """
SELECT source, target, relation, triple_id FROM relates_to ORDER BY source, target, triple_id
"""
_ANSWERS = """
SELECT answer.id, question.text AS question, method, answer.text AS text, abstained, confidence,
model, usage,
    created_at
FROM answer JOIN question ON question.id = question_id ORDER BY answer.id
"""


def _parameters(db: sqlite3.Connection) -> Iterator[Record]:
    for kind, text in parameters(db):
        yield {"kind": "parameters", "id": kind, "text": text}


def _documents(db: sqlite3.Connection) -> Iterator[Record]:
    return _rows(db, "document", _DOCUMENTS, metadata=json.loads)


def _passages(db: sqlite3.Connection) -> Iterator[Record]:
    query = _PASSAGES.format(place=place(db))
    return _rows(db, "passage", query, terms=json.loads, embedding=_base64)


def _entities(db: sqlite3.Connection) -> Iterator[Record]:
    return _rows(db, "entity", _ENTITIES, aliases=json.loads, terms=json.loads)


def _triples(db: sqlite3.Connection) -> Iterator[Record]:
    return _rows(db, "triple", _TRIPLES, embedding=_base64)


def _extracted_by(db: sqlite3.Connection) -> Iterator[Record]:
    if has_table(db, "extracted_by"):
        yield from _rows(db, "extracted_by", _EXTRACTED_BY)


def _answers(db: sqlite3.Connection) -> Iterator[Record]:
    for record in _rows(db, "answer", _ANSWERS, abstained=bool, usage=json.loads):
        steps = [list(step) for step in steps_of(db, record["id"])]
        yield {**record, "steps": steps, "cites": [list(row) for row in cites_of(db, record["id"])]}


def _plain(kind: str, query: str) -> Read:
    return lambda db: _rows(db, kind, query)


def _rows(
    db: sqlite3.Connection, kind: str, query: str, **decode: Callable[[Any], Any]
) -> Iterator[Record]:
    cursor = db.execute(query)
    names = [column[0] for column in cursor.description]
    for row in cursor:
        record = {"kind": kind, **dict(zip(names, row, strict=True))}
        for name, decoded in decode.items():
            if record[name] is not None:
                record[name] = decoded(record[name])
        yield record


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


def _base64(vector: bytes) -> str:
    return base64.b64encode(vector).decode("ascii")


KINDS: dict[str, Read] = {
    "parameters": _parameters,
    "document": _documents,
    "passage": _passages,
    "entity": _entities,
    "triple": _triples,
    "next": _plain("next", "SELECT source, target FROM next ORDER BY 1, 2"),
    "mentions": _plain(
        "mentions", "SELECT passage_id, entity_id, surface FROM mentions ORDER BY 1, 2"
    ),
    "shares_keyword": _shared,
    "names": _plain("names", "SELECT source, target FROM names ORDER BY 1, 2"),
    "states": _plain(
        "states", 'SELECT passage_id, triple_id, "start", "end" FROM states ORDER BY 1, 2'
    ),
    "extracted_by": _extracted_by,
    "relates_to": _plain("relates_to", _RELATES),
    "answer": _answers,
    "failure": _plain("failure", "SELECT source, reason FROM failure ORDER BY source"),
}
"""How each kind is read, in the order of Maintenance.records."""
