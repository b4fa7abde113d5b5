"""Dense, BM25 and hybrid retrieval on every store."""

import pytest
from support.building import batch, page, titles
from support.fakes import WordEncoder
from support.towns import plain_ranker

from hoptrail.kg.errors import BadRequest, EmptyGraph
from hoptrail.models.encoder import PACKAGED
from hoptrail.reasoning.retrieval import RETRIEVERS, retriever
from hoptrail.reasoning.session.parts import retrieve

ALONE = [name for name in RETRIEVERS if name != "rerank"]  # which takes a model: test_rerank.py
PAGES = [
    page("Salt Lantern", "The Salt Lantern opened at the Vaagur Theatre."),
    page("Vaagur Theatre", "The Vaagur Theatre was designed by Jens Thorkil."),
    page("Salt Lamp", "The Salt Lamp is a novel about a lamp."),
    page("Turnip", "A root vegetable grown in temperate climates."),
]


@pytest.fixture
def graph(store, encoder):
    store.add(batch(*PAGES))
    store.keep_parameters("ranker", plain_ranker(encoder))
    return store


@pytest.mark.parametrize("name", ALONE)
def test_the_passage_that_answers_comes_first(graph, encoder, name):
    found = retriever(name, graph, encoder).search("Who designed the Vaagur Theatre?", 3)
    assert titles(graph, [f.id for f in found])[0] == "Vaagur Theatre"
    assert [f.score for f in found] == sorted((f.score for f in found), reverse=True)


@pytest.mark.parametrize("name", ALONE)
def test_within_keeps_to_the_given_passages(graph, encoder, name):
    own = [PAGES[0].passages[0].id, PAGES[3].passages[0].id]
    found = retriever(name, graph, encoder).search("Who designed the Vaagur Theatre?", 5, own)
    assert {f.id for f in found} <= set(own)
    assert found[0].id == own[0]


def test_hybrid_finds_what_only_one_half_knows(graph, encoder):
    found = retriever("hybrid", graph, encoder).search("turnip", 4)
    assert titles(graph, [found[0].id]) == ["Turnip"]
    assert len(found) == 4  # dense ranks everything


@pytest.mark.parametrize("name", ["hybrid", "hop"])
@pytest.mark.parametrize(
    ("question", "of", "like"),
    [
        ("кто построил театр Vaagur?", PACKAGED, "dense=0.1"),
        ("Wer hat das Vaagur Theatre entworfen?", PACKAGED, "dense=0.1"),
        ("кто построил театр Vaagur?", "words", "dense=0.5"),
        ("Who designed the Vaagur Theatre?", PACKAGED, "dense=0.5"),
    ],
)
def test_meaning_counts_less_where_the_encoder_cannot_read_the_question(
    graph, name, question, of, like
):
    encoder = WordEncoder(name=of)
    found = retriever(name, graph, encoder).search(question, 4)
    assert found == retriever(f"{name}:foreign=1:{like}", graph, encoder).search(question, 4)
    other = "dense=0.5" if like == "dense=0.1" else "dense=0.1"
    assert found != retriever(f"{name}:foreign=1:{other}", graph, encoder).search(question, 4)


def test_a_question_without_words_falls_back_on_meaning(graph, encoder):
    assert retriever("bm25", graph, encoder).search("???", 4) == []
    assert len(retriever("hybrid", graph, encoder).search("???", 4)) == 4


def test_a_single_passage_is_found(store, encoder):
    store.add(batch(PAGES[1]))
    store.keep_parameters("ranker", plain_ranker(encoder))
    for name in ALONE:
        found = retriever(name, store, encoder).search("theatre", 5)
        assert titles(store, [f.id for f in found]) == ["Vaagur Theatre"]


def test_none_asked_for_is_none_found(graph, encoder):
    graph.keep_parameters("ranker", plain_ranker(encoder))
    for name in ALONE:
        for limit in (0, -1):
            assert retriever(name, graph, encoder).search("Vaagur Theatre", limit) == []


def test_wrong_requests_say_what_to_do(store, encoder):
    with pytest.raises(BadRequest, match="dense, bm25, hybrid"):
        retriever("sparse", store, encoder)
    with pytest.raises(BadRequest, match="empty"):
        retrieve(store, retriever("dense", store, encoder), " \n", 5)
    with pytest.raises(EmptyGraph, match="hoptrail ingest"):
        retrieve(store, retriever("dense", store, encoder), "Who?", 5)


def test_passages_that_are_worth_the_same_come_by_id(store, encoder):
    store.add(batch(*(page(f"Of {n}", f"Quite another thing, {n * 'x'}.") for n in range(1, 9))))
    found = retriever("hybrid:dense=0", store, encoder).search("turnip", 8)
    assert [one.score for one in found] == [0.0] * 8
    assert [one.id for one in found] == sorted(one.id for one in found)
