"""KnowTrace through the library, on every store: what an answer leaves in the graph."""

import pytest
from support.fakes import WordEncoder
from world import SymbolicReader, World, fill, pages, questions

from hoptrail.service import Hoptrail
from hoptrail.service.graph.show import surroundings

pytestmark = pytest.mark.one_release

WORLD = World.made()
METHOD = "knowtrace:graph=first:near=-1.0:graph_triples=20"


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


def records(store):
    return [r for r in store.maintenance.records() if r["kind"] != "answer"]


def test_what_was_traced_serves_the_next_question_and_goes_with_its_documents(hop, question):
    before = records(hop.store)
    hop.ask(question.text, method="knowtrace", record=False)
    assert [*hop.store.maintenance.records()] == before

    answer = hop.ask(question.text, method="knowtrace")
    assert answer.text in question.golds
    assert hop.store.statistics()["triples"] == len(answer.stated) == 2
    assert hop.store.statistics()["answers"] == 1
    evidence = [triple.id for triple in answer.tracing.evidence()]
    assert hop.store.backtrace(answer.id) == evidence
    assert len(evidence) == 2

    again = hop.ask(question.text, method=METHOD)
    assert again.text == answer.text
    assert again.stated == ()
    assert [s.name for s in again.steps if "complete" in s.name or "retrieve" in s.name] == []
    assert again.tracing.evidence() == answer.tracing.evidence()

    hop.remove(*question.titles)
    left = [r for r in records(hop.store) if r["kind"] in ("triple", "states", "relates_to")]
    assert left == []
    [kept] = hop.store.answers([answer.id])
    assert not kept.tracing


def test_show_tells_what_brought_each_triple_and_what_is_evidence(hop, question):
    answer = hop.ask(question.text, method="knowtrace")
    [shown] = surroundings(hop.store, answer.id)
    first, second = question.chain
    assert [(one["in"], one["as"]) for one in shown["traced"]] == [
        ("round 1", "evidence"),
        ("round 2", "evidence"),
    ]
    assert shown["traced"][0]["triple"][::2] == [first.head, first.tail]
    assert shown["traced"][1]["for"].startswith(f"{second.head}: ")
    assert shown["began_at"] == [first.head]
    assert set(shown["led_to"]) == {first.head, first.tail, second.tail}
