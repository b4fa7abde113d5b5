"""Each kind of damage is named; what follows from other things is mended, without loss."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace

import neo4j
import older
import pytest
from building import WORDS, batch, content
from conftest import emptied
from neo4j_server import versions

from hoptrail.kg import checking
from hoptrail.kg.errors import StoreUnavailable
from hoptrail.kg.sqlite_store import SqliteStore
from hoptrail.kg.store import GraphStore


@pytest.fixture
def graph(new_store) -> GraphStore:
    """A sound graph with an answer, a failure and parameters."""
    return whole(new_store())


def whole(store: GraphStore) -> GraphStore:
    store.prepare(WORDS.fingerprint)
    store.add(written())
    store.record(older.answer())
    store.keep_parameters("gnn-ret", '{"alphas": [0.5]}')
    return store


def written():
    extracted = batch(*older.PAGES)
    extractors = dict.fromkeys((passage.id for passage in extracted.passages), "test")
    return replace(extracted, extractors=extractors)


def damage(store: GraphStore, sql: str, *cypher: str) -> None:
    """Alter what is kept behind the store's back."""
    if isinstance(store, SqliteStore):
        store.close()
        with closing(sqlite3.connect(store.where)) as connection:
            connection.executescript(sql)
        return
    server = store._server
    with neo4j.GraphDatabase.driver(
        store.where, auth=(server._user, server._password), notifications_min_severity="OFF"
    ) as opened:
        for statement in cypher:
            opened.execute_query(statement)


def test_a_sound_graph_has_no_problems(graph, new_store):
    before = content(graph)
    assert (graph.problems(), graph.problems(quick=True), graph.repair()) == ([], [], [])
    assert content(graph) == before
    empty = new_store()
    assert (empty.problems(), empty.repair()) == ([], [])


