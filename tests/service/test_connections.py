"""Which graph a command takes, and who opens it: options, our variables, those of Aura's file."""

import os
import subprocess
import sys

import neo4j
import pytest
from support.neo4j_server import ServerAddress, versions
from support.processes import python_path

from hoptrail.kg.errors import BadRequest
from hoptrail.service.settings import Settings, open_store, unnamed_graph

OURS = ("HOPTRAIL_GRAPH", "HOPTRAIL_NEO4J_USER", "HOPTRAIL_NEO4J_PASSWORD")
OURS += ("HOPTRAIL_NEO4J_DATABASE",)
PROGRAM = "from hoptrail.service.cli.program import main; main()"
URI = "neo4j+s://1a2b3c4d.databases.neo4j.io"
AURA = {
    "NEO4J_URI": URI,
    "NEO4J_USERNAME": "1a2b3c4d",
    "NEO4J_PASSWORD": "s3cret-of-aura",
    "NEO4J_DATABASE": "1a2b3c4d",
    "AURA_INSTANCEID": "1a2b3c4d",
}


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch):
    for name in OURS:
        monkeypatch.delenv(name, raising=False)


def login(uri: str) -> tuple[str, str | None, str]:
    server = open_store(uri)._server  # pyright: ignore[reportAttributeAccessIssue]
    return server._user, server._password, server.database


def test_no_test_is_told_of_another_programs_server():
    assert not [name for name in AURA if name.startswith("NEO4J_") and name in os.environ]


def test_what_aura_writes_is_enough(monkeypatch):
    for name, value in AURA.items():
        monkeypatch.setenv(name, value)
    store = Settings(**unnamed_graph()).store()
    assert store.where == URI
    assert login(URI) == ("1a2b3c4d", "s3cret-of-aura", "1a2b3c4d")
    # Another way to the same server.
    assert login("bolt+ssc://1A2B3C4D.databases.neo4j.io:7687")[1] == "s3cret-of-aura"


def test_ours_come_first_one_by_one(monkeypatch):
    for name, value in AURA.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("HOPTRAIL_NEO4J_DATABASE", "graph")
    assert login(URI) == ("1a2b3c4d", "s3cret-of-aura", "graph")
    monkeypatch.setenv("HOPTRAIL_NEO4J_USER", "ann")
    monkeypatch.setenv("HOPTRAIL_NEO4J_PASSWORD", "ours")
    assert login(URI) == ("ann", "ours", "graph")


@pytest.mark.parametrize(
    "uri", ["neo4j://localhost:7687", f"{URI}:7688", "neo4j+s://ann@1a2b3c4d.databases.neo4j.io"]
)
def test_another_server_or_user_is_not_sent_their_password(monkeypatch, uri):
    for name, value in AURA.items():
        monkeypatch.setenv(name, value)
    assert login(uri)[1:] == (None, "neo4j")


def test_without_their_address_their_password_is_for_the_one_named(monkeypatch):
    monkeypatch.setenv("NEO4J_PASSWORD", "theirs")
    assert login("neo4j://localhost:7687") == ("neo4j", "theirs", "neo4j")


@pytest.mark.parametrize("uri", ["localhost:7687", "http://localhost:7474", "neo4j:pa@ss@host"])
def test_an_address_of_theirs_that_is_none_of_ours_makes_no_file(monkeypatch, tmp_path, uri):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NEO4J_URI", uri)
    with pytest.raises(BadRequest, match=r"NEO4J_URI.*--graph hoptrail\.db") as caught:
        Settings(**unnamed_graph()).store()
    assert "pa@ss" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_password_in_their_address_is_refused_and_not_repeated(monkeypatch):
    monkeypatch.setenv("NEO4J_URI", "neo4j://neo4j:s3cret@localhost")
    with pytest.raises(BadRequest, match="leave it out of NEO4J_URI") as caught:
        Settings(**unnamed_graph()).store()
    assert "s3cret" not in str(caught.value)


