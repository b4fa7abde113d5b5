"""What a graph keeps of Wikidata, on every store: links by document and entity, items, claims."""

import dataclasses

import pytest
from support.building import batch, content, page

from hoptrail.kg.answers import Answer, Chain, Citation, SupportedTriple
from hoptrail.kg.linked import Claim, ItemLink, LinkedItem
from hoptrail.kg.tracing import TracedTriple, Tracing
from hoptrail.kg.wikidata.facts import facts
from hoptrail.kg.wikidata.kept import KeptKnowledge
from hoptrail.kg.wikidata.properties import FEMALE, MALE, SEX, Properties, Property

NORTH = page("A Journey North", "We came to Vaagur by ship.", mentions=("Vaagur", "ship"))
SOUTH = page("A Journey South", "Vaagur lies in the hills.", mentions=("Vaagur",))
TOWN = LinkedItem("Q9000010", "Vaagur", "town on the coast", "http://here/sparql", "2026-01-01")
VILLAGE = LinkedItem("Q9000011", "Vaagur", "village", "http://here/sparql", "2026-01-01")
ADA = LinkedItem("Q9000012", "Ada Thorkil", "", "http://here/sparql", "2026-01-01")


def link(where, item, entity="vaagur"):
    return ItemLink(where.document.id, entity, item.id, 1.5, 0.25, "linker 1", "name 1.00")


def claim(item, value, value_id=None, **more):
    given = {"rank": "normal", "unit": "", "start": "", "end": "", "point_in_time": ""}
    given |= {"statement": "", "endpoint": item.endpoint, "fetched_at": item.fetched_at}
    return Claim(item.id, "P6", "head of government", value, value_id, **(given | more))


MAYOR = claim(TOWN, "Ada Thorkil", ADA.id, start="2019", rank="preferred", statement="Q9-a")
BEFORE = claim(TOWN, "Jens Thorkil", "Q9000013", end="2018-12-31", statement="Q9-b")


@pytest.fixture
def linked(store):
    """Two documents' "Vaagur" are two things."""
    store.add(batch(NORTH, SOUTH))
    both = [NORTH.document.id, SOUTH.document.id]
    links = [link(NORTH, TOWN), link(SOUTH, VILLAGE)]
    store.wikidata.link(both, "linker 1", links, [TOWN, VILLAGE, ADA])
    return store


def test_a_name_means_another_thing_in_another_document(linked):
    kept = linked.wikidata
    assert kept.links(["vaagur", "ship"]) == [link(NORTH, TOWN), link(SOUTH, VILLAGE)]
    assert kept.linked([TOWN.id]) == [link(NORTH, TOWN)]
    assert kept.items([VILLAGE.id, "Q1", TOWN.id]) == {VILLAGE.id: VILLAGE, TOWN.id: TOWN}
    assert kept.item_ids() == [TOWN.id, VILLAGE.id]
    assert kept.linked_by([SOUTH.document.id, "x"]) == {SOUTH.document.id: "linker 1"}
    assert linked.entities(["vaagur"])["vaagur"].wikidata_id is None


def test_an_entity_is_the_item_that_all_its_links_lead_to(linked):
    linked.remove([SOUTH.document.id])
    [entity] = linked.entities(["vaagur"]).values()
    assert (entity.wikidata_id, entity.description) == (TOWN.id, TOWN.description)
    linked.add(batch(SOUTH))  # nothing says what it means there
    assert linked.entities(["vaagur"])["vaagur"].wikidata_id == TOWN.id
    linked.wikidata.link([SOUTH.document.id], "linker 1", [link(SOUTH, VILLAGE)], [VILLAGE])
    assert linked.entities(["vaagur"])["vaagur"].wikidata_id is None


def test_links_go_with_their_document_and_when_it_changes(linked):
    changed = dataclasses.replace(NORTH, texts=("Vaagur is not here.",))
    linked.add(batch(changed))
    assert linked.wikidata.links(["vaagur"]) == [link(SOUTH, VILLAGE)]
    assert linked.wikidata.linked_by([NORTH.document.id]) == {}
    assert linked.remove([NORTH.document.id, SOUTH.document.id]) == 2
    assert linked.wikidata.links(["vaagur"]) == []


