"""The small graph that every version wrote, frozen in `kg/schemas/`, as one writes it now."""

from dataclasses import replace

from support.building import batch, page
from support.fakes import WordEncoder

from hoptrail.kg.answers import Answer, Chain, Citation, SupportedTriple
from hoptrail.kg.store import GraphStore
from hoptrail.kg.types import Batch, Failure

ENCODER = WordEncoder(6, "older")
PAGES = (
    page(
        "The Salt Lantern",
        "The Salt Lantern was drawn by Runa Eide. See Introduction.",
        mentions=("The Salt Lantern", "Runa Eide"),
        triples=(("The Salt Lantern", "drawn by", "Runa Eide"),),
    ),
    page(
        "Runa Eide",
        "Runa Eide was born in Vaagur.",
        "Runa Eide drew 9 sheets.",
        mentions=("Runa Eide", "Vaagur"),
        triples=(("Runa Eide", "born in", "Vaagur"),),
    ),
    page(
        "Introduction",
        "RUNA EIDE and Vaagur: what they have in common.",
        mentions=("RUNA EIDE", "Vaagur"),
        triples=(("RUNA EIDE", "and", "Vaagur"),),
        extractor="test-tied",
    ),
)
RECORDED_AT = "2026-01-01T00:00:00.000000+00:00"


def small() -> Batch:
    """All documents; of the triples only the first has a vector."""
    whole = batch(*PAGES)
    texts = [f"{passage.title}\n{passage.text}" for passage in whole.passages]
    [triple, *_] = (statement.triple for statement in whole.statements)
    return replace(
        whole,
        embeddings=ENCODER.encode_passages(texts),
        triple_embeddings={triple.id: ENCODER.encode_passages([triple.text])[0]},
        failures=[Failure("lost.md", "not found")],
    )


def answer() -> Answer:
    """With a step and a citation."""
    first, second, *_ = small().passages
    [statement] = PAGES[0].statements
    return Answer(
        "Where was the artist of The Salt Lantern born?",
        "trace",
        "Vaagur",
        abstained=False,
        confidence=0.75,
        chains=(Chain((SupportedTriple(statement.triple, (first.id,)),), -0.5),),
        passages=(Citation(second.id, second.title, second.text, 1, 0.5),),
        usage={"calls": 0},
        created_at=RECORDED_AT,
    )


def write(store: GraphStore) -> None:
    """As a version of that time did it."""
    store.prepare(ENCODER.fingerprint)
    store.add(small())
    store.record(answer())
