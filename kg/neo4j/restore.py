"""A whole graph written into Neo4j, in many transactions, marked as unfinished until the last.

Its records go through a temporary SQLite graph first, where they are held against each other: a
server sees nothing of a file that contradicts itself.
"""

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from ..errors import BadRequest, StoreUnavailable
from ..graph_info import check_version, now
from ..records import not_empty
from ..sqlite.scratch import ScratchGraph
from ..text.words import stable_id
from ..types import Triple
from . import rows
from .answers import write_evidence
from .migrate import read_info
from .schema import await_indexes, make_schema
from .server import Neo4jServer
from .statements import ROWS, ROWS_WITH_VECTORS, Row, Statements

Progress = Callable[[int], None]
Made = Callable[[ScratchGraph], Iterator[Row]]

MAX_CLEARED = 10_000  # nodes that a transaction deletes


def restore(server: Neo4jServer, records: Iterable[Mapping[str, Any]], progress: Progress) -> int:
    """See Maintenance.restore."""
    server.read(lambda run: _check_empty(run, server.where))
    with ScratchGraph() as scratch:
        count = scratch.restore(records)
        _Restoration(server, scratch, lambda done: progress(min(done, count))).run()
    progress(count)
    return count


def check_whole(where: str, info: Row) -> None:
    """Refuse a graph that is being restored.

    Raises:
        StoreUnavailable: it is, or the process that did so broke off.
    """
    if info.get("restoring"):
        raise StoreUnavailable(
            f"A whole graph is being written into {where}, or that broke off. Wait until it ends, "
            "or repeat the `hoptrail copy` or `import` that began it: it begins anew."
        )


def nodes(count: int) -> str:
    """Count nodes in words."""
    return "1 node" if count == 1 else f"{count:,} nodes"


def check_free(run: Statements, where: str) -> None:
    """Refuse a database that holds no graph, but nodes with the labels of one.

    Raises:
        BadRequest: it does; they may be another program's.
    """
    count = run("info/labelled")[0]["nodes"]
    if count and not read_info(run):
        raise BadRequest(
            f"{where} holds {nodes(count)} with labels of Hoptrail, which begin with {run.prefix}, "
            "but no graph: they are another program's, or left of a graph. Take them away, or set "
            "HOPTRAIL_NEO4J_PREFIX to what the labels of your graph shall begin with instead."
        )


def check_unchanged(where: str, before: int, after: int) -> None:
    """Refuse what was read over several transactions while documents came or went.

    Raises:
        StoreUnavailable: documents came or went meanwhile.
    """
    if before != after:
        raise StoreUnavailable(
            f"{where} was written to while it was read; repeat the command when nobody ingests."
        )


class _Restoration:
    def __init__(self, server: Neo4jServer, scratch: ScratchGraph, progress: Progress) -> None:
        self._server = server
        self._scratch = scratch
        self._info = scratch.info()
        self._progress = progress
        self._token = secrets.token_hex(8)
        self._written = 0

    def run(self) -> None:
        self._server.write(lambda run: run("schema/graph_info"))  # so that there is one node
        self._server.write(self._begin)
        while self._write(lambda run: run("restore/clear", limit=MAX_CLEARED))[0]["gone"]:
            pass
        make_schema(self._server, self._info.fingerprint.dimension)
        for name, made, size in _PARTS:
            self._chunked(name, made(self._scratch), size)
        for row in self._scratch.rows("linked_by"):
            mark = {"ids": [row["document_id"]], "maker": row["method"]}
            self._write(lambda run, mark=mark: run("wikidata/mark", **mark))
        for kept in self._scratch.rows("parameters"):
            self._write(lambda run, kept=kept: run("info/keep_parameters", **kept))
        for record in self._scratch.rows("answer"):
            self._write(lambda run, record=record: _write_answer(run, record))
        await_indexes(self._server)
        self._write(self._finish)

    def _begin(self, run: Statements) -> None:
        run("info/lock")
        _check_empty(run, self._server.where)
        own = {"created_by": self._info.created_by, "restoring": self._token}
        run("restore/begin", info=rows.new_info(self._info.fingerprint) | own)

    def _finish(self, run: Statements) -> list[Row]:
        due = self._scratch.counts()
        if (held := run("read/statistics")[0]) != due:
            differ = {name: held[name] for name in due if held[name] != due[name]}
            raise StoreUnavailable(
                f"{self._server.where} holds other numbers than were written: {differ}; did "
                "another program write into it? Repeat the command: it begins anew."
            )
        return run("restore/finish")

    def _chunked(self, name: str, made: Iterable[Row], size: int) -> None:
        listed = iter(made)
        while chunk := list(islice(listed, size)):
            self._write(lambda run, chunk=chunk: run(name, rows=chunk))
            self._written += len(chunk)
            self._progress(self._written)

    def _write(self, work: Callable[[Statements], list[Row]]) -> list[Row]:
        def held(run: Statements) -> list[Row]:
            if not run("restore/hold", token=self._token):
                raise StoreUnavailable(
                    f"Another process has begun to write a whole graph into {self._server.where}; "
                    "this one stopped. Wait until that ends."
                )
            return work(run)

        return self._server.write(held)


