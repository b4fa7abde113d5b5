"""GE-Reasoning through the library, on every store: what an answer leaves in the graph."""

import json

import pytest
from support.fakes import WordEncoder
from world import SymbolicReader, World, fill, pages, questions

from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.service import Hoptrail
from hoptrail.service.graph.show import surroundings

pytestmark = pytest.mark.one_release

WORLD = World.made()


@pytest.fixture
def question():
    return next(q for q in questions(WORLD) if q.type == "chain" and len(q.chain) == 2)


@pytest.fixture
def hop(store, question):
    """The question's own pages, of which nothing was extracted."""
    told = [page for page in pages(WORLD) if page.title in question.paragraphs]
    silent = SymbolicReader(says={"List what the passage": lambda prompt, judge: "none"})
    fill(store, told, WordEncoder(), silent)
    with Hoptrail(store, encoder=WordEncoder(), model=SymbolicReader()) as opened:
        yield opened


def test_the_graph_of_a_question_is_kept_with_what_it_rests_on(hop, question, tmp_path):
    before = [r for r in hop.store.maintenance.records() if r["kind"] != "info"]
    answer = hop.ask(question.text, method="ge_reasoning")
    assert answer.text in question.golds
    assert [(one.kept, one.tries, one.confidence) for one in answer.asked] == [(True, 1, 1.0)] * 2
    first, second = answer.asked
    assert first.tail.endswith(": #1")
    assert second.head == first.tail
    assert second.head_value == first.tail_value == first.sub_answer
    assert set(first.triples) <= {triple.id for triple in hop.store.triples(first.triples).values()}
    assert first.triples
    [held] = hop.store.answers([answer.id])
    assert held.asked == answer.asked

    [shown] = surroundings(hop.store, answer.id)
    assert [one["as"] for one in shown["asked"]] == ["kept", "kept"]
    assert shown["asked"][0]["asked"] == f"{first.sub_question} {first.sub_answer}"
    assert shown["asked"][1]["bound"][0] == first.sub_answer
    json.dumps(shown)

    with SqliteStore(tmp_path / "copy.db") as copy:
        copy.maintenance.restore(hop.store.maintenance.records())
        assert copy.answers([answer.id]) == [held]

    hop.remove(*question.titles)
    [left] = hop.store.answers([answer.id])
    assert [(one.triples, one.passages) for one in left.asked] == [((), ())] * 2
    assert hop.store.maintenance.problems() == []
    hop.forget(question.text)
    kept = [r for r in hop.store.maintenance.records() if r["kind"] != "info"]
    assert kept == [r for r in kept if r in before or r["kind"] == "shares_keyword"]
    assert hop.store.maintenance.problems() == []


def test_what_it_read_serves_the_next_question_without_a_passage(hop, question):
    answer = hop.ask(question.text, method="ge_reasoning")
    again = hop.ask(question.text, method="ge_reasoning:graph=only:near=-1")
    assert [s.name for s in again.steps if "extract" in s.name or "retrieve" in s.name] == []
    assert again.text == answer.text
    assert again.stated == ()
    assert [one.triples for one in again.asked] == [one.triples[-1:] for one in answer.asked]
