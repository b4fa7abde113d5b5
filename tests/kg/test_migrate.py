"""Graphs as older versions wrote them, on every store: read, brought up to date, never half."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import neo4j
import pytest
from conftest import emptied
from support import older
from support.building import WORDS, batch, content, page
from support.neo4j_server import versions, without_schema

from hoptrail.kg.errors import SchemaMismatch
from hoptrail.kg.neo4j.migrate import FORMER
from hoptrail.kg.neo4j.store import Neo4jStore
from hoptrail.kg.schema import KINDS
from hoptrail.kg.sqlite.file import nothing
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.store import GraphStore
from hoptrail.kg.text.words import stable_id
from hoptrail.kg.types import SCHEMA_VERSION

pytestmark = pytest.mark.one_release

SCHEMAS = Path(__file__).parent / "schemas"
FITTED = '{"alphas": [0.5]}'
ASKED = (older.ENCODER.encode_queries(["born"])[0], "born", [], ["born"], 10)


def load(store: GraphStore, version: int) -> GraphStore:
    """The frozen graph of a version, into a store that holds none."""
    if isinstance(store, SqliteStore):
        with closing(sqlite3.connect(store.where)) as connection:
            connection.executescript((SCHEMAS / f"{version}.sql").read_text("utf-8"))
        return store
    with driver(store) as opened, opened.session() as session:
        without_schema(session)
        script = (SCHEMAS / f"{version}.cypher").read_text("utf-8")
        for statement in script.rstrip(";\n").split(";\n"):
            session.run(statement).consume()
    return store


def driver(store: GraphStore) -> neo4j.Driver:
    server = store._server
    auth = (server._user, server._password) if server._password else None
    return neo4j.GraphDatabase.driver(store.where, auth=auth, notifications_min_severity="OFF")


@pytest.fixture(params=[pytest.param(v, marks=pytest.mark.neo4j) for v in versions()])
def old_server(request, neo4j_servers) -> Iterator[Callable[[], GraphStore]]:
    """Gives the store of an empty server."""
    with emptied(neo4j_servers(request.param)) as store:
        yield lambda: store
        with driver(store) as opened, opened.session() as session:
            without_schema(session)  # what an older version named is in no other test's way
    with emptied(neo4j_servers(request.param)):
        pass


def raw(store: GraphStore) -> list[str]:
    """All nodes and relationships, whatever their labels."""
    with driver(store) as opened:
        nodes = opened.execute_query("MATCH (n) RETURN labels(n) AS l, properties(n) AS p").records
        ties = opened.execute_query(
            "MATCH (a)-[r]->(b) RETURN type(r) AS t, properties(r) AS p, a.id AS a, b.id AS b"
        ).records
    return sorted(str(record.data()) for record in (*nodes, *ties))


def mark(store: GraphStore, version: int) -> None:
    """As if that version had written the graph."""
    if isinstance(store, SqliteStore):
        with closing(sqlite3.connect(store.where, isolation_level=None)) as connection:
            connection.execute("UPDATE graph_info SET schema_version = ?", (version,))
    else:
        with driver(store) as opened:
            opened.execute_query("MATCH (g:HoptrailGraphInfo) SET g.schema_version = $v", v=version)
        store._graph.forget()


def everything(store: GraphStore) -> list[dict]:
    """The content, whichever version began it."""
    info, *others = content(store)
    return [{**info, "created_by": ""}, *others]


def test_words_of_chinese_passages_are_split_anew(tmp_path):
    said = page("盐灯", "鲁纳出生在瓦古尔。")
    with SqliteStore(tmp_path / "graph.db") as store:
        store.prepare(WORDS.fingerprint)
        store.add(batch(said))
        afresh = everything(store)
        with closing(sqlite3.connect(store.where, isolation_level=None)) as connection:
            run = "鲁纳出生在瓦古尔"  # a word as version 4 told words apart
            connection.execute("UPDATE passage SET terms = ?", (f'["{run}"]',))
            connection.execute("INSERT INTO passage_words (passage_words) VALUES ('delete-all')")
            row = "INSERT INTO passage_words (rowid, title, text) SELECT number, title, ?"
            connection.execute(f"{row} FROM passage", (run,))
        mark(store, 4)
        assert store.keyword_search("瓦古尔", 5) == []
        store.remove([])
        assert everything(store) == afresh
        assert [one.id for one in store.keyword_search("瓦古尔", 5)] == [said.passages[0].id]


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5, 6, 7])
def test_brought_up_to_date_it_equals_one_built_afresh(new_store, version):
    assert version < SCHEMA_VERSION
    with new_store() as store:
        store.prepare(older.ENCODER.fingerprint)
        written = older.small()
        if version >= 2:
            extractors = dict.fromkeys((p.id for p in written.passages), "test")
            written = replace(written, extractors=extractors)
            store.keep_parameters("gnn-ret", FITTED)
        store.add(written)
        store.record(older.answer())
        afresh, hop = everything(store), store.candidates(*ASKED)
    old = load(new_store(), version)
    assert old.info().schema_version == version
    [problem] = old.maintenance.problems(quick=True)
    assert (problem.what, problem.mendable) == ("schema", True)
    old.remove([])  # any write brings it up to date
    assert old.info().schema_version == SCHEMA_VERSION
    assert everything(old) == afresh
    assert old.candidates(*ASKED).frequencies == hop.frequencies == {"born": 1}
    more = page("Vaagur", "Vaagur is a town. Runa Eide left it.", mentions=("Vaagur", "Runa Eide"))
    old.add(replace(batch(more), embeddings=older.ENCODER.encode_passages(["Vaagur"])))
    old.remove([more.document.id])
    assert everything(old) == afresh


def test_it_is_read_as_far_as_it_goes_and_stays_as_it_is(tmp_path):
    with SqliteStore(tmp_path / "old.db") as store:
        load(store, 1)
        store.expect(older.ENCODER.fingerprint)
        before = content(store)
        assert len(before) > 30
        assert store.nearest_passages(ASKED[0], 2)
        assert store.keyword_search("born", 2)
        assert store.answers([older.answer().id])[0].text == "Vaagur"
        assert store.passages_of(["id of Runa Eide"])
        assert (store.parameters("gnn-ret"), store.maintenance.moving_to()) == (None, None)
        with pytest.raises(SchemaMismatch, match=r"older version.*hoptrail ingest"):
            store.candidates(*ASKED)
        assert (store.info().schema_version, content(store) == before) == (1, True)


@pytest.mark.parametrize("version", [1, 3])
def test_one_whose_labels_others_may_use_is_not_read_and_stays_as_it_is(old_server, version):
    store = load(old_server(), version)
    before = raw(store)
    assert store.info().schema_version == version
    store.expect(older.ENCODER.fingerprint)
    for read in (store.statistics, store.failures, lambda: store.nearest_passages(ASKED[0], 2)):
        with pytest.raises(SchemaMismatch, match=r"older version.*hoptrail doctor --fix"):
            read()
    assert raw(store) == before


WRITES: dict[str, Callable[[GraphStore], object]] = {
    "prepare": lambda store: store.prepare(older.ENCODER.fingerprint),
    "add": lambda store: store.add(older.small()),
    "remove": lambda store: store.remove(["id of Introduction"]),
    "set_triple_embeddings": lambda store: store.set_triple_embeddings({"none": ASKED[0]}),
    "record": lambda store: store.record(older.answer()),
    "keep_parameters": lambda store: store.keep_parameters("gnn-ret", FITTED),
    "forget_parameters": lambda store: store.forget_parameters("gnn-ret"),
    "reembedding": lambda store: store.maintenance.reembedding(
        replace(older.ENCODER.fingerprint, name="other")
    ),
    "repair": lambda store: store.maintenance.repair(),
}


def test_every_write_brings_it_up_to_date(new_store):
    store = load(new_store(), 1)
    for name, write in WRITES.items():
        mark(store, 1)
        write(store)
        assert (name, store.info().schema_version) == (name, SCHEMA_VERSION)


KILLED = """
import os, signal, sys
from hoptrail.kg.sqlite.upkeep import migrate
from hoptrail.service.settings import open_store
def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)
migrate.derive_again = die
open_store(sys.argv[1]).remove([])
"""


def test_killed_on_the_way_it_is_as_before(tmp_path):
    with SqliteStore(tmp_path / "old.db") as store:
        load(store, 1)
        before = content(store)
        killed = subprocess.run([sys.executable, "-c", KILLED, store.where])
        assert killed.returncode == -signal.SIGKILL
        assert (content(store), store.info().schema_version) == (before, 1)
        store.remove([])
        assert store.info().schema_version == SCHEMA_VERSION
        assert store.candidates(*ASKED).frequencies == {"born": 1}


KILLED_ON_A_SERVER = """
import os, signal, sys
from hoptrail.kg.neo4j import migrate
from hoptrail.kg.neo4j.statements import Statements
from hoptrail.service.settings import open_store
migrate.RELABELLED = 3
left, call = [int(sys.argv[3])], Statements.__call__
def dying(self, name, /, **parameters):
    left[0] -= name == sys.argv[2]
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    return call(self, name, **parameters)
Statements.__call__ = dying
open_store(sys.argv[1]).remove([])
"""


@pytest.mark.parametrize(
    ("statement", "time"),
    [("older/relabel", 1), ("older/relabel", 4), ("older/finish", 1), ("info/upgrade", 1)],
)
def test_killed_on_the_way_the_next_write_goes_on(old_server, statement, time):
    store = load(old_server(), 3)
    server = store._server
    environment = os.environ | {"HOPTRAIL_NEO4J_USER": server._user}
    environment["HOPTRAIL_NEO4J_PASSWORD"] = server._password or ""
    asked = [sys.executable, "-c", KILLED_ON_A_SERVER, store.where, statement, str(time)]
    assert subprocess.run(asked, env=environment).returncode == -signal.SIGKILL
    with Neo4jStore(store.where, server._user, server._password) as another:
        with pytest.raises(SchemaMismatch, match="older version"):
            another.statistics()
        [problem] = another.maintenance.problems(quick=True)
        assert (problem.what, problem.mendable) == ("schema", True)
        assert another.maintenance.repair() == [problem]
        assert another.maintenance.problems() == []
        assert another.candidates(*ASKED).frequencies == {"born": 1}
        assert another.statistics()["passages"] == 4


def test_what_others_keep_under_the_former_labels_stays(old_server):
    """Also constraints and indexes that they made under the names of an older version."""
    store = load(old_server(), 3)
    theirs = (
        "DROP INDEX passage_title",
        "CREATE RANGE INDEX passage_title FOR (n:Invoice) ON (n.number)",
        "CREATE (:Document {id: 'theirs', title: 'Invoice'}), (:Term {id: 'net 30', days: 30}), "
        "(:Question {id: 'faq-7', text: 'How do I pay?'})-[:ANSWERED_BY]->(:Answer {id: '7'})",
    )
    with driver(store) as opened:
        for statement in theirs:
            opened.execute_query(statement)
        store.remove([])
        assert store.maintenance.problems() == []
        left = opened.execute_query(
            "MATCH (n:Document|Term|Question|Answer) RETURN labels(n) AS labels, n.id AS id "
            "ORDER BY id"
        ).records
        assert [record.values() for record in left] == [
            [["Answer"], "7"],
            [["Question"], "faq-7"],
            [["Term"], "net 30"],
            [["Document"], "theirs"],
        ]
        names = {r["name"] for r in opened.execute_query("SHOW INDEXES YIELD name").records}
        # What is on labels that others use stays; all else of the older version has gone.
        former = {"passage_title", "document_id", "term_id", "question_id", "answer_id"}
        assert former == {name for name in names & set(FORMER)}


def test_a_file_of_the_very_first_days(tmp_path):
    """GraphInfo had no stamp, whose default a new column can't have."""
    with SqliteStore(tmp_path / "old.db") as store:
        load(store, 1)
        with closing(sqlite3.connect(store.where)) as connection:
            connection.execute("ALTER TABLE graph_info DROP COLUMN stamp")
        store.remove([])
        assert store.info().schema_version == SCHEMA_VERSION
        assert store.nearest_passages(ASKED[0], 2)


