"""Records of a graph as RDF, in a stream."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import IO, Any

from ..errors import BadRequest
from ..schema import KINDS, MAYBE_VECTOR, TIME, VECTOR, Field
from ..types import Triple
from . import vocabulary as v
from .oxigraph import FORMATS, oxigraph

Record = Mapping[str, Any]
Value = tuple[str, str | None]
"""An IRI with None, or a literal with its datatype."""
Row = tuple[str, str, Value]

_TEXT = f"{v.XSD}string"
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:\d\d|Z)?")
_QID, _PID = re.compile(r"Q[1-9]\d*"), re.compile(r"P[1-9]\d*")
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(records: Iterable[Record], out: IO[bytes], suffix: str) -> int:
    """Write the records of a graph, and count the triples.

    Args:
        records: of `Maintenance.records`, in their order.
        out: binary.
        suffix: of FORMATS.

    Raises:
        BadRequest: a text holds a character that RDF/XML can't.
    """
    ox = oxigraph()
    counted = _Counted(triples(records), ox, suffix)
    ox.serialize(iter(counted), out, getattr(ox.RdfFormat, FORMATS[suffix]), prefixes=v.PREFIXES)
    return counted.count


def triples(records: Iterable[Record]) -> Iterator[Row]:
    """Say each record in triples: what an import needs, and the edges that queries walk along."""
    relations = set[str]()
    for record in records:
        kind = record["kind"]
        if not KINDS[kind].derived:
            yield from _node(kind, record)
        if kind in _EDGES:
            yield from _EDGES[kind](record)
        if kind == "triple" and (said := record["relation"]) not in relations:
            relations.add(said)
            yield v.relation(said), v.TYPE, (f"{v.RDF}Property", None)
            yield v.relation(said), f"{v.RDFS}label", (said, _TEXT)


class _Counted:
    def __init__(self, rows: Iterator[Row], ox: Any, suffix: str) -> None:  # noqa: ANN401 - a module
        self._rows = rows
        self._ox = ox
        self._xml = FORMATS[suffix] == "RDF_XML"
        self.count = 0

    def __iter__(self) -> Iterator[Any]:
        iri, literal, triple = self._ox.NamedNode, self._ox.Literal, self._ox.Triple
        made: dict[str, Any] = {}  # of properties and datatypes, which are few
        for subject, name, (value, datatype) in self._rows:
            if name not in made:
                made[name] = iri(name)
            if datatype is None:
                object_ = iri(value)
            else:
                if datatype not in made:
                    made[datatype] = iri(datatype)
                if self._xml and _NO_XML.search(value):
                    raise BadRequest(
                        f"{subject} has a character that RDF/XML can't hold; write .ttl, .nt or "
                        ".jsonld instead."
                    )
                object_ = literal(value, datatype=made[datatype])
            self.count += 1
            yield triple(iri(subject), made[name], object_)


def _node(kind: str, record: Record) -> Iterator[Row]:
    subject = iri_of(record)
    own, *others = v.class_of(kind), *v.CLASSES.get(kind, ())[1:]
    for class_ in (own, *others):
        yield subject, v.TYPE, (class_, None)
    for field in v.kept(kind):
        value = record[field.name]
        if value is not None:
            yield subject, v.property_of(kind, field.name), literal_of(field, value)


def iri_of(record: Record) -> str:
    """Make the IRI of a record."""
    kind = record["kind"]
    return v.node(kind, *(record[name] for name in KINDS[kind].key))


def literal_of(field: Field, value: Any) -> Value:  # noqa: ANN401 - what the field's type tests
    """Say the value of a field."""
    if field.name in v.LINKS:
        return v.node(v.LINKS[field.name], value), None
    if isinstance(value, bool):
        return str(value).lower(), f"{v.XSD}boolean"
    if isinstance(value, int):
        return str(value), f"{v.XSD}integer"
    if isinstance(value, float):
        return repr(value), f"{v.XSD}double"
    if isinstance(value, str):
        if field.type is TIME and _TIME.fullmatch(value):
            return value, f"{v.XSD}dateTime"
        vector = field.type in (VECTOR, MAYBE_VECTOR)
        return value, f"{v.XSD}base64Binary" if vector else _TEXT
    return json.dumps(value, ensure_ascii=False), _TEXT


# -- what is derived, for queries
def _of_passage(record: Record) -> Iterator[Row]:
    document = v.node("document", record["document_id"])
    yield iri_of(record), f"{v.PROV}wasQuotedFrom", (document, None)


def _of_entity(record: Record) -> Iterator[Row]:
    subject = iri_of(record)
    yield subject, f"{v.SKOS}prefLabel", (record["name"], _TEXT)
    for alias in record["aliases"]:
        yield subject, f"{v.SKOS}altLabel", (alias, _TEXT)
    yield subject, f"{v.OURS}passages", (str(record["passages"]), f"{v.XSD}integer")
    if _QID.fullmatch(record["wikidata_id"] or ""):
        yield subject, f"{v.SKOS}exactMatch", (v.WD + record["wikidata_id"], None)


def _of_item(record: Record) -> Iterator[Row]:
    if _QID.fullmatch(record["id"]):
        yield iri_of(record), f"{v.SKOS}exactMatch", (v.WD + record["id"], None)


def _of_claim(record: Record) -> Iterator[Row]:
    """As Wikidata's own direct claims."""
    item, pid, value_id = record["item_id"], record["pid"], record["value_id"] or ""
    if _QID.fullmatch(item) and _PID.fullmatch(pid):
        known = _QID.fullmatch(value_id)
        value = (v.WD + value_id, None) if known else (record["value"], _TEXT)
        yield v.WD + item, v.WDT + pid, value


