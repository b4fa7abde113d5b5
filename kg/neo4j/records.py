"""Everything in the Neo4j graph, page by page, in the order of Maintenance.records."""

from collections.abc import Iterator, Sequence

from ..schema import KINDS
from . import answers, rows
from .answers import Read
from .statements import Row

PAGE = 1000  # nodes


def records(read: Read) -> Iterator[Row]:
    """Stream all kinds after `info`; each page is a transaction of its own: none grows old."""
    for row in read(lambda run: run("info/all_parameters")):
        yield {"kind": "parameters", **row}
    for kind in NODES:
        names = rows.names(kind)
        for row in nodes(read, kind, names):
            yield {"kind": kind, **rows.record(kind, names, row["held"])}
    for kind in EDGES:
        for row in edges(read, kind):
            yield {"kind": kind, **row}
    yield from _linked(read)
    for page in _id_pages(read, "export/answer_ids"):
        found = read(lambda run, page=page: run("answers/read", ids=page, **answers.NAMES))
        yield from map(_answer, sorted(found, key=lambda row: row["answer"]["id"]))
    for row in read(lambda run: run("read/failures")):
        yield {"kind": "failure", **row}


def _linked(read: Read) -> Iterator[Row]:
    """Stream what is kept of Wikidata."""
    for kind in ("item", "link", "linked_by", "claim"):
        if kind in NODES_LINKED:
            names = rows.names(kind)
            for row in _pages(read, NODES_LINKED[kind], names=names):
                yield {"kind": kind, **rows.record(kind, names, row["held"])}
        else:
            for row in edges(read, kind):
                yield {"kind": kind, **row}


def nodes(read: Read, kind: str, names: Sequence[str]) -> Iterator[Row]:
    """Stream the nodes of a kind of `NODES`, by id: their `id`, and what they hold of `names`."""
    return _pages(read, NODES[kind], names=names)


def all_rows(read: Read, name: str, **others: object) -> Iterator[Row]:
    """Stream all rows of a statement that answers a page after an id."""
    return _pages(read, name, **others)


def _pages(read: Read, name: str, **others: object) -> Iterator[Row]:
    page = read(lambda run: run(name, after="", limit=PAGE, **others))
    while page:
        yield from page
        last = page[-1]["id"]
        # A page begins with the last row of the one before, so that the first may begin with "".
        page = read(lambda run, last=last: run(name, after=last, limit=PAGE, **others))[1:]


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
    """Stream the edges of a kind of `EDGES`, by the ids at their beginnings."""
    ids = _IDS.get(kind, "export/passage_ids")
    name = EDGES.get(kind) or _OF_DOCUMENTS[kind]
    for page in _id_pages(read, ids):
        # A server sorts what comes from no index by UTF-16, all else is by code points.
        yield from sorted(read(lambda run, page=page: run(name, ids=page)), key=KINDS[kind].key_of)


NODES = {
    "document": "read/all_documents",
    "passage": "export/passages",
    "entity": "export/entities",
    "triple": "export/triples",
}
EDGES = {
    "next": "export/next",
    "mentions": "export/mentions",
    "shares_keyword": "export/shares_keyword",
    "names": "export/names",
    "states": "export/states",
    "extracted_by": "export/extracted_by",
    "relates_to": "export/relates_to",
}
_OF_DOCUMENTS = {"link": "wikidata/links_of", "linked_by": "wikidata/linked_by"}
NODES_LINKED = {"item": "export/items", "claim": "export/claims"}
_IDS = {"relates_to": "export/entity_ids", **dict.fromkeys(_OF_DOCUMENTS, "export/document_ids")}
"""What gives the ids at the beginnings of edges, page by page."""


def _answer(row: Row) -> Row:
    stored = row["answer"] | {"question": row["question"]}
    names = rows.names("answer")
    held = rows.record("answer", names, [stored.get(name) for name in names])
    return {"kind": "answer", **held, **answers.recorded(row)}
