"""Which class, IRI and property stands for what (docs/rdf.md), from the fields of kg/schema.py."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, unquote

from ..schema import KINDS, Field
from ..text.words import stable_id

Record = Mapping[str, Any]

OURS = "urn:hoptrail:vocabulary#"
RELATION = "urn:hoptrail:relation:"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
XSD = "http://www.w3.org/2001/XMLSchema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
PROV = "http://www.w3.org/ns/prov#"
DCTERMS = "http://purl.org/dc/terms/"
SCHEMA = "http://schema.org/"
NIF = "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#"
WD = "http://www.wikidata.org/entity/"
WDT = "http://www.wikidata.org/prop/direct/"
TYPE = f"{RDF}type"

PREFIXES = {
    "ht": OURS,
    "rel": RELATION,
    "rdf": RDF,
    "rdfs": RDFS,
    "xsd": XSD,
    "skos": SKOS,
    "prov": PROV,
    "dcterms": DCTERMS,
    "schema": SCHEMA,
    "nif": NIF,
    "wd": WD,
    "wdt": WDT,
}
CLASSES = {
    "info": ("Graph",),
    "document": ("Document", f"{PROV}Entity"),
    "passage": ("Passage", f"{PROV}Entity"),
    "entity": ("Entity", f"{SKOS}Concept"),
    "triple": ("Triple", f"{RDF}Statement", f"{PROV}Entity"),
    "mentions": ("Mention",),
    "states": ("Derivation", f"{PROV}Derivation"),
    "extracted_by": ("Extraction",),
    "answer": ("Answer", f"{PROV}Entity"),
}
"""Of the kinds of records; the first is our own and tells them apart. Others have their name."""
_PROPERTIES = {
    ("document", "title"): f"{DCTERMS}title",
    ("document", "source"): f"{DCTERMS}source",
    ("document", "ingested_at"): f"{PROV}generatedAtTime",
    ("passage", "document_id"): f"{DCTERMS}isPartOf",
    ("passage", "title"): f"{DCTERMS}title",
    ("passage", "text"): f"{SCHEMA}text",
    ("entity", "name"): f"{SKOS}prefLabel",
    ("entity", "aliases"): f"{SKOS}altLabel",
    ("entity", "description"): f"{SCHEMA}description",
    ("states", "passage_id"): f"{PROV}entity",
    ("states", "start"): f"{NIF}beginIndex",
    ("states", "end"): f"{NIF}endIndex",
    ("item", "label"): f"{RDFS}label",
    ("item", "description"): f"{SCHEMA}description",
    ("answer", "text"): f"{SCHEMA}text",
    ("answer", "created_at"): f"{PROV}generatedAtTime",
}
LINKS = {
    "document_id": "document",
    "passage_id": "passage",
    "entity_id": "entity",
    "triple_id": "triple",
    "item_id": "item",
}
"""Fields that hold the id of another record: whose."""
_NOT_IN_A_NAME = re.compile(
    "[^A-Za-z0-9.\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u3001-\ud7ff]"
)
_BEGINS_NO_NAME = re.compile(r"[^A-Za-z\u00c0-\u02ff]")
MAX_NAME = 80  # characters of a relation's IRI, escapes counted


def node(kind: str, *key: str) -> str:
    """Make the IRI of a record; ids may hold anything."""
    return ":".join([f"urn:hoptrail:{kind}", *(quote(part, safe="") for part in key)])


def key_of(kind: str, iri: str) -> tuple[str, ...] | None:
    """Read the ids that a record's IRI was made of; None where it is another's."""
    begins, length = f"urn:hoptrail:{kind}", len(KINDS[kind].key)
    *start, rest = iri.split(":", 3) if length else (*iri.split(":"), "")
    key = tuple(unquote(part) for part in rest.split(":")) if length else ()
    return key if ":".join(start) == begins and len(key) == length else None


def class_of(kind: str) -> str:
    """Name the class of our own that a kind of record is."""
    return OURS + CLASSES.get(kind, (kind.title().replace("_", ""),))[0]


def property_of(kind: str, field: str) -> str:
    """Name the property that a field of a kind is."""
    if (kind, field) in _PROPERTIES:
        return _PROPERTIES[kind, field]
    first, *rest = field.removesuffix("_id" if field in LINKS else "").split("_")
    return OURS + first + "".join(word.title() for word in rest)


def relation(said: str) -> str:
    """Make the IRI of a relation: its words with underscores, which XML takes as a name, too."""
    name = _NOT_IN_A_NAME.sub(
        lambda found: "_" if found[0] == " " else f"-x{ord(found[0]):x}-", said
    )
    if len(name) > MAX_NAME:
        name = f"{name[:40]}-{stable_id(said)}"
    if not name or _BEGINS_NO_NAME.match(name):
        name = f"_{name}"
    return RELATION + name


def kept(kind: str) -> Iterator[Field]:
    """List the fields of a kind that an import needs: all but its id and what is derived."""
    own = KINDS[kind]
    for field in own.fields:
        if not field.derived and not (field.name == "id" and own.key == ("id",)):
            yield field


def kinds() -> Iterable[str]:
    """List the kinds of records that an import needs."""
    return (kind for kind in KINDS if not KINDS[kind].derived)
