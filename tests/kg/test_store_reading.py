"""What a graph answers, on every store: searches, surroundings, everything."""

import base64

import numpy as np
import pytest
from support.building import WORDS, batch, content, kind, page, titles
from support.lantern import (
    BIRTH,
    BORN,
    DESIGN,
    DESIGNED,
    LANTERN,
    OPENED,
    OPENING,
    PASSAGES,
    REVIEWS,
    THEATRE,
    THORKIL,
    answer,
)

from hoptrail.kg.text.words import text_key
from hoptrail.kg.types import (
    Batch,
    Document,
    Passage,
    Statement,
    Triple,
)


@pytest.fixture
def graph(store):
    store.add(batch(LANTERN, THEATRE, THORKIL))
    return store


def query(text: str):
    return WORDS.encode_queries([text])[0]


# -- similarity
def test_nearest_passages_are_those_a_full_comparison_finds(graph):
    vectors = WORDS.encode_passages([f"{p.title}\n{p.text}" for p in PASSAGES])
    question = query("Where was Jens Thorkil born?")
    cosines = dict(zip((p.id for p in PASSAGES), vectors @ question, strict=True))
    best = sorted(cosines, key=lambda id_: -cosines[id_])
    found = graph.nearest_passages(question, 3)
    assert [scored.id for scored in found] == best[:3]
    assert [s.score for s in found] == pytest.approx([cosines[i] for i in best[:3]], abs=1e-4)
    assert found[0].id == BIRTH
    assert len(graph.nearest_passages(question, 100)) == 4
    assert graph.nearest_passages(question, 0) == []


def test_nearest_passages_within_some(graph):
    question = query("Where was Jens Thorkil born?")
    found = graph.nearest_passages(question, 5, within=[OPENING, REVIEWS, "unknown"])
    assert {scored.id for scored in found} == {OPENING, REVIEWS}
    everywhere = {s.id: s.score for s in graph.nearest_passages(question, 5)}
    assert {s.id: s.score for s in found} == pytest.approx(
        {i: everywhere[i] for i in (OPENING, REVIEWS)}, abs=1e-4
    )
    assert graph.nearest_passages(question, 5, within=[]) == []


def test_equally_near_passages_come_by_id(store):
    same = [page(f"Copy {n}", "The same words.") for n in range(12)]
    passages = [passage for p in same for passage in p.passages]
    vectors = WORDS.encode_passages(["same words"] * len(passages))
    store.add(Batch([p.document for p in same], passages, vectors))
    ids = sorted(passage.id for passage in passages)
    assert [s.id for s in store.nearest_passages(query("same"), 12)] == ids
    assert [s.id for s in store.nearest_passages(query("same"), 5, within=ids[3:])] == ids[3:8]


def test_what_came_or_went_since_the_last_search_shows(graph):
    assert len(graph.nearest_passages(query("bridge"), 10)) == 4
    graph.add(batch(page("Bridge", "A bridge.")))
    assert titles(graph, [graph.nearest_passages(query("bridge"), 10)[0].id]) == ["Bridge"]
    graph.remove(["id of Bridge"])
    assert len(graph.nearest_passages(query("bridge"), 10)) == 4


# -- words
def test_keyword_search_finds_any_word_by_its_stem(graph):
    assert [s.id for s in graph.keyword_search("Who is designing it?", 5)] == [DESIGN]
    found = graph.keyword_search("births reviewed", 5)
    assert [s.id for s in found] == [REVIEWS]
    assert found[0].score > 0
    scores = [s.score for s in graph.keyword_search("Jens Thorkil theatre born", 5)]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == 3  # not the reviews


def test_keyword_search_ignores_case_and_accents(graph):
    for spelling in ("Tvøroyri", "TVØROYRI"):
        assert [s.id for s in graph.keyword_search(spelling, 5)] == [BIRTH]
    graph.add(batch(page("Café", "Crème brûlée.")))
    assert titles(graph, [s.id for s in graph.keyword_search("creme BRULEE", 5)]) == ["Café"]


def test_a_word_in_the_title_counts_twice(store):
    filler = [page(f"Filler {n}", f"Nothing of note {n}.") for n in range(6)]
    in_text = page("Walks and paths", "A glacier lies here today.")
    in_title = page("Glacier and paths", "A hut lies here today.")
    store.add(batch(in_text, in_title, *filler))
    found = store.keyword_search("glacier", 5)
    assert titles(store, [s.id for s in found]) == ["Glacier and paths", "Walks and paths"]


def test_keyword_search_within_some(graph):
    assert [s.id for s in graph.keyword_search("theatre", 5, within=[DESIGN])] == [DESIGN]
    assert graph.keyword_search("theatre", 5, within=[]) == []
    assert len(graph.keyword_search("theatre lantern", 1)) == 1
    assert graph.keyword_search("theatre", 0) == []


