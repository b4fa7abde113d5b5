"""`kill -9` at random moments of ingestion, then the same command: as if nothing had happened."""

import os
import random
import time

from support.building import content

from hoptrail.kg.sqlite.store import SqliteStore

KILLS = int(os.environ.get("HOPTRAIL_TEST_KILLS", "30"))


def test_the_same_ingestion_finishes_what_a_kill_left(script, tmp_path):
    result = script("killing.py", KILLS, tmp_path)
    assert result["wrong"] == []
    assert sum(result["died"].values()) == KILLS
    assert len(result["died"]) == 3


def files(folder):
    """The graph's files as they are now."""
    return {(file.name, file.stat().st_mtime_ns) for file in folder.glob("graph.db*")}


def test_the_real_command_finishes_what_a_kill_left(start, hoptrail, made, towns, tmp_path):
    rolled, graph = random.Random(1), tmp_path / "graph.db"
    for most in (0.02, 0.2, 1.0):  # seconds after it began to write
        before, process = files(tmp_path), start("--graph", graph, "ingest", towns)
        while files(tmp_path) == before and process.poll() is None:
            time.sleep(0.005)
        time.sleep(most * rolled.random())
        process.kill()
        process.wait()
    assert hoptrail("--graph", graph, "ingest", towns)[0] == 0
    with SqliteStore(graph) as store, SqliteStore(made) as uninterrupted:
        assert content(store) == content(uninterrupted)
