"""What docs/graph-model.md offers people who already have Neo4j, on the demonstration's graph."""

import re
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import neo4j
import pytest
from conftest import STORES, emptied

from hoptrail.kg.answers import Answer
from hoptrail.kg.neo4j.store import Neo4jStore
from hoptrail.kg.question_triples import QuestionTriple
from hoptrail.service import Hoptrail
from hoptrail.service.demo import corpus_folder

QUESTION = "Where was the author of Peer Gynt born?"
PAGE = (Path(__file__).parents[2] / "docs" / "graph-model.md").read_text("utf-8")
OFFERED = PAGE[PAGE.index("## Thirteen queries") : PAGE.index("## With py2neo")]
QUERIES = re.findall(r"```cypher\n(.*?)```", OFFERED, re.DOTALL)


@pytest.fixture(scope="module", params=STORES[1:])
def server(request, neo4j_servers):
    """A server with the demonstration, one of whose questions was asked."""
    address = neo4j_servers(request.param.removeprefix("neo4j-"))
    with emptied(address) as store, Hoptrail(store) as hop, corpus_folder() as folder:
        hop.ingest(folder)
        hop.ask(QUESTION)
        yield address
    with emptied(address):
        pass


@pytest.fixture
def rows(server):
    """Runs the query of this number and gives its rows."""
    with neo4j.GraphDatabase.driver(server.uri, auth=(server.user, server.password)) as driver:

        def run(number, **parameters):
            found = driver.execute_query(
                QUERIES[number - 1], parameters, routing_=neo4j.RoutingControl.READ
            )
            return [record.values() for record in found.records]

        yield run


def test_there_are_thirteen():
    assert len(QUERIES) == 13


PARAMETERS = {
    **dict.fromkeys(("name", "from", "to", "title", "words"), "Edvard Grieg"),
    "question": QUESTION,
    "relations": ["was born in"],
    "id": "a1",
}


def test_queries_about_something_go_through_indexes(server):
    """Those about everything, the most central entities and alike names, have to see it all."""
    with neo4j.GraphDatabase.driver(server.uri, auth=(server.user, server.password)) as driver:
        driver.execute_query(  # where there is little, a scan is as good
            "UNWIND range(1, 3000) AS n CREATE (d:HoptrailDocument {id: 'd' + n, title: 'd' + n})"
            "-[:HAS_PASSAGE]->(p:HoptrailPassage {id: 'p' + n})-[:STATES]->"
            "(:HoptrailTriple {id: 't' + n})<-[:STEP]-(:HoptrailAnswer {id: 'a' + n})"
            "<-[:ANSWERED_BY]-(:HoptrailQuestion {id: 'q' + n, text: 'q' + n}) "
            "CREATE (p)-[:MENTIONS]->(:HoptrailEntity {id: 'e' + n, name: 'e' + n, aliases: []})"
            "-[:RELATES_TO {relation: 'r' + n, triple_id: 't' + n}]->"
            "(:HoptrailEntity {id: 'f' + n}) "
            "CREATE (:HoptrailAnswer {id: 'b' + n})-[:ASKED]->"
            "(:HoptrailQuestionTriple {id: 'x' + n})"
        )
        driver.execute_query("CALL db.resampleOutdatedIndexes()")
        time.sleep(1)
        driver.execute_query("CALL db.clearQueryCaches()")
        scans = {}
        for number, text in enumerate(QUERIES, 1):
            plan = driver.execute_query("EXPLAIN " + text, PARAMETERS).summary.plan
            scans[number] = [name for name in operators(plan) if "Scan" in name]
        driver.execute_query("MATCH (n) WHERE n.id =~ '[dptaqefbx][0-9]+' DETACH DELETE n")
    assert {number: found for number, found in scans.items() if found}.keys() == {6, 9}


def operators(plan):
    below = (operator for child in plan.get("children", []) for operator in operators(child))
    return [plan["operatorType"], *below]


def test_what_is_known_about_a_name(rows):
    facts = {tuple(row[:3]) for row in rows(1, name="Edvard Grieg")}
    assert ("Edvard Grieg", "was born in", "Bergen") in facts


def test_how_two_entities_are_connected(rows):
    paths = rows(2, **{"from": "peer gynt", "to": "skien"})
    assert [["Peer Gynt", "Henrik Ibsen", "Skien"], ["was written by", "was born in"]] in paths


def test_bridges_between_two_entities(rows):
    bridges = {row[0]: row[1:] for row in rows(3, **{"from": "magic flute", "to": "augsburg"})}
    assert "The Magic Flute" in bridges["Wolfgang Amadeus Mozart"][1]
    assert "Leopold Mozart" in bridges["Wolfgang Amadeus Mozart"][2]


def test_the_passages_behind_an_answer(rows):
    steps = rows(4, question=QUESTION)
    assert [(row[0], row[3], row[5], row[6]) for row in steps] == [
        ("Skien", "Peer Gynt", "Henrik Ibsen", "Peer Gynt"),
        ("Skien", "Henrik Ibsen", "Skien", "Henrik Ibsen"),
    ]


def test_contradicting_triples(rows):
    told = {row[0]: row[2] for row in rows(5, relations=["was born in", "died on"])}
    assert {"Bonn", "December 1770"} <= set(told["Ludwig van Beethoven"])
    assert "Edvard Grieg" not in told


def test_the_most_central_entities(rows):
    (name, most, _), *others = rows(6)
    assert (name, len(others)) == ("Wolfgang Amadeus Mozart", 19)
    assert most >= others[0][1] > others[-1][1]


