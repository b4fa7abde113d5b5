"""Brings a graph that an older version wrote into the shape this one writes."""

from .neo4j_derive import settle_names
from .neo4j_records import all_rows
from .neo4j_server import Row, Statements
from .types import SCHEMA_VERSION

CHUNK = 10_000  # passages


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
