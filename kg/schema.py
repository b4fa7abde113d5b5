"""One description of the graph: the kinds of its records, what each holds, and in which order.

From it follow the fields that an export writes and an import checks (kg/records.py), the columns of
the SQLite tables (kg/sqlite/columns.py), and the properties of Neo4j's nodes (kg/neo4j/rows.py).

A new property of documents, passages, entities or triples is one line here, with a default: graphs
and exports of older versions have that, and a SQLite file gets the column by the next write. `add`
takes it from the attribute of that name of each Document, Passage or Triple that has one. Only to
read it again as a typed attribute (`graph.passages(ids)[id].x`) takes a second line: a field of
that name, with a default, in the dataclass of kg/types.py. Where a document that differs in it
alone shall count as changed, `Document.sha256` has to take it in, too.
"""

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from .text.words import encodable

REQUIRED: Any = object()
"""The default of a field that every record must have."""

Kept = Literal["plain", "truth", "time", "list", "map", "vector", "evidence"]
"""How stores keep a value: a time is text in SQLite and a temporal value in Neo4j; a list is JSON
text in SQLite, a map in both; vectors and evidence lie beside the row or node in SQLite, evidence
is relationships in Neo4j."""


@dataclass(frozen=True, slots=True)
class Type:
    """What may stand in a field.

    Args:
        says: what may, for messages.
        test: whether a value may.
        column: SQLite's type of it.
        kept: see Kept.
    """

    says: str
    test: Callable[[Any], bool]
    column: str = "TEXT"
    kept: Kept = "plain"


@dataclass(frozen=True, slots=True)
class Field:
    """A property of a kind of record.

    Args:
        name: in records, columns and properties alike.
        type: of its values.
        default: of records and graphs of older versions, which lack it.
        derived: it follows from other records, and is derived again when a graph is mended.
    """

    name: str
    type: Type
    default: Any = REQUIRED
    derived: bool = False


