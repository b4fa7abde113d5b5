"""The records of `Maintenance.records`, checked one by one on their way into a graph."""

import base64
import binascii
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from .errors import BadRequest, SchemaMismatch
from .schema import KINDS, REQUIRED
from .types import SCHEMA_VERSION, Fingerprint, Passage, Triple

Record = dict[str, Any]
Numbered = tuple[int, Record]


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


_PLACES = {kind: place for place, kind in enumerate(KINDS)}


def checked(records: Iterable[Mapping[str, Any]]) -> Iterator[Numbered]:
    """Check records; give each with its number and all fields of its kind.

    Raises:
        BadRecord: a field is missing, unknown or of another type, the id is not that of the
            content, or the record is not in its place: kinds and ids come in order, each id once.
    """
    before: tuple[int, Any] = (-1, "")
    for number, given in enumerate(records, 1):
        kind = given.get("kind") if isinstance(given, Mapping) else None
        if not isinstance(kind, str) or kind not in KINDS:
            raise BadRecord(number, f"its kind is {kind!r}, none of {', '.join(KINDS)}")
        record = _with_all_fields(number, kind, given)
        place = _PLACES[kind], KINDS[kind].key_of(record)
        if before[0] < 0 and kind != "info":
            raise BadRecord(number, f"the first one is of kind 'info', not {kind!r}")
        if place <= before:
            raise BadRecord(number, f"{kind} {_shown(place[1])} is there twice or out of order")
        before = place
        _check_id(number, record)
        yield number, record


def _with_all_fields(number: int, kind: str, given: Mapping[str, Any]) -> Record:
    record = {"kind": kind}
    for field in KINDS[kind].fields:
        name, type_ = field.name, field.type
        value = given.get(name, field.default)
        if value is REQUIRED:
            raise BadRecord(number, f"{kind} lacks {name!r}")
        if not type_.test(value):
            raise BadRecord(number, f"{name!r} of {kind} is {_shown(value)}, not {type_.says}")
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
    """Read the encoder of the graph that the records are of.

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
    """Read the `embedding` of a record: little-endian float32 (d,).

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
    """Make the error for who would write a whole graph into one that holds so many of these."""
    holds = ", ".join(f"{name.replace('_', ' ')}: {count:,}" for name, count in counts.items())
    return BadRequest(f"{where} is not empty ({holds}); name an empty graph, or a new file.")
