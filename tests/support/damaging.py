"""A graph with something of everything, and what alters it behind its store's back."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import neo4j
from support import older
from support.building import WORDS, batch

from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.store import GraphStore
from hoptrail.kg.types import Batch


def whole(store: GraphStore) -> GraphStore:
    """A sound graph with an answer, a failure and parameters."""
    store.prepare(WORDS.fingerprint)
    store.add(written())
    store.record(older.answer())
    store.keep_parameters("gnn-ret", '{"alphas": [0.5]}')
    return store


def written() -> Batch:
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