MENDED = {
    "(runa eide, stray, vaagur": (
        "UPDATE entity SET passages = 7 WHERE id = 'vaagur';"
        "UPDATE entity SET name = 'X', terms = '[]' WHERE id = 'runa eide';"
        "INSERT INTO entity (id, name, aliases, terms) VALUES ('stray', 'stray', '[]', '[]')",
        "MATCH (e:Entity {id: 'vaagur'}) SET e.passages = 7",
        "MATCH (e:Entity {id: 'runa eide'}) SET e.name = 'X', e.terms = []",
        "CREATE (:Entity {id: 'stray', name: 'stray', aliases: [], terms: [], counts: []})",
    ),
    "counts: stems that are counted wrong": (
        "DELETE FROM term WHERE id = 'drawn'; UPDATE term SET passages = 9 WHERE id = 'vaagur';"
        "INSERT INTO term VALUES ('stray', 1)",
        "MATCH (t:Term {id: 'drawn'}) DELETE t",
        "MATCH (t:Term {id: 'vaagur'}) SET t.passages = 9",
        "CREATE (:Term {id: 'stray', passages: 1})",
    ),
    "derived: passages whose stems": (
        "UPDATE passage SET terms = '[]', normal_title = 'x' WHERE title = 'Runa Eide'",
        "MATCH (p:Passage {title: 'Runa Eide'}) "
        "SET p.terms = [], p.normal_title = 'x', p.words = ''",
    ),
    "NAMES": (
        "DELETE FROM names; INSERT INTO names SELECT a.id, b.id FROM passage a, passage b "
        "WHERE a.title = 'Runa Eide' AND b.title = 'Introduction'",
        "MATCH ()-[r:NAMES]->() DELETE r",
        "MATCH (a:Passage {title: 'Runa Eide'}), (b:Passage {title: 'Introduction'}) "
        "CREATE (a)-[:NAMES]->(b)",
    ),
    "orphans: triples that no passage states: 1 ": (
        "INSERT INTO triple (id, head, relation, tail, extractor, head_id, tail_id, tied) "
        "VALUES ('t', 'z', 'is', 'z', 'test', 'z', 'z', 0)",
        "CREATE (h:Entity {id: 'z', name: 'z', aliases: [], counts: [1], terms: [], passages: 0})"
        "<-[:HEAD]-(t:Triple {id: 't', head: 'z', relation: 'is', tail: 'z', extractor: 'test', "
        "text: 'z is z'}) CREATE (h)-[:RELATES_TO {triple_id: 't', relation: 'is'}]->(h)",
    ),
    "orphans: questions without an answer: 1 (who?)": (
        "INSERT INTO question VALUES ('q', 'who?')",
        "CREATE (:Question {id: 'q', text: 'who?'})",
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
    found = graph.problems()
    said = "\n".join(f"{problem.what}: {problem.detail}" for problem in found)
    for due in MENDED:
        assert due in said
    assert all(problem.mendable for problem in found)
    assert {problem.what for problem in graph.repair()} == {problem.what for problem in found}
    assert graph.problems() == []
    assert content(graph) == before


SPOILT = {
    "have no vector": (
        "DELETE FROM passage_vector WHERE number = 1",
        "MATCH (p:Passage {title: 'The Salt Lantern'}) REMOVE p.embedding",
    ),
    "whose text is not": (
        "UPDATE passage SET text = replace(text, 'drawn', 'drawm') WHERE number = 1",
        "MATCH (p:Passage {title: 'The Salt Lantern'}) SET p.text = replace(p.text, 'drawn', 'd')",
    ),
    "with triples that are not": (
        "UPDATE triple SET relation = 'drawm by' WHERE relation = 'drawn by'",
        "MATCH (t:Triple {relation: 'drawn by'}) SET t.relation = 'drawm by'",
    ),
    "with mentions that are not": (
        "UPDATE mentions SET surface = 'Runa Fide' WHERE surface = 'Runa Eide'",
        "MATCH (:Passage {title: 'The Salt Lantern'})-[m:MENTIONS]->(:Entity {id: 'runa eide'}) "
        "SET m.surface = 'Runa Fide'",
    ),
}
NOT_FINITE = (
    "UPDATE passage_vector SET vector = CAST(zeroblob(252) || x'0000c07f' AS BLOB) "
    "WHERE number = 1",
    "MATCH (p:Passage {title: 'The Salt Lantern'}) "
    "SET p.embedding = [n IN range(1, 64) | 0.0 / 0.0]",
)
GONE = (
    "DELETE FROM document WHERE title = 'The Salt Lantern'",
    "MATCH (d:Document {title: 'The Salt Lantern'}) DETACH DELETE d",
)


@pytest.mark.parametrize("damages", [[*SPOILT.values()], [NOT_FINITE], [GONE]])
def test_a_document_whose_own_facts_are_damaged_is_ingested_again(graph, damages):
    before = content(graph)
    for damaged in damages:
        damage(graph, *damaged)
    said = "\n".join(problem.detail for problem in graph.problems())
    assert [due for due in SPOILT if len(damages) > 1 and due not in said] == []
    graph.repair()
    [left] = graph.problems()
    assert (left.what, left.mendable) == ("documents", False)
    assert "Salt Lantern" in left.detail
    assert "`hoptrail ingest`" in left.detail
    again, held = written(), graph.documents()
    changed = {d.title for d in again.documents if held[d.id].sha256 != d.sha256}
    assert "The Salt Lantern" in changed
    graph.add(again)
    assert graph.problems() == []
    # Evidence goes with what it rests on.
    assert [r for r in content(graph) if r["kind"] != "answer"] == [
        r for r in before if r["kind"] != "answer"
    ]


def test_a_document_that_lacks_a_passage(graph):
    damage(
        graph,
        "PRAGMA foreign_keys = ON; DELETE FROM passage WHERE title = 'Runa Eide' AND position = 0",
        "MATCH (p:Passage {title: 'Runa Eide', position: 0}) DETACH DELETE p",
    )
    assert "lack passages: 1 (Runa Eide)" in " ".join(p.detail for p in graph.problems())
    graph.repair()
    [left] = graph.problems()
    assert "Runa Eide.md" in left.detail


def test_an_unusable_vector_of_a_triple_goes(graph):
    damage(
        graph,
        "UPDATE triple_vector SET vector = x'00' WHERE number = 1",
        "MATCH (t:Triple) WITH t LIMIT 1 SET t.embedding = [1.0]",
    )
    assert [problem.what for problem in graph.problems()] == ["vectors"]
    embedded = graph.statistics()["embedded_triples"]
    graph.repair()
    assert graph.problems() == []
    assert graph.statistics()["embedded_triples"] == embedded - 1


def test_the_encoder_is_another_than_the_vectors_say(graph):
    damage(
        graph,
        "UPDATE graph_info SET fingerprint = json_set(fingerprint, '$.dimension', 7)",
        "MATCH (g:GraphInfo) SET g.encoder_dimension = 7",
    )
    [problem] = graph.problems()
    assert (problem.what, problem.mendable, graph.repair()) == ("fingerprint", False, [])
    assert "of 7 dimensions, while 4 vectors have 64" in problem.detail
    assert "restore a backup" in problem.detail


def test_an_encoder_that_cannot_be_read(graph):
    damage(
        graph,
        "UPDATE graph_info SET fingerprint = 'x'",
        "MATCH (g:GraphInfo) REMOVE g.encoder_name",
    )
    [problem] = graph.problems()
    assert (problem.what, graph.repair()) == ("fingerprint", [])


def test_a_move_to_another_encoder_that_was_not_ended(graph):
    graph.begin_reembedding(replace(WORDS.fingerprint, name="other"))
    [problem] = graph.problems()
    assert (problem.what, problem.mendable, graph.repair()) == ("reembed", False, [])
    assert "`hoptrail --encoder other reembed`" in problem.detail


def test_a_disk_without_room(graph, monkeypatch):
    monkeypatch.setattr(
        checking, "shutil", SimpleNamespace(disk_usage=lambda _: SimpleNamespace(free=50_000_000))
    )
    [problem] = graph.problems(quick=True)
    assert (problem.what, problem.mendable) == ("disk", False)
    assert "50 MB free" in problem.detail
    assert "free 150 MB" in problem.detail


# -- what only one of the stores has
@pytest.fixture
def file(tmp_path) -> SqliteStore:
    with SqliteStore(tmp_path / "g.db") as store:
        yield whole(store)


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("DROP INDEX document_title", "document_title"),
        ("DROP VIEW next", "next"),
        ("DROP TRIGGER passage_vector_gone", "passage_vector_gone"),
        ("DROP TABLE term", "term"),
        ("DROP TABLE passage_words", "passage_words"),
        ("DROP TABLE entity; DROP TABLE spelling", "entity, spelling"),
        ("DROP VIEW next; CREATE VIEW next (source, target) AS SELECT 1, 2", "next"),
    ],
)
def test_missing_tables_that_follow_from_others_are_made(file, sql, says):
    before, search = content(file), file.keyword_search("Runa sheets", 10)
    damage(file, sql)
    [problem] = file.problems()
    assert (problem.what, problem.mendable) == ("schema", True)
    assert says in problem.detail
    assert problem in file.repair()
    assert file.problems() == []
    assert (content(file), file.keyword_search("Runa sheets", 10)) == (before, search)


