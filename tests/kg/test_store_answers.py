"""Recorded answers, on every store: found from either end, losing only what goes."""

import pytest
from support.building import batch, page
from support.lantern import (
    BIRTH,
    BORN,
    DESIGN,
    DESIGNED,
    LANTERN,
    OPENED,
    OPENING,
    THEATRE,
    THORKIL,
    answer,
)

from hoptrail.kg.answers import Answer, Chain, SupportedTriple


@pytest.fixture
def graph(store):
    store.add(batch(LANTERN, THEATRE, THORKIL))
    return store


def test_a_recorded_answer_is_found_from_either_end(graph):
    given = answer()
    graph.record(given)
    ends = [given.id, given.question_id, OPENED.id, DESIGNED.id, OPENING, DESIGN]
    for end in ends:
        assert graph.answers([end]) == [given], end
    assert graph.answers(ends) == [given]
    assert graph.answers([BORN.id, BIRTH, "unknown"]) == graph.answers([]) == []
    counts = graph.statistics()
    assert (counts["questions"], counts["answers"]) == (1, 1)


def test_recording_again_renews_the_time_only(graph):
    graph.record(answer())
    graph.record(answer(created_at="2026-02-02T00:00:00.000000+00:00", confidence=0.1))
    assert graph.answers([answer().id]) == [answer(created_at="2026-02-02T00:00:00.000000+00:00")]
    assert graph.statistics()["answers"] == 1


def test_answers_come_newest_first(graph):
    older = answer(text="Anna Dam", created_at="2025-01-01T00:00:00.000000+00:00")
    newest = answer(method="direct", created_at="2026-03-03T00:00:00.000000+00:00")
    for one in (older, answer(), newest):
        graph.record(one)
    assert graph.answers([older.question_id]) == [newest, answer(), older]
    assert graph.statistics()["questions"] == 1


def test_what_was_asked_last_is_listed_page_by_page(graph):
    times = [f"2026-0{month}-01T00:00:00.000000+00:00" for month in (1, 3, 2, 3, 3)]
    given = [answer(method=f"m{n}", created_at=time) for n, time in enumerate(times)]
    for one in given:
        graph.record(one)
    ordered = sorted(given, key=lambda one: (one.created_at, one.id), reverse=True)
    listed, before = [], None
    while page := graph.newest(2, before):
        listed += page
        before = (page[-1].created_at, page[-1].id)
    assert [(one.id, one.created_at) for one in listed] == [(o.id, o.created_at) for o in ordered]
    assert {one.question for one in listed} == {answer().question}
    assert graph.newest(0) == []


def test_an_abstention_without_evidence_is_recorded_with_a_time(graph):
    nothing = Answer("Why?", "direct", "", True)
    graph.record(nothing)
    (kept,) = graph.answers([nothing.question_id])
    assert (kept.abstained, kept.confidence, kept.chains, kept.passages) == (True, None, (), ())
    assert kept.created_at.endswith("+00:00")


def test_a_recorded_answer_loses_what_goes_and_only_that(graph):
    graph.record(answer())
    graph.remove([LANTERN.document.id])
    (kept,) = graph.answers([answer().id])
    assert [[s.triple for s in chain.triples] for chain in kept.chains] == [[DESIGNED], [DESIGNED]]
    assert [cited.passage_id for cited in kept.passages] == [DESIGN]
    assert graph.answers([OPENING]) == graph.answers([OPENED.id]) == []


def test_a_recorded_answer_survives_the_same_document_coming_again(graph):
    graph.record(answer())
    graph.add(batch(LANTERN, THEATRE))
    assert graph.answers([OPENING]) == [answer()]


def test_a_step_keeps_its_triple_when_one_of_its_passages_goes(store):
    again = page("Notes", "The Salt Lantern opened at the Vaagur Theatre!", triples=LANTERN.triples)
    store.add(batch(LANTERN, again))
    (note,) = store.passages_of(["id of Notes"])
    store.record(answer(chains=(Chain((SupportedTriple(OPENED, (OPENING, note)),), -1.0),)))
    store.remove([LANTERN.document.id])
    (kept,) = store.answers([note])
    assert kept.chains == (Chain((SupportedTriple(OPENED, (note,)),), -1.0),)


def test_forgotten_answers_take_their_question_along_when_it_has_no_other(graph):
    other, direct = answer(text="Anna Dam"), answer(method="direct")
    why = Answer("Why?", "direct", "", True)
    for one in (answer(), other, direct, why):
        graph.record(one)
    before = graph.statistics()
    ids = sorted([answer().id, other.id, direct.id, why.id])
    first = graph.recorded("", 3)
    assert [one.id for one in first] == ids[:3]
    listed = first + graph.recorded(first[-1].id, 3)
    assert [one.id for one in listed] == ids
    assert {one.id for one in listed if one.abstained} == {why.id}
    assert {(one.question_id, one.question) for one in listed if one.id != why.id} == {
        (answer().question_id, answer().question)
    }

    assert graph.forget_answers([other.id, why.id, "unknown"]) == 2
    assert graph.answers([answer().question_id, why.question_id]) == graph.answers(
        [answer().id, direct.id]
    )
    assert (graph.statistics()["questions"], graph.statistics()["answers"]) == (1, 2)
    assert graph.forget_answers([other.id]) == graph.forget_answers([]) == 0
    assert graph.forget_answers([answer().id, direct.id]) == 2
    assert graph.recorded("", 3) == []
    assert graph.statistics() == {**before, "questions": 0, "answers": 0}
    graph.record(answer())
    assert graph.answers([answer().id]) == [answer()]
