"""A whole graph written into Neo4j, in many transactions, marked as unfinished until the last.

Its records go through a temporary SQLite graph first, where they are held against each other: a
server sees nothing of a file that contradicts itself.
"""

import json
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from itertools import groupby, islice
from typing import Any

from ..errors import StoreUnavailable
from ..graph_info import check_version, now
from ..records import not_empty
from ..sqlite import restore as sqlite_restore
from ..sqlite.file import nothing, read_info
from ..sqlite.queries import COUNTS
from ..sqlite.records import KINDS
from ..text.words import stable_id, words
from ..types import KEYWORD_CAP, GraphInfo
from ..vectors import from_bytes
from . import rows
from .schema import INDEX_SECONDS, make_schema
from .server import ROWS, ROWS_WITH_VECTORS, Neo4jServer, Row, Statements

Progress = Callable[[int], None]

CLEARED = 10_000  # nodes a transaction


def restore(server: Neo4jServer, records: Iterable[Mapping[str, Any]], progress: Progress) -> int:
    """See Maintenance.restore."""
    server.read(lambda run: _check_empty(run, server.where))
    with closing(nothing("")) as stage:  # in a temporary file of SQLite's own
        stage.execute("BEGIN")
        count = sqlite_restore.restore(stage, records, lambda done: None)
        info = read_info(stage)
        assert info is not None
        _Restoration(server, stage, info, lambda done: progress(min(done, count))).run()
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


def check_unchanged(where: str, before: int, after: int) -> None:
    """What is read over several transactions is of one state.

    Raises:
        StoreUnavailable: documents came or went meanwhile.
    """
    if before != after:
        raise StoreUnavailable(
            f"{where} was written to while it was read; repeat the command when nobody ingests."
        )


class _Restoration:
    def __init__(
        self, server: Neo4jServer, stage: sqlite3.Connection, info: GraphInfo, progress: Progress
    ) -> None:
        self._server = server
        self._stage = stage
        self._info = info
        self._progress = progress
        self._token = secrets.token_hex(8)
        self._written = 0

    def run(self) -> None:
        self._server.write(lambda run: run("schema/graph_info"))  # so that there is one node
        self._server.write(self._begin)
        while self._write(lambda run: run("restore/clear", limit=CLEARED))[0]["gone"]:
            pass
        make_schema(self._server, self._info.fingerprint.dimension)
        for name, made, size in _PARTS:
            self._chunked(name, made(self._stage), size)
        for record in KINDS["parameters"](self._stage):
            kept = {"id": record["id"], "text": record["text"]}
            self._write(lambda run, kept=kept: run("info/keep_parameters", **kept))
        for record in KINDS["answer"](self._stage):
            self._write(lambda run, record=record: _write_answer(run, record))
        self._server.write(lambda run: run("schema/await", seconds=INDEX_SECONDS))
        self._write(self._finish)

    def _begin(self, run: Statements) -> None:
        run("info/lock")
        _check_empty(run, self._server.where)
        own = {"created_by": self._info.created_by, "restoring": self._token}
        run("restore/begin", info=rows.new_info(self._info.fingerprint) | own)

    def _finish(self, run: Statements) -> list[Row]:
        due = {
            name: self._stage.execute(query, {"cap": KEYWORD_CAP}).fetchone()[0]
            for name, query in COUNTS.items()
        }
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
    counts = run("read/statistics")[0] | {"fitted parameters": len(run("info/all_parameters"))}
    if held := {name: count for name, count in counts.items() if count}:
        raise not_empty(where, held)


# -- what the staged graph holds, as rows of the statements that write
def _documents(db: sqlite3.Connection) -> Iterator[Row]:
    for record in KINDS["document"](db):
        metadata = json.dumps(record["metadata"], sort_keys=True, ensure_ascii=False)
        yield _without_kind(record) | {"metadata": metadata}


_PASSAGES = """
SELECT id, document_id, position, title, normal_title, text, terms, vector, extractor, heading, page
FROM passage JOIN passage_vector USING (number) LEFT JOIN extracted_by ON passage_id = id
ORDER BY id
"""