@dataclass(frozen=True)
class Kind:
    """A kind of record.

    Args:
        fields: in the order in which records have them, after the name of the kind.
        key: names of the fields that tell one record from another, and sort them.
        derived: its records follow from others, and have to be in an import as they follow.
    """

    fields: tuple[Field, ...]
    key: tuple[str, ...] = ("id",)
    derived: bool = False

    def key_of(self, record: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a text, or several
        """Return what sorts a record among those of its kind."""
        values = [record[name] for name in self.key]
        return tuple(values) if len(values) > 1 else "".join(values)

    def names(self, derived: bool = False) -> tuple[str, ...]:
        """Return the names of all fields, or of those alone that are derived."""
        return tuple(field.name for field in self.fields if field.derived or not derived)

    @functools.cached_property
    def kept(self) -> list[tuple[str, str]]:
        """Names and types of what lies with the row or node, for thousands of these at once."""
        return [(f.name, f.type.kept) for f in self.fields if f.type.kept != "evidence"]

    @functools.cached_property
    def taken(self) -> list[tuple[str, tuple[Any, ...]]]:
        """Names and defaults, if any, of what `properties` takes."""
        return [
            (field.name, () if field.default is REQUIRED else (field.default,))
            for field in self.fields
            if field.type.kept not in ("vector", "evidence")
        ]


def _text(value: object) -> bool:
    return type(value) is str and (value.isascii() or encodable(value))


def _whole(value: object) -> bool:
    return type(value) is int and -(2**63) <= value < 2**63


def _page(value: object) -> bool:
    return value is None or (_whole(value) and value > 0)  # pyright: ignore[reportOperatorIssue]


def _number(value: object) -> bool:
    return _whole(value) or (type(value) is float and math.isfinite(value))


def _texts(value: object) -> bool:
    return type(value) in (list, tuple) and all(map(_text, value))  # pyright: ignore[reportArgumentType]


def _map(value: object) -> bool:
    return type(value) is dict and all(map(_text, value))


def _or_none(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or test(value)


def _step(value: object) -> bool:
    return _shaped(value, _whole, _whole, _number, _text, _texts)


def _traced(value: object) -> bool:
    return _shaped(value, _whole, _whole, _text, _text, _text)


def _end(value: object) -> bool:
    return _shaped(value, _whole, lambda kind: kind in ("initial", "target"), _text)


def _asked(value: object) -> bool:
    texts, maybe = (_text,) * 7, _or_none(_number)
    return _shaped(value, _whole, *texts, maybe, lambda kept: type(kept) is bool, _whole)


def _link(value: object) -> bool:
    kinds = ("triple", "passage", "head", "tail")
    return _shaped(value, _whole, lambda kind: kind in kinds, _whole, _text)


def _cite(value: object) -> bool:
    return _shaped(value, _whole, _whole, _number, _text)


def _shaped(value: Any, *tests: Callable[[Any], bool]) -> bool:  # noqa: ANN401 - of a file
    return (
        type(value) in (list, tuple)
        and len(value) == len(tests)
        and all(test(part) for test, part in zip(tests, value, strict=True))
    )


def _list_of(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: type(value) is list and all(map(test, value))


TEXT = Type("a text", _text)
MAYBE_TEXT = Type("a text or null", _or_none(_text))
WHOLE = Type("a whole number", _whole, "INTEGER")
MAYBE_WHOLE = Type("a whole number or null", _or_none(_whole), "INTEGER")
PAGE = Type("a page from 1 or null", _page, "INTEGER")
NUMBER = Type("a number", _number, "REAL")
MAYBE_NUMBER = Type("a number or null", _or_none(_number), "REAL")
TRUTH = Type("true or false", lambda value: type(value) is bool, "INTEGER", "truth")
TIME = Type("a text", _text, kept="time")  # as `graph_info.now` writes it, or any
TEXTS = Type("a list of texts", _texts, kept="list")
MAP = Type("a map", _map, kept="map")
VECTOR = Type("a text", _text, "BLOB", "vector")  # base64 of little-endian float32
MAYBE_VECTOR = Type("a text or null", _or_none(_text), "BLOB", "vector")
STEPS = Type(
    "[[chain, order, score, triple_id, [passage_ids]], …]", _list_of(_step), "", "evidence"
)
CITES = Type("[[rank, votes, score, passage_id], …]", _list_of(_cite), "", "evidence")
TRACED = Type("[[order, round, entity, guidance, triple_id], …]", _list_of(_traced), "", "evidence")
TRACED_ENDS = Type('[[order, "initial" or "target", entity_id], …]', _list_of(_end), "", "evidence")
ASKED = Type(
    "[[order, head, relation, tail, head_value, tail_value, sub_question, sub_answer, confidence, "
    "kept, tries], …]",
    _list_of(_asked),
    "",
    "evidence",
)
ASKED_LINKS = Type(
    '[[order, "triple", "passage", "head" or "tail", rank, id], …]', _list_of(_link), "", "evidence"
)

CLAIM_STEPS = Type("[[chain, order, score, claim_id], …]", _list_of(_cite), "", "evidence")
CLAIM_CITES = Type("[[rank, votes, score, claim_id], …]", _list_of(_cite), "", "evidence")
CLAIM_TRACED = Type(
    "[[order, round, entity, guidance, claim_id], …]", _list_of(_traced), "", "evidence"
)

_ENDS = (Field("source", TEXT), Field("target", TEXT))

KINDS: dict[str, Kind] = {
    "info": Kind(
        (
            Field("schema_version", WHOLE),
            Field("fingerprint", MAP),
            Field("created_by", TEXT),
        ),
        key=(),
    ),
    "parameters": Kind((Field("id", TEXT), Field("text", TEXT))),
    "document": Kind(
        (
            Field("id", TEXT),
            Field("title", TEXT),
            Field("source", TEXT),
            Field("sha256", TEXT),
            Field("metadata", MAP),
            Field("ingested_at", TIME),
        )
    ),
    "passage": Kind(
        (
            Field("id", TEXT),
            Field("document_id", TEXT),
            Field("position", WHOLE),
            Field("title", TEXT),
            Field("normal_title", TEXT, derived=True),
            Field("text", TEXT),
            Field("terms", TEXTS, derived=True),
            Field("text_key", TEXT, "", derived=True),
            Field("heading", TEXT, ""),
            Field("page", PAGE, None),
            Field("language", TEXT, ""),
            Field("headings", TEXTS, []),
            Field("embedding", VECTOR),
        )
    ),
    "entity": Kind(
        (
            Field("id", TEXT),
            Field("name", TEXT, derived=True),
            Field("aliases", TEXTS, derived=True),
            Field("terms", TEXTS, derived=True),
            Field("passages", WHOLE, derived=True),
            Field("wikidata_id", MAYBE_TEXT, None),
            Field("description", MAYBE_TEXT, None),
        )
    ),
    "triple": Kind(
        (
            Field("id", TEXT),
            Field("head", TEXT),
            Field("relation", TEXT),
            Field("tail", TEXT),
            Field("extractor", TEXT),
            Field("embedding", MAYBE_VECTOR, None),
        )
    ),
    "next": Kind(_ENDS, ("source", "target"), derived=True),
    "mentions": Kind(
        (
            Field("passage_id", TEXT),
            Field("entity_id", TEXT),
            Field("surface", TEXT),
        ),
        ("passage_id", "entity_id"),
    ),
    "shares_keyword": Kind(  # source < target
        (*_ENDS, Field("keywords", TEXTS), Field("weight", NUMBER)),
        ("source", "target"),
        derived=True,
    ),
    "names": Kind(_ENDS, ("source", "target"), derived=True),
    "states": Kind(
        (
            Field("passage_id", TEXT),
            Field("triple_id", TEXT),
            Field("start", MAYBE_WHOLE, None),
            Field("end", MAYBE_WHOLE, None),
        ),
        ("passage_id", "triple_id"),
    ),
    "extracted_by": Kind((Field("passage_id", TEXT), Field("extractor", TEXT)), ("passage_id",)),
    "relates_to": Kind(
        (*_ENDS, Field("relation", TEXT), Field("triple_id", TEXT)),
        ("source", "target", "triple_id"),
        derived=True,
    ),
    "item": Kind(  # of Wikidata
        (
            Field("id", TEXT),
            Field("label", TEXT),
            Field("description", TEXT),
            Field("endpoint", TEXT),
            Field("fetched_at", TIME),
        )
    ),
    "link": Kind(
        (
            Field("document_id", TEXT),
            Field("entity_id", TEXT),
            Field("item_id", TEXT),
            Field("score", NUMBER),
            Field("margin", NUMBER),
            Field("method", TEXT),
            Field("reason", TEXT),
        ),
        ("document_id", "entity_id"),
    ),
    "linked_by": Kind((Field("document_id", TEXT), Field("method", TEXT)), ("document_id",)),
    "claim": Kind(
        (
            Field("id", TEXT),
            Field("item_id", TEXT),
            Field("pid", TEXT),
            Field("relation", TEXT),
            Field("value", TEXT),
            Field("value_id", MAYBE_TEXT, None),
            Field("rank", TEXT),
            Field("unit", TEXT),
            Field("start", TEXT),
            Field("end", TEXT),
            Field("point_in_time", TEXT),
            Field("statement", TEXT),
            Field("endpoint", TEXT),
            Field("fetched_at", TIME),
        )
    ),
    "answer": Kind(
        (
            Field("id", TEXT),
            Field("question", TEXT),
            Field("method", TEXT),
            Field("text", TEXT),
            Field("abstained", TRUTH),
            Field("confidence", MAYBE_NUMBER, None),
            Field("model", TEXT),
            Field("usage", MAP),
            Field("created_at", TIME),
            Field("steps", STEPS),
            Field("cites", CITES),
            Field("traced", TRACED, []),
            Field("traced_ends", TRACED_ENDS, []),
            Field("asked", ASKED, []),
            Field("asked_links", ASKED_LINKS, []),
            Field("claim_steps", CLAIM_STEPS, []),
            Field("claim_cites", CLAIM_CITES, []),
            Field("claim_traced", CLAIM_TRACED, []),
        )
    ),
    "failure": Kind((Field("source", TEXT), Field("reason", TEXT)), ("source",)),
}
"""By name, in the order in which a graph gives its records."""


def properties(kind: str, thing: object) -> dict[str, Any]:
    """Take from a Document, Passage, Triple, … what is kept of it beside vectors and evidence.

    What it has no attribute for has the field's default.
    """
    return {name: getattr(thing, name, *missing) for name, missing in KINDS[kind].taken}
