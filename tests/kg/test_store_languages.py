"""Passages in other languages, on every store: found by other inflections than their own."""

import pytest
from support.building import WORDS, batch, page, titles
from support.fakes import WordEncoder

from hoptrail.reasoning.retrieval.hop import Hop

GERMAN = "Brücken aus Stahl rosten, wenn niemand sie streicht. Die Prüfungen sind jährlich."
QUESTION = "Wer prüft die Brücke, und wie rostet sie?"


@pytest.fixture
def graph(store):
    store.prepare(WORDS.fingerprint)
    told = page("Werk", GERMAN, language="de")
    other = page("Hafen", "Schiffe liegen im Hafen und warten auf Ladung.", language="de")
    store.add(batch(told, other, page("Rust", "A wer of steel. Rust never sleeps.")))
    return store


def test_they_are_found_by_their_stems(graph):
    for question in ("Rostet eine Brücke aus anderem Metall?", "Welche Prüfung gibt es?"):
        found = graph.keyword_search(question, 5)
        assert titles(graph, [s.id for s in found])[:1] == ["Werk"], question
        inside = graph.keyword_search(question, 5, within=[s.id for s in found])
        assert inside[0].id == found[0].id


def test_hop_weighs_their_stems(graph):
    look = Hop(graph, WordEncoder()).look("Rostet eine Brücke aus anderem Metall?")
    covered = {c.title: c.covered for c in look.candidates.values()}
    assert {"de0rost", "de0bruck"} <= covered["werk"]
    assert not any(stem.startswith("de0") for stem in covered["rust"])


def test_what_lacks_them_is_found_as_before(store):
    store.prepare(WORDS.fingerprint)
    store.add(batch(page("Werk", GERMAN), page("Hafen", "Das Schiff rostet im Hafen.")))
    assert titles(store, [s.id for s in store.keyword_search(QUESTION, 5)]) == ["Werk", "Hafen"]
    assert store.keyword_search("Welche Prüfung gibt es?", 5) == []


def test_they_go_with_their_passages_and_are_whole_in_a_copy(graph, new_store):
    records = list(graph.maintenance.records())
    gone(graph)
    copy = new_store()
    copy.maintenance.restore(iter(records))
    gone(copy)


def gone(store):
    assert titles(store, [s.id for s in store.keyword_search("Welche Prüfung?", 5)]) == ["Werk"]
    assert store.maintenance.problems() == []
    store.remove(["id of Werk"])
    assert store.keyword_search("Welche Prüfung?", 5) == []
    assert store.maintenance.problems() == []
