"""Ingestions on Neo4j in processes of their own: `ingesting.py at-once` or `… KILLS`.

A process of its own, so that nothing but what its children need was ever started in it. Prints one
JSON object; test_neo4j_faults.py reads it.
"""

import json
import os
import random
import signal
import sys
import threading
import traceback
from collections import Counter

import neo4j
from support.building import content
from support.danube import document, ingest

from hoptrail.kg.neo4j import server
from hoptrail.kg.neo4j.statements import Row, Statements
from hoptrail.kg.neo4j.store import Neo4jStore
from hoptrail.kg.types import Document

URI, USER, PASSWORD = (os.environ[f"TEST_{name}"] for name in ("URI", "USER", "PASSWORD"))
BEFORE = [document(number) for number in range(12)]
SOURCES = [
    document(number, "Hans Meyer was born there." if number % 2 else "") for number in range(20)
]


def store() -> Neo4jStore:
    return Neo4jStore(URI, USER, PASSWORD)


def empty(schema: bool = False) -> None:
    """Take all nodes away, and the schema."""
    with neo4j.GraphDatabase.driver(URI, auth=(USER, PASSWORD)) as driver:
        driver.execute_query("MATCH (n) DETACH DELETE n")
        for kind, kinds in (("CONSTRAINT", "CONSTRAINTS"), ("INDEX", "INDEXES")) * schema:
            for row in driver.execute_query(f"SHOW {kinds} YIELD name").records:
                driver.execute_query(f"DROP {kind} `{row['name']}` IF EXISTS")


class Dying(Statements):
    """Counts statements; kills the process `after` seconds past the start of number `at`."""

    count, at, after = 0, -1, 0.0

    def __call__(self, name: str, /, **parameters: object) -> list[Row]:
        if Dying.count == Dying.at:
            threading.Timer(Dying.after, os.kill, (os.getpid(), signal.SIGKILL)).start()
        Dying.count += 1
        return super().__call__(name, **parameters)


def child(sources: list[Document], at: int = -1, after: float = 0.0) -> int:
    """Starts a child that ingests, and dies where `Dying` says; its pid."""
    if pid := os.fork():
        return pid
    status = 1
    Dying.count, Dying.at, Dying.after = 0, at, after
    try:
        with store() as graph:
            ingest(graph, sources)
        status = 0
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        os._exit(status)


def at_once() -> dict[str, object]:
    """Two children make a graph with its schema, of documents that overlap."""
    empty(schema=True)
    children = [child(SOURCES[:15]), child(SOURCES[5:])]
    ended = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children]
    with store() as graph:
        together = content(graph)
    empty()
    with store() as graph:
        ingest(graph, SOURCES)
        alone = content(graph)
    one, other = (Counter(map(json.dumps, records)) for records in (together, alone))
    differing = {"more": list(one - other), "lost": list(other - one)}
    return {"ended": ended, "differing": differing, "records": len(together)}


def killed(kills: int) -> dict[str, object]:
    """Each time a child dies within 5 ms of a random statement; the same ingestion then ends."""
    rolled, died, wrong = random.Random(0), 0, []
    statements, expected = uninterrupted()
    for _ in range(kills):
        begin()
        at, after = rolled.randrange(statements), 0.005 * rolled.random()
        died += os.WIFSIGNALED(os.waitpid(child(SOURCES, at, after), 0)[1])
        with store() as graph:
            ingest(graph, SOURCES)
            if content(graph) != expected:
                wrong.append(f"{1000 * after:.1f} ms after statement {at}")
    return {"died": died, "wrong": wrong, "records": len(expected)}


def begin() -> None:
    empty()
    with store() as graph:
        ingest(graph, BEFORE)


def uninterrupted() -> tuple[int, list[Row]]:
    """How many statements the ingestion takes, and what it leaves."""
    begin()
    Dying.count = 0
    with store() as graph:
        ingest(graph, SOURCES)
        return Dying.count, content(graph)


server.Statements = Dying
sys.stdout.write(json.dumps(at_once() if sys.argv[1] == "at-once" else killed(int(sys.argv[1]))))
