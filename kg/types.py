"""What the graph is made of: nodes and relationships (docs/graph-model.md) as frozen records."""

import functools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .text.headings import heading_at
from .text.stemming import terms_in
from .text.words import normal_form, normal_title, stable_id, text_key

Vector = NDArray[np.float32]
"""float32, (d,) for one text or (n, d) for n, each row of unit length."""

SCHEMA_VERSION = 8
"""7: passages with none but the heading that they begin under; 6: answers without claims, passages
without the language of their stems; 5: without QuestionTriple, Item, Claim; 4: passages without the
key of their text; 3: labels in Neo4j without a prefix; 2: passages without heading and page; 1:
without Parameters, at first without Term."""
KEYWORD_CAP = 10
"""A keyword mentioned by more passages than this ties none of them together (SHARES_KEYWORD)."""
TABULAR = "table"
"""Extractor of what rows of tables state."""
PARSED = ("spacy", "spacy-tied")
"""Extractors of the dependency parse's triples; the second's relation is a guess."""

Metadata = Mapping[str, str | int | float | bool]
LinkKind = Literal["NEXT", "SHARES_KEYWORD", "NAMES"]


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What determines an encoder's vectors; a graph refuses any other."""

    name: str
    dimension: int
    pooling: str
    normalised: bool
    query_prefix: str
    passage_prefix: str
    weights: str  # hash of the weights file


@dataclass(frozen=True, slots=True)
class GraphInfo:
    """The one GraphInfo node: which schema, which encoder, made by which version."""

    schema_version: int
    fingerprint: Fingerprint
    created_by: str


@dataclass(frozen=True, slots=True)
class Section:
    """Where a part of a document's text begins, as far as its format knows.

    Args:
        start: character of the text.
        heading: of the part, "" where there is none.
        page: counted from 1, None where there are no pages.
        apart: no passage reaches over its beginning: a slide, a sheet.
    """

    start: int
    heading: str = ""
    page: int | None = None
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Anchor:
    """A hyperlink in a document's text, such as a wiki's: its place is a mention of that title."""

    start: int
    title: str


@dataclass(frozen=True, slots=True)
class Fact:
    """What a row of a table states: ⟨head; relation; tail⟩, in characters [start, end)."""

    start: int
    end: int
    head: str
    relation: str
    tail: str


