"""Copies a whole graph from one store into another."""

from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

from ...kg.errors import BadRequest, EmptyGraph, StoreUnavailable
from ...kg.records import BadRecords
from ...kg.store import GraphStore
from ...kg.types import SCHEMA_VERSION

NOT_RECORDS = ("questions", "embedded_triples")  # counts of `statistics`


def copy_graph(
    source: GraphStore, target: GraphStore, progress: Callable[[int], None] = lambda done: None
) -> int:
    """Write everything in `source` into `target`, which is empty, and count the records.

    Args:
        source: may be of an older version; the copy is of this one.
        target: a graph that holds nothing, or none yet.
        progress: called with the number of records written so far.

    Raises:
        BadRequest: they are the same, or the target holds something.
        EmptyGraph: there is no graph in the source.
        StoreUnavailable: see its message; and a source that contradicts itself.
    """
    if _same(source.where, target.where):
        raise BadRequest(f"{target.where} is the graph itself; name another place for the copy.")
    if source.info() is None:
        raise EmptyGraph(f"There is no graph in {source.where} to copy.")
    try:
        return target.maintenance.restore(source.maintenance.records(), progress)
    except BadRecords as error:
        raise StoreUnavailable(
            f"{source.where} is not sound: {str(error).rstrip('.')}. Nothing was written. "
            "`hoptrail doctor` says what is wrong, --fix mends it."
        ) from error


def size(source: GraphStore) -> int:
    """Estimate how many records a graph has."""
    counts = source.statistics()
    return sum(number for name, number in counts.items() if name not in NOT_RECORDS)


def difference(source: GraphStore, target: GraphStore) -> str:
    """Find the first record in which two graphs differ, for messages; "" when they are equal."""
    pairs = zip_longest(_comparable(source), _comparable(target))
    for number, (one, other) in enumerate(pairs, 1):
        if one != other:
            return f"record {number}: {_named(one)} here, {_named(other)} there"
    return ""


def _comparable(store: GraphStore) -> Iterator[dict[str, Any]]:
    for record in store.maintenance.records():
        if record["kind"] == "info":
            record["schema_version"] = SCHEMA_VERSION
        yield record


def _named(record: dict[str, Any] | None) -> str:
    if record is None:
        return "nothing"
    ids = [str(value) for value in list(record.values())[1:3]]
    return f"{record['kind']} {' '.join(ids)}"


def _same(where: str, other: str) -> bool:
    if "://" in where or "://" in other:
        return where == other
    return Path(where).resolve() == Path(other).resolve()