def test_a_missing_table_of_facts_is_not_made(file):
    damage(file, "DROP TABLE states")
    [problem] = file.problems()
    assert (problem.what, problem.mendable, file.repair()) == ("schema", False, [])
    assert "restore a backup" in problem.detail


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE spelling SET times = 9 WHERE entity_id = 'vaagur'",
        "UPDATE triple SET head_id = 'x', tied = 1 WHERE relation = 'born in'",
        "DELETE FROM entity",
        "INSERT INTO passage_words (passage_words) VALUES ('delete-all')",
        "INSERT INTO passage_vector VALUES (99, x'00')",
        "INSERT INTO mentions VALUES ('gone', 'vaagur', 'Vaagur')",
        "INSERT INTO states VALUES ('gone', (SELECT min(id) FROM triple), 0, 1)",
        "INSERT INTO names VALUES ('gone', 'gone')",
        "INSERT INTO cites SELECT id, 9, 1, 0.5, 'gone' FROM answer",
        "INSERT INTO step SELECT id, 9, 0, 0.5, 'gone' FROM answer",
        "INSERT INTO passage_vector_next VALUES (1, x'00')",
        "UPDATE graph_info SET next_fingerprint = 'x'",
    ],
)
def test_rows_of_a_file_are_mended(file, sql):
    before, search = content(file), file.keyword_search("Runa sheets", 10)
    damage(file, sql)
    assert file.problems()
    assert all(problem.mendable for problem in file.problems())
    file.repair()
    assert file.problems() == []
    assert (content(file), file.keyword_search("Runa sheets", 10)) == (before, search)


