"""Damage that only a server can have: indexes, and edges that a file derives anew each time."""

from collections.abc import Iterator

import pytest
from conftest import emptied
from support.building import content
from support.damaging import damage, whole
from support.neo4j_server import versions

from hoptrail.kg.errors import StoreUnavailable
from hoptrail.kg.store import GraphStore


@pytest.fixture(params=[pytest.param(v, marks=pytest.mark.neo4j) for v in versions()])
def server(request, neo4j_servers) -> Iterator[GraphStore]:
    with whole(emptied(neo4j_servers(request.param))) as store:
        yield store


def test_indexes_of_a_server_are_made_again(server):
    before = content(server)
    damage(
        server,
        "",
        "DROP INDEX hoptrail_passage_text",
        "DROP CONSTRAINT hoptrail_term_id",
        "DROP INDEX hoptrail_passage_embedding",
        "CREATE VECTOR INDEX hoptrail_passage_embedding FOR (n:HoptrailPassage) ON (n.embedding) "
        "OPTIONS {indexConfig: {`vector.dimensions`: 3}}",
    )
    [problem] = server.maintenance.problems(quick=True)
    assert (problem.what, problem.mendable) == ("indexes", True)
    for name in ("passage_text", "term_id", "passage_embedding"):
        assert name in problem.detail
    assert server.maintenance.repair() == [problem]
    assert server.maintenance.problems() == []
    assert content(server) == before


def test_an_index_whose_making_failed(server):
    damage(
        server,
        "",
        "DROP INDEX hoptrail_passage_document",
        "MATCH (p:HoptrailPassage {title: 'Introduction'}) SET p.kept = p.document_id, "
        "p.document_id = reduce(s = 'x', n IN range(1, 15) | s + s)",
        "CREATE RANGE INDEX hoptrail_passage_document FOR (p:HoptrailPassage) ON (p.document_id)",
    )
    [problem] = server.maintenance.problems(quick=True)
    assert "passage_document" in problem.detail
    damage(
        server, "", "MATCH (p:HoptrailPassage) WHERE p.kept IS NOT NULL SET p.document_id = p.kept"
    )
    assert server.maintenance.repair() == [problem]
    assert server.maintenance.problems() == []


def test_two_nodes_of_one_id_are_no_trouble_of_an_index(server):
    damage(
        server,
        "",
        "DROP CONSTRAINT hoptrail_document_id",
        "MATCH (d:HoptrailDocument {title: 'Introduction'}) CREATE (e:HoptrailDocument) SET e = d",
    )
    found = server.maintenance.problems(quick=True)
    assert [(p.what, p.mendable) for p in found] == [("indexes", False), ("nodes", False)]
    assert "1 (HoptrailDocument id of Introduction); restore a backup" in found[1].detail
    assert server.maintenance.repair() == []
    damage(server, "", "MATCH (d:HoptrailDocument) WHERE NOT (d)--() DELETE d")
    assert [problem.what for problem in server.maintenance.repair()] == ["indexes"]
    assert server.maintenance.problems() == []


EDGES = {
    "HAS_PASSAGE missing or too many: 4": "MATCH ()-[r:HAS_PASSAGE]->() DELETE r",
    "NEXT missing or too many: 1": "MATCH (a)-[:NEXT]->(b) CREATE (a)-[:NEXT]->(b)",
    "MENTIONS too": "MATCH (a)-[:MENTIONS]->(b) CREATE (a)-[:MENTIONS {surface: 'x'}]->(b)",
    "STATES too many: 3": "MATCH (a)-[:STATES]->(b) CREATE (a)-[:STATES]->(b)",
    "HEAD missing or too many: 3": "MATCH ()-[r:HEAD]->() DELETE r",
    "TAIL missing or too many: 3": "MATCH (t)-[:TAIL]->(e) CREATE (t)-[:TAIL]->(e)",
    "RELATES_TO missing, wrong or too many: 2": "MATCH ()-[r:RELATES_TO]->() SET r.relation = 'x'",
    "triples with another text: 3": "MATCH (t:HoptrailTriple) SET t.text = 'x'",
    "wrong name or number": "MATCH (e:HoptrailEntity) SET e.counts = [9]",
}
SHARED = (
    "MATCH ()-[r:SHARES_KEYWORD]->() SET r.weight = 9.0",
    "MATCH ()-[r:SHARES_KEYWORD]->() DELETE r",
    "MATCH (a)-[:SHARES_KEYWORD]->(b) CREATE (b)-[:SHARES_KEYWORD]->(a)",
)


@pytest.mark.parametrize("shared", SHARED)
def test_edges_and_properties_of_a_server_are_mended(server, shared):
    before = content(server)
    damage(server, "", shared, *EDGES.values())
    said = "\n".join(problem.detail for problem in server.maintenance.problems())
    assert [due for due in (*EDGES, "SHARES_KEYWORD missing, wrong") if due not in said] == []
    server.maintenance.repair()
    assert server.maintenance.problems() == []
    assert content(server) == before


def test_passages_that_another_program_made_are_named_and_stay(server):
    before = server.statistics()
    damage(server, "", "CREATE (:HoptrailPassage {id: 'added', text: 'By another program.'})")
    [problem] = server.maintenance.problems()
    assert (problem.what, problem.mendable) == ("orphans", False)
    assert "passages that another program made" in problem.detail
    assert "1 (added)" in problem.detail
    assert server.maintenance.repair() == []
    assert server.statistics() == before | {"passages": before["passages"] + 1}
    damage(server, "", "MATCH (p:HoptrailPassage {id: 'added'}) DELETE p")
    assert server.maintenance.problems() == []


def test_nothing_is_mended_where_others_wrote_meanwhile(server):
    damage(server, "", "MATCH ()-[r:NEXT]->() DELETE r")
    with pytest.raises(StoreUnavailable, match="written to while"):
        server.maintenance.repair(
            lambda what: server.remove(["id of Introduction"]) if what == "names" else 0
        )
    assert [problem.what for problem in server.maintenance.problems()] == ["edges"]
