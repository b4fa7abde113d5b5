"""What Wikidata states, as a linked graph keeps it, fills what no document says."""

import pytest
from support.building import WORDS, batch, page
from world import SymbolicReader
from world.reader import SAYS

from hoptrail.kg.errors import BadRequest
from hoptrail.kg.linked import Claim, ItemLink, LinkedItem
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.methods import METHODS
from hoptrail.reasoning.methods import answer as answered_by
from hoptrail.reasoning.retrieval import retriever
from hoptrail.reasoning.session.parts import Parts
from hoptrail.reasoning.sources import DOCUMENTS, SOURCES
from hoptrail.service.graph.show import surroundings
from hoptrail.service.hoptrail import Hoptrail

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


def asked(store, spec, sources=SOURCES):
    says = {
        **SAYS,
        "Put a triple with a variable": lambda prompt, judge: "What is it?",
        "Write a question as a chain": lambda prompt, judge: CHAIN,
        "Write a question as triples": lambda prompt, judge: TRIPLES,
        "Conclude the answer of a question": lambda prompt, judge: "So the answer is: Nigeria",
    }
    tools = (Pipeline(), retriever("dense", store, WORDS))
    model = SymbolicReader(says=says)
    parts = Parts(store, WORDS, *tools, model=model, sources=sources)
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
    claim_id = store.wikidata.claims(["Q8673"])[0].id
    assert last.wikidata.to_dict() == {**TOLD, "claim": claim_id}
    store.record(answer)
    [held] = store.answers([answer.id])
    assert held.text == "Nigeria"
    assert last.wikidata in [s.wikidata for chain in held.chains for s in chain.triples]
    assert store.maintenance.problems() == []


def test_without_it_the_chain_stays_open(store):
    answer = asked(store, "semi_structured:sources=kg:kg=own")
    assert (answer.text, steps(answer, "wikidata")) == ("", [])
    store.wikidata.unlink()
    assert asked(store, "semi_structured:sources=kg").text == ""


@pytest.mark.parametrize("spec", ["semi_structured:sources=kg", "ge_reasoning:graph=only"])
def test_documents_alone_leave_open_what_only_wikidata_says(store, spec):
    answer = asked(store, spec, sources=(DOCUMENTS,))
    assert steps(answer, "wikidata") == []
    assert "Nigeria" not in [step.triple.tail for c in answer.chains for step in c.triples]


def test_of_several_values_a_variable_takes_none(store):
    several = [
        claim("Q8673", "P17", "country", "Nigeria", "Q1033", "a"),
        claim("Q8673", "P17", "country", "Benin", "Q962", "b"),
    ]
    store.wikidata.state(["Q8673"], several)
    chains = asked(store, "ge_reasoning:graph=only").chains
    assert [step.triple.tail for chain in chains for step in chain.triples] == ["Lagos"]
    assert asked(store, "semi_structured:sources=kg").usage["filled_kg"] == 2  # a mask takes both


def test_of_several_values_none_is_asserted_without_a_model(store):
    with Hoptrail(store, encoder=WORDS) as hop:
        spec = "semi_structured:sources=kg"
        ask = "What is the country of the place of birth of Peter Adeyemi?"
        one = hop.ask(ask, method=spec, record=False)
        several = [
            claim("Q8673", "P17", "country", "Nigeria", "Q1033", "a"),
            claim("Q8673", "P17", "country", "Benin", "Q962", "b"),
        ]
        store.wikidata.state(["Q8673"], several)
        two = hop.ask(ask, method=spec, record=False)
    assert (one.text, two.text) == ("Nigeria", "")
    assert {"Nigeria", "Benin"} <= {candidate.text for candidate in two.candidates}
    chances = {candidate.text: candidate.probability for candidate in two.candidates}
    assert chances["Nigeria"] == chances["Benin"]


def test_kinds_of_knowledge_stand_once(store):
    with pytest.raises(BadRequest, match="each once"):
        asked(store, "semi_structured:kg=own+own")


# -- as passages, for methods that retrieve


TOLD = {"item": "Q8673", "pid": "P17", "endpoint": ENDPOINT, "date": "2026-05-01", "claim": None}
OWN = ("semi_structured", "ge_reasoning")  # they ask for claims themselves
BLIND = ("direct", "cot", "zero_plus_few_shot", "self_consistency")  # they look nothing up


@pytest.fixture
def hop(store):
    with Hoptrail(store, encoder=WORDS, model=SymbolicReader()) as made:
        yield made


def seen(hop, **how):
    """Whether a prompt showed the claim."""
    hop.model.prompts.clear()
    answer = hop.ask("In which region is Lagos?", retriever="dense", record=False, **how)
    return answer, any("ountry: Nigeria" in p or "; Nigeria" in p for p in hop.model.prompts)


@pytest.mark.parametrize("method", [name for name in METHODS if name not in (*OWN, *BLIND)])
def test_every_method_sees_what_wikidata_states(hop, method):
    assert seen(hop, method=method)[1]


@pytest.mark.parametrize("method", [*OWN, "trace", "knowtrace:graph=first", "rag"])
def test_without_the_source_no_method_uses_claims(hop, method):
    answer, shown = seen(hop, method=method, sources=["documents"])
    assert (shown, steps(answer, "wikidata")) == (False, [])
    assert [one for one in answer.passages if one.wikidata] == []


def test_within_some_passages_claims_count_only_where_they_are_asked_for(hop, store):
    ids = store.passages_of(list(store.documents()))
    assert not seen(hop, method="rag", within=ids)[1]
    assert seen(hop, method="rag", within=ids, sources=["documents", "wikidata"])[1]


def test_a_chain_goes_on_over_claims_and_says_where_they_come_from(store):
    with Hoptrail(store, encoder=WORDS) as hop:
        answer = hop.ask(QUESTION, record=True)  # whether or not it is sure
    said = answer.to_dict()
    stated = [step for chain in said["chains"] for step in chain["triples"]]
    [claim_id] = [one.id for one in store.wikidata.claims(["Q8673"])]
    assert ("Lagos", "country", "Nigeria", {**TOLD, "claim": claim_id}) in [
        (s["head"], s["relation"], s["tail"], s["wikidata"]) for s in stated
    ]
    assert next(s["wikidata"] for s in stated if s["relation"] == "place of birth") is None
    [cited] = [one for one in said["passages"] if one["wikidata"]]
    assert (cited["title"], cited["text"], cited["wikidata"]) == ("Lagos", "country: Nigeria", TOLD)
    [held] = store.answers([claim_id])
    assert (held.chains, held.passages) == (answer.chains, answer.passages)
    shown = surroundings(store, "Lagos")[0]["answers"]
    assert [one["answer"] for one in shown] == [answer.text or "insufficient evidence"]
    assert store.maintenance.problems() == []


def test_a_search_tells_passages_first_and_then_statements(hop):
    [document, told] = hop.search(QUESTION, retriever="dense")
    assert (document.wikidata, told.passage.text) == (None, "country: Nigeria")
    assert told.to_dict()["wikidata"] == TOLD
    assert len(hop.search(QUESTION, sources=["documents"])) == 1


@pytest.mark.parametrize("sources", [["wikidata"], ["documents", "web"]])
def test_sources_that_are_none_are_refused(hop, sources):
    with pytest.raises(BadRequest, match="documents"):
        hop.ask(QUESTION, sources=sources)
