"""Whatever is asked for, on every path of every store: only words are looked for."""

import inspect

import pytest
from hostile.corpus import HALVES, HOSTILE
from support.building import WAYS, WORDS, batch, page

from hoptrail.kg.errors import BadRequest, HoptrailError, NotFound
from hoptrail.kg.maintenance import Unembedded
from hoptrail.kg.store import GraphStore
from hoptrail.kg.text.words import words
from hoptrail.kg.types import Fingerprint, Triple
from hoptrail.service import Hoptrail
from hoptrail.service.given import MAX_QUESTION
from hoptrail.service.graph.show import surroundings

pytestmark = pytest.mark.one_release

TEXTS = [*HOSTILE.values(), *HALVES.values()]
PAGES = [
    page("Bystander", "Quenby sings.", "Nobody hears.", mentions=("Quenby",)),
    page(
        "Witness",
        "Quenby met Zorada.",
        mentions=("Quenby", "Zorada"),
        triples=(("Quenby", "met", "Zorada"),),
    ),
]
SOME = list(HOSTILE.values())[::3]  # where each takes several statements
VECTOR = WORDS.encode_queries(["anything"])[0]
RETRIEVERS = ("dense", "bm25", "hybrid", "hop", "gnn")
KINDS = ["NEXT", "NAMES", "SHARES_KEYWORD"]
BY_IDS = {  # name → what is found for ids that nothing has
    "documents": {},
    "passages": {},
    "passages_of": [],
    "extractors": {},
    "entities": {},
    "triples": {},
    "triple_embeddings": {},
    "triples_of": [],
    "triples_about": [],
    "mentioning": [],
    "mentioned": {},
    "answers": [],
    "passage_counts": {},
    "copies": {},
    "forget_answers": 0,
    "remove": 0,
}
ELSEWHERE = {  # asked below, or without a text, or tried by test_fields.py
    *("keyword_search", "find", "parameters", "forget_parameters", "candidates", "bridges"),
    *("evidence_query", "propagate", "nearest_passages", "rank_triples", "neighbours"),
    *("prepare", "expect", "set_triple_embeddings", "backtrace", "recorded", "documents_after"),
    *("newest", "note", "noted"),
    *("add", "record", "keep_parameters", "info", "close", "failures", "statistics"),
}


@pytest.fixture
def graph(store):
    store.add(batch(*PAGES))
    return store


def test_no_method_of_a_store_was_forgotten():
    methods = {name for name, _ in inspect.getmembers(GraphStore, inspect.isfunction)}
    assert {name for name in methods if not name.startswith("_")} == ELSEWHERE | set(BY_IDS)


def test_ids_that_nothing_has_find_nothing(graph):
    before = list(graph.maintenance.records())
    for name, nothing in BY_IDS.items():
        assert getattr(graph, name)(TEXTS) == nothing, name
    assert graph.nearest_passages(VECTOR, 5, TEXTS) == []
    assert graph.keyword_search("Quenby", 5, TEXTS) == []
    chain = [Triple(text, text, text, text) for text in TEXTS]
    for within in (None, TEXTS):
        ranked = graph.rank_triples([chain], TEXTS, VECTOR[None], 5, within)
        assert (ranked.chains, ranked.passages) == ([[]], {})
    scores = dict.fromkeys(TEXTS, 1.0)
    assert graph.bridges(scores, VECTOR, TEXTS, WAYS, {}) == []
    assert graph.bridges(scores, VECTOR, TEXTS, WAYS, {}, TEXTS) == []
    assert graph.neighbours(TEXTS, KINDS) == []
    assert graph.propagate(dict.fromkeys(TEXTS, 0.5), TEXTS, 0.5, VECTOR, KINDS) == {}
    assert graph.candidates(VECTOR, "", [], TEXTS, 5, TEXTS).found == []
    assert graph.neighbours(graph.passages_of(["id of Witness"]), TEXTS) == []
    for text in HOSTILE.values():
        assert graph.backtrace(text) == []
        assert graph.noted("parse", text, TEXTS) == {}
        assert graph.recorded(text, 5) == graph.newest(5, (text, text)) == []
        assert all(document.id > text for document in graph.documents_after(text, 5))
    graph.note("parse", "test", dict.fromkeys(HOSTILE.values(), b"x"))
    graph.set_triple_embeddings(dict.fromkeys(HOSTILE.values(), VECTOR))
    assert list(graph.maintenance.records()) == before


def test_words_between_anything_else_are_found(graph):
    before = list(graph.maintenance.records())
    [witness] = graph.passages_of(["id of Witness"])
    for text in TEXTS:
        assert graph.keyword_search(text, 5) == []
        assert graph.keyword_search(f"{text[:200]} Zorada {text[:200]}", 5)[0].id == witness
        found = graph.candidates(VECTOR, text, [text], [text], 5)
        assert (found.passages, found.frequencies) == (3, {})
        assert graph.find(text) == []
        assert graph.parameters(text) is None
        assert not graph.forget_parameters(text)
    assert list(graph.maintenance.records()) == before


def test_a_move_to_an_encoder_of_any_name_touches_no_text(graph):
    names = "".join(HOSTILE.values())[:500]
    target = Fingerprint(names, 64, names, True, names, names, names)
    move = graph.maintenance.reembedding(target)
    assert graph.maintenance.moving_to() == target
    texts = {text: text for text in HOSTILE.values()}
    move.keep(Unembedded("passage", texts), VECTOR[None].repeat(len(texts), axis=0))
    assert move.count() == 4
    assert not move.finish()
    assert graph.info().fingerprint == WORDS.fingerprint


@pytest.mark.parametrize("retriever", RETRIEVERS)
def test_every_retriever_takes_every_question(graph, retriever):
    before = list(graph.maintenance.records())
    hop = Hoptrail(graph, encoder=WORDS)
    for text in (*SOME, *HALVES.values()):
        try:
            hits = hop.search(text, retriever=retriever, limit=3)
        except BadRequest:
            assert not words(text) or len(text) > MAX_QUESTION  # "the question is empty"
        else:
            assert all(hit.passage.title in ("Bystander", "Witness") for hit in hits)
    assert list(graph.maintenance.records()) == before


def test_every_question_is_answered_or_refused_and_only_recorded(graph):
    hop = Hoptrail(graph, encoder=WORDS)
    before = {
        r["id"]
        for r in graph.maintenance.records()
        if r["kind"] in ("document", "passage", "triple")
    }
    for text in SOME[::2]:
        try:
            answer = hop.ask(text, record=True)
        except BadRequest:
            continue
        assert graph.answers([answer.question_id])[0].question == answer.question
    after = {
        r["id"]
        for r in graph.maintenance.records()
        if r["kind"] in ("document", "passage", "triple")
    }
    assert after == before


def test_names_that_mean_nothing_are_refused(graph):
    before = list(graph.maintenance.records())
    hop = Hoptrail(graph, encoder=WORDS)
    for text in (*SOME, *HALVES.values()):
        with pytest.raises(HoptrailError):
            hop.remove(text)
        with pytest.raises(NotFound):
            surroundings(graph, text)
    assert list(graph.maintenance.records()) == before


def test_many_ids_at_once(graph):
    [witness] = graph.passages_of(["id of Witness"])
    many = [*(f"unknown {n}" for n in range(40_000)), witness]
    assert list(graph.passages(many)) == [witness]
    assert [scored.id for scored in graph.nearest_passages(VECTOR, 5, within=many)] == [witness]
