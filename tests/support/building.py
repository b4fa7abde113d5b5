"""Small graphs for tests, spelled as a reader would."""

from dataclasses import dataclass
from typing import Any

from support.fakes import WordEncoder

from hoptrail.kg.candidates import Ways
from hoptrail.kg.store import GraphStore
from hoptrail.kg.types import Batch, Document, Mention, Passage, Statement, Triple

WORDS = WordEncoder()
WAYS = Ways(1.0, 0.4, (0.0, 0.0, *(0.65 - n / 100 for n in range(2, 51))), 100, 3)


@dataclass(frozen=True)
class Page:
    """A document with what an extractor would find in it.

    Mentions go to the passages that hold their text, triples to those that hold head and tail.
    """

    title: str
    texts: tuple[str, ...]
    mentions: tuple[str, ...] = ()
    triples: tuple[tuple[str, str, str], ...] = ()
    id: str = ""
    extractor: str = "test"
    language: str = ""

    @property
    def document(self) -> Document:
        text = "\n\n".join(self.texts)
        return Document(self.id or f"id of {self.title}", self.title, text, f"{self.title}.md")

    @property
    def passages(self) -> list[Passage]:
        document = self.document
        return [
            Passage(document.id, position, self.title, text, language=self.language)
            for position, text in enumerate(self.texts)
        ]

    @property
    def statements(self) -> list[Statement]:
        return [
            Statement(
                p.id, Triple(h, r, t, self.extractor), p.text.find(h), p.text.find(t) + len(t)
            )
            for p in self.passages
            for h, r, t in self.triples
            if h in p.text and t in p.text
        ]


def page(title: str, *texts: str, **more: Any) -> Page:
    return Page(title, texts, **more)


def batch(*pages: Page, embedded: bool = True) -> Batch:
    passages = [passage for page in pages for passage in page.passages]
    statements = [statement for page in pages for statement in page.statements]
    triples = {statement.triple.id: statement.triple.text for statement in statements}
    vectors = WORDS.encode_passages(list(triples.values()))
    return Batch(
        documents=[page.document for page in pages],
        passages=passages,
        embeddings=WORDS.encode_passages([f"{p.title}\n{p.text}" for p in passages]),
        mentions=[
            Mention(passage.id, surface)
            for page in pages
            for passage in page.passages
            for surface in page.mentions
            if surface in passage.text
        ],
        statements=statements,
        triple_embeddings=dict(zip(triples, vectors, strict=True)) if embedded else {},
    )


def content(store: GraphStore) -> list[dict[str, Any]]:
    """Everything that depends on the documents alone: records without times."""
    timed = ("ingested_at", "created_at")
    return [{k: v for k, v in r.items() if k not in timed} for r in store.maintenance.records()]


def kind(store: GraphStore, name: str) -> list[dict[str, Any]]:
    return [record for record in store.maintenance.records() if record["kind"] == name]


def titles(store: GraphStore, passage_ids: list[str]) -> list[str]:
    """Titles of these passages, in order: what a test can be read by."""
    return [passage.title for passage in store.passages(passage_ids).values()]


def named(store: GraphStore) -> set[tuple[str, str]]:
    """NAMES as (title, title)."""
    links = [record for record in store.maintenance.records() if record["kind"] == "names"]
    return {tuple(titles(store, [link["source"], link["target"]])) for link in links}


def shared(store: GraphStore) -> dict[frozenset[str], list[str]]:
    """SHARES_KEYWORD as {titles}: keywords."""
    links = [record for record in store.maintenance.records() if record["kind"] == "shares_keyword"]
    return {
        frozenset(titles(store, [link["source"], link["target"]])): link["keywords"]
        for link in links
    }