def test_linking_again_replaces(linked):
    linked.wikidata.link([NORTH.document.id], "linker 2", [], [])
    assert linked.wikidata.links(["vaagur"]) == [link(SOUTH, VILLAGE)]
    assert linked.wikidata.linked_by([NORTH.document.id]) == {NORTH.document.id: "linker 2"}


def test_what_leads_nowhere_is_passed_over(linked):
    strange = [link(NORTH, TOWN, "nobody"), dataclasses.replace(link(NORTH, TOWN), document_id="x")]
    linked.wikidata.link([NORTH.document.id, "x"], "linker 1", strange, [TOWN])
    assert linked.wikidata.links(["nobody", "vaagur"]) == [link(SOUTH, VILLAGE)]


def test_undoing_leaves_the_graph_as_it_was(store):
    store.add(batch(NORTH, SOUTH))
    before = content(store)
    ids = [NORTH.document.id, SOUTH.document.id]
    store.wikidata.link(ids, "linker 1", [link(NORTH, TOWN)], [TOWN])
    store.wikidata.state([TOWN.id], [MAYOR])
    assert content(store) != before
    assert store.wikidata.unlink() == 1
    assert content(store) == before
    assert store.wikidata.unlink() == 0


def test_one_document_can_be_unlinked(linked):
    assert linked.wikidata.unlink([SOUTH.document.id]) == 1
    assert linked.entities(["vaagur"])["vaagur"].wikidata_id == TOWN.id
    assert linked.wikidata.linked_by([SOUTH.document.id]) == {}


def test_claims_are_replaced_as_one(linked):
    kept = linked.wikidata
    assert not kept.stated()
    kept.state([TOWN.id, "Q1"], [MAYOR, BEFORE, claim(dataclasses.replace(TOWN, id="Q1"), "x")])
    both = sorted([MAYOR, BEFORE], key=lambda one: one.id)
    assert kept.claims([TOWN.id, "Q1"]) == both
    assert kept.claims_about(["vaagur"]) == both
    assert kept.claims_about(["vaagur"], 1) == both[:1]
    assert kept.claims_about(["ship"]) == []
    assert kept.stating([ADA.id, TOWN.id]) == [MAYOR]
    kept.state([TOWN.id], [MAYOR])
    assert kept.claims([TOWN.id]) == [MAYOR]
    assert kept.stated()
    assert kept.forget_claims() == 1
    assert (kept.claims([TOWN.id]), kept.stated()) == ([], False)


def test_it_is_counted_moved_and_sound(linked, new_store):
    linked.wikidata.state([TOWN.id], [MAYOR, BEFORE])
    counted = linked.statistics()
    assert [counted[name] for name in ("items", "links", "claims")] == [3, 2, 2]
    assert linked.maintenance.problems() == []
    records = list(linked.maintenance.records())
    other = new_store()
    other.maintenance.restore(records)
    assert list(other.maintenance.records()) == records
    assert other.wikidata.claims([TOWN.id]) == sorted([MAYOR, BEFORE], key=lambda one: one.id)
    assert other.statistics() == counted


def test_a_graph_that_was_never_linked_says_so(new_store):
    kept = new_store().wikidata
    assert (kept.items(["Q1"]), kept.links(["a"]), kept.linked(["Q1"])) == ({}, [], [])
    assert (kept.item_ids(), kept.linked_by(["a"]), kept.claims(["Q1"])) == ([], {}, [])
    assert (kept.claims_about(["a"]), kept.unlink(), kept.forget_claims()) == ([], 0, 0)
    assert not kept.stated()


