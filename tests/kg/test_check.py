"""Each kind of damage is named; what follows from other things is mended, without loss."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from support.building import WORDS, content
from support.damaging import damage, whole, written

from hoptrail.kg import maintenance
from hoptrail.kg.store import GraphStore


@pytest.fixture
def graph(new_store) -> GraphStore:
    return whole(new_store())


def test_a_sound_graph_has_no_problems(graph, new_store):
    before = content(graph)
    assert (
        graph.maintenance.problems(),
        graph.maintenance.problems(quick=True),
        graph.maintenance.repair(),
    ) == ([], [], [])
    assert content(graph) == before
    empty = new_store()
    assert (empty.maintenance.problems(), empty.maintenance.repair()) == ([], [])


MENDED = {
    "(runa eide, stray, vaagur": (
        "UPDATE entity SET passages = 7 WHERE id = 'vaagur';"
        "UPDATE entity SET name = 'X', terms = '[]' WHERE id = 'runa eide';"
        "INSERT INTO entity (id, name, aliases, terms, passages) "
        "VALUES ('stray', 'stray', '[]', '[]', 0)",
        "MATCH (e:HoptrailEntity {id: 'vaagur'}) SET e.passages = 7",
        "MATCH (e:HoptrailEntity {id: 'runa eide'}) SET e.name = 'X', e.terms = []",
        "CREATE (:HoptrailEntity {id: 'stray', name: 'stray', aliases: [], terms: [], counts: []})",
    ),
    "counts: stems that are counted wrong": (
        "DELETE FROM term WHERE id = 'drawn'; UPDATE term SET passages = 9 WHERE id = 'vaagur';"
        "INSERT INTO term VALUES ('stray', 1)",
        "MATCH (t:HoptrailTerm {id: 'drawn'}) DELETE t",
        "MATCH (t:HoptrailTerm {id: 'vaagur'}) SET t.passages = 9",
        "CREATE (:HoptrailTerm {id: 'stray', passages: 1})",
    ),
    "derived: passages whose stems": (
        "UPDATE passage SET terms = '[]', normal_title = 'x' WHERE title = 'Runa Eide'",
        "MATCH (p:HoptrailPassage {title: 'Runa Eide'}) "
        "SET p.terms = [], p.normal_title = 'x', p.words = ''",
    ),
    "NAMES": (
        "DELETE FROM names; INSERT INTO names SELECT a.id, b.id FROM passage a, passage b "
        "WHERE a.title = 'Runa Eide' AND b.title = 'Introduction'",
        "MATCH ()-[r:NAMES]->() DELETE r",
        "MATCH (a:HoptrailPassage {title: 'Runa Eide'}) "
        "MATCH (b:HoptrailPassage {title: 'Introduction'}) "
        "CREATE (a)-[:NAMES]->(b)",
    ),
    "orphans: triples that no passage states: 1 ": (
        "INSERT INTO triple (id, head, relation, tail, extractor, head_id, tail_id, tied) "
        "VALUES ('t', 'z', 'is', 'z', 'test', 'z', 'z', 0)",
        "CREATE (h:HoptrailEntity {id: 'z', name: 'z', aliases: [], counts: [1], terms: [], "
        "passages: 0})<-[:HEAD]-(t:HoptrailTriple {id: 't', head: 'z', relation: 'is', tail: 'z', "
        "extractor: 'test', text: 'z is z'}) "
        "CREATE (h)-[:RELATES_TO {triple_id: 't', relation: 'is'}]->(h)",
    ),
    "orphans: questions without an answer: 1 (who?)": (
        "INSERT INTO question VALUES ('q', 'who?')",
        "CREATE (:HoptrailQuestion {id: 'q', text: 'who?'})",
    ),
    "1 (gone)": (
        "INSERT INTO step_passage SELECT answer_id, chain, place, 9, 'gone' FROM step",
        "MATCH ()-[s:STEP]->() SET s.passage_ids = s.passage_ids + 'gone'",
    ),
}


def test_what_follows_is_mended(graph):
    before = content(graph)
    for sql, *cypher in MENDED.values():
        damage(graph, sql, *cypher)
    found = graph.maintenance.problems()
    said = "\n".join(f"{problem.what}: {problem.detail}" for problem in found)
    for due in MENDED:
        assert due in said
    assert all(problem.mendable for problem in found)
    assert {problem.what for problem in graph.maintenance.repair()} == {
        problem.what for problem in found
    }
    assert graph.maintenance.problems() == []
    assert content(graph) == before


SPOILT = {
    "have no vector": (
        "DELETE FROM passage_vector WHERE number = 1",
        "MATCH (p:HoptrailPassage {title: 'The Salt Lantern'}) REMOVE p.embedding",
    ),
    "whose text is not": (
        "UPDATE passage SET text = replace(text, 'drawn', 'drawm') WHERE number = 1",
        "MATCH (p:HoptrailPassage {title: 'The Salt Lantern'}) "
        "SET p.text = replace(p.text, 'drawn', 'd')",
    ),
    "with triples that are not": (
        "UPDATE triple SET relation = 'drawm by' WHERE relation = 'drawn by'",
        "MATCH (t:HoptrailTriple {relation: 'drawn by'}) SET t.relation = 'drawm by'",
    ),
    "with mentions that are not": (
        "UPDATE mentions SET surface = 'Runa Fide' WHERE surface = 'Runa Eide'",
        "MATCH (:HoptrailPassage {title: 'The Salt Lantern'})-[m:MENTIONS]->"
        "(:HoptrailEntity {id: 'runa eide'}) "
        "SET m.surface = 'Runa Fide'",
    ),
}
NOT_FINITE = (
    "UPDATE passage_vector SET vector = CAST(zeroblob(252) || x'0000c07f' AS BLOB) "
    "WHERE number = 1",
    "MATCH (p:HoptrailPassage {title: 'The Salt Lantern'}) "
    "SET p.embedding = [n IN range(1, 64) | 0.0 / 0.0]",
)
GONE = (
    "DELETE FROM document WHERE title = 'The Salt Lantern'",
    "MATCH (d:HoptrailDocument {title: 'The Salt Lantern'}) DETACH DELETE d",
)


@pytest.mark.parametrize("damages", [[*SPOILT.values()], [NOT_FINITE], [GONE]])
def test_a_document_whose_own_facts_are_damaged_is_ingested_again(graph, damages):
    before = content(graph)
    for damaged in damages:
        damage(graph, *damaged)
    said = "\n".join(problem.detail for problem in graph.maintenance.problems())
    assert [due for due in SPOILT if len(damages) > 1 and due not in said] == []
    graph.maintenance.repair()
    [left] = graph.maintenance.problems()
    assert (left.what, left.mendable) == ("documents", False)
    assert "Salt Lantern" in left.detail
    assert "`hoptrail ingest`" in left.detail
    again, held = written(), graph.documents()
    changed = {d.title for d in again.documents if held[d.id].sha256 != d.sha256}
    assert "The Salt Lantern" in changed
    graph.add(again)
    assert graph.maintenance.problems() == []
    # Evidence goes with what it rests on.
    assert [r for r in content(graph) if r["kind"] != "answer"] == [
        r for r in before if r["kind"] != "answer"
    ]


def test_a_document_that_lacks_a_passage(graph):
    damage(
        graph,
        "PRAGMA foreign_keys = ON; DELETE FROM passage WHERE title = 'Runa Eide' AND position = 0",
        "MATCH (p:HoptrailPassage {title: 'Runa Eide', position: 0}) DETACH DELETE p",
    )
    assert "lack passages: 1 (Runa Eide)" in " ".join(
        p.detail for p in graph.maintenance.problems()
    )
    graph.maintenance.repair()
    [left] = graph.maintenance.problems()
    assert "Runa Eide.md" in left.detail


def test_an_unusable_vector_of_a_triple_goes(graph):
    damage(
        graph,
        "UPDATE triple_vector SET vector = x'00' WHERE number = 1",
        "MATCH (t:HoptrailTriple) WITH t LIMIT 1 SET t.embedding = [1.0]",
    )
    assert [problem.what for problem in graph.maintenance.problems()] == ["vectors"]
    embedded = graph.statistics()["embedded_triples"]
    graph.maintenance.repair()
    assert graph.maintenance.problems() == []
    assert graph.statistics()["embedded_triples"] == embedded - 1


def test_the_encoder_is_another_than_the_vectors_say(graph):
    damage(
        graph,
        "UPDATE graph_info SET fingerprint = json_set(fingerprint, '$.dimension', 7)",
        "MATCH (g:HoptrailGraphInfo) SET g.encoder_dimension = 7",
    )
    [problem] = graph.maintenance.problems()
    assert (problem.what, problem.mendable, graph.maintenance.repair()) == (
        "fingerprint",
        False,
        [],
    )
    assert "of 7 dimensions, while 4 vectors have 64" in problem.detail
    assert "restore a backup" in problem.detail


def test_an_encoder_that_cannot_be_read(graph):
    damage(
        graph,
        "UPDATE graph_info SET fingerprint = 'x'",
        "MATCH (g:HoptrailGraphInfo) REMOVE g.encoder_name",
    )
    [problem] = graph.maintenance.problems()
    assert (problem.what, graph.maintenance.repair()) == ("fingerprint", [])


def test_a_move_to_another_encoder_that_was_not_ended(graph):
    graph.maintenance.reembedding(replace(WORDS.fingerprint, name="other"))
    [problem] = graph.maintenance.problems()
    assert (problem.what, problem.mendable, graph.maintenance.repair()) == ("reembed", False, [])
    assert "`hoptrail --encoder other reembed`" in problem.detail


def test_a_disk_without_room(graph, monkeypatch):
    monkeypatch.setattr(
        maintenance,
        "shutil",
        SimpleNamespace(disk_usage=lambda _: SimpleNamespace(free=50_000_000)),
    )
    [problem] = graph.maintenance.problems(quick=True)
    assert (problem.what, problem.mendable) == ("disk", False)
    assert "50 MB free" in problem.detail
    assert "free 150 MB" in problem.detail
