"""The longer reading statements of the SQLite store."""

import sqlite3

ALL_SHARED = """
SELECT mine.passage_id AS source, other.passage_id AS target, entity.id
FROM mentions mine
JOIN entity ON entity.id = mine.entity_id AND entity.passages BETWEEN 2 AND :cap
JOIN mentions other ON other.entity_id = entity.id AND other.passage_id > mine.passage_id
"""

# What `term` and `spelling` have to hold.
TERMS = "SELECT value, count(*) FROM passage, json_each(passage.terms) GROUP BY value"
SPELLINGS = """
SELECT entity_id, spelling, count(*) FROM (
    SELECT entity_id, surface AS spelling FROM mentions
    UNION ALL SELECT head_id, head FROM states JOIN triple ON triple.id = triple_id
    UNION ALL SELECT tail_id, tail FROM states JOIN triple ON triple.id = triple_id
) GROUP BY entity_id, spelling
"""

_STATEMENT = """
SELECT states.passage_id, triple.head, triple.relation, triple.tail, triple.extractor,
    states."start", states."end"
"""

STATEMENTS_OF = f"""
{_STATEMENT}
FROM temp.asked CROSS JOIN states ON passage_id = asked.id JOIN triple ON triple.id = triple_id
ORDER BY place, states."start" IS NULL, states."start", triple_id
"""

STATEMENTS_ABOUT = f"""
WITH about (id) AS (
    SELECT triple.id FROM temp.asked CROSS JOIN triple ON head_id = asked.id
    UNION SELECT triple.id FROM temp.asked CROSS JOIN triple ON tail_id = asked.id
    ORDER BY 1 LIMIT ?1
)
{_STATEMENT}
FROM about JOIN triple USING (id) JOIN states ON triple_id = triple.id
ORDER BY triple_id, passage_id LIMIT ?1
"""

FIND = """
SELECT 0 AS rank, 'document' AS kind, id, CASE title WHEN '' THEN source ELSE title END AS name FROM
document WHERE id = :name OR title = :name OR source = :name UNION ALL SELECT 1, 'passage', id,
title FROM passage WHERE id = :name UNION ALL SELECT 2, 'entity', id, name FROM entity WHERE id =
:name OR id = :key UNION ALL SELECT 3, 'triple', id, head || ' ' || relation || ' ' || tail FROM
triple WHERE id = :name UNION ALL SELECT 4, 'question', id, text FROM question WHERE id = :name OR
text = :name UNION ALL SELECT 5, 'answer', id, text FROM answer WHERE id = :name ORDER BY rank, id
LIMIT :limit
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
}


def place(db: sqlite3.Connection) -> str:
    """Columns of a passage's heading and page, which a graph of an older version lacks."""
    held = {row[1] for row in db.execute("PRAGMA table_info(passage)")}
    return "heading, page" if "heading" in held else "'' AS heading, NULL AS page"
