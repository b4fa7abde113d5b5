"""The world's documents as a graph, their triples extracted by a language model."""

from collections.abc import Iterable

from hoptrail.kg.ingest.pipeline import reading
from hoptrail.kg.store import GraphStore
from hoptrail.kg.types import Batch, Document, Mention, Passage, Statement
from hoptrail.models.encoder import Encoder
from hoptrail.models.language import LanguageModel
from hoptrail.reasoning.extraction import ModelTriples

from .documents import Page
from .wording import LABELS, spoken
from .world import bare


def fill(
    store: GraphStore,
    pages: Iterable[Page],
    encoder: Encoder,
    model: LanguageModel,
    demonstrations: int = 5,
) -> None:
    """Prepare the store and write the pages: what the model reads in them is their triples.

    Args:
        demonstrations: that extraction prompts show.
    """
    told = list(pages)
    documents = [Document(f"world: {p.title}", p.title, p.text, f"{p.title}.md") for p in told]
    passages = [Passage(d.id, 0, d.title, d.text) for d in documents]
    embeddings = encoder.encode_passages([reading(passage) for passage in passages])
    extract = ModelTriples(model, encoder.encode_passages, demonstrations=demonstrations)
    extracted = extract(passages, embeddings)
    statements = [statement for of_passage in extracted for statement in of_passage or ()]
    texts = {statement.triple.id: statement.triple.text for statement in statements}
    vectors = encoder.encode_passages(list(texts.values()))
    store.prepare(encoder.fingerprint)
    store.add(
        Batch(
            documents,
            passages,
            embeddings,
            list(_mentions(passages, statements)),
            statements,
            dict(zip(texts, vectors, strict=True)),
        )
    )


def _mentions(passages: list[Passage], statements: list[Statement]) -> Iterable[Mention]:
    """Names at the ends of triples, as the passage spells them, wherever they occur."""
    valued = {label for r in ("birth_year", "year", "founded", "length") for label in LABELS[r]}
    names = {
        form
        for statement in statements
        for end in (statement.triple.head, statement.triple.tail)
        for form in (bare(end), spoken(end))
        if form[:1].isupper() and statement.triple.relation not in valued
    }
    for passage in passages:
        text = f"{passage.title}. {passage.text}"
        for name in sorted(names):
            if name in text:
                yield Mention(passage.id, name)
