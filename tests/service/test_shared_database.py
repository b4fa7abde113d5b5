"""A database in which others keep their data: every command leaves it as it was, byte for byte."""

import json
import os
from collections.abc import Iterator

import neo4j
import pytest
from conftest import STORES, emptied
from support.neo4j_server import ServerAddress, without_schema

pytestmark = pytest.mark.neo4j

LABELS = (
    *("Document", "Passage", "Entity", "Keyword", "Triple", "Question", "Answer", "Term"),
    *("Failure", "Parameters", "GraphInfo", "Chunk"),
)
TYPES = (
    *("HAS_PASSAGE", "NEXT", "MENTIONS", "SHARES_KEYWORD", "NAMES", "STATES", "HEAD", "TAIL"),
    *("RELATES_TO", "ANSWERED_BY", "STEP", "CITES"),
)
"""Theirs are called as ours are, or were."""
THEIR_SCHEMA = (
    "CREATE CONSTRAINT document_id FOR (n:Document) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT relates_to_triple FOR ()-[r:RELATES_TO]-() REQUIRE r.triple_id IS UNIQUE",
    "CREATE VECTOR INDEX chunks FOR (n:Passage) ON (n.embedding) "
    "OPTIONS {indexConfig: {`vector.dimensions`: 384, `vector.similarity_function`: 'cosine'}}",
    "CREATE VECTOR INDEX passage_embedding FOR (n:Chunk) ON (n.embedding) "
    "OPTIONS {indexConfig: {`vector.dimensions`: 3, `vector.similarity_function`: 'euclidean'}}",
    "CREATE FULLTEXT INDEX passage_text FOR (n:Chunk) ON EACH [n.body]",
    "CREATE RANGE INDEX term_id FOR (n:Customer) ON (n.name)",
)
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("ingest", "towns"),
    ("ingest", "towns"),
    ("stats",),
    ("search", "Which river flows through Ulm?"),
    ("search", "river", "--retriever", "bm25"),
    ("search", "river", "--retriever", "gnn"),
    ("ask", "Which river flows through Ulm?"),
    ("ask", "Which river flows through Vienna?", "--no-record"),
    ("show", "Ulm"),
    ("doctor",),
    ("export", "graph.jsonl"),
    ("copy", "copied.db"),
    ("reembed", "--triples"),
    ("--query-prefix", "query: ", "reembed"),
    ("reembed",),
    ("doctor", "--fix"),
    ("ingest", "towns", "--prune"),
    ("remove", "Ulm"),
)


@pytest.fixture(params=STORES[1:])
def shared(request, neo4j_servers, monkeypatch) -> Iterator[neo4j.Driver]:
    """A driver to a server with others' data alone; the commands find it by HOPTRAIL_GRAPH."""
    address: ServerAddress = neo4j_servers(request.param.removeprefix("neo4j-"))
    with emptied(address):
        pass
    monkeypatch.setenv("HOPTRAIL_GRAPH", address.uri)
    monkeypatch.setenv("HOPTRAIL_NEO4J_USER", address.user)
    monkeypatch.setenv("HOPTRAIL_NEO4J_PASSWORD", address.password)
    auth = (address.user, address.password)
    with (
        neo4j.GraphDatabase.driver(
            address.uri, auth=auth, notifications_min_severity="OFF"
        ) as driver,
        driver.session() as session,
    ):
        without_schema(session)
        fill(driver)
        yield driver
        without_schema(session)
    with emptied(address):
        pass


def fill(driver: neo4j.Driver) -> None:
    for statement in THEIR_SCHEMA:
        driver.execute_query(statement)
    for number, label in enumerate(LABELS):
        driver.execute_query(
            f"UNWIND ['ulm', 'danube', 'graph', 'river', 'gnn-ret'] AS id CREATE (n:{label} {{"
            "id: id, title: 'Ulm', text: 'Ulm lies on the Danube.', words: 'ulm danube river', "
            "name: 'Ulm', source: 'x', position: 0, normal_title: 'ulm', passages: 1, "
            "schema_version: 99, number: $number, "
            "embedding: [x IN range(1, 384) | 0.05], since: date('2024-02-29')})",
            number=number,
        )
    for type_ in TYPES:
        driver.execute_query(
            f"MATCH (a:Passage {{id: 'ulm'}}), (b:Entity {{id: 'danube'}}) CREATE (a)-[:{type_} "
            "{triple_id: $type, relation: 'on', keywords: ['ulm'], passage_ids: ['ulm']}]->(b)",
            type=type_,
        )


def others(driver: neo4j.Driver) -> list[str]:
    """All that others keep: nodes, the relationships between them, constraints and indexes."""
    own = "any(label IN labels({0}) WHERE label STARTS WITH 'Hoptrail' OR label STARTS WITH 'Mine')"
    nodes = driver.execute_query(
        f"MATCH (n) WHERE NOT {own.format('n')} "
        "RETURN elementId(n) AS id, labels(n) AS labels, properties(n) AS held"
    ).records
    ties = driver.execute_query(
        f"MATCH (a)-[r]->(b) WHERE NOT {own.format('a')} "
        "RETURN elementId(r) AS id, elementId(b) AS end, type(r) AS type, properties(r) AS held"
    ).records
    indexes = driver.execute_query(
        "SHOW INDEXES YIELD name, type, labelsOrTypes, properties, options, owningConstraint "
        "WHERE NOT name STARTS WITH 'hoptrail_' AND NOT name STARTS WITH 'mine_'"
    ).records
    return sorted(repr(sorted(r.data().items())) for r in (*nodes, *ties, *indexes))