@pytest.mark.parametrize(("sex", "relation"), [(MALE, "father"), (FEMALE, "mother")])
def test_whose_child_one_is_is_the_parent_of_that_sex(linked, sex, relation):
    names = {"P22": "father", "P25": "mother", "P40": "child", SEX: "sex"}
    said = [
        dataclasses.replace(claim(ADA, "Vaagur", TOWN.id), pid="P40", relation="child"),
        dataclasses.replace(claim(ADA, "", sex), pid=SEX, relation="sex"),
    ]
    linked.wikidata.state([ADA.id], said)
    kept = KeptKnowledge(
        linked.wikidata, properties=Properties(map(Property, names, names.values()))
    )
    told = {name: kept.tails([TOWN.id], name) for name in ("father", "mother")}
    assert [tail.text for tail in told[relation].tails] == ["Ada Thorkil"]
    assert [name for name in told if told[name]] == [relation]


# -- answers that rest on claims


@pytest.fixture
def answered(linked):
    """An answer that rests on a document's passage and on a claim."""
    linked.wikidata.state([TOWN.id], [MAYOR, BEFORE])
    [fact] = facts(linked.wikidata.claims([TOWN.id]), {TOWN.id: TOWN})
    passage, told = fact.passage, fact.statements[0].triple  # the mayor of now, the preferred one
    chain = Chain((SupportedTriple(told, (passage.id,)), SupportedTriple(told, (passage.id,))), -1)
    traced = TracedTriple(told, 2, "Vaagur", "its mayor")
    source = fact.document.source
    cited = Citation(passage.id, passage.title, passage.text, 2, 0.5, source=source)
    own = NORTH.passages[0]
    given = Answer(
        question="Who governs Vaagur?",
        method="trace",
        text="Ada Thorkil",
        abstained=False,
        chains=(chain,),
        passages=(Citation(own.id, own.title, own.text, 1, 0.25), cited),
        tracing=Tracing((traced,), ("vaagur",)),
        created_at="2026-01-02T03:04:05.000000+00:00",
    )
    linked.record(given)
    return given


def test_an_answer_keeps_what_wikidata_states(linked, answered, new_store):
    for id_ in (answered.id, MAYOR.id):
        [held] = linked.answers([id_])
        assert held == answered, id_
    assert [one.wikidata.pid for one in held.passages if one.wikidata] == ["P6"]
    assert held.chains[0].triples[0].wikidata.claim == MAYOR.id
    records = list(linked.maintenance.records())
    other = new_store()
    other.maintenance.restore(records)
    assert list(other.maintenance.records()) == records
    assert other.answers([MAYOR.id]) == [answered]
    linked.record(answered)
    assert list(linked.maintenance.records()) == records
    assert linked.forget_answers([answered.id]) == 1
    assert linked.wikidata.claims([TOWN.id]) == sorted([MAYOR, BEFORE], key=lambda one: one.id)


def test_statements_that_are_brought_anew_stay_an_answers_evidence(linked, answered):
    later = dataclasses.replace(MAYOR, value="Ada T.", value_id=None, fetched_at="2026-06-01")
    linked.wikidata.state([TOWN.id], [later])
    [held] = linked.answers([answered.id])
    assert [step.triple.tail for step in held.chains[0].triples] == ["Ada T."] * 2
    assert held.chains[0].triples[0].passage_ids == (held.passages[1].passage_id,)
    assert held.passages[1].text == "head of government: Ada T. (2019 to)"
    assert linked.wikidata.stating([ADA.id]) == []
    assert linked.maintenance.problems() == []


@pytest.mark.parametrize("undo", ["unlink", "forget_claims", "refresh"])
def test_statements_that_go_leave_nothing_behind(linked, answered, undo):
    kept = linked.wikidata
    kept.state([TOWN.id], [BEFORE]) if undo == "refresh" else getattr(kept, undo)()
    [held] = linked.answers([answered.id])
    assert (held.chains, held.tracing.triples) == ((), ())
    assert [one.passage_id for one in held.passages] == [NORTH.passages[0].id]
    assert linked.answers([MAYOR.id]) == []
    [record] = [one for one in linked.maintenance.records() if one["kind"] == "answer"]
    assert [record[name] for name in ("claim_steps", "claim_cites", "claim_traced")] == [[], [], []]
    assert linked.maintenance.problems() == []
