"""Others' RDF as documents: what is said of a subject is a document of its own, and facts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import unquote

from ..kg.rdf.spool import BLANK, IRI, Spool, Value
from ..kg.rdf.vocabulary import DCTERMS, RDF, RDFS, SCHEMA, SKOS, TYPE, WD, XSD
from ..kg.text.words import clean, stable_id
from ..kg.types import Document
from .tables import MAX_VALUE, Row, located, row

_FOAF, _SCHEMAS = "http://xmlns.com/foaf/0.1/", "https://schema.org/"
LABELS = (
    f"{RDFS}label",
    f"{SKOS}prefLabel",
    f"{SCHEMA}name",
    f"{_SCHEMAS}name",
    f"{_FOAF}name",
    f"{DCTERMS}title",
    "http://purl.org/dc/elements/1.1/title",
)
ALIASES = (f"{SKOS}altLabel", f"{SCHEMA}alternateName", f"{_SCHEMAS}alternateName")
TEXTS = (
    f"{SCHEMA}description",
    f"{_SCHEMAS}description",
    f"{DCTERMS}description",
    f"{RDFS}comment",
    f"{SKOS}definition",
    "http://dbpedia.org/ontology/abstract",
    "http://purl.org/dc/elements/1.1/description",
)
MAX_DEEP = 4  # blank nodes below one another
MAX_SAID = 1000  # values that the blank nodes of a subject say
MAX_LABELS = 20_000  # kept in memory
_SAID = {
    TYPE: "is a",
    f"{RDFS}subClassOf": "is a kind of",
    "http://www.w3.org/2002/07/owl#sameAs": "same as",
}
_UNTOLD = (  # texts for programs
    f"{XSD}base64Binary",
    f"{XSD}hexBinary",
    f"{RDF}XMLLiteral",
    "http://www.opengis.net/ont/geosparql#wktLiteral",
)
_WIKIDATA = re.compile(r"https?://www\.wikidata\.org/prop/(?:[a-z-]+/)*(P\d+)")
_MIDNIGHT = re.compile(r"[+]?(-?\d{4,}-\d\d-\d\d)T00:00:00(?:\.0+)?(?:Z|[+-]\d\d:\d\d)?")
_HUMP = re.compile(r"(?<=[a-z\d])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class RdfMapping:
    """Which properties say what; the first that a subject has counts.

    Args:
        labels: its name.
        aliases: its other names.
        texts: prose about it.
        language: of labels and texts, where they are in several; what has no language counts, too.
    """

    labels: tuple[str, ...] = LABELS
    aliases: tuple[str, ...] = ALIASES
    texts: tuple[str, ...] = TEXTS
    language: str = "en"


@dataclass
class Things:
    """The subjects of a spool, as documents.

    Args:
        spool: read and indexed.
        mapping: of properties.
        unnamed: counted: subjects of which nothing but names is said.
    """

    spool: Spool
    mapping: RdfMapping = field(default_factory=RdfMapping)
    unnamed: int = 0

    def __post_init__(self) -> None:
        self._label = lru_cache(MAX_LABELS)(self._find_label)

    def documents(self) -> Iterator[Document]:
        """Give a document for each subject that is no part of another, in the files' order.

        Its title is the subject's name, its text what is said of it: prose, then a line for each
        value, which states ⟨name; property; value⟩. A blank node is part of what leads to it.
        """
        for subject in self.spool.subjects():
            if subject.startswith(BLANK) and self.spool.referred(subject):
                continue
            document = self._document(subject)
            if document is None:
                self.unnamed += 1
            else:
                yield document

    def _document(self, subject: str) -> Document | None:
        said = self.spool.of(subject)
        title = self._label(subject) if not subject.startswith(BLANK) else self._own_label(said)
        prose = [clean(text) for text in self._texts(said, self.mapping.texts)]
        rows = [
            row({relation: text}, title) for relation, text in self._told(said, title) if relation
        ]
        if not rows and not prose:
            return None
        text = "\n\n".join(filter(None, ["\n\n".join(prose), "\n".join(r.text for r in rows)]))
        places = self.spool.places(subject)
        metadata = {} if subject.startswith(BLANK) else {"iri": clean(subject)}
        if graphs := list(dict.fromkeys(graph for _, graph in places if graph)):
            metadata["graph"] = clean(" ".join(graphs))
        own = text if subject.startswith(BLANK) else subject
        return Document(
            stable_id("rdf", places[0][0], own),
            clean(title) if len(title) <= MAX_VALUE else "",
            text,
            places[0][0],
            metadata,
            facts=located(text, _facts(rows)),
        )

    # -- names
    def _find_label(self, iri: str) -> str:
        """The name that a file gives it, else what its IRI ends in."""
        named = self._own_label(self.spool.of(iri))
        if not named and (found := _WIKIDATA.match(iri)):
            named = self._own_label(self.spool.of(f"{WD}{found[1]}"))
        return named or _local(iri)

    def _own_label(self, said: list[tuple[str, Value]]) -> str:
        return next(iter(self._texts(said, self.mapping.labels)), "")

    def _texts(self, said: list[tuple[str, Value]], names: tuple[str, ...]) -> list[str]:
        """The literals of the first of these properties that there are, in the language wanted."""
        for name in names:
            values = [value for own, value in said if own == name and value.literal]
            if found := [value.text for value in self._wanted(values) if value.text.strip()]:
                return found
        return []

    def _wanted(self, values: list[Value]) -> list[Value]:
        """Those in the language wanted, else those in none, else those in the first there is."""
        kinds = dict.fromkeys(value.kind for value in values)
        own = f"@{self.mapping.language}".casefold()
        for wanted in (
            [k for k in kinds if k.casefold() == own or k.casefold().startswith(f"{own}-")],
            [k for k in kinds if not k.startswith("@")],
            list(kinds)[:1],
        ):
            if wanted:
                return [value for value in values if value.kind in wanted]
        return []

    # -- statements
    def _told(self, said: list[tuple[str, Value]], title: str) -> Iterator[tuple[str, str]]:
        """Relation and value of everything else; aliases as what it is called, too."""
        for alias in self._texts(said, self.mapping.aliases):
            if alias != title:
                yield "also called", alias
        left = [MAX_SAID]
        yield from self._said(said, "", 0, left)

    def _said(
        self, said: list[tuple[str, Value]], before: str, deep: int, left: list[int]
    ) -> Iterator[tuple[str, str]]:
        mapped = {*self.mapping.labels, *self.mapping.aliases, *self.mapping.texts}
        by_name: dict[str, list[Value]] = {}
        for name, value in said:
            if deep or name not in mapped:
                by_name.setdefault(name, []).append(value)
        for name, values in by_name.items():
            own = f"{before} {self._relation(name)}".strip()
            literals = self._wanted([value for value in values if value.literal])
            for value in values:
                if value.kind == BLANK:
                    yield from self._inside(value, own, deep, left)
                elif not value.literal:
                    if value.text != _NIL:
                        yield own, self._label(value.text)
                elif value in literals and value.kind not in _UNTOLD:
                    yield own, _plain(value)

    def _inside(
        self, value: Value, own: str, deep: int, left: list[int]
    ) -> Iterator[tuple[str, str]]:
        """What a blank node says, as said of what leads to it: "address locality: Ulm"."""
        left[0] -= 1
        if left[0] < 0 or deep > MAX_DEEP:
            return
        if value.kind != BLANK:
            yield own, _plain(value) if value.literal else self._label(value.text)
        elif listed := self._listed(value.text):
            for one in listed:
                yield from self._inside(one, own, deep + (one.kind == BLANK), left)
        else:
            yield from self._said(self.spool.of(value.text), own, deep + 1, left)

    def _listed(self, blank: str) -> list[Value]:
        """The values of a list; none where the node is no list."""
        found, seen, place = list[Value](), set[str](), Value(blank, BLANK)
        while place.kind == BLANK and place.text not in seen and len(found) < MAX_SAID:
            seen.add(place.text)
            said = dict(self.spool.of(place.text))
            if _FIRST not in said:
                break
            found.append(said[_FIRST])
            place = said.get(_REST, Value(_NIL, IRI))
        return found

    def _relation(self, iri: str) -> str:
        """What a property is called; of one without a name its IRI's end, humps taken apart."""
        if iri in _SAID:
            return _SAID[iri]
        said = self._label(iri)
        return _HUMP.sub(" ", said).lower() if said == _local(iri) else said


_FIRST, _REST = f"{RDF}first", f"{RDF}rest"
_NIL = f"{RDF}nil"


def _facts(rows: list[Row]) -> Iterator[Row]:
    return (one for one in rows if one.text)


def _local(iri: str) -> str:
    """What an IRI ends in, as words: "…/Albert_Einstein" → "Albert Einstein"; else all of it."""
    name = unquote(re.split(r"[/#:]", iri.rstrip("/#"))[-1]).replace("_", " ").strip()
    return clean(name) or clean(iri)


def _plain(value: Value) -> str:
    """A literal's text; a time at midnight is a day."""
    found = _MIDNIGHT.fullmatch(value.text)
    return found[1] if found else value.text
