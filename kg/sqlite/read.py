"""What the SQLite graph holds, by id and by name, and the edges between its passages."""

import json
import sqlite3
from collections.abc import Collection
from dataclasses import fields
from itertools import groupby

from ..store import MAX_COPIES
from ..text.words import encodable, normal_form
from ..types import (
    KEYWORD_CAP,
    DocumentInfo,
    Entity,
    Found,
    Link,
    LinkKind,
    Passage,
    Statement,
    Triple,
    Vector,
)
from ..vectors import from_bytes
from .columns import Made, columns, has_column, has_table, made, selected
from .file import put_ids

_PASSAGES_OF = """
SELECT passage.id FROM temp.asked CROSS JOIN passage ON document_id = asked.id
ORDER BY document_id, position
"""
_PASSAGE_COUNTS = """
SELECT id, (SELECT count(*) FROM passage WHERE document_id = document.id)
FROM temp.asked CROSS JOIN document USING (id) ORDER BY place
"""
_TRIPLE_VECTORS = """
SELECT id, vector FROM temp.asked CROSS JOIN triple USING (id) JOIN triple_vector USING (number)
ORDER BY place
"""
_STATEMENT = 'SELECT states.passage_id, states."start", states."end", {triple}'
_STATEMENTS_OF = f"""
{_STATEMENT}
FROM temp.asked CROSS JOIN states ON passage_id = asked.id JOIN triple ON triple.id = triple_id
ORDER BY place, states."start" IS NULL, states."start", triple_id
"""
_STATEMENTS_ABOUT = f"""
WITH about (id) AS (
    SELECT triple.id FROM temp.asked CROSS JOIN triple ON head_id = asked.id
    UNION SELECT triple.id FROM temp.asked CROSS JOIN triple ON tail_id = asked.id
    ORDER BY 1 LIMIT ?1
)
{_STATEMENT}
FROM about JOIN triple USING (id) JOIN states ON triple_id = triple.id
ORDER BY triple_id, passage_id LIMIT ?1
"""
_FIND = """
SELECT 0 AS rank, 'document' AS kind, id, CASE title WHEN '' THEN source ELSE title END AS name FROM
document WHERE id = :name OR title = :name OR source = :name UNION ALL SELECT 1, 'passage', id,
title FROM passage WHERE id = :name UNION ALL SELECT 2, 'entity', id, name FROM entity WHERE id =
:name OR id = :key UNION ALL SELECT 3, 'triple', id, head || ' ' || relation || ' ' || tail FROM
triple WHERE id = :name UNION ALL SELECT 4, 'question', id, text FROM question WHERE id = :name OR
text = :name UNION ALL SELECT 5, 'answer', id, text FROM answer WHERE id = :name ORDER BY rank, id
LIMIT :limit
"""
_COPIES = f"""
SELECT asked.id, (SELECT json_group_array(id) FROM (
    SELECT other.id AS id FROM passage other
    WHERE other.text_key = passage.text_key ORDER BY other.id LIMIT {MAX_COPIES}
)) FROM temp.asked CROSS JOIN passage USING (id) ORDER BY place
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
    if ids is None:
        return made(db, "document", DocumentInfo, "document", "document.id")
    put_ids(db, ids)
    return made(db, "document", DocumentInfo, "document JOIN temp.asked USING (id)", "document.id")


def documents_after(db: sqlite3.Connection, after: str, limit: int) -> list[DocumentInfo]:
    """See Graph.documents_after."""
    ids = db.execute("SELECT id FROM document WHERE id > ? ORDER BY id LIMIT ?", (after, limit))
    return list(documents(db, [row[0] for row in ids]).values())


def passage_counts(db: sqlite3.Connection, document_ids: Collection[str]) -> dict[str, int]:
    """See Graph.passage_counts."""
    put_ids(db, document_ids)
    return dict(db.execute(_PASSAGE_COUNTS))


def passages(db: sqlite3.Connection, ids: Collection[str]) -> dict[str, Passage]:
    """See Graph.passages."""
    return _asked(db, "passage", Passage, ids)


def passages_of(db: sqlite3.Connection, document_ids: Collection[str]) -> list[str]:
    """See Graph.passages_of."""
    put_ids(db, document_ids)
    return [row[0] for row in db.execute(_PASSAGES_OF)]


def copies(db: sqlite3.Connection, passage_ids: Collection[str]) -> dict[str, list[str]]:
    """See Graph.copies."""
    if not has_column(db, "passage", "text_key"):
        return {}
    put_ids(db, passage_ids)
    return {id_: json.loads(found) for id_, found in db.execute(_COPIES)}


def extractors(db: sqlite3.Connection, passage_ids: Collection[str]) -> dict[str, str]:
    """See GraphStore.extractors."""
    if not has_table(db, "extracted_by"):
        return {}
    put_ids(db, passage_ids)
    return dict(db.execute(_EXTRACTORS))


def entities(db: sqlite3.Connection, ids: Collection[str]) -> dict[str, Entity]:
    """See Graph.entities."""
    return _asked(db, "entity", Entity, ids)


def triples(db: sqlite3.Connection, ids: Collection[str]) -> dict[str, Triple]:
    """See Graph.triples."""
    return _asked(db, "triple", Triple, ids)


def triple_embeddings(db: sqlite3.Connection, ids: Collection[str]) -> dict[str, Vector]:
    """See Graph.triple_embeddings."""
    put_ids(db, ids)
    return {id_: from_bytes(vector) for id_, vector in db.execute(_TRIPLE_VECTORS)}


def statements_of(db: sqlite3.Connection, passage_ids: Collection[str]) -> list[Statement]:
    """See Graph.triples_of."""
    return _statements(db, _STATEMENTS_OF, passage_ids)


def statements_about(
    db: sqlite3.Connection, entity_ids: Collection[str], limit: int
) -> list[Statement]:
    """See Graph.triples_about."""
    return _statements(db, _STATEMENTS_ABOUT, entity_ids, limit)


def _statements(
    db: sqlite3.Connection, query: str, ids: Collection[str], *limit: int
) -> list[Statement]:
    put_ids(db, ids)
    triple = selected(db, "triple", columns("triple", [field.name for field in fields(Triple)]))
    rows = db.execute(query.format(triple=triple), limit)
    return [Statement(row[0], Triple(*row[3:]), *row[1:3]) for row in rows]


def mentioning(db: sqlite3.Connection, entity_ids: Collection[str], limit: int) -> list[str]:
    """See Graph.mentioning."""
    put_ids(db, entity_ids)
    return [row[0] for row in db.execute(_MENTIONING, (limit,))]


def mentioned(db: sqlite3.Connection, passage_ids: Collection[str]) -> dict[str, list[str]]:
    """See Graph.mentioned."""
    put_ids(db, passage_ids)
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
    rows = db.execute(_FIND, {"name": name, "key": normal_form(name), "limit": limit})
    return [Found(kind, found_id, called) for _, kind, found_id, called in rows]


def _asked(
    db: sqlite3.Connection, kind: str, make: type[Made], ids: Collection[str]
) -> dict[str, Made]:
    """Dataclasses of these ids, in the order asked."""
    put_ids(db, ids)
    return made(db, kind, make, f"temp.asked CROSS JOIN {kind} USING (id)", "place")


def links(
    db: sqlite3.Connection, passage_ids: Collection[str], kinds: Collection[LinkKind]
) -> list[Link]:
    """See Graph.neighbours."""
    put_ids(db, passage_ids)
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
