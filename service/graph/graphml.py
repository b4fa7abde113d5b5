"""The graph as GraphML (graphml.graphdrawing.org), for Gephi and networkx: written as read."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any
from xml.sax.saxutils import escape, quoteattr

Record = Mapping[str, Any]

SUFFIXES = (".graphml", ".ml")
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NODES = {  # attributes by kind, besides kind and label
    "document": ("title", "source", "metadata", "ingested_at"),
    "passage": ("document_id", "position", "title", "heading", "page", "text"),
    "entity": ("name", "aliases", "passages", "wikidata_id", "description"),
    "answer": ("question", "method", "model", "text", "abstained", "confidence", "created_at"),
}
_LABELS = {
    "document": ("title", "source"),
    "passage": ("title",),
    "entity": ("name",),
    "answer": ("question",),
}
_EDGES = {  # kinds of source and target, columns that name them, attributes besides kind and label
    "next": ("passage", "source", "passage", "target", ()),
    "mentions": ("passage", "passage_id", "entity", "entity_id", ("surface",)),
    "shares_keyword": ("passage", "source", "passage", "target", ("keywords", "weight")),
    "names": ("passage", "source", "passage", "target", ()),
    "relates_to": ("entity", "source", "entity", "target", ("relation", "triple_id")),
}
_TYPES = {
    **dict.fromkeys(("position", "page", "passages", "rank", "votes"), "long"),
    **dict.fromkeys(("weight", "confidence", "score"), "double"),
    "abstained": "boolean",
}
_CITES = ("rank", "votes", "score")


def write_graphml(records: Iterable[Record], out: IO[str]) -> int:
    """Write nodes and edges one after the other, and count them.

    Documents, passages, entities and answers are nodes; a triple whose relation is known is an edge
    between its entities. Every node comes before its edges. All edges are directed, as one file
    holds but one sort; SHARES_KEYWORD goes from the smaller id.

    Args:
        records: of `Maintenance.records`, in their order.
        out: text in UTF-8.
    """
    out.write(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    )
    out.writelines(_keys())
    out.write('<graph edgedefault="directed">\n')
    written = 0
    for record in records:
        for line in _elements(record):
            out.write(line)
            written += 1
    out.write("</graph>\n</graphml>\n")
    return written


def _keys() -> Iterator[str]:
    nodes = dict.fromkeys(name for names in _NODES.values() for name in names)
    edges = dict.fromkeys(name for *_, names in _EDGES.values() for name in names)
    for what, names in (("node", nodes), ("edge", {**edges, **dict.fromkeys(_CITES)})):
        for name in ("kind", "label", *names):
            yield (
                f'<key id="{what}-{name}" for="{what}" attr.name="{name}" '
                f'attr.type="{_TYPES.get(name, "string")}"/>\n'
            )


def _elements(record: Record) -> Iterator[str]:
    kind = record["kind"]
    if kind in _NODES:
        label = next((record[name] for name in _LABELS[kind] if record[name]), "")
        held = {name: record[name] for name in _NODES[kind]}
        inside = _data("node", {"kind": kind, "label": label, **held})
        yield f"<node id={_id(kind, record['id'])}>{inside}</node>\n"
    if kind in _EDGES:
        source, source_id, target, target_id, names = _EDGES[kind]
        ends = (source, record[source_id]), (target, record[target_id])
        held = {name: record[name] for name in names}
        yield _edge(kind.upper(), *ends, **{"label": record.get("relation"), **held})
    if kind == "passage":
        document = ("document", record["document_id"])
        yield _edge("HAS_PASSAGE", document, ("passage", record["id"]))
    if kind == "answer":
        for rank, votes, score, passage_id in record["cites"]:
            ends = ("answer", record["id"]), ("passage", passage_id)
            yield _edge("CITES", *ends, rank=rank, votes=votes, score=score)


def _edge(kind: str, source: tuple[str, str], target: tuple[str, str], **held: object) -> str:
    ends = f"source={_id(*source)} target={_id(*target)}"
    return f"<edge {ends}>{_data('edge', {'kind': kind, 'label': kind, **_given(held)})}</edge>\n"


def _given(held: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in held.items() if value is not None}


def _id(kind: str, id_: str) -> str:
    """Ids of two kinds may be the same, and an entity's may hold what XML can't."""
    return quoteattr(_NO_XML.sub(lambda found: f"\\u{ord(found[0]):04x}", f"{kind}:{id_}"))


def _data(what: str, held: Mapping[str, object]) -> str:
    return "".join(
        f'<data key="{what}-{name}">{_text(value)}</data>'
        for name, value in held.items()
        if value not in (None, "", [], {})
    )


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        value = json.dumps(value, ensure_ascii=False, sort_keys=True)
    if isinstance(value, list | tuple):
        value = "; ".join(map(str, value))
    # A bare "\r" would be read as "\n".
    return escape(_NO_XML.sub("\ufffd", str(value)), {"\r": "&#13;"})