@dataclass(frozen=True, slots=True)
class Document:
    """One input document.

    Args:
        id: stable identity: the same source ingested again has the same id, changed or not.
        title: what it is called; may be empty.
        text: all of it; not stored on the Document node, its passages hold it.
        source: where it came from, for people.
        metadata: plain values the format knows (page, author, …).
        ingested_at: ISO 8601, UTC; set on writing.
        sections: by start; a passage has heading and page of the section it begins in.
        anchors: by start.
        facts: by start; nothing else is extracted from where they stand.
        wrapped: whether its paragraphs may be broken at some width, as typed text is; else each
            line is a block.
    """

    id: str
    title: str
    text: str
    source: str
    metadata: Metadata = field(default_factory=dict)
    ingested_at: str = ""
    sections: tuple[Section, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    facts: tuple[Fact, ...] = ()
    wrapped: bool = True

    @property
    def sha256(self) -> str:
        """Hash all that is written: a document with the same id and another hash has changed."""
        import hashlib

        places = [f"{s.start} {s.page} {s.heading}{' |' * s.apart}" for s in self.sections]
        places += [f"{a.start} {a.title}" for a in self.anchors]
        places += [f"{f.start} {f.end} {f.head}; {f.relation}; {f.tail}" for f in self.facts]
        metadata = [f"{k}={v}" for k, v in sorted(self.metadata.items())]
        content = "\x1f".join([self.title, self.text, *metadata, *places])
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """A Document as the graph holds it: without the text."""

    id: str
    title: str
    source: str
    sha256: str
    metadata: Metadata
    ingested_at: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document, in order.

    Args:
        title: the document's.
        heading: of the section it begins in; may be empty.
        page: it begins on, from 1; None where there are no pages.
        language: its document's, ISO 639-1; "" for English, or what is not clear.
        headings: which heading holds from which of its characters on: "0 Kilns", "48 Cranes"; none
            where the document's format tells of none.
    """

    document_id: str
    position: int
    title: str
    text: str
    heading: str = ""
    page: int | None = None
    language: str = ""
    headings: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Make an id of document, position and text."""
        return stable_id(self.document_id, self.position, self.text)

    @property
    def normal_title(self) -> str:
        """Make the normal title, see `words.normal_title`."""
        return normal_title(self.title)

    @property
    def text_key(self) -> str:
        """Make the key that it shares with its copies, see `words.text_key`."""
        return text_key(self.text)

    @property
    def terms(self) -> list[str]:
        """Find the stems of title and text, see `stemming.terms_in`."""
        return terms_in(f"{self.title} {self.text}", self.language)

    def heading_at(self, place: int) -> str:
        """Find the heading that a character of its text stands under."""
        return heading_at(self.text, place, self.heading, self.headings)


@dataclass(frozen=True, slots=True)
class Mention:
    """A keyword found in a passage: MENTIONS, once for each passage and entity.

    Args:
        surface: how the passage spells it (its first spelling there).
    """

    passage_id: str
    surface: str

    @property
    def entity_id(self) -> str:
        """Make the key of the entity that is mentioned."""
        return normal_form(self.surface)


@functools.lru_cache(maxsize=1 << 15)  # a question asks for the same ones again and again
def _triple_id(*fields: str) -> str:
    return stable_id(*fields)


@dataclass(frozen=True, slots=True)
class Triple:
    """⟨head; relation; tail⟩ as an extractor worded it.

    Args:
        extractor: which one; "…-tied" marks a name tied to a subject whose relation is not known.
    """

    head: str
    relation: str
    tail: str
    extractor: str

    @property
    def id(self) -> str:
        """Make an id of all four fields."""
        return _triple_id(self.head, self.relation, self.tail, self.extractor)

    @property
    def text(self) -> str:
        """Write the triple as the encoder reads it."""
        return f"{self.head} {self.relation} {self.tail}"

    @property
    def head_id(self) -> str:
        """Make the entity key of the head."""
        return normal_form(self.head)

    @property
    def tail_id(self) -> str:
        """Make the entity key of the tail."""
        return normal_form(self.tail)

    @property
    def tied(self) -> bool:
        """Say whether only the pair is known, not the relation: there is no RELATES_TO edge."""
        return self.extractor.endswith("-tied")


@dataclass(frozen=True, slots=True)
class Statement:
    """A passage states a triple (STATES), in characters [start, end) of its text where known."""

    passage_id: str
    triple: Triple
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """A source that could not be read, kept so that it can be retried."""

    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class Batch:
    """What one transaction writes: whole documents and all that hangs on them.

    Args:
        documents: each replaces the document of the same id.
        embeddings: (len(passages), d), in the order of `passages`.
        triple_embeddings: {triple id: (d,)} for those that have one already.
        failures: recorded; a document whose source failed before clears that failure.
        cleared: sources whose recorded failures no longer hold, though nothing of them is written.
        extractors: {passage id: what extracted its triples}, see GraphStore.extractors.
    """

    documents: Sequence[Document]
    passages: Sequence[Passage]
    embeddings: Vector
    mentions: Sequence[Mention] = ()
    statements: Sequence[Statement] = ()
    triple_embeddings: Mapping[str, Vector] = field(default_factory=dict)
    failures: Sequence[Failure] = ()
    cleared: Collection[str] = ()
    extractors: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scored:
    """An id with its score, best first in lists, ties by id.

    Args:
        also: ids of near copies that it stands for, where such were looked for.
    """

    id: str
    score: float
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entity:
    """What passages talk about; its id is the normal form of its names.

    Args:
        name: its most frequent spelling over mentions and triple ends (ties: the alphabetically
            first).
        aliases: its other spellings, sorted.
        terms: stems of the id.
        passages: document frequency: how many passages MENTION it.
    """

    id: str
    name: str
    aliases: tuple[str, ...]
    terms: tuple[str, ...]
    passages: int
    wikidata_id: str | None = None
    description: str | None = None

    @staticmethod
    def called(times: Mapping[str, int]) -> dict[str, Any]:
        """Derive name and aliases from how often each spelling occurs, by these names."""
        name = min(times, key=lambda spelling: (-times[spelling], spelling))
        return {"name": name, "aliases": sorted(times.keys() - {name})}


@dataclass(frozen=True, slots=True)
class Link:
    """An edge between passages.

    NEXT and NAMES point from source to target; SHARES_KEYWORD has no direction, and `source` is
    then the passage that was asked for.

    Args:
        weight: number of shared keywords; 1 for the other kinds.
        keywords: entity ids, sorted; only for SHARES_KEYWORD.
    """

    kind: LinkKind
    source: str
    target: str
    weight: float = 1.0
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """Something a name may mean."""

    kind: Literal["document", "passage", "entity", "triple", "question", "answer"]
    id: str
    name: str
