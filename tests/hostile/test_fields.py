"""Text is only text: through every field, and back out of every store, export and copy."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import pytest
from hostile.corpus import HALVES, HOSTILE
from support import danube
from support.building import WORDS, batch, content, kind, page

from hoptrail.kg.answers import Answer, Chain, Citation, SupportedTriple
from hoptrail.kg.errors import BadRequest, EncoderMismatch
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.text.words import normal_form, stable_id
from hoptrail.kg.types import (
    Anchor,
    Batch,
    Document,
    Failure,
    Fingerprint,
    Mention,
    Passage,
    Section,
    Statement,
    Triple,
)
from hoptrail.service.graph.export import export_graph, import_graph

pytestmark = pytest.mark.one_release

BYSTANDERS = [
    page("Bystander", "An innocent bystander sings.", "Nobody hears.", mentions=("bystander",)),
    page(
        "Witness",
        "The bystander met a witness.",
        mentions=("bystander",),
        triples=(("The bystander", "met", "a witness"),),
    ),
]
KEY = 500  # characters of an id; an index of Neo4j takes 8 kB
WHEN = "2026-01-01T00:00:00.000000+00:00"
VECTOR = WORDS.encode_queries(["anything"])[0]
SOME = list(HOSTILE.values())[::3]  # where each is a transaction of its own
OTHERS = {"questions", "answers", "failures"}


def written(text: str) -> Batch:
    """A document that has the text in every field."""
    metadata = {text[:KEY]: text, "page": 1e300, "draft": True}
    document = Document(text[:KEY], text, text, text, metadata, text)
    passage = Passage(document.id, 0, text, text, text, 7)
    triple = Triple(text, text, text, text)
    return Batch(
        [document],
        [passage],
        VECTOR[None],
        [Mention(passage.id, text)],
        [Statement(passage.id, triple, 0, 1)],
        {triple.id: VECTOR},
        [Failure(f"{text[:KEY]} (failed)", text)],
        extractors={passage.id: text},
    )


def answered(text: str) -> Answer:
    """That has the text in every field, and rests on that document."""
    batch = written(text)
    passage, triple = batch.passages[0], batch.statements[0].triple
    return Answer(
        question=text,
        method=text,
        text=text,
        abstained=False,
        chains=(Chain((SupportedTriple(triple, (passage.id,)),), 0.5),),
        passages=(Citation(passage.id, text, text, 1, 0.5),),
        usage={text[:KEY]: 1.0},
        model=text,
        created_at=WHEN,
    )


def fill(store) -> None:
    batches = [written(text) for text in HOSTILE.values()]
    store.add(
        Batch(
            [document for b in batches for document in b.documents],
            [passage for b in batches for passage in b.passages],
            VECTOR[None].repeat(len(batches), axis=0),
            [mention for b in batches for mention in b.mentions],
            [statement for b in batches for statement in b.statements],
            {key: vector for b in batches for key, vector in b.triple_embeddings.items()},
            [failure for b in batches for failure in b.failures],
            extractors={key: name for b in batches for key, name in b.extractors.items()},
        )
    )
    for text in SOME:
        store.record(answered(text))
        store.keep_parameters(text[:KEY], text)


def check(store) -> None:
    """Every field of those documents, and all that was made of them."""
    batches = {text: written(text) for text in HOSTILE.values()}
    documents = {b.documents[0].id: b.documents[0] for b in batches.values()}
    held = store.documents(list(documents))
    assert held.keys() == documents.keys()
    for key, info in held.items():
        given = documents[key]
        assert (info.title, info.source, info.sha256) == (given.title, given.source, given.sha256)
        assert dict(info.metadata) == given.metadata
        assert info.ingested_at == (given.ingested_at or info.ingested_at)
    passages = {b.passages[0].id: b.passages[0] for b in batches.values()}
    statements = [b.statements[0] for b in batches.values()]
    triples = {statement.triple.id: statement.triple for statement in statements}
    names = {b.passages[0].id: normal_form(text) for text, b in batches.items()}
    entities = store.entities(set(names.values()))
    assert store.passages(list(passages)) == passages
    assert store.extractors(list(passages)) == {key: p.text for key, p in passages.items()}
    assert store.triples(list(triples)) == triples
    assert store.triples_of(list(passages)) == statements
    assert {s.triple.id for s in store.triples_about(set(names.values()), 1000)} == {*triples}
    assert store.mentioning(set(names.values()), 1000) == sorted(passages)
    assert store.mentioned(list(passages)) == {key: [name] for key, name in names.items()}
    for key, name in names.items():
        assert passages[key].text in (entities[name].name, *entities[name].aliases)
    answers = store.answers(list(passages))
    assert {answer.id for answer in answers} == {answered(text).id for text in SOME}
    for answer in answers:
        said = answer.question, answer.method, answer.text, answer.model, *answer.usage
        assert {*said} <= {answer.text, answer.text[:KEY]}
        assert answer.chains == answered(answer.text).chains
        assert [cited.text for cited in answer.passages] == [answer.text]
    for text in SOME:
        found = {(one.kind, one.id) for one in store.find(text, 1000)}
        assert found >= {("document", text[:KEY]), ("question", stable_id("question", text))}
        assert store.parameters(text[:KEY]) == text


def test_every_field_comes_back_moves_and_goes_without_a_trace(store, new_store, tmp_path):
    store.add(batch(*BYSTANDERS))
    before = content(store)
    fill(store)
    check(store)
    failed = [Failure(f"{text[:KEY]} (failed)", text) for text in HOSTILE.values()]
    assert store.failures() == sorted(failed, key=lambda failure: failure.source)
    described = list(map(_described, store.maintenance.records()))
    assert store.remove([text[:KEY] for text in HOSTILE.values()]) == len(HOSTILE)
    assert all(store.forget_parameters(text[:KEY]) for text in SOME)
    assert [r for r in content(store) if f"{r['kind']}s" not in OTHERS] == before
    _move(described, new_store(), tmp_path)


def _move(records: list[dict], store, folder) -> None:
    """Through a file of each kind into a store."""
    file = folder / "export.jsonl"
    with SqliteStore(folder / "copy.db") as copy:
        copy.maintenance.restore(iter(records))
        assert list(copy.maintenance.records()) == records
        export_graph(copy, file)
    lines = file.read_text("utf-8").removesuffix("\n").split("\n")
    assert len(lines) == len(records)
    assert all(map(_harmless, lines))
    import_graph(store, file, WORDS)
    assert list(map(_bare, store.maintenance.records())) == list(map(_bare, records))


def _described(record: dict) -> dict:
    """Entities with the fields that only other programs fill."""
    if record["kind"] != "entity":
        return record
    return {**record, "wikidata_id": record["name"], "description": record["name"]}


def _bare(record: dict) -> dict:
    return {**record, "embedding": None} if record["kind"] == "triple" else record


def _harmless(line: str) -> bool:
    """Nothing in it steers a terminal, or ends a line."""
    steering = [*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x2070)]
    return not set(line) & set(map(chr, steering)) and len(line.splitlines()) == 1


def test_an_encoder_of_hostile_names_is_kept_and_compared(new_store):
    text = "".join(HOSTILE.values())[:KEY]
    fingerprint = Fingerprint(text, 64, text, True, text, text, text)
    store = new_store()
    store.prepare(fingerprint)
    assert store.info().fingerprint == fingerprint
    with pytest.raises(EncoderMismatch):
        store.prepare(replace(fingerprint, passage_prefix=text[1:]))


def test_hostile_headings_and_links_pass_through_ingestion(store):
    danube.ingest(store, [danube.document(1)])
    before = content(store)
    # Blanks of all widths are ordinary ones in a graph, see `kg.ingest.spaced`.
    texts = [text[:2000].replace("\u2003", " ") for text in HOSTILE.values() if text.strip()]
    body = "One sentence stands here.\n\n"
    places = range(0, len(body) * len(texts), len(body))
    document = Document(
        "hostile",
        "Hostile",
        body * len(texts),
        "hostile.md",
        sections=tuple(Section(at, text, 1) for at, text in zip(places, texts, strict=True)),
        anchors=tuple(Anchor(at, text) for at, text in zip(places, texts, strict=True)),
    )
    danube.ingest(store, [document], limit=8)
    passages = store.passages(store.passages_of(["hostile"])).values()
    assert {passage.heading for passage in passages} <= set(texts)
    assert len({passage.heading for passage in passages}) > len(texts) / 2
    assert {record["surface"] for record in kind(store, "mentions")} >= {
        text for text in texts if normal_form(text)
    }
    assert store.remove(["hostile"]) == 1
    assert content(store) == before


def with_halves(half: str) -> Iterator[tuple[str, Batch]]:
    """A write for each field that holds text, with half a surrogate pair there."""
    sound = batch(page("Sound", "A sound text.", mentions=("sound",)))
    [document], [passage] = sound.documents, sound.passages
    for name in ("id", "title", "text", "source"):
        changed = replace(document, **{name: half})
        place = replace(passage, document_id=changed.id, title=changed.title, text=changed.text)
        yield f"document {name}", Batch([changed], [place], sound.embeddings)
    yield "key", replace(sound, documents=[replace(document, metadata={half: "x"})])
    yield "value", replace(sound, documents=[replace(document, metadata={"x": half})])
    yield "time", replace(sound, documents=[replace(document, ingested_at=half)])
    yield "heading", replace(sound, passages=[replace(passage, heading=half)], mentions=[])
    yield "mention", replace(sound, mentions=[Mention(passage.id, half)])
    yield "extractor", replace(sound, extractors={passage.id: half})
    yield "failure", replace(sound, failures=[Failure(half, "x")])
    yield "reason", replace(sound, failures=[Failure("x", half)])
    for slot in ("head", "relation", "tail", "extractor"):
        triple = replace(Triple("a", "b", "c", "test"), **{slot: half})
        yield slot, replace(sound, statements=[Statement(passage.id, triple)])


@pytest.mark.parametrize("half", HALVES.values(), ids=HALVES)
def test_halves_of_surrogate_pairs_are_refused_and_nothing_enters(store, half):
    store.add(batch(*BYSTANDERS))
    before = list(store.maintenance.records())
    answer = Answer("x", "x", "x", False, created_at=WHEN)
    calls = {name: partial(store.add, write) for name, write in with_halves(half)}
    for name in ("question", "method", "text", "model"):
        calls[f"answer's {name}"] = partial(store.record, replace(answer, **{name: half}))
    calls["kind"] = partial(store.keep_parameters, half, "x")
    calls["parameters"] = partial(store.keep_parameters, "x", half)
    assert [name for name, call in calls.items() if not refused(call)] == []
    assert list(store.maintenance.records()) == before


def refused(call: Callable[[], object]) -> bool:
    try:
        call()
    except BadRequest as error:
        return "surrogate" in str(error)
    return False
