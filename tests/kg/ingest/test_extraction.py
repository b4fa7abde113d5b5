"""Triples that something else than the parse extracts: whose they are, how they are replaced."""

from dataclasses import dataclass, field

import pytest
from support.building import content, kind

from hoptrail.kg.ingest.pipeline import Ingestion, Tools
from hoptrail.kg.store import NOTHING_VALID
from hoptrail.kg.types import Document, Statement, Triple
from hoptrail.models.parser import Pipeline

pytestmark = pytest.mark.one_release

PIPELINE = Pipeline()
DOCUMENTS = [
    Document("ulm", "Ulm", "Albert Einstein was born in Ulm.", "ulm.txt"),
    Document("danube", "Danube", "The Danube flows through Vienna.", "danube.txt"),
    Document("vienna", "Vienna", "Vienna lies in Austria.", "vienna.txt"),
]


@dataclass
class Extractor:
    """States ⟨title; is mentioned by; name⟩ of every passage, but of those it is to fail on."""

    name: str = "one"
    fails_on: str = ""
    asked: list[str] = field(default_factory=list)

    def __call__(self, passages, vectors):
        self.asked += [passage.title for passage in passages]
        return [
            None
            if p.title == self.fails_on
            else [Statement(p.id, Triple(p.title, "is mentioned by", self.name, self.name), 0, 3)]
            for p in passages
        ]


@pytest.fixture
def ingest(encoder):
    def run(store, extractor=None, sources=DOCUMENTS, **settings):
        tools = Tools(
            lambda: encoder.fingerprint, encoder.encode_passages, encoder.count_tokens, PIPELINE
        )
        if extractor is not None:
            tools = Tools(
                tools.fingerprint,
                tools.encode,
                tools.count_tokens,
                tools.parse,
                extractor,
                lambda: extractor.name,
            )
        return Ingestion(store, tools, **settings).run(sources)

    return run


def extractors(store):
    held = store.extractors(store.passages_of(["danube", "ulm", "vienna"]))
    return list(held.values())


def triples_by(store):
    return {record["extractor"].removesuffix("-tied") for record in kind(store, "triple")}


def test_the_triples_are_the_extractors_and_the_names_still_the_parses(new_store, ingest):
    store = new_store()
    report = ingest(store, Extractor())
    assert triples_by(store) == {"one"}
    assert extractors(store) == ["one"] * 3
    assert (report.statements, report.invalid) == (3, 0)
    assert store.entities(["albert einstein"])["albert einstein"].passages == 1


def test_where_it_says_nothing_valid_the_passage_says_so(new_store, ingest):
    store = new_store()
    report = ingest(store, Extractor(fails_on="Ulm"))
    assert report.invalid == 1
    assert extractors(store) == ["one", "one" + NOTHING_VALID, "one"]
    records = kind(store, "extracted_by")
    assert sorted(record["extractor"] for record in records) == [
        "one",
        "one",
        "one (nothing valid)",
    ]


def test_triples_of_the_parse_are_known_as_such(new_store, ingest):
    store = new_store()
    ingest(store)
    assert extractors(store) == ["spacy"] * 3


def test_documents_that_are_there_are_not_extracted_again(new_store, ingest):
    store, other = new_store(), Extractor("two")
    ingest(store, Extractor())
    before = content(store)
    assert ingest(store, other).unchanged == 3
    assert other.asked == []
    assert content(store) == before


def test_regenerating_replaces_exactly_those_of_another_extractor(new_store, ingest):
    store = new_store()
    ingest(store, Extractor("two", fails_on="Danube"), DOCUMENTS[1:])
    ingest(store, sources=DOCUMENTS[:1])
    two = Extractor("two")
    report = ingest(store, two, regenerate=True)
    assert two.asked == ["Ulm"]  # what was extracted and found invalid is not tried again
    assert (report.changed, report.unchanged) == (1, 2)
    assert triples_by(store) == {"two"}
    afresh = new_store()
    ingest(afresh, Extractor("two", fails_on="Danube"))
    assert [r for r in content(store) if "Ulm" in str(r)] != []
    ingest(store, Extractor("three"), regenerate=True)
    ingest(afresh, Extractor("three"), regenerate=True)
    assert content(store) == content(afresh)


def test_an_interrupted_regeneration_is_finished_by_the_same_call(new_store, ingest):
    store = new_store()
    ingest(store)

    class Dies(Extractor):
        def __call__(self, passages, vectors):
            if self.asked:
                raise KeyboardInterrupt
            return super().__call__(passages, vectors)

    with pytest.raises(KeyboardInterrupt):
        ingest(store, Dies("two"), batch=1, regenerate=True)
    assert triples_by(store) == {"spacy", "two"}
    rest = Extractor("two")
    ingest(store, rest, batch=1, regenerate=True)
    assert len(rest.asked) == 2
    afresh = new_store()
    ingest(afresh, Extractor("two"))
    assert content(store) == content(afresh)


def test_removing_a_document_takes_what_is_said_of_its_passages(new_store, ingest):
    store, afresh = new_store(), new_store()
    ingest(store, Extractor())
    store.remove(["ulm"])
    ingest(afresh, Extractor(), DOCUMENTS[1:])
    assert content(store) == content(afresh)