def _of_triple(record: Record) -> Iterator[Row]:
    subject = iri_of(record)
    triple = Triple(*(record[name] for name in ("head", "relation", "tail", "extractor")))
    yield subject, f"{v.RDF}subject", (v.node("entity", triple.head_id), None)
    yield subject, f"{v.RDF}predicate", (v.relation(triple.relation), None)
    yield subject, f"{v.RDF}object", (v.node("entity", triple.tail_id), None)
    extractor = v.node("extractor", triple.extractor)
    yield subject, f"{v.PROV}wasAttributedTo", (extractor, None)
    yield extractor, v.TYPE, (f"{v.PROV}SoftwareAgent", None)


def _of_statement(record: Record) -> Iterator[Row]:
    triple, passage = v.node("triple", record["triple_id"]), v.node("passage", record["passage_id"])
    yield triple, f"{v.PROV}wasDerivedFrom", (passage, None)
    yield triple, f"{v.PROV}qualifiedDerivation", (iri_of(record), None)


def _of_relation(record: Record) -> Iterator[Row]:
    ends = v.node("entity", record["source"]), v.node("entity", record["target"])
    yield ends[0], v.relation(record["relation"]), (ends[1], None)


def _of_mention(record: Record) -> Iterator[Row]:
    passage, entity = v.node("passage", record["passage_id"]), v.node("entity", record["entity_id"])
    yield passage, f"{v.OURS}mentions", (entity, None)


def _between_passages(record: Record) -> Iterator[Row]:
    ends = v.node("passage", record["source"]), v.node("passage", record["target"])
    yield ends[0], v.OURS + record["kind"], (ends[1], None)


def _of_answer(record: Record) -> Iterator[Row]:
    rests = [v.node("triple", step[3]) for step in record["steps"]]
    rests += [v.node("passage", cite[3]) for cite in record["cites"]]
    for one in dict.fromkeys(rests):
        yield iri_of(record), f"{v.PROV}wasDerivedFrom", (one, None)


_EDGES: dict[str, Callable[[Record], Iterator[Row]]] = {
    "passage": _of_passage,
    "entity": _of_entity,
    "item": _of_item,
    "claim": _of_claim,
    "triple": _of_triple,
    "mentions": _of_mention,
    "states": _of_statement,
    "relates_to": _of_relation,
    "next": _between_passages,
    "names": _between_passages,
    "answer": _of_answer,
}
