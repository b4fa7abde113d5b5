"""What the graph's records look like as Neo4j properties, and back."""

import base64
import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any, TypeVar

import numpy as np

from ..errors import BadRequest
from ..graph_info import created_by, now
from ..schema import KINDS, REQUIRED, properties
from ..text.stemming import searched
from ..text.words import normal_form
from ..types import (
    SCHEMA_VERSION,
    Document,
    Fingerprint,
    GraphInfo,
    Link,
    Scored,
    Statement,
    Triple,
    Vector,
)
from ..vectors import from_bytes

Row = dict[str, Any]
Made = TypeVar("Made")

NO_ANSWER = "no answer"
INDEX_BYTES = 32_766
"""The longest key of a text index."""

_FINGERPRINT = tuple(Fingerprint.__dataclass_fields__)


def new_info(fingerprint: Fingerprint) -> Row:
    """Make the properties of the GraphInfo node of a new graph."""
    return {
        "schema_version": SCHEMA_VERSION,
        "created_by": created_by(),
        "created_at": as_time(now()),
        **encoder_row(fingerprint),
    }


def encoder_row(fingerprint: Fingerprint) -> Row:
    """Make the properties of GraphInfo that say which encoder."""
    return {f"encoder_{name}": getattr(fingerprint, name) for name in _FINGERPRINT}


def info(row: Row) -> GraphInfo:
    """Read the GraphInfo node's properties."""
    slots = {name: row[f"encoder_{name}"] for name in _FINGERPRINT}
    return GraphInfo(row["schema_version"], Fingerprint(**slots), row["created_by"])


# -- nodes as kg/schema.py describes them
def names(kind: str, make: type | None = None) -> list[str]:
    """Name the properties of a kind's nodes; of those alone that a dataclass has."""
    wanted = {field.name for field in fields(make)} if make else KINDS[kind].names()
    held = (field for field in KINDS[kind].fields if field.type.kept != "evidence")
    return [field.name for field in held if field.name in wanted]


def node(kind: str, values: Mapping[str, Any]) -> Row:
    """Make a node's properties of a record, or of `schema.properties`."""
    row: Row = {}
    for name, kept in KINDS[kind].kept:
        if name in values:
            write, value = _WRITE.get(kept), values[name]
            row[name] = write(value) if write and value is not None else value
    return row


def record(kind: str, listed: Iterable[str], held: Iterable[Any]) -> Row:
    """Read a node's properties of these names, with defaults for those that it lacks."""
    described = {field.name: field for field in KINDS[kind].fields}
    row: Row = {}
    for name, value in zip(listed, held, strict=True):
        field = described[name]
        if value is None:
            row[name] = None if field.default is REQUIRED else field.default
        else:
            read = _READ.get(field.type.kept)
            row[name] = read(value) if read else value
    return row


def made(kind: str, make: type[Made], held: Iterable[Any]) -> Made:
    """Make a dataclass of a node's properties, which were read by `names(kind, make)`."""
    row = record(kind, names(kind, make), held)
    return make(**{name: tuple(v) if isinstance(v, list) else v for name, v in row.items()})


def document_row(document: Document) -> Row:
    """Make the properties of a Document node."""
    held = properties("document", document)
    indexable("title", document.title)
    indexable("source", document.source)
    return node("document", held | {"ingested_at": held["ingested_at"] or now()})


def passage_row(passage: Mapping[str, Any], embedding: list[float], extractor: str | None) -> Row:
    """Make a row of `write/passages`: the properties of a Passage node, and its vector.

    Its `words` are what is searched, as nobody types them.
    """
    words = searched(f"{passage['title']} {passage['text']}", passage["language"])
    held = node("passage", passage) | {"words": words, "extractor": extractor}
    return {"properties": held, "embedding": embedding}


def triple_row(triple: Triple, values: Mapping[str, Any]) -> Row:
    """Make a row of `write/triples`: the properties of a Triple node without a vector, its ends."""
    held = node("triple", values)
    held.pop("embedding", None)
    indexable("relation", triple.relation)
    return {
        "properties": held | called(triple.text),
        "head_id": normal_form(triple.head),
        "tail_id": normal_form(triple.tail),
        "tied": triple.tied,
    }


