"""The graph that was traced for an answer, on every store: recorded, walked back, taken out."""

import random
from dataclasses import replace

import numpy as np
import pytest
from support.building import batch, page
from support.lantern import DESIGN, DESIGNED, LANTERN, OPENED, THEATRE, THORKIL, answer

from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.tracing import TracedTriple, Tracing
from hoptrail.kg.types import Statement, Triple

READ = Triple("Jens Thorkil", "was taught by", "Osk Dam", "reader knowtrace/complete 12")
STATED = Statement(DESIGN, READ, 31, 43)


def traced(*triples):
    return tuple(
        TracedTriple(triple, number, triple.head, f"fact {number}")
        for number, triple in enumerate(triples, 1)
    )


@pytest.fixture
def graph(store):
    store.add(batch(LANTERN, THEATRE, THORKIL))
    return store


@pytest.fixture
def given():
    tracing = Tracing(
        traced(OPENED, DESIGNED, READ),
        initial=("salt lantern",),
        targets=("jens thorkil", "salt lantern"),
    )
    return answer(method="knowtrace", tracing=tracing, stated=(STATED,))


def records(store):
    return [r for r in store.maintenance.records() if r["kind"] not in ("answer", "info")]


def test_what_was_traced_is_read_back_and_found_from_its_triples(graph, given):
    graph.record(given)
    for end in (given.id, READ.id):
        [held] = graph.answers([end])
        assert held == given
        assert held.stated == ()
    assert graph.backtrace(given.id) == [OPENED.id, DESIGNED.id]
    assert graph.backtrace("unknown") == graph.backtrace("") == []


def test_what_was_read_on_the_way_is_in_the_graph(graph, given):
    graph.record(given)
    assert STATED in graph.triples_of([DESIGN])
    assert graph.entities(["osk dam"])["osk dam"].name == "Osk Dam"
    assert {s.triple for s in graph.triples_about(["osk dam"])} == {READ}
    before = records(graph)
    graph.record(given)
    assert records(graph) == before
    assert graph.maintenance.problems() == []


def test_an_answer_that_traced_nothing_changes_nothing_else(graph):
    before = records(graph)
    graph.record(answer())
    assert records(graph) == before
    assert not graph.answers([answer().id])[0].tracing


def test_a_document_takes_its_traced_triples_with_it_exactly(graph, given):
    graph.remove([THEATRE.document.id])
    before = records(graph)
    graph.add(batch(THEATRE))
    graph.record(given)
    graph.remove([THEATRE.document.id])
    assert records(graph) == before
    [held] = graph.answers([given.id])
    assert [one.triple for one in held.tracing.triples] == [OPENED]
    assert held.tracing.initial == ("salt lantern",)
    assert graph.backtrace(given.id) == []
    assert graph.maintenance.problems() == []


def test_what_passages_that_are_gone_state_is_passed_over(graph, given):
    graph.remove([THEATRE.document.id])
    before = records(graph)
    graph.record(given)
    assert records(graph) == before
    assert [one.triple for one in graph.answers([given.id])[0].tracing.triples] == [OPENED]


def test_the_same_document_again_keeps_what_ingestion_finds(graph, given):
    graph.record(given)
    graph.add(batch(THEATRE))
    assert STATED not in graph.triples_of([DESIGN])
    [held] = graph.answers([given.id])
    assert [one.triple for one in held.tracing.triples] == [OPENED, DESIGNED]


def test_records_carry_it(graph, given, tmp_path):
    graph.record(given)
    with SqliteStore(tmp_path / "copy.db") as copy:
        copy.maintenance.restore(graph.maintenance.records())
        assert [*copy.maintenance.records()] == [*graph.maintenance.records()]
        assert copy.answers([given.id]) == [given]
        assert copy.backtrace(given.id) == graph.backtrace(given.id)


# -- over random graphs
def by_closure(tracing):
    """The triples on a walk from an initial entity to a target, by the graph's closure."""
    keys = sorted({k for o in tracing.triples for k in (o.triple.head_id, o.triple.tail_id)})
    place = {key: n for n, key in enumerate(keys)}
    near = np.eye(len(keys), dtype=bool)
    for one in tracing.triples:
        for start, end in one.ways:
            near[place[start], place[end]] = True
    far = near
    for _ in keys:
        far = far @ near
    initial = [place[key] for key in tracing.initial if key in place]
    targets = [place[key] for key in tracing.targets if key in place]

    def on_a_walk(start, end):
        return far[initial, place[start]].any() and far[place[end], targets].any()

    return [o.triple for o in tracing.triples if any(on_a_walk(*way) for way in o.ways)]


def drawn(seed):
    """A page with triples between few entities, and a tracing over them."""
    draw = random.Random(seed)
    names = [f"Name {letter}" for letter in "ABCDEFGHIJ"[: draw.randint(3, 10)]]
    pairs = [draw.sample(names, 2) for _ in range(draw.randint(1, 16))]
    text = f"{seed}: {', '.join(names)}."
    told = page(f"Page {seed}", text, triples=[(a, "knows", b) for a, b in pairs])
    triples = list(dict.fromkeys(s.triple for s in told.statements))
    listed = [
        TracedTriple(t, draw.randint(1, 5), draw.choice([t.head, t.tail, *names[:2]]), "?")
        for t in triples
    ]
    initial, targets = (
        tuple(name.casefold() for name in draw.sample(names, draw.randint(0, 3))) for _ in range(2)
    )
    return told, Tracing(tuple(listed), initial, targets)


def test_the_way_back_is_the_same_in_memory_and_on_every_store(store):
    drawings = [drawn(seed) for seed in range(40)]
    store.add(batch(*(told for told, _ in drawings)))
    kept = 0
    for number, (_, tracing) in enumerate(drawings):
        evidence = tracing.evidence()
        assert evidence == by_closure(tracing)
        kept += len(evidence)
        ways = tracing.ways()
        assert {triple for way in ways for triple in way} == set(evidence)
        recorded = answer(question=f"Question {number}", tracing=tracing)
        store.record(recorded)
        assert store.backtrace(recorded.id) == [triple.id for triple in evidence]
        [held] = store.answers([recorded.id])
        assert held.tracing.triples == tracing.triples
        assert held.tracing.evidence() == evidence
    assert kept > 40


def test_an_answer_with_nothing_on_a_way_has_no_evidence():
    tracing = Tracing(traced(OPENED, DESIGNED), ("salt lantern",), ("osk dam",))
    assert tracing.evidence() == tracing.ways() == []
    assert replace(tracing, targets=("vaagur theatre",)).ways() == [(OPENED,)]


def test_ways_are_chains_in_the_order_of_the_walk():
    back = Triple("Osk Dam", "saw", "The Salt Lantern", "x")  # a cycle
    tracing = Tracing(traced(OPENED, DESIGNED, READ, back), ("salt lantern",), ("osk dam",))
    assert tracing.ways() == [(OPENED, DESIGNED, READ, back)]
    assert replace(tracing, triples=tracing.triples[:3]).ways() == [(OPENED, DESIGNED, READ)]
