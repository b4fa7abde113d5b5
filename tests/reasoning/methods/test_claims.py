"""What Wikidata states, as a linked graph keeps it, fills what no document says."""

import pytest
from support.building import WORDS, batch, page
from world import SymbolicReader
from world.reader import SAYS

from hoptrail.kg.errors import BadRequest
from hoptrail.kg.linked import Claim, ItemLink, LinkedItem
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.methods import answer as answered_by
from hoptrail.reasoning.retrieval import retriever
from hoptrail.reasoning.session.parts import Parts

ENDPOINT, DAY = "https://query.example/sparql", "2026-05-01T10:00:00+00:00"
CHAIN = "Peter Adeyemi >> place of birth >> #1; #1 >> country >> #2; final answer: #2"
QUESTION = "In which country was Peter Adeyemi born?"
TRIPLES = "⟨Peter Adeyemi; place of birth; place: #1⟩\n⟨place: #1; country; place: #2⟩"


def claim(item, pid, relation, value, value_id, statement):
    return Claim(
        item, pid, relation, value, value_id, "normal", "", "", "", "", statement, ENDPOINT, DAY
    )


@pytest.fixture
def store(tmp_path):
    """One page says where he was born; that the town is in Nigeria says Wikidata alone."""
    said = "Peter Adeyemi was born in Lagos."
    with SqliteStore(tmp_path / "linked.db") as made:
        made.prepare(WORDS.fingerprint)
        triples = (("Peter Adeyemi", "place of birth", "Lagos"),)
        made.add(batch(page("Peter", said, mentions=("Peter Adeyemi", "Lagos"), triples=triples)))
        [document] = made.documents()
        link = ItemLink(document, "lagos", "Q8673", 1.6, 0.4, "test", "name 1.00")
        items = [LinkedItem("Q8673", "Lagos", "city in Nigeria", ENDPOINT, DAY)]
        made.wikidata.link([document], "test", [link], items)
        made.wikidata.state(["Q8673"], [claim("Q8673", "P17", "country", "Nigeria", "Q1033", "a")])
        yield made


def asked(store, spec):
    says = {
        **SAYS,
        "Put a triple with a variable": lambda prompt, judge: "What is it?",
        "Write a question as a chain": lambda prompt, judge: CHAIN,
        "Write a question as triples": lambda prompt, judge: TRIPLES,
        "Conclude the answer of a question": lambda prompt, judge: "So the answer is: Nigeria",
    }
    parts = Parts(
        store, WORDS, Pipeline(), retriever("dense", store, WORDS), model=SymbolicReader(says=says)
    )
    return answered_by(spec, parts, QUESTION)


def steps(answer, name):
    return [step.output for step in answer.steps if step.name == name]


@pytest.mark.parametrize("spec", ["semi_structured:sources=kg", "ge_reasoning:graph=only"])
def test_wikidata_fills_what_no_document_says(store, spec):
    answer = asked(store, spec)
    assert answer.text == "Nigeria"
    assert "⟨Lagos (Q8673); country (P17); Nigeria (Q1033)⟩" in steps(answer, "wikidata")
    [last] = [
        step for chain in answer.chains for step in chain.triples if step.triple.tail == "Nigeria"
    ]
    assert last.passage_ids == ()  # no document does
    assert last.triple.extractor == f"wikidata Q8673 P17 {ENDPOINT} 2026-05-01"
    store.record(answer)
    [held] = store.answers([answer.id])
    assert held.text == "Nigeria"
    assert store.maintenance.problems() == []


def test_without_it_the_chain_stays_open(store):
    answer = asked(store, "semi_structured:sources=kg:kg=own")
    assert (answer.text, steps(answer, "wikidata")) == ("", [])
    store.wikidata.unlink()
    assert asked(store, "semi_structured:sources=kg").text == ""


def test_of_several_values_a_variable_takes_none(store):
    several = [
        claim("Q8673", "P17", "country", "Nigeria", "Q1033", "a"),
        claim("Q8673", "P17", "country", "Benin", "Q962", "b"),
    ]
    store.wikidata.state(["Q8673"], several)
    chains = asked(store, "ge_reasoning:graph=only").chains
    assert [step.triple.tail for chain in chains for step in chain.triples] == ["Lagos"]
    assert asked(store, "semi_structured:sources=kg").usage["filled_kg"] == 2  # a mask takes both


def test_kinds_of_knowledge_stand_once(store):
    with pytest.raises(BadRequest, match="each once"):
        asked(store, "semi_structured:kg=own+own")
