"""The GraphInfo node, alike on every store: who made the graph, and which encoder it takes."""

import shlex
from dataclasses import asdict, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from .errors import BadRequest, EncoderMismatch, SchemaMismatch
from .types import SCHEMA_VERSION, Fingerprint, GraphInfo, Vector


def now() -> str:
    """Tell the time as ISO 8601, UTC, to the microsecond, so that text order is time order."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def created_by() -> str:
    """Name this program and its version."""
    try:
        return f"hoptrail {version('hoptrail')}"
    except PackageNotFoundError:  # run from a folder that was never installed
        return "hoptrail"


def check_version(where: str, schema_version: int) -> None:
    """Refuse a graph of a newer version, which may hold what this one would break.

    Raises:
        SchemaMismatch: it is newer.
    """
    if schema_version > SCHEMA_VERSION:
        raise SchemaMismatch(
            f"{where} was written by a newer version (schema {schema_version}, "
            f"this one knows {SCHEMA_VERSION}); upgrade hoptrail"
        )


def older(where: str, lacking: str) -> SchemaMismatch:
    """Make the error for who asks a graph of an older version for what it does not hold."""
    return SchemaMismatch(
        f"{where} was made by an older version and lacks what this needs ({lacking}).",
        "`hoptrail ingest` of any document, also of one that it holds, brings it up to date.",
    )


def too_old(where: str, lacking: str) -> SchemaMismatch:
    """Make the error for a graph of an older version that lacks what only ingesting can give."""
    return SchemaMismatch(
        f"{where} was made by an older version and can't be brought up to date: {lacking}.",
        "Ingest its documents into a new graph: hoptrail --graph NEW.db ingest PATH…",
    )


def info_record(info: GraphInfo) -> dict[str, Any]:
    """Make the record of kind "info" of `Maintenance.records`."""
    return {
        "kind": "info",
        "schema_version": info.schema_version,
        "fingerprint": asdict(info.fingerprint),
        "created_by": info.created_by,
    }


def check_encoder(where: str, held: Fingerprint, given: Fingerprint) -> None:
    """Refuse vectors of another encoder than the graph's.

    Raises:
        EncoderMismatch: what differs, and what to do.
    """
    before, now_given = asdict(held), asdict(given)
    differ = [
        f"{k} {before[k]!r}, not {now_given[k]!r}" for k in before if before[k] != now_given[k]
    ]
    if differ:
        raise EncoderMismatch(
            f"The graph in {where} was made with another encoder: {'; '.join(differ)}.",
            "Use that one (--encoder, --query-prefix, --passage-prefix), or move the graph to this "
            "one: `hoptrail reembed` with the same options.",
        )


def check_target(where: str, target: Fingerprint | None, given: Fingerprint) -> None:
    """Refuse new vectors of another encoder than the one that the graph is being moved to.

    Raises:
        EncoderMismatch: the graph is being moved to another, or to none.
    """
    if target != given:
        to = f"to {target.name} ({target.weights})" if target else "by nobody any longer"
        raise EncoderMismatch(
            f"The graph in {where} is being moved {to}, not to {given.name} ({given.weights}): "
            "another process has begun or ended that; repeat the command to move it there."
        )


def as_options(fingerprint: Fingerprint) -> str:
    """Name an encoder as the command line does; one in a folder by its path there."""
    named = {
        "encoder": fingerprint.name,
        "query-prefix": fingerprint.query_prefix,
        "passage-prefix": fingerprint.passage_prefix,
    }
    return " ".join(f"--{name} {shlex.quote(value)}" for name, value in named.items() if value)


def described(fingerprint: Fingerprint) -> str:
    """Name an encoder, with the prefixes by which it differs from others of that name."""
    prefixes = as_options(replace(fingerprint, name=""))
    return f"{fingerprint.name} ({prefixes})" if prefixes else fingerprint.name


def already(where: str, fingerprint: Fingerprint) -> BadRequest:
    """Make the error for who would move a graph to the encoder that it has."""
    return BadRequest(f"The graph in {where} carries {fingerprint.name} already; nothing to do.")


def check_dimension(where: str, dimension: int, vectors: Vector) -> None:
    """Refuse vectors, (d,) or (n, d), of another dimension than the graph's.

    Raises:
        EncoderMismatch: d is not the graph's.
    """
    if vectors.shape[-1] != dimension:
        raise EncoderMismatch(
            f"The graph in {where} holds vectors of {dimension} dimensions, not "
            f"{vectors.shape[-1]}; use the encoder it was made with."
        )
