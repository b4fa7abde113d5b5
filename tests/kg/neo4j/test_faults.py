"""Neo4j goes away, is shared, or refuses: nothing is lost, and a message says what to do."""

import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import neo4j
import pytest
from support.building import WORDS, batch, content, page
from support.danube import document, ingest
from support.java import CannotStart
from support.neo4j_server import GIVEN, LocalServer, ServerAddress, versions
from support.processes import python_path
from support.way import Way

from hoptrail.kg.errors import BadRequest, StoreUnavailable
from hoptrail.kg.neo4j import write
from hoptrail.kg.neo4j.statements import Statements
from hoptrail.kg.neo4j.store import Neo4jStore
from hoptrail.service.settings import open_store

pytestmark = pytest.mark.neo4j

KILLS = int(os.environ.get("HOPTRAIL_TEST_NEO4J_KILLS", "5"))
OUTAGE = float(os.environ.get("HOPTRAIL_TEST_NEO4J_OUTAGE", "0"))  # seconds besides the start
PATIENCE = 300.0  # seconds; a busy machine is not a defect
TESTS = Path(__file__).parents[2]
COMMIT = bytes.fromhex("0002 b012 0000")  # Bolt
SECRET = "p/a@ss:wörd#1"


@pytest.fixture
def address(neo4j_servers) -> ServerAddress:
    """Of one line: what is tested here is this package more than the server."""
    return neo4j_servers(versions()[0])


@pytest.fixture
def driver(address):
    auth = (address.user, address.password)
    with neo4j.GraphDatabase.driver(address.uri, auth=auth) as driver:
        driver.execute_query("MATCH (n) DETACH DELETE n")
        yield driver
        driver.execute_query("MATCH (n) DETACH DELETE n")


@pytest.fixture
def graph(address, driver):
    with store_at(address) as store:
        store.prepare(WORDS.fingerprint)
        yield store


@pytest.fixture(scope="module")
def local(tmp_path_factory) -> Iterator[LocalServer]:
    """A server that may be stopped."""
    if versions()[0] == GIVEN:
        pytest.skip("a server that was given is not to be stopped")
    try:
        server = LocalServer(versions()[0], tmp_path_factory.mktemp("neo4j"))
    except CannotStart as error:
        pytest.skip(str(error))
    with ExitStack() as stack:
        stack.callback(server.stop)
        server.start()
        yield server


def store_at(address: ServerAddress) -> Neo4jStore:
    return Neo4jStore(address.uri, address.user, address.password)


def ingesting(address: ServerAddress, what: str) -> dict:
    """What ingesting.py says."""
    settings = {"URI": address.uri, "USER": address.user, "PASSWORD": address.password}
    process = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("ingesting.py")), what],
        env={
            **os.environ,
            **{f"TEST_{name}": value for name, value in settings.items()},
            "PYTHONPATH": python_path(TESTS),
            "OMP_NUM_THREADS": "1",
        },
        stdout=subprocess.PIPE,
        check=True,
    )
    return json.loads(process.stdout)


def test_the_same_ingestion_finishes_what_a_kill_left(address, graph):
    found = ingesting(address, str(KILLS))
    assert found["wrong"] == []
    assert found["died"] >= KILLS - 1 - KILLS // 10  # after the last statement it may be faster
    assert found["records"] > 100


def test_two_ingestions_at_once_make_the_graph_of_one(local):
    """With its schema, on an empty server."""
    found = ingesting(local.address, "at-once")
    assert found["ended"] == [0, 0]
    assert found["differing"] == {"more": [], "lost": []}
    assert found["records"] > 100


def test_an_ingestion_and_questions_survive_an_outage(local):
    sources = [document(number) for number in range(24)]
    going, over, asked = threading.Event(), threading.Event(), []

    def write() -> None:
        try:
            with store_at(local.address) as store:
                ingest(store, sources, progress=lambda report: going.set())
        finally:
            over.set()

    def ask() -> None:
        with store_at(local.address) as store:
            while not over.is_set():
                asked.append(len(store.keyword_search("Danube", 5)))

    def outage() -> None:
        threads = [threading.Thread(target=work) for work in (write, ask)]
        for thread in threads:
            thread.start()
        assert going.wait(PATIENCE)
        local.stop()
        asked.clear()
        time.sleep(OUTAGE)
        local.start()
        for thread in threads:
            thread.join(PATIENCE)

    with store_at(local.address) as store:
        store.remove(list(store.documents()))
        with pytest.warns(UserWarning, match="does not answer; waiting up to 120 s"):
            outage()
        assert store.statistics()["documents"] == len(sources)
        assert asked[-1] == 5
        survived = content(store)
        store.remove(list(store.documents()))
        ingest(store, sources)
        assert content(store) == survived


