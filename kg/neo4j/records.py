"""Everything in the Neo4j graph, page by page, in the order of Maintenance.records."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from ..records import KEYS
from . import rows
from .server import Row, Statements

Read = Callable[[Callable[[Statements], list[Row]]], list[Row]]

PAGE = 1000  # nodes


def records(read: Read) -> Iterator[Row]:
    """All kinds after `info`; each page is a transaction of its own, so that none grows old."""
    for row in read(lambda run: run("info/all_parameters")):
        yield {"kind": "parameters", **row}
    for row in _pages(read, "read/all_documents"):
        yield {"kind": "document", **row, "metadata": json.loads(row["metadata"])}
    for row in _pages(read, "export/passages"):
        yield {"kind": "passage", **row, "embedding": rows.as_base64(row["embedding"])}
    for row in _pages(read, "export/entities"):
        yield {"kind": "entity", **row}
    for row in _pages(read, "export/triples"):
        yield {"kind": "triple", **row, "embedding": rows.as_base64(row["embedding"])}
    for kind in EDGES:
        for row in edges(read, kind):
            yield {"kind": kind, **row}
    for page in _id_pages(read, "export/answer_ids"):
        found = read(lambda run, page=page: run("answers/read", ids=page))
        yield from map(_answer, sorted(found, key=lambda row: row["answer"]["id"]))
    for row in read(lambda run: run("read/failures")):
        yield {"kind": "failure", **row}


def all_rows(read: Read, name: str) -> Iterator[Row]:
    """All rows of a statement that answers a page after an id."""
    return _pages(read, name)


def _pages(read: Read, name: str) -> Iterator[Row]:
    page = read(lambda run: run(name, after="", limit=PAGE))
    while page:
        yield from page
        last = page[-1]["id"]
        # A page begins with the last row of the one before, so that the first may begin with "".
        page = read(lambda run, last=last: run(name, after=last, limit=PAGE))[1:]


def _id_pages(read: Read, name: str) -> Iterator[list[str]]:
    page: list[str] = []
    for row in _pages(read, name):
        page.append(row["id"])
        if len(page) == PAGE:
            yield page
            page = []
    if page:
        yield page


def edges(read: Read, kind: str) -> Iterator[Row]:
    """All of a kind of `EDGES`, by the ids at their beginnings."""
    ids = "export/entity_ids" if kind == "relates_to" else "export/passage_ids"
    for page in _id_pages(read, ids):
        # A server sorts what comes from no index by UTF-16, all else is by code points.
        yield from sorted(read(lambda run, page=page: run(EDGES[kind], ids=page)), key=KEYS[kind])


EDGES = {
    "next": "export/next",
    "mentions": "export/mentions",
    "shares_keyword": "export/shares_keyword",
    "names": "export/names",
    "states": "export/states",
    "extracted_by": "export/extracted_by",
    "relates_to": "export/relates_to",
}


def _answer(row: Row) -> Row:
    stored: dict[str, Any] = row["answer"]
    steps = [
        [s["chain"], s["order"], s["score"], s["triple"]["id"], list(s["passage_ids"])]
        for s in rows.sorted_steps(row)
    ]
    cites = [[c["rank"], c["votes"], c["score"], c["id"]] for c in rows.sorted_cites(row)]
    return {
        "kind": "answer",
        "id": stored["id"],
        "question": row["question"],
        "method": stored["method"],
        "text": stored["text"],
        "abstained": stored["abstained"],
        "confidence": stored.get("confidence"),
        "model": stored["model"],
        "usage": json.loads(stored["usage"]),
        "created_at": stored["created_at"],
        "steps": steps,
        "cites": cites,
    }