def test_an_index_that_lacks_a_row(file):
    """As a crash of the disk may leave it: SQLite's own check finds it, its REINDEX mends it."""
    file.close()
    index = "FROM sqlite_schema WHERE name = 'document_source'"
    with closing(sqlite3.connect(file.where)) as connection:
        row = connection.execute(f"SELECT * {index}").fetchone()
    for sql, values in (
        (f"DELETE {index}", ()),
        ("UPDATE document SET source = 'x' || source", ()),
        ("INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)", row),
    ):
        with closing(sqlite3.connect(file.where, isolation_level=None)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute(sql, values)
    [problem] = file.problems()
    assert (problem.what, problem.mendable) == ("indexes", True)
    assert file.repair() == [problem]
    assert file.problems() == []


def test_an_unreadable_map_of_a_document(file):
    damage(file, "UPDATE document SET metadata = '{' WHERE title = 'Introduction'")
    file.repair()
    [left] = file.problems()
    assert "Introduction.md" in left.detail
    assert set(file.documents()) == {d.id for d in written().documents}


def test_a_reader_sees_what_was_mended(file):
    with SqliteStore(file.where) as other:
        asked = WORDS.encode_queries(["Salt Lantern"])[0]
        nearest = other.nearest_passages(asked, 4)
        damage(file, "INSERT INTO passage_vector VALUES (99, x'00')")
        file.repair()
        assert other.nearest_passages(asked, 4) == nearest


def test_a_file_that_may_not_be_written(file, monkeypatch):
    def refused() -> None:
        raise StoreUnavailable("no right to write")

    monkeypatch.setattr(file._file, "require_rights", refused)
    assert [problem.what for problem in file.problems()] == ["rights"]


def test_a_damaged_file(file):
    file.close()
    with open(file.where, "r+b") as opened:
        opened.seek(4096 * 3)
        opened.write(b"\xff" * 4096 * 4)
    assert "is damaged" in said(file)


def said(store: GraphStore) -> str:
    """Found by a check, or before one can begin."""
    try:
        return "; ".join(problem.detail for problem in store.problems())
    except StoreUnavailable as error:
        return str(error)


@pytest.fixture(params=[pytest.param(v, marks=pytest.mark.neo4j) for v in versions()])
def server(request, neo4j_servers) -> Iterator[GraphStore]:
    with whole(emptied(neo4j_servers(request.param))) as store:
        yield store


def test_indexes_of_a_server_are_made_again(server):
    before = content(server)
    damage(
        server,
        "",
        "DROP INDEX passage_text",
        "DROP CONSTRAINT term_id",
        "DROP INDEX triple_embedding",
        "CREATE VECTOR INDEX triple_embedding FOR (n:Triple) ON (n.embedding) "
        "OPTIONS {indexConfig: {`vector.dimensions`: 3}}",
    )
    [problem] = server.problems(quick=True)
    assert (problem.what, problem.mendable) == ("indexes", True)
    for name in ("passage_text", "term_id", "triple_embedding"):
        assert name in problem.detail
    assert server.repair() == [problem]
    assert server.problems() == []
    assert content(server) == before


def test_an_index_whose_making_failed(server):
    damage(
        server,
        "",
        "DROP INDEX passage_document",
        "MATCH (p:Passage {title: 'Introduction'}) SET p.kept = p.document_id, "
        "p.document_id = reduce(s = 'x', n IN range(1, 15) | s + s)",
        "CREATE RANGE INDEX passage_document FOR (p:Passage) ON (p.document_id)",
    )
    [problem] = server.problems(quick=True)
    assert "passage_document" in problem.detail
    damage(server, "", "MATCH (p:Passage) WHERE p.kept IS NOT NULL SET p.document_id = p.kept")
    assert server.repair() == [problem]
    assert server.problems() == []


EDGES = {
    "HAS_PASSAGE missing or too many: 4": "MATCH ()-[r:HAS_PASSAGE]->() DELETE r",
    "NEXT missing or too many: 1": "MATCH (a)-[:NEXT]->(b) CREATE (a)-[:NEXT]->(b)",
    "MENTIONS too": "MATCH (a)-[:MENTIONS]->(b) CREATE (a)-[:MENTIONS {surface: 'x'}]->(b)",
    "STATES too many: 3": "MATCH (a)-[:STATES]->(b) CREATE (a)-[:STATES]->(b)",
    "HEAD missing or too many: 3": "MATCH ()-[r:HEAD]->() DELETE r",
    "TAIL missing or too many: 3": "MATCH (t)-[:TAIL]->(e) CREATE (t)-[:TAIL]->(e)",
    "RELATES_TO missing, wrong or too many: 2": "MATCH ()-[r:RELATES_TO]->() SET r.relation = 'x'",
    "triples with another text: 3": "MATCH (t:Triple) SET t.text = 'x'",
    "wrong name or number": "MATCH (e:Entity) SET e.counts = [9]",
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
    said = "\n".join(problem.detail for problem in server.problems())
    assert [due for due in (*EDGES, "SHARES_KEYWORD missing, wrong") if due not in said] == []
    server.repair()
    assert server.problems() == []
    assert content(server) == before


def test_nothing_is_mended_where_others_wrote_meanwhile(server):
    damage(server, "", "MATCH ()-[r:NEXT]->() DELETE r")
    with pytest.raises(StoreUnavailable, match="written to while"):
        server.repair(lambda what: server.remove(["id of Introduction"]) if what == "names" else 0)
    assert [problem.what for problem in server.problems()] == ["edges"]