def test_the_neighbourhood_of_a_question(rows):
    first, *_ = rows(7, words="author Peer Gynt born")
    assert first[0] == "Peer Gynt"
    assert {"Henrik Ibsen", "Edvard Grieg"} <= set(first[3])


def test_the_chain_of_a_question_with_what_filled_its_masks(server, rows):
    with Neo4jStore(server.uri, server.user, server.password) as store, Hoptrail(store) as hop:
        chained = hop.ask("Where was the composer of Peer Gynt born?", method="semi_structured")
        masks = rows(13, id=chained.id)
        store.forget_answers([chained.id])
    asked = {(row[0], row[2].partition(" (")[0]) for row in masks}
    assert asked == {(1, "composer"), (2, "place of birth")}
    assert all(row[4] for row in masks)  # passages state each


def test_passages_that_say_nearly_the_same(rows):
    _, title, _, cosine = rows(8, title="Peer Gynt")[0]
    assert title in ("Henrik Ibsen", "Edvard Grieg")
    assert 0.3 < cosine < 1


def test_names_that_may_mean_the_same(rows):
    pairs = {tuple(row[:2]) for row in rows(9)}
    assert ("Beethoven", "Ludwig van Beethoven") in pairs


def test_answers_that_would_lose_evidence(rows):
    assert [row[:2] for row in rows(10, title="Henrik Ibsen")] == [[QUESTION, "Skien"]]
    assert rows(10, title="Danube") == []


@contextmanager
def py2neo_graph(server):
    from py2neo import Graph

    graph = Graph(server.uri, auth=(server.user, server.password))
    try:
        yield graph
    finally:
        graph.service.connector.close()


def test_py2neo_walks_from_an_entity_to_the_passages_that_state_its_triples(server):
    from hoptrail.kg.neo4j.ogm import Entity

    with py2neo_graph(server) as graph:
        grieg = Entity.match(graph).where(name="Edvard Grieg").first()
        told = {
            (triple.relation, triple.tail_entity.name, passage.title)
            for triple in grieg.heads
            for passage in triple.passages
        }
        related = {entity.name for entity in grieg.relates_to}
    assert ("was born in", "Bergen", "Edvard Grieg") in told
    assert "Bergen" in related


def test_py2neo_connects_by_both_schemes(server):
    from py2neo import Graph

    for scheme in ("bolt", "neo4j"):
        uri = f"{scheme}://{server.uri.partition('://')[2]}"
        graph = Graph(uri, auth=(server.user, server.password))
        try:
            assert (
                graph.nodes.match("HoptrailEntity", name="Edvard Grieg").first()["id"]
                == "edvard grieg"
            )
        finally:
            graph.service.connector.close()


def test_py2neo_lists_no_indexes(server):
    from py2neo import ClientError

    with py2neo_graph(server) as graph, pytest.raises(ClientError, match=r"db\.indexes"):
        graph.schema.get_indexes("Entity")


def test_py2neo_shows_one_of_parallel_relations_and_spoils_them_when_it_writes(server):
    from hoptrail.kg.neo4j.ogm import Entity

    with py2neo_graph(server) as graph:
        graph.run(
            "CREATE (a:HoptrailEntity {id: 'made up'}), (b:HoptrailEntity {id: 'made up, too'}), "
            "(a)-[:RELATES_TO {relation: 'is', triple_id: 'x'}]->(b), "
            "(a)-[:RELATES_TO {relation: 'was', triple_id: 'y'}]->(b)"
        )
        try:
            entity = Entity.match(graph, "made up").first()
            assert [other.id for other in entity.relates_to] == ["made up, too"]
            entity.name = "Made up"
            graph.push(entity)
            (left,) = graph.run(
                "MATCH (:HoptrailEntity {id: 'made up'})-[r]->() "
                "RETURN collect(DISTINCT r.relation)"
            ).to_table()
            assert len(left[0]) == 1
        finally:
            graph.run("MATCH (e:HoptrailEntity) WHERE e.id STARTS WITH 'made up' DETACH DELETE e")


def test_py2neo_walks_from_a_question_to_the_documents_of_its_evidence(server):
    from hoptrail.kg.neo4j.ogm import Question

    with py2neo_graph(server) as graph:
        (answer,) = Question.match(graph).where(text=QUESTION).first().answers
        steps = sorted(answer.steps, key=lambda triple: answer.steps.get(triple, "order"))
        cited = {document.title for p in answer.cites for document in p.documents}
    assert [(triple.head, triple.tail) for triple in steps] == [
        ("Peer Gynt", "Henrik Ibsen"),
        ("Henrik Ibsen", "Skien"),
    ]
    assert {"Peer Gynt", "Henrik Ibsen"} <= cited


def test_a_questions_own_graph(server, rows):
    asked = QuestionTriple(
        *("Peer Gynt", "author", "person: #1", "", "Henrik Ibsen"),
        *("Who wrote Peer Gynt?", "Henrik Ibsen", 0.9, True, 1),
    )
    given = Answer(QUESTION, "ge_reasoning", "Skien", False, asked=(asked,))
    with Neo4jStore(server.uri, server.user, server.password) as store:
        about = [s.triple for s in store.triples_about(["henrik ibsen"])]
        told = next(triple for triple in about if triple.head_id == "peer gynt")
        given = replace(given, asked=(replace(asked, triples=(told.id,)),))
        store.record(given)
        found = rows(12, id=given.id)
        store.forget_answers([given.id])
    assert found == [
        [
            *("⟨Peer Gynt; author; person: #1⟩", "", "Henrik Ibsen", "Who wrote Peer Gynt?"),
            *("Henrik Ibsen", 0.9, True, 1, [told.text], []),
        ]
    ]
