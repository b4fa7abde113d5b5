"""Chains that leave the retrieved passages, on every store."""

import pytest
from support.building import batch, page, titles
from world import SymbolicReader

from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.methods import answer as answered_by
from hoptrail.reasoning.methods.trace.method import Trace
from hoptrail.reasoning.retrieval import Hybrid
from hoptrail.reasoning.session.parts import Parts

BOOK, AUTHOR, NAMESAKE = (
    page(
        "The Salt Lantern",
        "The Salt Lantern was written by Runa Eide.",
        triples=(("The Salt Lantern", "written by", "Runa Eide"),),
    ),
    page(
        "Runa Eide",
        "Runa Eide was born in Vaagur.",
        triples=(("Runa Eide", "born in", "Vaagur"),),
    ),
    page(
        "Salt",
        "Salt, written by nobody, is mined in Wieliczka.",
        triples=(("Salt", "set in", "Wieliczka"),),
    ),
)
QUESTION = "Where was the author of The Salt Lantern born?"


@pytest.fixture
def parts(store, encoder):
    store.add(batch(BOOK, AUTHOR, NAMESAKE))
    return Parts(store, encoder, Pipeline(), Hybrid(store, encoder), model=SymbolicReader())


def test_a_chain_goes_on_where_retrieval_ended(parts, store):
    assert answered_by(Trace(passages=1), parts, QUESTION).abstained
    answer = answered_by(Trace(passages=1, expand=True), parts, QUESTION)
    assert answer.text == "Vaagur"
    assert [s.triple.relation for s in answer.chains[0].triples] == ["written by", "born in"]
    assert titles(store, [c.passage_id for c in answer.passages]) == [BOOK.title, AUTHOR.title]
    assert titles(store, list(answer.steps[0].evidence)) == [BOOK.title]
    assert "expand" not in [step.name for step in answer.steps]


def test_an_answer_of_a_model_is_recorded_with_its_evidence(parts, store):
    answer = answered_by(Trace(passages=1, expand=True), parts, QUESTION)
    store.record(answer)
    [held] = store.answers([answer.question_id])
    assert (held.text, held.model) == ("Vaagur", "symbolic reader")
    assert held.chains == answer.chains
    assert held.usage == answer.usage


def test_expansion_says_so_where_triples_have_no_vectors(store, encoder):
    store.add(batch(BOOK, AUTHOR, NAMESAKE, embedded=False))
    parts = Parts(store, encoder, Pipeline(), Hybrid(store, encoder), model=SymbolicReader())
    answer = answered_by(Trace(passages=1, expand=True), parts, QUESTION)
    [told] = [step.output for step in answer.steps if step.name == "expand"]
    assert "1 of 1 triples next to the chains have no vector" in told
    assert "ingest --embed-triples" in told
