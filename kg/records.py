"""The records of `Maintenance.records`, checked one by one on their way into a graph."""

import base64
import binascii
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np

from .errors import BadRequest, SchemaMismatch
from .text.words import encodable
from .types import SCHEMA_VERSION, Fingerprint, Passage, Triple

Record = dict[str, Any]
Numbered = tuple[int, Record]

_REQUIRED = object()


class BadRecords(BadRequest):
    """They contradict each other, or some are missing: no graph gives these."""


class BadRecord(BadRecords):
    """One that no graph gives, or not after those before it.

    Args:
        number: of the record, from 1.
        reason: which field, and what is wrong with it.
    """

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"record {number}: {reason}")
        self.number = number
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Field:
    """What a field of a record holds.

    Args:
        test: whether a value may stand there.
        says: what may, for messages.
        default: of a record that lacks it, as those of older versions do.
    """

    test: Callable[[Any], bool]
    says: str
    default: object = _REQUIRED


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


TEXT = Field(_text, "a text")
WHOLE = Field(_whole, "a whole number")
NUMBER = Field(_number, "a number")
TEXTS = Field(_texts, "a list of texts")
MAP = Field(_map, "a map")
MAYBE_TEXT = Field(_or_none(_text), "a text or null", None)
MAYBE_WHOLE = Field(_or_none(_whole), "a whole number or null", None)
_EDGE = {"source": TEXT, "target": TEXT}

FIELDS: Mapping[str, Mapping[str, Field]] = {
    "info": {"schema_version": WHOLE, "fingerprint": MAP, "created_by": TEXT},
    "parameters": {"id": TEXT, "text": TEXT},
    "document": {
        **dict.fromkeys(("id", "title", "source", "sha256"), TEXT),
        "metadata": MAP,
        "ingested_at": TEXT,
    },
    "passage": {
        "id": TEXT,
        "document_id": TEXT,
        "position": WHOLE,
        **dict.fromkeys(("title", "normal_title", "text"), TEXT),
        "terms": TEXTS,
        "heading": Field(_text, "a text", ""),
        "page": Field(_page, "a page from 1 or null", None),
        "embedding": TEXT,
    },
    "entity": {
        "id": TEXT,
        "name": TEXT,
        "aliases": TEXTS,
        "terms": TEXTS,
        "passages": WHOLE,
        "wikidata_id": MAYBE_TEXT,
        "description": MAYBE_TEXT,
    },
    "triple": {
        **dict.fromkeys(("id", "head", "relation", "tail", "extractor"), TEXT),
        "embedding": MAYBE_TEXT,
    },
    "next": _EDGE,
    "mentions": dict.fromkeys(("passage_id", "entity_id", "surface"), TEXT),
    "shares_keyword": {**_EDGE, "keywords": TEXTS, "weight": NUMBER},
    "names": _EDGE,
    "states": {
        "passage_id": TEXT,
        "triple_id": TEXT,
        "start": MAYBE_WHOLE,
        "end": MAYBE_WHOLE,
    },
    "extracted_by": {"passage_id": TEXT, "extractor": TEXT},
    "relates_to": {**_EDGE, "relation": TEXT, "triple_id": TEXT},
    "answer": {
        **dict.fromkeys(("id", "question", "method", "text"), TEXT),
        "abstained": Field(lambda value: type(value) is bool, "true or false"),
        "confidence": Field(_or_none(_number), "a number or null", None),
        "model": TEXT,
        "usage": MAP,
        "created_at": TEXT,
        "steps": Field(_list_of(_step), "[[chain, order, score, triple_id, [passage_ids]], …]"),
        "cites": Field(_list_of(_cite), "[[rank, votes, score, passage_id], …]"),
    },
    "failure": {"source": TEXT, "reason": TEXT},
}
"""By kind, in the order in which `Maintenance.records` gives them."""

KEYS: dict[str, Callable[[Record], Any]] = {
    **dict.fromkeys(FIELDS, itemgetter("id")),
    "info": lambda _: "",
    **dict.fromkeys(("next", "shares_keyword", "names"), itemgetter("source", "target")),
    "mentions": itemgetter("passage_id", "entity_id"),
    "states": itemgetter("passage_id", "triple_id"),
    "extracted_by": itemgetter("passage_id"),
    "relates_to": itemgetter("source", "target", "triple_id"),
    "failure": itemgetter("source"),
}
_PLACES = {kind: place for place, kind in enumerate(FIELDS)}


