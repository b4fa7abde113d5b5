"""Chains that leave the retrieved passages, on every store."""

import logging

import pytest
from support.building import batch, page, titles
from support.neo4j_server import versions
from world import SymbolicReader

from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.methods import answer as answered_by
from hoptrail.reasoning.methods.trace import ranking
from hoptrail.reasoning.methods.trace.method import Trace
from hoptrail.reasoning.methods.trace.selectors import BySimilarity
from hoptrail.reasoning.retrieval import Hop, Hybrid
from hoptrail.reasoning.session.parts import Parts

pytestmark = pytest.mark.one_release

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
SERVERS = [pytest.param(f"neo4j-{v}", marks=pytest.mark.neo4j) for v in versions()]
BY = ("written by", "Runa Eide")
QUESTION = "Where was the author of The Salt Lantern born?"


@pytest.fixture
def parts(store, encoder):
    store.add(batch(BOOK, AUTHOR, NAMESAKE))
    return Parts(store, encoder, Pipeline(), Hybrid(store, encoder), model=SymbolicReader())


def test_a_chain_goes_on_where_retrieval_ended(parts, store):
    assert answered_by(Trace(passages=1, expand=False), parts, QUESTION).abstained
    answer = answered_by(Trace(passages=1), parts, QUESTION)
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


@pytest.mark.parametrize("embedded", [True, False])
def test_a_chain_goes_on_the_same_where_triples_have_no_vectors(store, encoder, embedded):
    store.add(batch(BOOK, AUTHOR, NAMESAKE, embedded=embedded))
    parts = Parts(store, encoder, Pipeline(), Hybrid(store, encoder), model=SymbolicReader())
    answer = answered_by(Trace(passages=1), parts, QUESTION)
    assert answer.text == "Vaagur"
    assert [s.triple.relation for s in answer.chains[0].triples] == ["written by", "born in"]
    ours = {statement.triple.id for of in (BOOK, AUTHOR) for statement in of.statements}
    assert set(parts.encoded) == (set() if embedded else ours)


def test_what_is_too_much_to_encode_is_said(store, encoder, monkeypatch):
    monkeypatch.setattr(ranking, "MOST_ENCODED", 2)
    others = [
        page(f"Book {n}", f"Book {n} was written by Runa Eide.", triples=((f"Book {n}", *BY),))
        for n in range(5)
    ]
    store.add(batch(BOOK, *others, embedded=False))
    parts = Parts(store, encoder, Pipeline(), Hybrid(store, encoder), model=SymbolicReader())
    answer = answered_by(Trace(passages=1), parts, QUESTION)
    [told] = [step.output for step in answer.steps if step.name == "expand"]
    assert told.startswith("3 triples next to the chains have no vector and are not looked at")
    assert "ingest --embed-triples" in told
    assert len(parts.encoded) == 3  # the passage's own, and two


@pytest.mark.parametrize("new_store", SERVERS, indirect=True)
@pytest.mark.parametrize("embedded", [True, False])
@pytest.mark.parametrize("settings", [{}, {"reads": "passages"}, {"ranked": False}])
def test_a_question_takes_four_statements_and_one_a_hop(store, encoder, caplog, embedded, settings):
    """Two to retrieve, one for texts and one for copies; for each hop one, of all beams at once."""
    others = [
        page(f"Book {n}", f"Book {n} was written by Runa Eide.", triples=((f"Book {n}", *BY),))
        for n in range(20)
    ]
    store.add(batch(BOOK, AUTHOR, NAMESAKE, *others, embedded=embedded))
    hops = []
    for model in (SymbolicReader(), None):
        parts = Parts(store, encoder, Pipeline(), Hop(store, encoder), model=model)
        method = Trace(passages=2, **settings) if model else Trace(passages=2, expand=True)
        with caplog.at_level(logging.DEBUG, "hoptrail.kg.neo4j.statements"):
            caplog.clear()
            answer = answered_by(method, parts, QUESTION)
        run = [r.args[0] for r in caplog.records if r.name.endswith("neo4j.statements")]
        hops.append(sum(step.name.startswith("chain") for step in answer.steps))
        assert run.count("search/rank_triples") == hops[-1]
        assert len(run) == 4 + hops[-1]
    assert min(hops) > 1


class Shown(BySimilarity):
    """Keeps which relations it was offered."""

    def choose(self, question, chains, options):
        OFFERED.update(one.triple.relation for of_chain in options for one in of_chain)
        return super().choose(question, chains, options)


OFFERED: set[str] = set()


def test_a_parsed_relation_of_many_words_is_not_offered(store, encoder):
    long = "was born in the old house on"
    pages = [
        page(
            title,
            f"{title} {long} {other}. {title} met {other}.",
            triples=((title, long, other), (title, "met", other)),
            extractor="spacy",
        )
        for title, other in (("Runa Eide", "Vaagur"), ("Vaagur", "Sandur"))
    ]
    store.add(batch(*pages))
    parts = Parts(store, encoder, Pipeline(), Hybrid(store, encoder))
    OFFERED.clear()
    method = Trace(passages=1, expand=True, selector=Shown())
    answered_by(method, parts, "Where was Runa Eide born?")
    assert {"met"} == OFFERED