def test_what_an_older_graph_has_lost_is_not_made_empty(tmp_path):
    with SqliteStore(tmp_path / "old.db") as store:
        load(store, 6)
        with closing(sqlite3.connect(store.where)) as connection:
            connection.execute("DROP TABLE cites")
        [problem] = store.maintenance.problems(quick=True)
        assert (problem.mendable, "it has lost cites" in problem.detail) == (False, True)
        with pytest.raises(SchemaMismatch, match="it has lost cites"):
            store.prepare(older.ENCODER.fingerprint)


def test_another_shape_is_another_version():
    """Else an older program writes into a newer graph, and doctor finds an older one damaged."""
    with closing(nothing()) as db:
        listed = "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c"
        columns = sorted(
            row for row in db.execute(listed) if not row[0].startswith("passage_words")
        )
    nodes = [(name, field.name) for name, kind in KINDS.items() for field in kind.fields]
    shape = stable_id(repr(columns), repr(nodes))
    assert (SCHEMA_VERSION, shape) == (8, "7fe9d0e9ec748ba07e46e58f"), (
        "raise SCHEMA_VERSION (CONTRIBUTING.md)"
    )
    assert (SCHEMAS / f"{SCHEMA_VERSION - 1}.sql").exists()


def test_what_only_ingesting_can_give_is_named_and_nothing_is_changed(tmp_path):
    with SqliteStore(tmp_path / "old.db") as store:
        load(store, 1)
        with closing(sqlite3.connect(store.where)) as connection:
            connection.execute("ALTER TABLE entity DROP COLUMN terms")
        [problem] = store.maintenance.problems(quick=True)
        assert (problem.what, problem.mendable) == ("schema", False)
        assert "entity has no terms" in problem.detail
        for name, write in WRITES.items():
            if name in ("forget_parameters", "repair"):  # there are none; mends what it can
                continue
            with pytest.raises(SchemaMismatch, match=r"entity has no terms.*NEW.db ingest"):
                write(store)
        assert store.info().schema_version == 1
