"""What the SQLite graph holds, by id and by name."""

import json
import sqlite3
from collections.abc import Collection
from typing import Any

from .sqlite_file import ask
from .sqlite_queries import FIND, place
from .sqlite_records import has_table
from .store import Found
from .text import encodable, normal_form
from .types import DocumentInfo, Entity, Passage, Statement, Triple, Vector
from .vectors import from_bytes

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


def documents(db: sqlite3.Connection, ids: Collection[str] | None) -> dict[str, DocumentInfo]:
    """See GraphStore.documents."""
    query = _DOCUMENTS
    if ids is not None:
        ask(db, ids)
        query += " JOIN temp.asked USING (id)"
    return {
        id_: DocumentInfo(id_, title, source, sha256, json.loads(metadata), at)
        for id_, title, source, sha256, metadata, at in db.execute(f"{query} ORDER BY id")
    }


def passages(db: sqlite3.Connection, ids: Collection[str]) -> dict[str, Passage]:
    """See GraphStore.passages."""
    columns = f"id, document_id, position, title, text, {place(db)}"
    return {row[0]: Passage(*row[1:]) for row in _by_id(db, "passage USING (id)", columns, ids)}


def passages_of(db: sqlite3.Connection, document_ids: Collection[str]) -> list[str]:
    """See GraphStore.passages_of."""
    ask(db, document_ids)
    return [row[0] for row in db.execute(_PASSAGES_OF)]


def extractors(db: sqlite3.Connection, passage_ids: Collection[str]) -> dict[str, str]:
    """See GraphStore.extractors."""
    if not has_table(db, "extracted_by"):
        return {}
    ask(db, passage_ids)
    return dict(db.execute(_EXTRACTORS))


def entities(db: sqlite3.Connection, ids: Collection[str]) -> dict[str, Entity]:
    """See GraphStore.entities."""
    columns = "id, name, aliases, terms, passages, wikidata_id, description"
    return {
        id_: Entity(id_, name, tuple(json.loads(aliases)), tuple(json.loads(terms)), *others)
        for id_, name, aliases, terms, *others in _by_id(db, "entity USING (id)", columns, ids)
    }


def triples(db: sqlite3.Connection, ids: Collection[str]) -> dict[str, Triple]:
    """See GraphStore.triples."""
    columns = "id, head, relation, tail, extractor"
    return {row[0]: Triple(*row[1:]) for row in _by_id(db, "triple USING (id)", columns, ids)}


def triple_embeddings(db: sqlite3.Connection, ids: Collection[str]) -> dict[str, Vector]:
    """See GraphStore.triple_embeddings."""
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
    """See GraphStore.find."""
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
