"""Constraints and indexes of a Neo4j graph (docs/graph-model.md), and graphs of older versions."""

from ..types import SCHEMA_VERSION
from .derive import settle_names
from .records import all_rows
from .server import Neo4jServer, Row, Statements

INDEX_SECONDS = 300
SCHEMA = (
    *("schema/graph_info", "schema/document_id", "schema/passage_id", "schema/entity_id"),
    *("schema/triple_id", "schema/question_id", "schema/answer_id", "schema/failure_id"),
    *("schema/term_id", "schema/parameters_id"),
    *("schema/relates_to_triple", "schema/passage_title", "schema/passage_document"),
    *("schema/passage_text", "schema/passage_words"),
)
VECTOR_SCHEMA = ("schema/passage_embedding", "schema/triple_embedding")
DROPS = {
    "hoptrail_passage_embedding": "schema/drop_passage_embedding",
    "hoptrail_triple_embedding": "schema/drop_triple_embedding",
}
CHUNK = 10_000  # passages


def make_schema(server: Neo4jServer, dimension: int) -> None:
    """Create what is missing for a new graph and wait until all of it serves.

    Args:
        server: where.
        dimension: of the encoder's vectors.
    """
    for name in SCHEMA:
        server.write(lambda run, name=name: run(name))
    for row in server.read(lambda run: run("schema/vector_indexes")):
        if row["dimension"] != dimension:  # what an emptied database still has
            server.write(lambda run, name=DROPS[row["name"]]: run(name))
    make_vector_indexes(server, dimension)


def drop_vector_indexes(server: Neo4jServer) -> None:
    """Drop both vector indexes, for vectors of another encoder."""
    for name in DROPS.values():
        server.write(lambda run, name=name: run(name))


def make_vector_indexes(server: Neo4jServer, dimension: int) -> None:
    """Create the vector indexes that are missing, and wait until all indexes serve."""
    options = vector_options(dimension)
    for name in VECTOR_SCHEMA:
        server.write(lambda run, name=name: run(name, options=options))
    server.write(lambda run: run("schema/await", seconds=INDEX_SECONDS))


def vector_options(dimension: int) -> Row:
    """Return the options of both vector indexes."""
    config = {
        "vector.dimensions": dimension,
        "vector.similarity_function": "cosine",
        # Quantised, a vector would not be quite like itself.
        "vector.quantization.enabled": False,
    }
    return {"indexConfig": config}


def migrate(run: Statements) -> list[Row]:
    """Count the stems and link the titles of all passages, as an older version may not have.

    The caller has made the schema. Answers GraphInfo as it is then.
    """
    held = run("info/lock")
    if held[0]["info"]["schema_version"] >= SCHEMA_VERSION:  # new, or of a faster process
        return held
    run("derive/count_terms")
    ids = [row["id"] for row in all_rows(lambda work: work(run), "export/passage_ids")]
    for start in range(0, len(ids), CHUNK):
        settle_names(run, (), ids[start : start + CHUNK])
    return run("info/upgrade", version=SCHEMA_VERSION)