def test_an_option_and_our_variable_come_before_their_address(run, monkeypatch):
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:9")
    status, _, err = run("--graph", "option.db", "stats")
    assert (status, "no file option.db" in err) == (1, True)
    monkeypatch.setenv("HOPTRAIL_GRAPH", "variable.db")
    status, _, err = run("stats")
    assert (status, "no file variable.db" in err) == (1, True)
    monkeypatch.delenv("HOPTRAIL_GRAPH")
    status, _, err = run("stats")
    assert (status, "bolt://127.0.0.1:9 can't be reached" in err) == (1, True)
    monkeypatch.setenv("NEO4J_URI", "")
    status, _, err = run("stats")
    assert (status, "no file hoptrail.db" in err) == (1, True)


def test_what_uses_a_graph_of_its_own_asks_no_server(run, monkeypatch, tmp_path):
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:9")
    assert run("demo")[0] == 0


@pytest.fixture
def address(neo4j_servers) -> ServerAddress:
    return neo4j_servers(versions()[0])


@pytest.fixture
def driver(address):
    auth = (address.user, address.password)
    with neo4j.GraphDatabase.driver(address.uri, auth=auth) as driver:
        driver.execute_query("MATCH (n) DETACH DELETE n")
        yield driver
        driver.execute_query("MATCH (n) DETACH DELETE n")


@pytest.fixture
def aura(address, driver, tmp_path):
    """Runs `hoptrail ARGUMENTS` as the program that it is, where an Aura file was sourced.

    Gives (exit status, stdout, stderr).
    """
    (tmp_path / "ulm.txt").write_text("Ulm is a city on the Danube.")

    def invoke(*arguments: str, **variables: str):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *arguments],
            cwd=tmp_path,
            env={
                **os.environ,
                "PYTHONPATH": python_path(),
                "NEO4J_URI": address.uri,
                "NEO4J_USERNAME": address.user,
                "NEO4J_PASSWORD": address.password,
                "NEO4J_DATABASE": "neo4j",
                **variables,
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert address.password not in done.stdout + done.stderr
        return done.returncode, done.stdout, done.stderr

    return invoke


@pytest.mark.neo4j
def test_a_sourced_file_of_aura_is_a_graph_and_a_command_says_so_once(aura, address, tmp_path):
    status, _, err = aura("ingest", "ulm.txt")
    assert (status, err.count("NEO4J_URI")) == (0, 1), err
    assert f"The graph is on {address.uri}, as NEO4J_URI says; --graph names another" in err
    status, out, err = aura("stats", "--json")
    assert (status, '"documents": 1' in out) == (0, True), err
    assert not (tmp_path / "hoptrail.db").exists()
    status, _, err = aura("--graph", address.uri, "stats")
    assert (status, "NEO4J_URI" in err) == (0, False)


@pytest.mark.neo4j
def test_no_graph_is_made_beside_what_others_keep_unless_the_user_says_so(aura, address, driver):
    driver.execute_query("CREATE (:Customer {name: 'Jens Thorkil'})")
    status, _, err = aura("ingest", "ulm.txt")
    assert status == 2
    assert "which NEO4J_URI names, holds 1 node and no graph of Hoptrail" in err
    assert f"--graph {address.uri}" in err
    found = driver.execute_query("MATCH (n) RETURN labels(n) AS labels").records
    assert [record["labels"] for record in found] == [["Customer"]]
    assert aura("--graph", address.uri, "ingest", "ulm.txt")[0] == 0
    assert aura("search", "Danube")[0] == 0  # now it is there


@pytest.mark.neo4j
def test_a_database_that_is_not_there_is_told_with_the_variable_that_named_it(aura):
    status, _, err = aura("stats", NEO4J_DATABASE="1a2b3c4d")
    assert status == 1
    assert "has no database '1a2b3c4d', but 'neo4j'; set NEO4J_DATABASE" in err
    assert "HOPTRAIL_NEO4J_DATABASE" in err


@pytest.mark.neo4j
def test_a_password_that_is_wrong_is_told_with_the_variable_that_held_it(aura):
    status, _, err = aura("stats", NEO4J_PASSWORD="n0t-the-secret")
    assert (status, "n0t-the-secret" in err) == (1, False)
    assert "set NEO4J_USERNAME (or HOPTRAIL_NEO4J_USER, which comes first)" in err
