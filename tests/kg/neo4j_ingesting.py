"""Ingestions on Neo4j in processes of their own: `neo4j_ingesting.py at-once` or `… KILLS`.

A process of its own, so that nothing but what its children need was ever started in it. Prints one
JSON object; test_neo4j_faults.py reads it.
"""

import json
import os
import random
import signal
import sys
import time
import traceback

import neo4j
from building import content
from danube import document, ingest

from hoptrail.kg.neo4j_store import Neo4jStore
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


def child(sources: list[Document]) -> int:
    """Starts a child that ingests; its pid."""
    if pid := os.fork():
        return pid
    status = 1
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
        return {"ended": ended, "equal": together == content(graph), "records": len(together)}


def killed(kills: int) -> dict[str, object]:
    """Each time a child dies after a random time, and the same ingestion runs to its end."""
    rolled, died, wrong, expected, longest = random.Random(0), 0, [], [], 0.0
    for number in range(-2, kills):
        empty()
        with store() as graph:
            ingest(graph, BEFORE)
        started = time.perf_counter()
        pid = child(SOURCES)
        if number >= 0:
            after = rolled.random() * longest
            time.sleep(after)
            os.kill(pid, signal.SIGKILL)
        died += os.WIFSIGNALED(os.waitpid(pid, 0)[1])
        if number < 0:  # the first one warms the server up
            longest = time.perf_counter() - started
        with store() as graph:
            ingest(graph, SOURCES)
            found = content(graph)
        if number < 0:
            expected = found
        elif found != expected:
            wrong.append(f"kill {number} after {after:.3f} s")
    return {"died": died, "wrong": wrong, "records": len(expected)}


sys.stdout.write(json.dumps(at_once() if sys.argv[1] == "at-once" else killed(int(sys.argv[1]))))