def test_ctrl_c_leaves_a_server_that_says_nothing_any_more(local, monkeypatch):
    """It is stopped while a batch is written, so that nothing but Ctrl-C ends the wait."""
    process, write_mentions = local._process.pid, write._write_mentions

    def stall(run: Statements, mentions: object) -> None:
        os.kill(process, signal.SIGSTOP)
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        write_mentions(run, mentions)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with store_at(local.address) as store:
            store.remove(list(store.documents()))
            store.prepare(WORDS.fingerprint)
            monkeypatch.setattr(write, "_write_mentions", stall)
            started = time.monotonic()
            with pytest.raises(KeyboardInterrupt):
                store.add(batch(page("Ulm", "Ulm lies on the Danube.", mentions=("Ulm",))))
            assert time.monotonic() - started < PATIENCE / 4
            os.kill(process, signal.SIGCONT)
            assert store.documents() == {}
            monkeypatch.undo()
            store.add(batch(page("Ulm", "Ulm lies on the Danube.", mentions=("Ulm",))))
            assert store.statistics()["documents"] == 1
    finally:
        signal.signal(signal.SIGINT, before)
        os.kill(process, signal.SIGCONT)


def test_a_server_that_lets_nobody_write_is_named_as_one_and_read(local):
    """The last test of this server, which stays so."""
    named = r"lets nobody write.*read-only.*neo4j\.conf"
    with store_at(local.address) as store:
        store.prepare(WORDS.fingerprint)
        store.add(batch(page("Ulm", "Ulm lies on the Danube.")))
    local.stop(clean=True)  # what may write nothing can't recover from a crash
    local.start(server__databases__default_to_read_only="true")
    with store_at(local.address) as store:
        with pytest.raises(StoreUnavailable, match=named):
            store.add(batch(page("Vienna", "Vienna lies on the Danube.")))
        assert store.keyword_search("Ulm", 1)
        [problem] = store.maintenance.problems()
        assert (problem.what, problem.mendable) == ("rights", False)
        assert re.search(named, problem.detail)


class Cutting(Way):
    """A way that breaks off when a commit is acknowledged: the first `cuts` times."""

    def __init__(self, uri: str, cuts: int) -> None:
        self.cuts = cuts
        super().__init__(uri)

    def passes(self, asked: bytes) -> bool:
        if cut := asked.endswith(COMMIT) and self.cuts > 0:
            self.cuts -= 1
        return not cut


def test_a_commit_whose_acknowledgement_is_lost_is_not_applied_twice(address, graph):
    old = [page("Ulm", "Ulm lies on the Danube.", mentions=("Danube",))]
    new = [page("Ulm", "Ulm is on the Danube.", "Vienna is, too.", mentions=("Danube", "Vienna"))]
    new += [page("Vienna", "Vienna lies on the Danube.", mentions=("Vienna", "Danube"))]
    graph.add(batch(*old))
    graph.add(batch(*new))
    expected = content(graph)
    graph.remove([one.document.id for one in new])
    graph.add(batch(*old))
    with (
        closing(Cutting(address.uri, cuts=1)) as way,
        Neo4jStore(way.uri, address.user, address.password) as store,
    ):
        store.add(batch(*new))
        assert way.cuts == 0
        assert content(store) == content(graph) == expected
        way.cuts = 1
        assert store.remove([one.document.id for one in new]) == 2
        assert way.cuts == 0
        assert store.statistics()["entities"] == 0


def test_a_server_that_was_never_there_is_not_waited_for(recwarn):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        store = Neo4jStore(f"bolt://127.0.0.1:{free.getsockname()[1]}", password="x")
        with pytest.raises(StoreUnavailable, match="check that Neo4j runs there"):
            store.info()
    assert not recwarn.list  # nobody waited


def test_a_password_that_has_to_be_changed_is_named(address, driver):
    made = "CREATE USER ann SET PASSWORD $password CHANGE REQUIRED"
    driver.execute_query(made, password="first-secret", database_="system")
    try:
        with (
            Neo4jStore(address.uri, "ann", "first-secret") as store,
            pytest.raises(StoreUnavailable, match="ALTER CURRENT USER SET PASSWORD"),
        ):
            store.info()
    finally:
        driver.execute_query("DROP USER ann", database_="system")


@pytest.mark.parametrize("uri", ["bolt://{}:{}@{}", "neo4j://{}:{}@{}"])
def test_the_password_is_nowhere_to_be_read(address, caplog, uri):
    caplog.set_level(logging.DEBUG)
    host = address.uri.removeprefix("bolt://")
    store = Neo4jStore(uri.format("neo4j", SECRET, host))
    with pytest.raises(StoreUnavailable) as caught:
        store.info()
    said = [caplog.text, repr(store), repr(store._server), store.where, *caught.value.args]
    said += traceback.format_exception(caught.value)
    assert not [text for text in said if SECRET in text or "wörd" in text]
    assert host in store.where


def test_the_right_password_is_not_logged(address, graph, caplog):
    caplog.set_level(logging.DEBUG)
    with store_at(address) as store:
        store.add(batch(page("Ulm", "Ulm lies on the Danube.")))
    assert "derive/" in caplog.text  # something was
    assert address.password not in caplog.text


@pytest.mark.parametrize("host", ["localhost:76x7", "[localhost:7687", "localhost"])
def test_a_password_in_an_address_that_is_none_is_not_repeated(host):
    with pytest.raises(BadRequest) as caught:
        open_store(f"neo4j://neo4j:{SECRET}@{host}")
    assert "wörd" not in str(caught.value)
    assert "HOPTRAIL_NEO4J_PASSWORD" in str(caught.value)