@pytest.fixture
def towns(tmp_path):
    (tmp_path / "towns").mkdir()
    for name, text in (
        ("ulm", "Ulm is a city on the Danube. The river Danube flows through Ulm."),
        ("vienna", "Vienna is the capital of Austria. Vienna lies on the Danube, as Ulm does."),
    ):
        (tmp_path / "towns" / f"{name}.md").write_text(f"# {name.title()}\n\n{text}\n")
    return tmp_path


def test_every_command_leaves_others_data_as_it_was(run, shared, towns):
    before = others(shared)
    assert len(before) > 70
    for command in COMMANDS:
        status, out, err = run(*command)
        assert (command, status, err if status else "") == (command, 0, "")
        assert others(shared) == before, command
        if command == ("stats",):
            assert "documents                  2\n" in out
    assert run("ingest", "towns")[0] == 0
    status, out, _ = run("doctor")
    assert (status, others(shared) == before) == (0, True)
    assert run("import", "graph.jsonl")[0] == 2  # the graph is not empty
    shared.execute_query("MATCH (n) WHERE labels(n)[0] STARTS WITH 'Hoptrail' DETACH DELETE n")
    assert run("import", "graph.jsonl")[0] == 0
    shared.execute_query("MATCH (n) WHERE labels(n)[0] STARTS WITH 'Hoptrail' DETACH DELETE n")
    assert run("--graph", "copied.db", "copy", os.environ["HOPTRAIL_GRAPH"])[0] == 0
    assert others(shared) == before


@pytest.mark.one_release
def test_a_graph_finds_the_same_beside_others_data(run, shared, towns):
    """Others' passages have the same words, the same titles and near vectors."""
    asked = ("search", "Which river flows through Ulm?", "--json")
    run("ingest", "towns")
    run("--graph", "alone.db", "ingest", "towns")
    for retriever in ("hop", "dense", "bm25", "gnn"):
        _, beside, _ = run(*asked, "--retriever", retriever)
        _, alone, _ = run("--graph", "alone.db", *asked, "--retriever", retriever)
        assert (retriever, titles(beside)) == (retriever, titles(alone))


def titles(text: str) -> list[str]:
    return [hit["title"] for hit in json.loads(text)["passages"]]


@pytest.mark.one_release
def test_nodes_with_our_labels_are_not_taken_for_ours(run, shared, towns, monkeypatch):
    shared.execute_query("CREATE (:HoptrailTerm {id: 'river'}), (:HoptrailPassage {id: 'x'})")
    run("--graph", "towns.db", "ingest", "towns")
    before = others(shared)
    for command in (
        ("ingest", "towns"),
        ("--graph", "towns.db", "copy", os.environ["HOPTRAIL_GRAPH"]),
    ):
        status, _, err = run(*command)
        assert (status, "2 nodes with labels of Hoptrail" in err) == (2, True)
        assert "HOPTRAIL_NEO4J_PREFIX" in err
    assert others(shared) == before
    monkeypatch.setenv("HOPTRAIL_NEO4J_PREFIX", "Mine")
    assert run("ingest", "towns")[0] == 0
    found = shared.execute_query("MATCH (p:MinePassage) RETURN count(p) AS passages").records
    assert found[0]["passages"] == 2
    left = shared.execute_query("MATCH (n:HoptrailTerm|HoptrailPassage) RETURN properties(n) AS p")
    assert sorted(row["p"]["id"] for row in left.records) == ["river", "x"]


@pytest.mark.one_release
def test_an_index_of_others_that_is_called_as_ours_is_named(run, shared, towns):
    for name in ("hoptrail_passage_text", "hoptrail_term_id"):
        shared.execute_query(f"DROP CONSTRAINT {name} IF EXISTS")
        shared.execute_query(f"DROP INDEX {name} IF EXISTS")
        shared.execute_query(f"CREATE RANGE INDEX {name} FOR (n:Invoice) ON (n.number)")
        status, _, err = run("ingest", "towns")
        assert (status, f"an index {name} on Invoice (number)" in err) == (2, True), err
        assert shared.execute_query("MATCH (n:HoptrailPassage) RETURN n").records == []
        shared.execute_query(f"DROP INDEX {name}")
    assert run("ingest", "towns")[0] == 0


@pytest.mark.one_release
def test_two_graphs_in_one_database(run, shared, towns, monkeypatch):
    before = others(shared)
    (towns / "other").mkdir()
    (towns / "other" / "oslo.md").write_text("# Oslo\n\nOslo is the capital of Norway.\n")
    run("ingest", "towns")
    run("export", "first.jsonl")
    monkeypatch.setenv("HOPTRAIL_NEO4J_PREFIX", "Mine")
    assert run("ingest", "other")[0] == 0
    assert "Oslo" in run("search", "What is the capital of Norway?", "--limit", "1")[1]
    found = json.loads(run("search", "Ulm on the Danube", "--json")[1])["passages"]
    assert [hit["title"] for hit in found] == ["Oslo"]
    assert run("doctor")[0] == 0
    assert run("remove", "Oslo")[0] == 0
    monkeypatch.delenv("HOPTRAIL_NEO4J_PREFIX")
    run("export", "again.jsonl")
    assert (towns / "again.jsonl").read_bytes() == (towns / "first.jsonl").read_bytes()
    assert others(shared) == before


@pytest.mark.one_release
def test_a_prefix_that_is_none_is_refused(run, shared, monkeypatch):
    before = others(shared)
    for prefix in ("hop", "Hop Trail", "H", "Hop`", "HopTrail", "Ünder"):
        monkeypatch.setenv("HOPTRAIL_NEO4J_PREFIX", prefix)
        status, _, err = run("stats")
        assert (prefix, status) == (prefix, 2)
        assert "can't begin the labels of a graph" in err
    assert others(shared) == before
