"""What the SQLite graph holds, by id and by name, and the edges between its passages."""

import json
import sqlite3
from collections.abc import Collection
from itertools import groupby
from typing import Any

from ..store import Found
from ..text.words import encodable, normal_form
from ..types import (
    KEYWORD_CAP,
    DocumentInfo,
    Entity,
    Link,
    LinkKind,
    Passage,
    Statement,
    Triple,
    Vector,
)
from ..vectors import from_bytes
from .file import ask
from .queries import FIND, place
from .records import has_table

_DOCUMENTS = "SELECT id, title, source, sha256, metadata, ingested_at FROM document"
_PASSAGES_OF = """
SELECT passage.id FROM temp.asked CROSS JOIN passage ON document_id = asked.id
ORDER BY document_id, position
"""
_EXTRACTORS = """
SELECT passage_id, extractor FROM temp.asked CROSS JOIN extracted_by ON passage_id = asked.id
ORDER BY place
"""
_MENTIONING = """
SELECT DISTINCT passage_id FROM temp.asked CROSS JOIN mentions ON entity_id = asked.id
ORDER BY passage_id LIMIT ?
"""
_MENTIONED = """
SELECT passage.id, entity_id FROM temp.asked CROSS JOIN passage USING (id)
LEFT JOIN mentions ON passage_id = passage.id ORDER BY place, entity_id
"""
_EDGES = """
SELECT source, target FROM {table} WHERE source IN (SELECT id FROM temp.asked)
UNION
SELECT source, target FROM {table} WHERE target IN (SELECT id FROM temp.asked)
ORDER BY source, target
"""
# One row for each pair and keyword; of a pair that was asked for at both ends, the smaller id is
# the source.
_SHARED = """
SELECT mine.passage_id AS source, other.passage_id AS target, entity.id
FROM temp.asked
CROSS JOIN mentions mine ON mine.passage_id = asked.id
JOIN entity ON entity.id = mine.entity_id AND entity.passages BETWEEN 2 AND :cap
JOIN mentions other ON other.entity_id = entity.id AND other.passage_id <> mine.passage_id
WHERE source < target OR target NOT IN (SELECT id FROM temp.asked)
ORDER BY source, target, entity.id
"""


def documents(db: sqlite3.Connection, ids: Collection[str] | None) -> dict[str, DocumentInfo]:
    """See Graph.documents."""
    query = _DOCUMENTS
    if ids is not None:
        ask(db, ids)
        query += " JOIN temp.asked USING (id)"
    return {
        id_: DocumentInfo(id_, title, source, sha256, json.loads(metadata), at)
        for id_, title, source, sha256, metadata, at in db.execute(f"{query} ORDER BY id")
    }


def passages(db: sqlite3.Connection, ids: Collection[str]) -> dict[str, Passage]:
    """See Graph.passages."""
    columns = f"id, document_id, position, title, text, {place(db)}"
    return {row[0]: Passage(*row[1:]) for row in _by_id(db, "passage USING (id)", columns, ids)}


def passages_of(db: sqlite3.Connection, document_ids: Collection[str]) -> list[str]:
    """See Graph.passages_of."""
    ask(db, document_ids)
    return [row[0] for row in db.execute(_PASSAGES_OF)]


def extractors(db: sqlite3.Connection, passage_ids: Collection[str]) -> dict[str, str]:
    """See GraphStore.extractors."""
    if not has_table(db, "extracted_by"):
        return {}
    ask(db, passage_ids)
    return dict(db.execute(_EXTRACTORS))


def entities(db: sqlite3.Connection, ids: Collection[str]) -> dict[str, Entity]:
    """See Graph.entities."""
    columns = "id, name, aliases, terms, passages, wikidata_id, description"
    return {
        id_: Entity(id_, name, tuple(json.loads(aliases)), tuple(json.loads(terms)), *others)
        for id_, name, aliases, terms, *others in _by_id(db, "entity USING (id)", columns, ids)
    }


def triples(db: sqlite3.Connection, ids: Collection[str]) -> dict[str, Triple]:
    """See Graph.triples."""
    columns = "id, head, relation, tail, extractor"
    return {row[0]: Triple(*row[1:]) for row in _by_id(db, "triple USING (id)", columns, ids)}


def triple_embeddings(db: sqlite3.Connection, ids: Collection[str]) -> dict[str, Vector]:
    """See Graph.triple_embeddings."""
    table = "triple USING (id) JOIN triple_vector USING (number)"
    return {id_: from_bytes(vector) for id_, vector in _by_id(db, table, "id, vector", ids)}


def statements(
    db: sqlite3.Connection, query: str, ids: Collection[str], *limit: int
) -> list[Statement]:
    """What a query of `sqlite_queries` finds for these ids."""
    ask(db, ids)
    rows = db.execute(query, limit)
    return [Statement(row[0], Triple(*row[1:5]), *row[5:]) for row in rows]


def mentioning(db: sqlite3.Connection, entity_ids: Collection[str], limit: int) -> list[str]:
    """See GraphStore.mentioning."""
    ask(db, entity_ids)
    return [row[0] for row in db.execute(_MENTIONING, (limit,))]


def mentioned(db: sqlite3.Connection, passage_ids: Collection[str]) -> dict[str, list[str]]:
    """See GraphStore.mentioned."""
    ask(db, passage_ids)
    found: dict[str, list[str]] = {}
    for passage_id, entity_id in db.execute(_MENTIONED):
        entity_ids = found.setdefault(passage_id, [])
        if entity_id is not None:  # None where a passage mentions nothing
            entity_ids.append(entity_id)
    return found


def find(db: sqlite3.Connection, name: str, limit: int) -> list[Found]:
    """See Graph.find."""
    if not encodable(name):
        return []
    rows = db.execute(FIND, {"name": name, "key": normal_form(name), "limit": limit})
    return [Found(kind, found_id, called) for _, kind, found_id, called in rows]


def _by_id(
    db: sqlite3.Connection, table: str, columns: str, ids: Collection[str]
) -> list[tuple[Any, ...]]:
    """Columns of the rows with these ids, in the order asked."""
    ask(db, ids)
    query = f"SELECT {columns} FROM temp.asked CROSS JOIN {table} ORDER BY place"
    return db.execute(query).fetchall()


def links(
    db: sqlite3.Connection, passage_ids: Collection[str], kinds: Collection[LinkKind]
) -> list[Link]:
    """See Graph.neighbours."""
    ask(db, passage_ids)
    found: list[Link] = []
    if "NAMES" in kinds:
        found += [Link("NAMES", *row) for row in db.execute(_EDGES.format(table="names"))]
    if "NEXT" in kinds:
        found += [Link("NEXT", *row) for row in db.execute(_EDGES.format(table="next"))]
    if "SHARES_KEYWORD" in kinds:
        rows = db.execute(_SHARED, {"cap": KEYWORD_CAP})
        for (source, target), shared in groupby(rows, key=lambda row: row[:2]):
            keywords = tuple(row[2] for row in shared)
            found.append(Link("SHARES_KEYWORD", source, target, float(len(keywords)), keywords))
    return found