def checked(records: Iterable[Mapping[str, Any]]) -> Iterator[Numbered]:
    """Each record with its number and all fields of its kind.

    Raises:
        BadRecord: a field is missing, unknown or of another type, the id is not that of the
            content, or the record is not in its place: kinds and ids come in order, each id once.
    """
    before: tuple[int, Any] = (-1, "")
    for number, given in enumerate(records, 1):
        kind = given.get("kind") if isinstance(given, Mapping) else None
        if not isinstance(kind, str) or kind not in FIELDS:
            raise BadRecord(number, f"its kind is {kind!r}, none of {', '.join(FIELDS)}")
        record = _with_all_fields(number, kind, given)
        place = _PLACES[kind], KEYS[kind](record)
        if before[0] < 0 and kind != "info":
            raise BadRecord(number, f"the first one is of kind 'info', not {kind!r}")
        if place <= before:
            raise BadRecord(number, f"{kind} {_shown(place[1])} is there twice or out of order")
        before = place
        _check_id(number, record)
        yield number, record


def _with_all_fields(number: int, kind: str, given: Mapping[str, Any]) -> Record:
    fields = FIELDS[kind]
    record = {"kind": kind}
    for name, field in fields.items():
        value = given.get(name, field.default)
        if value is _REQUIRED:
            raise BadRecord(number, f"{kind} lacks {name!r}")
        if not field.test(value):
            raise BadRecord(number, f"{name!r} of {kind} is {_shown(value)}, not {field.says}")
        record[name] = value
    if len(given) > len(record) or given.keys() - record.keys():
        unknown = sorted(given.keys() - record.keys())[0]
        raise BadRecord(number, f"{kind} has no field {unknown!r}")
    return record


def _check_id(number: int, record: Record) -> None:
    if record["kind"] == "passage":
        made = Passage(record["document_id"], record["position"], "", record["text"]).id
        rest = "document_id, position and text"
    elif record["kind"] == "triple":
        slots = (record[name] for name in ("head", "relation", "tail", "extractor"))
        made, rest = Triple(*slots).id, "head, relation, tail and extractor"
    else:
        return
    if made != record["id"]:
        raise BadRecord(
            number, f"'id' of {record['kind']} is {record['id']!r}; of its {rest} it is {made!r}"
        )


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def info_of(number: int, record: Record) -> Fingerprint:
    """The encoder of the graph that the records are of.

    Raises:
        BadRecord: its fields are not those of a fingerprint.
        SchemaMismatch: a newer version wrote the records.
    """
    if record["schema_version"] > SCHEMA_VERSION:
        raise SchemaMismatch(
            f"A newer version wrote these records (schema {record['schema_version']}, this one "
            f"knows {SCHEMA_VERSION}); upgrade hoptrail."
        )
    held = record["fingerprint"]
    for name, kind in Fingerprint.__annotations__.items():
        if type(held.get(name)) is not kind:
            raise BadRecord(number, f"{name!r} of 'fingerprint' is {_shown(held.get(name))}")
    if held["dimension"] < 1 or held.keys() - Fingerprint.__annotations__.keys():
        raise BadRecord(number, "'fingerprint' is not one of an encoder")
    return Fingerprint(**held)


def vector_bytes(number: int, record: Record, dimension: int) -> bytes:
    """Little-endian float32 (d,) of its `embedding`.

    Raises:
        BadRecord: it is not base64 of so many finite numbers.
    """
    try:
        data = base64.b64decode(record["embedding"], validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if len(data) != 4 * dimension or not np.isfinite(np.frombuffer(data, "<f4")).all():
        raise BadRecord(
            number,
            f"'embedding' of {record['kind']} {record['id']} is not base64 of {dimension} float32",
        )
    return data


def not_empty(where: str, counts: Mapping[str, int]) -> BadRequest:
    """For who would write a whole graph into one that holds so many of these."""
    holds = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in counts.items())
    return BadRequest(f"{where} holds {holds} already; name an empty graph, or a new file.")
