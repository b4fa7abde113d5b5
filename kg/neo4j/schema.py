"""Constraints and indexes of a Neo4j graph (docs/graph-model.md), and which of them are ours."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from ..errors import BadRequest, StoreUnavailable
from .server import Neo4jServer
from .statements import Row

INDEX_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Index:
    """An index or a constraint.

    Args:
        statement: that makes it, of the file's name.
        type: RANGE, TEXT, FULLTEXT or VECTOR.
        on: what follows the prefix in the label, or a relationship type.
        properties: in order.
        unique: a uniqueness constraint.
    """

    statement: str
    type: str
    on: str
    properties: tuple[str, ...]
    unique: bool = False

    @property
    def asked_by_name(self) -> bool:
        """Say whether statements name it; the planner finds the others by what they are on."""
        return self.type in ("FULLTEXT", "VECTOR")

    def name(self, prefix: str) -> str:
        """Return its name in a graph whose labels begin so."""
        return self.statement.replace("schema/", f"{prefix.lower()}_")

    def target(self, prefix: str) -> str:
        """Return its label or relationship type in a graph whose labels begin so."""
        return self.on if self.on.isupper() else prefix + self.on

    def is_met_by(self, row: Row, prefix: str) -> bool:
        """Say whether an index, a row of `schema/indexes`, does what this one is for."""
        return (
            self.is_on_what(row, prefix)
            and (row["unique"] or not self.unique)
            and (not self.asked_by_name or row["name"] == self.name(prefix))
        )

    def is_on_what(self, row: Row, prefix: str) -> bool:
        """Say whether an index is of this type, and on the same label and properties."""
        return (
            row["on"] == [self.target(prefix)]
            and tuple(row["properties"] or ()) == self.properties
            and row["type"] == self.type
        )


ITEM_INDEX = Index("schema/item_id", "RANGE", "Item", ("id",), unique=True)
INDEXES = (
    Index("schema/graph_info", "RANGE", "GraphInfo", ("id",), unique=True),
    Index("schema/document_id", "RANGE", "Document", ("id",), unique=True),
    Index("schema/passage_id", "RANGE", "Passage", ("id",), unique=True),
    Index("schema/entity_id", "RANGE", "Entity", ("id",), unique=True),
    Index("schema/triple_id", "RANGE", "Triple", ("id",), unique=True),
    Index("schema/question_id", "RANGE", "Question", ("id",), unique=True),
    Index("schema/answer_id", "RANGE", "Answer", ("id",), unique=True),
    Index("schema/question_triple_id", "RANGE", "QuestionTriple", ("id",), unique=True),
    Index("schema/failure_id", "RANGE", "Failure", ("id",), unique=True),
    Index("schema/term_id", "RANGE", "Term", ("id",), unique=True),
    Index("schema/parameters_id", "RANGE", "Parameters", ("id",), unique=True),
    ITEM_INDEX,
    Index("schema/claim_id", "RANGE", "Claim", ("id",), unique=True),
    Index("schema/denotes_document", "RANGE", "DENOTES", ("document_id",)),
    Index("schema/relates_to_triple", "RANGE", "RELATES_TO", ("triple_id",)),
    Index("schema/relates_to_relation", "TEXT", "RELATES_TO", ("relation",)),
    Index("schema/passage_title", "RANGE", "Passage", ("normal_title", "position")),
    Index("schema/passage_text_key", "RANGE", "Passage", ("text_key", "id")),
    Index("schema/passage_document", "RANGE", "Passage", ("document_id",)),
    Index("schema/passage_text", "FULLTEXT", "Passage", ("text", "title", "words")),
    Index("schema/passage_words", "FULLTEXT", "Passage", ("words",)),
    Index("schema/entity_name", "FULLTEXT", "Entity", ("name", "aliases")),
    Index("schema/document_title", "TEXT", "Document", ("title",)),
    Index("schema/document_source", "TEXT", "Document", ("source",)),
    Index("schema/answer_created_at", "RANGE", "Answer", ("created_at", "id")),
    Index("schema/question_text", "TEXT", "Question", ("text",)),
)
VECTOR_INDEX = Index("schema/passage_embedding", "VECTOR", "Passage", ("embedding",))
ALL = (*INDEXES, VECTOR_INDEX)


def make_schema(server: Neo4jServer, dimension: int) -> None:
    """Create what is missing for a graph and wait until all of it serves.

    Args:
        server: where.
        dimension: of the encoder's vectors.

    Raises:
        BadRequest: an index of others is called as one of ours.
        StoreUnavailable: something is still missing or fails afterwards.
    """
    if not wrong_indexes(server, dimension):
        return
    _clear_names(server, dimension)
    for index in INDEXES:
        server.write(lambda run, name=index.statement: run(name))
    make_vector_index(server, dimension)
    if wrong := wrong_indexes(server, dimension):
        raise StoreUnavailable(
            f"{server.where} did not make the indexes {', '.join(wrong)}; SHOW INDEXES tells "
            "which of others are on the same labels and properties, and which failed"
        )


def drop_vector_index(server: Neo4jServer) -> None:
    """Drop the vector index, for vectors of another encoder."""
    name = VECTOR_INDEX.name(server.prefix)
    server.write(lambda run: run("schema/drop_index", name=name))


def make_vector_index(server: Neo4jServer, dimension: int) -> None:
    """Create the vector index if it is missing, and wait until all indexes serve."""
    options = vector_options(dimension)
    server.write(lambda run: run(VECTOR_INDEX.statement, options=options))
    await_indexes(server)


def await_indexes(server: Neo4jServer) -> None:
    """Wait until all indexes of the graph serve."""
    held = {row["name"] for row in all_indexes(server)}
    names = [index.name(server.prefix) for index in ALL]
    names = [name for name in names if name in held]
    server.write(lambda run: run("schema/await", names=names, seconds=INDEX_SECONDS))


def vector_options(dimension: int) -> Row:
    """Return the options of the vector index."""
    config = {
        "vector.dimensions": dimension,
        "vector.similarity_function": "cosine",
        # Quantised, a vector would not be quite like itself.
        "vector.quantization.enabled": False,
    }
    return {"indexConfig": config}


def all_indexes(server: Neo4jServer) -> list[Row]:
    """Return all indexes of the database, whoever made them."""
    return server.read(lambda run: run("schema/indexes"))


def wrong_indexes(server: Neo4jServer, dimension: int) -> list[str]:
    """Name the indexes that are missing, do not serve, or are not as they should be."""
    serving = [row for row in all_indexes(server) if row["state"] == "ONLINE"]

    def serves(index: Index) -> bool:
        due = dimension if index is VECTOR_INDEX else None
        return any(
            index.is_met_by(row, server.prefix) and row["dimension"] == due for row in serving
        )

    return [index.name(server.prefix) for index in ALL if not serves(index)]


def unique_labels(server: Neo4jServer, names: Collection[str]) -> list[str]:
    """Tell the labels whose ids the indexes of these names are to keep unique."""
    prefix = server.prefix
    return [one.target(prefix) for one in ALL if one.unique and one.name(prefix) in names]


def drop_failed(server: Neo4jServer) -> None:
    """Drop those indexes of the graph whose making failed: they can only be made anew."""
    names = {index.name(server.prefix): index for index in ALL}
    for row in all_indexes(server):
        index = names.get(row["name"])
        if index and row["state"] == "FAILED" and row["on"] == [index.target(server.prefix)]:
            drop(server, row)


def _clear_names(server: Neo4jServer, dimension: int) -> None:
    """Drop what is called as an index of ours and was ours once; refuse what is others'."""
    named = {row["name"]: row for row in all_indexes(server)}
    for index in ALL:
        row = named.get(index.name(server.prefix))
        # One that another process is just making a constraint of does not belong to that yet.
        if row is None or (
            index.is_on_what(row, server.prefix) and row["dimension"] in (None, dimension)
        ):
            continue
        if row["on"] != [index.target(server.prefix)]:
            raise BadRequest(
                f"{server.where} has an index {row['name']} on {_listed(row['on'])} "
                f"({_listed(row['properties'])}), which is not Hoptrail's, though a graph needs "
                "one of that name. Drop it and make it again under another name, or set "
                "HOPTRAIL_NEO4J_PREFIX, with which names of labels and indexes begin."
            )
        drop(server, row)


def drop(server: Neo4jServer, row: Row) -> None:
    """Drop an index, a row of `schema/indexes`, or the constraint that it stands under."""
    statement = "schema/drop_constraint" if row["unique"] else "schema/drop_index"
    server.write(lambda run: run(statement, name=row["name"]))


def _listed(names: Iterable[str] | None) -> str:
    return ", ".join(names or ["nothing"])