def statement(row: Row) -> Statement:
    """Read a row of `read/statements_of`: a Triple node's properties, and those of a STATES."""
    triple = made("triple", Triple, row["held"])
    return Statement(row["passage_id"], triple, row["start"], row["end"])


def statements_of(found: Iterable[Row], passage_ids: Iterable[str]) -> list[Statement]:
    """Sort what passages state by (passage as asked, start (unknown last), triple id)."""
    place = {key: number for number, key in enumerate(passage_ids)}

    def order(row: Row) -> tuple[int, float, str]:
        start = float("inf") if row["start"] is None else row["start"]
        return place[row["passage_id"]], start, row["id"]

    return [statement(row) for row in sorted(found, key=order)]


def as_time(text: str) -> datetime | str:
    """Make a temporal value of a time as `graph_info.now` writes it; any other text stays one."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return text
    exact = time.tzinfo is not None and as_text(time) == text
    return time if exact else text


def as_text(time: Any) -> Any:  # noqa: ANN401 - of a driver that knows two kinds of time
    """Write a temporal value as `graph_info.now` does; what is none stays as it is."""
    if isinstance(time, str) or time is None:
        return time
    native = time if isinstance(time, datetime) else time.to_native()
    return native.isoformat(timespec="microseconds")


def indexable(what: str, text: str) -> str:
    """Return a text that an index shall find.

    Raises:
        BadRequest: it is longer than the key of any index of a server.
    """
    if len(text) > INDEX_BYTES // 4 and (size := len(text.encode())) > INDEX_BYTES:
        raise BadRequest(
            f"The {what} {text[:40]!r}… is {size:,} bytes long, and a server finds none of more "
            f"than {INDEX_BYTES:,}; shorten it, or keep the graph in a file."
        )
    return text


def called(text: str) -> Row:
    """Make the properties of a node that Neo4j Browser and Bloom call by its text, as its name."""
    return {"text": text, "name": text or NO_ANSWER}


def floats(vector: Vector) -> list[float]:
    """Make a LIST<FLOAT> of a vector, exactly: Community Edition keeps no VECTOR."""
    return np.asarray(vector, np.float32).astype(np.float64).tolist()


def vector(values: list[float]) -> Vector:
    """Make a vector, float32 (d,), of a LIST<FLOAT>."""
    return np.array(values, np.float32)


def decoded(text: str) -> list[float]:
    """Read base64 of little-endian float32."""
    return floats(from_bytes(base64.b64decode(text)))


def as_base64(values: list[float] | None) -> str | None:
    """Write a LIST<FLOAT> as base64 of little-endian float32."""
    if values is None:
        return None
    return base64.b64encode(np.array(values, "<f4").tobytes()).decode("ascii")


def links(found: Iterable[Row], asked: Collection[str]) -> list[Link]:
    """Read rows of `read/neighbours`, each edge once: over several chunks of ids, some come twice.

    By (kind, source, target); a keyword edge begins at the passage asked for.
    """
    distinct = {_link(row, asked) for row in found}
    return sorted(distinct, key=lambda link: (link.kind, link.source, link.target))


def _link(row: Row, asked: Collection[str]) -> Link:
    source, target = row["source"], row["target"]
    if row["keywords"] is None:
        return Link(row["kind"], source, target)
    if source not in asked:
        source, target = target, source
    return Link(row["kind"], source, target, float(len(row["keywords"])), tuple(row["keywords"]))


def scored(found: Iterable[Row]) -> list[Scored]:
    """Read rows of `search/…`."""
    return [Scored(row["id"], row["score"]) for row in found]


_WRITE: dict[str, Callable[[Any], Any]] = {
    "map": lambda value: json.dumps(dict(value), sort_keys=True, ensure_ascii=False),
    "vector": decoded,
    "time": as_time,
}
_READ: dict[str, Callable[[Any], Any]] = {
    "map": json.loads,
    "vector": as_base64,
    "time": as_text,
}
