"""A graph of a newer version: every command refuses it, on every store."""

import sqlite3
from contextlib import closing

import neo4j
import pytest
from support.fakes import WordEncoder

from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.types import SCHEMA_VERSION

pytestmark = pytest.mark.one_release

COMMANDS = (
    ("ingest", "ulm.md"),
    ("ask", "Which river flows through Ulm?"),
    ("ask", "Which river flows through Ulm?", "--no-record"),
    ("search", "Ulm", "--retriever", "bm25"),
    ("search", "Ulm", "--retriever", "dense"),
    ("show", "Ulm"),
    ("stats",),
    ("remove", "Ulm"),
    ("export", "out.jsonl"),
    ("import", "ulm.md"),
    ("copy", "other.db"),
    ("reembed",),
    ("reembed", "--triples"),
    ("doctor",),
    ("train", "forget", "gnn-ret"),
)


@pytest.fixture
def newer(new_store, monkeypatch) -> str:
    """Where a graph of the version after this one is."""
    with new_store() as store:
        store.prepare(WordEncoder().fingerprint)
        if isinstance(store, SqliteStore):
            with closing(sqlite3.connect(store.where, isolation_level=None)) as connection:
                connection.execute(
                    "UPDATE graph_info SET schema_version = ?", (SCHEMA_VERSION + 1,)
                )
            return store.where
        user, password = store._server._user, store._server._password or ""
        with neo4j.GraphDatabase.driver(store.where, auth=(user, password)) as driver:
            driver.execute_query(
                "MATCH (g:HoptrailGraphInfo) SET g.schema_version = $v", v=SCHEMA_VERSION + 1
            )
        monkeypatch.setenv("HOPTRAIL_NEO4J_USER", user)
        monkeypatch.setenv("HOPTRAIL_NEO4J_PASSWORD", password)
        return store.where


def test_every_command_refuses_it(run, newer, tmp_path):
    (tmp_path / "ulm.md").write_text("# Ulm\n\nUlm is a city on the Danube.\n")
    for command in COMMANDS:
        status, out, err = run("--graph", newer, *command)
        said = "was written by a newer version" in out + err and "upgrade hoptrail" in out + err
        assert (command, status, said) == (command, 1, True)
