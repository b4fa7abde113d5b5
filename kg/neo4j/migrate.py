"""Graphs of older versions on a server, brought up to date.

Before version 4 labels had no prefix: such a graph is found by its GraphInfo, and can't be read
before its nodes have the labels of today. That takes many transactions; until the last one
`GraphInfo.migrating` says so, and where it broke off the next one who writes goes on.
"""

from ...cypher import PREFIX
from ..text.words import text_key
from ..types import SCHEMA_VERSION
from . import rows
from .derive import settle_names, texts_of
from .records import all_rows
from .schema import all_indexes, drop, make_schema
from .server import Neo4jServer
from .statements import Row, Statements

PREFIXED = 4
"""The first version whose labels have a prefix."""
CHUNK = 10_000  # passages
RELABELLED = 5000  # nodes that a transaction gives their labels

KINDS = {
    "Document": ("id", "sha256", "source", "ingested_at"),
    "Passage": ("id", "document_id", "position", "text", "normal_title"),
    "Entity": ("id", "name", "aliases", "counts", "passages"),
    "Triple": ("id", "head", "relation", "tail", "text", "extractor"),
    "Question": ("id", "text"),
    "Answer": ("id", "method", "usage", "created_at"),
    "Term": ("id", "passages"),
    "Failure": ("id", "source", "reason", "failed_at"),
    "Parameters": ("id", "text"),
}
"""Labels of versions before PREFIXED, with properties that every node of ours has."""
HASHED = ("Passage", "Triple", "Question", "Answer", "Failure")
FORMER = {
    **{f"{kind.lower()}_id": kind for kind in KINDS},
    "graph_info": "GraphInfo",
    "relates_to_triple": "RELATES_TO",
    **dict.fromkeys(("passage_title", "passage_document", "passage_embedding"), "Passage"),
    **dict.fromkeys(("passage_text", "passage_words"), "Passage"),
    "triple_embedding": "Triple",
}
"""Names of their constraints and indexes, with what they are on."""


def read_info(run: Statements) -> Row | None:
    """Read GraphInfo's properties, also those of a graph whose labels have no prefix yet."""
    found = run("info/read")
    if not found and run.prefix == PREFIX:
        found = run("older/info")
    return found[0]["info"] if found else None


def unprefixed(info: Row) -> bool:
    """Say whether its nodes have no prefixed labels yet, or not all of them."""
    return info["schema_version"] < PREFIXED or "migrating" in info


def migrate(server: Neo4jServer) -> None:
    """Make a graph of an older version one of this version; nothing where it is one."""
    info = server.read(read_info)
    if info is None or (info["schema_version"] >= SCHEMA_VERSION and not unprefixed(info)):
        return
    if unprefixed(info):
        _prefix(server)
    make_schema(server, rows.info(info).fingerprint.dimension)
    server.write(_derive)


def _prefix(server: Neo4jServer) -> None:
    """Give all nodes of the graph the labels of today, and drop the indexes on the former ones."""
    kinds = [
        {"name": name, "properties": list(properties), "hashed": name in HASHED}
        for name, properties in KINDS.items()
    ]
    asked = {"former": kinds, "prefix": PREFIX, "limit": RELABELLED}
    server.write(lambda run: run("older/begin", version=PREFIXED))
    while server.write(lambda run: run("older/relabel", **asked))[0]["nodes"]:
        pass
    server.write(lambda run: run("older/finish", label=f"{PREFIX}GraphInfo"))
    others = {row["label"] for row in server.read(lambda run: run("older/left"))}
    for row in all_indexes(server):
        if row["on"] == [FORMER.get(row["name"])] and not others.intersection(row["on"]):
            drop(server, row)


def _derive(run: Statements) -> None:
    """Derive what an older version may lack or have otherwise; the caller has made the schema."""
    [held] = run("info/lock")
    version = held["info"]["schema_version"]
    if version >= SCHEMA_VERSION:  # new, or of a faster process
        return
    if version < 3:
        run("derive/count_terms")
    if version < 5:
        _derive_of_passages(run, with_names=version < 3)
    run("info/upgrade", version=SCHEMA_VERSION)


def _derive_of_passages(run: Statements, with_names: bool) -> None:
    ids = [row["id"] for row in all_rows(lambda work: work(run), "export/passage_ids")]
    for start in range(0, len(ids), CHUNK):
        texts = texts_of(run, ids[start : start + CHUNK])
        if with_names:
            settle_names(run, run, (), texts)
        keys = [{"id": row["id"], "text_key": text_key(row["text"])} for row in texts]
        run("derive/text_keys", rows=keys)
