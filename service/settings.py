"""Settings of where the graph is and who may open it: options and environment variables."""

import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from ..kg.errors import BadRequest
from ..kg.store import GraphStore
from ..reasoning import registry

DEFAULT_GRAPH = "hoptrail.db"
DEFAULT_RETRIEVER = "hop"
RETRIEVERS = tuple(registry.RETRIEVERS)
METHODS = tuple(registry.METHODS)
TRIPLES = ("parse", "model")
TRAINED = ("gnn-ret", "ranker")
"""For help texts: names alone, which load nothing they mean."""
SERVER_SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")


@dataclass(frozen=True, slots=True)
class Settings:
    """The values of the options before a command.

    Args:
        graph: a file or a URI.
        encoder: a sentence-transformers name or folder; None is the packaged one.
        pipeline: a spaCy pipeline; None is the packaged one.
        query_prefix: what an asymmetric encoder wants before queries.
        passage_prefix: and before passages.
        model: a language model as `models.opening.open_model` takes it; None for none.
    """

    graph: str = DEFAULT_GRAPH
    encoder: str | None = None
    pipeline: str | None = None
    query_prefix: str = ""
    passage_prefix: str = ""
    model: str | None = None


def open_store(where: str | Path) -> GraphStore:
    """Make the store for a file path or a server URI; touches neither yet.

    User and password come from HOPTRAIL_NEO4J_USER (default neo4j) and HOPTRAIL_NEO4J_PASSWORD, the
    database from HOPTRAIL_NEO4J_DATABASE (default neo4j).

    Raises:
        BadRequest: a URI of a scheme no store serves, or one that carries a password; no path.
    """
    text = str(where)
    if "\0" in text:
        raise BadRequest("The name of the graph holds a NUL, which no path does.")
    scheme, colon, _ = text.partition("://")
    if not colon:
        from ..kg.sqlite.store import SqliteStore

        return SqliteStore(Path(text))
    if scheme not in SERVER_SCHEMES:
        raise BadRequest(
            f"No store for {scheme}://…; --graph takes a file or one of "
            f"{', '.join(SERVER_SCHEMES)}."
        )
    if ":" in text.removeprefix(f"{scheme}://").rpartition("@")[0]:
        raise BadRequest(
            "The URI carries a password, which process lists and logs would show. "
            "Put it into HOPTRAIL_NEO4J_PASSWORD and leave it out of --graph."
        )
    try:
        urlsplit(text).port  # noqa: B018 - reading it checks it
    except ValueError as error:
        raise BadRequest(f"{text} is no URI ({error}); --graph neo4j://localhost:7687") from None
    from ..kg.neo4j.store import Neo4jStore

    return Neo4jStore(
        text,
        user=os.environ.get("HOPTRAIL_NEO4J_USER"),
        password=os.environ.get("HOPTRAIL_NEO4J_PASSWORD"),
        database=os.environ.get("HOPTRAIL_NEO4J_DATABASE", "neo4j"),
    )