def _passages(db: sqlite3.Connection) -> Iterator[Row]:
    for row in _dicts(db, _PASSAGES):
        vector = rows.floats(from_bytes(row.pop("vector")))
        folded = " ".join(words(f"{row['title']} {row['text']}"))
        yield row | {"terms": json.loads(row["terms"]), "words": folded, "embedding": vector}


_SPELLED = """
SELECT entity_id AS id, spelling, times FROM spelling ORDER BY entity_id
"""


def staged_entities(db: sqlite3.Connection) -> Iterator[Row]:
    """All properties of each, with how often each spelling occurs."""
    spelled = groupby(db.execute(_SPELLED), key=lambda row: row[0])
    for record, (_, spellings) in zip(KINDS["entity"](db), spelled, strict=True):
        times = {spelling: count for _, spelling, count in spellings}
        counts = [times[spelling] for spelling in [record["name"], *record["aliases"]]]
        yield _without_kind(record) | {"counts": counts}


_TRIPLES = """
SELECT id, head, head_id, relation, tail, tail_id, extractor, tied FROM triple ORDER BY id
"""
_VECTORS = "SELECT id, vector FROM triple JOIN triple_vector USING (number) ORDER BY id"


def _triples(db: sqlite3.Connection) -> Iterator[Row]:
    return (row | {"tied": bool(row["tied"])} for row in _dicts(db, _TRIPLES))


def _triple_vectors(db: sqlite3.Connection) -> Iterator[Row]:
    for triple_id, vector in db.execute(_VECTORS):
        yield {"id": triple_id, "embedding": rows.floats(from_bytes(vector))}


def _failures(db: sqlite3.Connection) -> Iterator[Row]:
    at = now()
    for record in KINDS["failure"](db):
        failure_id = stable_id("failure", record["source"])
        yield _without_kind(record) | {"id": failure_id, "failed_at": at}


def _as_recorded(kind: str) -> Callable[[sqlite3.Connection], Iterator[Row]]:
    return lambda db: map(_without_kind, KINDS[kind](db))


def _selected(query: str) -> Callable[[sqlite3.Connection], Iterator[Row]]:
    return lambda db: _dicts(db, query)


_PARTS: tuple[tuple[str, Callable[[sqlite3.Connection], Iterator[Row]], int], ...] = (
    ("write/documents", _documents, ROWS),
    ("write/passages", _passages, ROWS_WITH_VECTORS),
    (
        "write/has_passage",
        _selected("SELECT id, document_id FROM passage ORDER BY document_id, position"),
        ROWS,
    ),
    ("write/next", _as_recorded("next"), ROWS),
    ("derive/new_entities", staged_entities, ROWS),
    ("write/mentions", _as_recorded("mentions"), ROWS),
    ("derive/share_keywords", _as_recorded("shares_keyword"), ROWS),
    ("derive/names", _as_recorded("names"), ROWS),
    ("write/triples", _triples, ROWS),
    ("write/triple_embeddings", _triple_vectors, ROWS_WITH_VECTORS),
    ("write/states", _as_recorded("states"), ROWS),
    ("restore/terms", _selected("SELECT id, passages FROM term ORDER BY id"), ROWS),
    ("write/failures", _failures, ROWS),
)
"""Statements, what they are run for, and how many rows at once."""


def _write_answer(run: Statements, record: Row) -> list[Row]:
    answer = _without_kind(record)
    steps, cites, question = (answer.pop(name) for name in ("steps", "cites", "question"))
    answer["usage"] = json.dumps(answer["usage"], sort_keys=True)
    asked = {"id": stable_id("question", question), "text": question}
    run("answers/write", question=asked, answer=answer)
    names = ("chain", "order", "score", "triple_id", "passage_ids")
    run.chunked("answers/steps", [dict(zip(names, s, strict=True)) for s in steps], id=answer["id"])
    names = ("rank", "votes", "score", "passage_id")
    return run.chunked(
        "answers/cites", [dict(zip(names, c, strict=True)) for c in cites], id=answer["id"]
    )


def _without_kind(record: Row) -> Row:
    return {name: value for name, value in record.items() if name != "kind"}


def _dicts(db: sqlite3.Connection, query: str) -> Iterator[Row]:
    cursor = db.execute(query)
    names = [column[0] for column in cursor.description]
    return (dict(zip(names, row, strict=True)) for row in cursor)
