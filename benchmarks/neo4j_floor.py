"""The rows that GraphStore.add wrote, written by plain statements: see neo4j_writes.py.

Their indexes are named, as in the graph's own: a plan made while the database was empty stays.
"""

from collections.abc import Sequence

import neo4j

from hoptrail.cypher import query
from hoptrail.kg.neo4j.schema import ALL, vector_options
from hoptrail.kg.neo4j.statements import ROWS, ROWS_WITH_VECTORS, Row


def ties(
    name: str, a: str, b: str, then: str, source: str = "source", target: str = "target"
) -> str:
    """Between nodes that are there."""
    return (
        f"UNWIND $rows AS row MATCH (a:Raw{a} {{id: row.{source}}}) USING INDEX a:Raw{a}(id) "
        f"MATCH (b:Raw{b} {{id: row.{target}}}) USING INDEX b:Raw{b}(id) "
        f"{then.format(f'(a)-[r:RAW_{name}]->(b)')}"
    )


ENTITY = "UNWIND $rows AS row MERGE (n:RawEntity {id: row.id}) SET n += row"
SHARED = ties(
    "SHARES_KEYWORD", "Passage", "Passage",
    "MERGE {} SET r.keywords = row.keywords, r.weight = row.weight",
)  # fmt: skip
FLOOR = {
    "write/documents": "UNWIND $rows AS row CREATE (n:RawDocument) SET n = row",
    "write/passages": (
        "UNWIND $rows AS row CREATE (n:RawPassage) "
        "SET n = row.properties, n.embedding = row.embedding"
    ),
    "write/triple_embeddings": (
        "UNWIND $rows AS row MATCH (t:RawTriple {id: row.id}) SET t.embedding = row.embedding"
    ),
    "write/has_passage": ties(
        "HAS_PASSAGE", "Document", "Passage", "CREATE {}", "document_id", "id"
    ),
    "write/next": ties("NEXT", "Passage", "Passage", "CREATE {}"),
    "write/mentions": ties(
        "MENTIONS", "Passage", "Entity", "CREATE {} SET r.surface = row.surface",
        "passage_id", "entity_id",
    ),
    "write/states": ties(
        "STATES", "Passage", "Triple", "CREATE {} SET r.start = row.start, r.end = row.end",
        "passage_id", "triple_id",
    ),
    "write/triples": """
        UNWIND $rows AS row
        MATCH (h:RawEntity {id: row.head_id}) USING INDEX h:RawEntity(id)
        MATCH (o:RawEntity {id: row.tail_id}) USING INDEX o:RawEntity(id)
        CREATE (t:RawTriple) SET t = row.properties
        CREATE (t)-[:RAW_HEAD]->(h) CREATE (t)-[:RAW_TAIL]->(o)
        FOREACH (_ IN CASE WHEN row.tied THEN [] ELSE [1] END |
            CREATE (h)-[:RAW_RELATES_TO
                {relation: row.properties.relation, triple_id: row.properties.id}]->(o))""",
    "derive/entities": ENTITY,
    "derive/new_entities": ENTITY,
    "derive/terms": (
        "UNWIND $rows AS row MERGE (t:RawTerm {id: row.id}) "
        "SET t.passages = coalesce(t.passages, 0) + row.more"
    ),
    "derive/share_keywords": SHARED,
    "derive/new_shared_keywords": SHARED,
    "derive/unshare_keywords": (
        "UNWIND $rows AS row MATCH (a:RawPassage {id: row.source})-[r:RAW_SHARES_KEYWORD]->"
        "(:RawPassage {id: row.target}) USING INDEX a:RawPassage(id) DELETE r"
    ),
    "derive/names": ties("NAMES", "Passage", "Passage", "CREATE {}"),
    "derive/unname": (
        "UNWIND $rows AS row MATCH (a:RawPassage {id: row.source})-[r:RAW_NAMES]->"
        "(:RawPassage {id: row.target}) USING INDEX a:RawPassage(id) DELETE r"
    ),
}  # fmt: skip


VECTORS = ("write/passages", "write/triple_embeddings")


def schema_for(prefix: str, driver: neo4j.Driver, dimension: int) -> None:
    """The graph's constraints and indexes for labels with another prefix."""
    for index in ALL:
        text = query(index.statement, prefix=prefix)
        text = text.replace("RELATES_TO", f"{prefix.upper()}_RELATES_TO")
        driver.execute_query(text, options=vector_options(dimension))
    driver.execute_query("CALL db.awaitIndexes(300)")


def floor(driver: neo4j.Driver, database: str, written: Sequence[tuple[str, list[Row]]]) -> None:
    """The same rows in one transaction of plain statements."""

    def work(transaction: neo4j.ManagedTransaction) -> None:
        for name, rows in written:
            size = ROWS_WITH_VECTORS if name in VECTORS else ROWS
            for start in range(0, len(rows), size):
                transaction.run(FLOOR[name], rows=rows[start : start + size]).consume()

    with driver.session(database=database) as session:
        session.execute_write(work)