def _check_empty(run: Statements, where: str) -> None:
    """Nothing is there, or what a restoration that broke off has left."""
    if found := run("info/read"):
        check_version(where, found[0]["info"]["schema_version"])
        if found[0]["info"].get("restoring"):
            return
    check_free(run, where)
    counts = run("read/statistics")[0] | {"fitted parameters": len(run("info/all_parameters"))}
    if held := {name: count for name, count in counts.items() if count}:
        raise not_empty(where, held)


# -- what the scratch graph holds, as rows of the statements that write
def _documents(scratch: ScratchGraph) -> Iterator[Row]:
    for row in scratch.rows("document"):
        rows.indexable("title", row["title"])
        rows.indexable("source", row["source"])
        yield rows.node("document", row)


def _passages(scratch: ScratchGraph) -> Iterator[Row]:
    for row in scratch.passages():
        extractor, embedding = row.pop("extractor"), rows.decoded(row.pop("embedding"))
        yield rows.passage_row(row, embedding, extractor)


def _has_passage(scratch: ScratchGraph) -> Iterator[Row]:
    return scratch.select("SELECT id, document_id FROM passage ORDER BY document_id, position")


def _triples(scratch: ScratchGraph) -> Iterator[Row]:
    for row in scratch.rows("triple"):
        slots = (row[name] for name in ("head", "relation", "tail", "extractor"))
        yield rows.triple_row(Triple(*slots), row)


def _triple_vectors(scratch: ScratchGraph) -> Iterator[Row]:
    for row in scratch.rows("triple"):
        if row["embedding"] is not None:
            yield {"id": row["id"], "embedding": rows.decoded(row["embedding"])}


def _failures(scratch: ScratchGraph) -> Iterator[Row]:
    at = rows.as_time(now())
    for row in scratch.rows("failure"):
        yield row | {"id": stable_id("failure", row["source"]), "failed_at": at}


def _items(scratch: ScratchGraph) -> Iterator[Row]:
    for row in scratch.rows("item"):
        yield rows.node("item", row) | {"name": row["label"] or row["id"]}


def _claims(scratch: ScratchGraph) -> Iterator[Row]:
    for row in scratch.rows("claim"):
        yield rows.node("claim", row) | {"name": f"{row['relation']}: {row['value']}"}


def _of_kind(kind: str) -> Made:
    return lambda scratch: scratch.rows(kind)


_PARTS: tuple[tuple[str, Made, int], ...] = (
    ("write/documents", _documents, ROWS),
    ("write/passages", _passages, ROWS_WITH_VECTORS),
    ("write/has_passage", _has_passage, ROWS),
    ("write/next", _of_kind("next"), ROWS),
    ("derive/new_entities", ScratchGraph.entities, ROWS),
    ("write/mentions", _of_kind("mentions"), ROWS),
    ("derive/share_keywords", _of_kind("shares_keyword"), ROWS),
    ("derive/names", _of_kind("names"), ROWS),
    ("write/triples", _triples, ROWS),
    ("write/triple_embeddings", _triple_vectors, ROWS_WITH_VECTORS),
    ("write/states", _of_kind("states"), ROWS),
    ("restore/terms", ScratchGraph.terms, ROWS),
    ("wikidata/write_items", _items, ROWS),
    ("wikidata/write_links", _of_kind("link"), ROWS),
    ("wikidata/write_claims", _claims, ROWS),
    ("write/failures", _failures, ROWS),
)
"""Statements, what they are run for, and how many rows at once."""


def _write_answer(run: Statements, record: Row) -> list[Row]:
    text = rows.indexable("question", record["question"])
    question = {"id": stable_id("question", text), **rows.called(text)}
    answer = rows.node("answer", record) | rows.called(record["text"])
    del answer["question"]
    run("answers/write", question=question, answer=answer)
    write_evidence(run, record["id"], record)
    return []