@pytest.mark.parametrize("text", ["", "  ", "?!", "the of and", "zebra", "\x00", "\ud800", "-- ;"])
def test_no_telling_words_nothing_found(graph, text):
    assert graph.keyword_search(text, 5) == []


# -- surroundings
def test_triples_of_passages_in_the_order_asked_then_as_they_stand_in_the_text(store):
    text = "Oslo is old. Bergen is wet. Molde sings."
    document, passage = Document("d", "Towns", text, "d.md"), Passage("d", 0, "Towns", text)
    old, wet, sings, unknown = (
        Triple(*words, "test")
        for words in (
            ("Oslo", "is", "old"),
            ("Bergen", "is", "wet"),
            ("Molde", "does", "sing"),
            ("Town", "of", "Norway"),
        )
    )
    said = [
        Statement(passage.id, unknown),
        Statement(passage.id, sings, 28, 40),
        Statement(passage.id, wet, 13, 27),
        Statement(passage.id, old, 0, 12),
    ]
    store.add(Batch([document], [passage], WORDS.encode_passages([text]), (), said))
    store.add(batch(THORKIL))
    found = store.triples_of([passage.id, "unknown", BIRTH])
    assert found == [*reversed(said), THORKIL.statements[0]]
    assert store.triples_of([BIRTH, passage.id])[0].triple == BORN
    assert store.triples_of([]) == []


def test_triples_about_entities(graph):
    about = graph.triples_about(["vaagur theatre"])
    assert {s.triple for s in about} == {OPENED, DESIGNED}
    assert about == sorted(about, key=lambda s: (s.triple.id, s.passage_id))
    assert graph.triples_about(["vaagur theatre"], limit=1) == about[:1]
    assert graph.triples_about(["unknown"]) == graph.triples_about([]) == []


def test_triples_and_their_texts(graph):
    assert list(graph.triples([BORN.id, "unknown", OPENED.id]).items()) == [
        (BORN.id, BORN),
        (OPENED.id, OPENED),
    ]


def test_who_mentions_what(graph):
    assert graph.mentioning(["vaagur theatre"]) == sorted([OPENING, DESIGN])
    assert graph.mentioning(["vaagur theatre"], limit=1) == sorted([OPENING, DESIGN])[:1]
    assert graph.mentioning(["unknown"]) == []
    mentioned = graph.mentioned([DESIGN, "unknown", REVIEWS, OPENING])
    assert list(mentioned.items()) == [
        (DESIGN, ["jens thorkil", "vaagur theatre"]),
        (REVIEWS, []),
        (OPENING, ["salt lantern", "vaagur theatre"]),
    ]


def test_passages_of_documents(graph):
    assert graph.passages_of([THORKIL.document.id, LANTERN.document.id, "unknown"]) == [
        BIRTH,
        OPENING,
        REVIEWS,
    ]


def test_neighbours_of_every_kind_in_order_and_once(graph):
    everything = graph.neighbours(
        [OPENING, REVIEWS, DESIGN, BIRTH], ["SHARES_KEYWORD", "NEXT", "NAMES"]
    )
    keys = [(link.kind, link.source, link.target) for link in everything]
    assert keys == sorted(set(keys))
    assert ("NEXT", OPENING, REVIEWS) in keys
    assert ("NAMES", OPENING, DESIGN) in keys
    assert ("NAMES", DESIGN, BIRTH) in keys
    assert len([key for key in keys if key[0] == "SHARES_KEYWORD"]) == 2
    assert all(link.source < link.target for link in everything if link.kind == "SHARES_KEYWORD")
    asked = graph.neighbours([DESIGN], ["SHARES_KEYWORD"])
    assert {(link.source, link.target) for link in asked} == {(DESIGN, OPENING), (DESIGN, BIRTH)}
    assert graph.neighbours([DESIGN], []) == graph.neighbours([], ["NEXT"]) == []
    assert {link.kind for link in graph.neighbours([DESIGN], ["NAMES"])} == {"NAMES"}


# -- names
def test_finding_what_a_name_means(graph):
    graph.record(answer())

    def found(name: str, limit: int = 10):
        return [(f.kind, f.id, f.name) for f in graph.find(name, limit)]

    document = ("document", THEATRE.document.id, "Vaagur Theatre")
    entity = ("entity", "vaagur theatre", "Vaagur Theatre")
    assert found("Vaagur Theatre") == [document, entity]
    assert found("Vaagur Theatre", 1) == [document]
    assert found("Vaagur Theatre.md") == [document]
    assert found(THEATRE.document.id) == [document]
    assert found("the VAAGUR theatre's") == [entity]
    assert found(DESIGN) == [("passage", DESIGN, "Vaagur Theatre")]
    assert found(BORN.id) == [("triple", BORN.id, BORN.text)]
    question = ("question", answer().question_id, answer().question)
    assert found(answer().question) == found(answer().question_id) == [question]
    assert found(answer().id) == [("answer", answer().id, "Jens Thorkil")]
    assert found("nobody") == found("") == []


