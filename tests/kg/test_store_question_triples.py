"""A question's own graph, as it was asked for an answer, on every store."""

from dataclasses import replace

import pytest
from support.building import batch
from support.fakes import WordEncoder
from support.lantern import DESIGN, DESIGNED, LANTERN, OPENED, OPENING, THEATRE, THORKIL, answer

from hoptrail.kg.errors import BadRequest
from hoptrail.kg.question_triples import QuestionTriple
from hoptrail.kg.sqlite.store import SqliteStore

WHERE = QuestionTriple(
    *("The Salt Lantern", "opened at", "place: #1", "", "Vaagur Theatre"),
    *("Where did The Salt Lantern open?", "Vaagur Theatre", 0.875, True, 1),
    *((OPENED.id,), (OPENING,)),
)
WHO = QuestionTriple(
    *("place: #1", "architect", "person: #2", "Vaagur Theatre", "Jens Thorkil"),
    *("Who designed the Vaagur Theatre?", "Jens Thorkil", 1.0, True, 2),
    *((DESIGNED.id,), (DESIGN,)),
)
WHEN = QuestionTriple("person: #2", "born", "date: #3", "Jens Thorkil", tries=3)


@pytest.fixture
def graph(store):
    store.add(batch(LANTERN, THEATRE, THORKIL))
    return store


@pytest.fixture
def given():
    return answer(method="ge_reasoning", asked=(WHERE, WHO, WHEN))


def records(store):
    return [r for r in store.maintenance.records() if r["kind"] not in ("answer", "info")]


def test_what_was_asked_is_read_back(graph, given):
    before = records(graph)
    graph.record(given)
    graph.record(given)
    assert graph.answers([given.id]) == [given]
    assert records(graph) == before
    assert graph.maintenance.problems() == []


def test_a_document_takes_what_led_to_it(graph, given):
    graph.record(given)
    graph.remove([THEATRE.document.id])
    [held] = graph.answers([given.id])
    assert held.asked == (WHERE, replace(WHO, triples=(), passages=()), WHEN)
    [record] = [r for r in graph.maintenance.records() if r["kind"] == "answer"]
    ids = {link[3] for link in record["asked_links"]}
    assert DESIGN not in ids
    assert ids <= {OPENED.id, OPENING, "vaagur theatre", "jens thorkil"}
    assert graph.maintenance.problems() == []


def test_it_goes_with_its_answer(graph, given):
    before = [*graph.maintenance.records()]
    graph.record(given)
    assert graph.forget_answers([given.id]) == 1
    assert [*graph.maintenance.records()] == before
    assert graph.maintenance.problems() == []
    graph.record(given)
    assert graph.answers([given.id]) == [given]


def test_records_carry_it_from_and_to_every_store(graph, given, tmp_path):
    graph.record(given)
    told = [*graph.maintenance.records()]
    with SqliteStore(tmp_path / "copy.db") as copy:
        copy.maintenance.restore(told)
        assert [*copy.maintenance.records()] == told
        assert copy.answers([given.id]) == [given]
        graph.forget_answers([given.id])
        graph.remove([one.document.id for one in (LANTERN, THEATRE, THORKIL)])
        graph.maintenance.restore(copy.maintenance.records())
    assert [*graph.maintenance.records()] == told
    assert graph.answers([given.id]) == [given]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("asked_links", [[0, "triple", 0, "gone"]]),
        ("asked_links", [[7, "passage", 0, DESIGN]]),
        ("asked", [[0, "a", "b"]]),
        ("asked_links", [[0, "river", 0, DESIGN]]),
    ],
)
def test_what_contradicts_itself_does_not_get_in(given, tmp_path, field, value):
    with SqliteStore(tmp_path / "from.db") as store:
        store.prepare(WordEncoder().fingerprint)
        store.add(batch(LANTERN, THEATRE, THORKIL))
        store.record(given)
        told = [dict(r) for r in store.maintenance.records()]
    told[-1][field] = value
    with (
        SqliteStore(tmp_path / "to.db") as store,
        pytest.raises(BadRequest, match="asked"),
    ):
        store.maintenance.restore(told)