def test_a_document_without_a_title_is_called_by_its_source(store):
    document, passage = Document("d", "", "Text.", "notes/a.txt"), Passage("d", 0, "", "Text.")
    store.add(Batch([document], [passage], WORDS.encode_passages(["Text."])))
    assert [(f.kind, f.name) for f in store.find("d")] == [("document", "notes/a.txt")]


# -- everything
def test_statistics_count_everything_in_order(graph):
    graph.record(answer())
    assert list(graph.statistics().items()) == [
        ("documents", 3),
        ("passages", 4),
        ("entities", 4),
        ("triples", 3),
        ("statements", 3),
        ("mentions", 6),
        ("next", 1),
        ("shares_keyword", 2),
        ("names", 2),
        ("relates_to", 3),
        ("questions", 1),
        ("answers", 1),
        ("failures", 0),
        ("embedded_triples", 3),
        ("items", 0),
        ("links", 0),
        ("claims", 0),
    ]


ORDER = (
    "info document passage entity triple next mentions shares_keyword names states relates_to "
    "answer failure"
).split()


def test_records_hold_everything_in_order(graph):
    graph.record(answer())
    records = list(graph.maintenance.records())
    kinds = [record["kind"] for record in records]
    assert all(next(iter(record)) == "kind" for record in records)
    assert kinds == sorted(kinds, key=ORDER.index)
    counts = graph.statistics()
    named_so = {"document": "documents", "passage": "passages", "entity": "entities"}
    named_so |= {"triple": "triples", "states": "statements", "mentions": "mentions"}
    named_so |= {"next": "next", "names": "names", "relates_to": "relates_to", "answer": "answers"}
    assert all(kinds.count(name) == counts[count] for name, count in named_so.items())
    for name in ("document", "passage", "entity", "triple"):
        ids = [record["id"] for record in records if record["kind"] == name]
        assert ids == sorted(ids)


def test_records_say_what_went_in(graph):
    graph.record(answer())
    (passage,) = [r for r in kind(graph, "passage") if r["id"] == BIRTH]
    vector = np.frombuffer(base64.b64decode(passage.pop("embedding")), "<f4")
    np.testing.assert_allclose(
        vector, WORDS.encode_passages([f"{THORKIL.title}\n{THORKIL.texts[0]}"])[0], atol=1e-6
    )
    assert passage == {
        "kind": "passage",
        "id": BIRTH,
        "document_id": THORKIL.document.id,
        "position": 0,
        "title": "Jens Thorkil",
        "normal_title": "jens thorkil",
        "text": "Jens Thorkil was born in Tvøroyri.",
        "terms": ["jen", "thorkil", "born", "tvøroyri"],
        "text_key": text_key("Jens Thorkil was born in Tvøroyri."),
        "heading": "",
        "page": None,
        "language": "",
        "headings": [],
    }
    (triple,) = [r for r in kind(graph, "triple") if r["id"] == BORN.id]
    assert len(base64.b64decode(triple["embedding"])) == 4 * 64
    (states,) = [r for r in kind(graph, "states") if r["passage_id"] == BIRTH]
    assert (states["triple_id"], states["start"], states["end"]) == (BORN.id, 0, 33)
    (entity,) = [r for r in kind(graph, "entity") if r["id"] == "tvøroyri"]
    assert entity == {
        "kind": "entity",
        "id": "tvøroyri",
        "name": "Tvøroyri",
        "aliases": [],
        "terms": ["tvøroyri"],
        "passages": 1,
        "wikidata_id": None,
        "description": None,
    }
    (recorded,) = kind(graph, "answer")
    assert recorded["steps"] == [
        [0, 0, -0.5, OPENED.id, [OPENING]],
        [0, 1, -0.5, DESIGNED.id, [DESIGN]],
        [1, 0, -1.25, DESIGNED.id, [DESIGN]],
    ]
    assert recorded["cites"] == [[0, 2, 0.5, DESIGN], [1, 1, 0.25, OPENING]]
    assert (recorded["question"], recorded["usage"]) == (answer().question, dict(answer().usage))


def test_a_graph_of_these_records_is_the_same_whatever_the_order(graph, new_store):
    first = content(graph)
    other = new_store()
    other.prepare(WORDS.fingerprint)
    for one in (THORKIL, LANTERN, THEATRE):
        other.add(batch(one))
    assert content(other) == first
