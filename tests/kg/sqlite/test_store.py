"""What only a file can do wrong: missing, foreign, damaged, locked, full, killed in the middle."""

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from support.building import WORDS, batch, content, page

from hoptrail.kg.errors import SchemaMismatch, StoreUnavailable
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.types import SCHEMA_VERSION

TESTS = Path(__file__).parents[2]


def pages(start: int, count: int) -> list:
    return [
        page(f"Sheet {n}", f"Sheet {n} follows Sheet {n - 1}.", mentions=(f"Sheet {n - 1}",))
        for n in range(start, start + count)
    ]


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "graph.db"


@pytest.fixture
def filled(path) -> Path:
    with SqliteStore(path) as store:
        store.prepare(WORDS.fingerprint)
        store.add(batch(*pages(1, 20)))
    return path


def test_reading_what_is_not_there_creates_nothing(path):
    with SqliteStore(path) as store:
        assert store.documents() == {}
        assert list(store.maintenance.records()) == []
        assert store.remove(["x"]) == 0
        store.set_triple_embeddings({"x": WORDS.encode_queries(["x"])[0]})
    assert list(path.parent.iterdir()) == []


def test_an_empty_file_is_an_empty_graph(path):
    path.touch()
    with SqliteStore(path) as store:
        assert store.info() is None
        store.prepare(WORDS.fingerprint)
        store.add(batch(*pages(1, 1)))
        assert store.statistics()["documents"] == 1


def test_a_closed_store_opens_again_and_leaves_one_file(filled):
    store = SqliteStore(filled)
    before = content(store)
    store.close()
    store.close()
    assert content(store) == before
    store.close()
    assert [file.name for file in filled.parent.iterdir()] == ["graph.db"]


def test_another_file_in_its_place_is_the_graph_then(filled, tmp_path):
    other, query = tmp_path / "other.db", WORDS.encode_queries(["Sheet 3"])[0]
    with SqliteStore(other) as store:
        store.prepare(WORDS.fingerprint)
        store.add(batch(*pages(41, 20)))
    with SqliteStore(filled) as store:
        before = store.nearest_passages(query, 50)
        store.close()
        other.replace(filled)
        after = store.nearest_passages(query, 50)
        assert not {found.id for found in before} & {found.id for found in after}
        filled.unlink()
        assert store.nearest_passages(query, 50) == []


def test_a_reader_of_the_former_file_does_not_bring_it_back(filled, tmp_path):
    with SqliteStore(tmp_path / "other.db") as store:
        store.prepare(WORDS.fingerprint)
        store.add(batch(*pages(41, 5)))
    with SqliteStore(filled) as store:
        records = store.maintenance.records()
        before = [next(records)]
        (tmp_path / "other.db").replace(filled)
        assert store.statistics()["documents"] == 5
        before += records
        assert len([record for record in before if record["kind"] == "document"]) == 20
        assert store.statistics()["documents"] == 5


def test_a_path_with_odd_characters(tmp_path):
    path = tmp_path / "my #1 graph? 100% ö.db"
    with SqliteStore(str(path)) as store:
        store.prepare(WORDS.fingerprint)
        assert store.where == str(path)
    assert path.exists()


# -- what can't be opened says why, and what to do
def test_a_folder(tmp_path):
    with pytest.raises(StoreUnavailable, match="is a folder; name a file"):
        SqliteStore(tmp_path).info()


def test_a_folder_that_is_missing(tmp_path):
    with pytest.raises(StoreUnavailable, match="check that its folder exists"):
        SqliteStore(tmp_path / "no" / "graph.db").prepare(WORDS.fingerprint)


def test_a_file_of_another_kind(path):
    path.write_text("Dear diary, " * 100)
    with pytest.raises(StoreUnavailable, match="not an SQLite file"):
        SqliteStore(path).documents()
    with pytest.raises(StoreUnavailable, match="not an SQLite file"):
        SqliteStore(path).prepare(WORDS.fingerprint)
    assert path.read_text() == "Dear diary, " * 100


def test_an_sqlite_file_of_another_program(path):
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE recipes (name)")
    connection.close()
    with pytest.raises(StoreUnavailable, match="of another program"):
        SqliteStore(path).prepare(WORDS.fingerprint)


def test_a_graph_of_a_newer_version(filled):
    connection = sqlite3.connect(filled)
    connection.execute("UPDATE graph_info SET schema_version = ?", (SCHEMA_VERSION + 1,))
    connection.commit()
    connection.close()
    for operation in (SqliteStore(filled).info, lambda: SqliteStore(filled).add(batch())):
        with pytest.raises(SchemaMismatch, match=r"newer version.*upgrade"):
            operation()


@pytest.fixture
def of_the_first_days(filled) -> Path:
    """`filled` as an older version would have left it: fewer tables, and links it did not make."""
    connection = sqlite3.connect(filled)
    for statement in (
        "UPDATE graph_info SET schema_version = 1",
        "DROP TABLE term",
        "DROP TABLE parameters",
        "DROP INDEX names_target",
        "DROP VIEW next",
        "CREATE VIEW next (source, target) AS SELECT id, id FROM passage",
        "DELETE FROM names",
    ):
        connection.execute(statement)
    connection.commit()
    connection.close()
    return filled


def test_an_older_graph_is_read_as_far_as_it_goes(of_the_first_days):
    vector = WORDS.encode_queries(["sheet"])[0]
    with SqliteStore(of_the_first_days) as store:
        assert store.parameters("gnn-ret") is None
        assert not store.forget_parameters("gnn-ret")
        assert len(list(store.maintenance.records())) > 20
        assert store.nearest_passages(vector, 3)
        with pytest.raises(SchemaMismatch, match=r"older version.*term.*hoptrail ingest"):
            store.candidates(vector, "sheet", [], ["sheet"], 10)
        assert store.info().schema_version == 1
        store.keep_parameters("gnn-ret", "{}")  # as every write, brings it up to date
        assert store.info().schema_version == SCHEMA_VERSION
        assert store.candidates(vector, "sheet", [], ["sheet"], 10).frequencies


def test_preparing_an_older_graph_makes_it_as_if_built_afresh(of_the_first_days, tmp_path):
    with SqliteStore(of_the_first_days) as old, SqliteStore(tmp_path / "new.db") as new:
        old.prepare(WORDS.fingerprint)
        for store in (old, new):
            store.prepare(WORDS.fingerprint)
            store.add(batch(*pages(1, 25)))
        assert content(old) == content(new)
        vector = WORDS.encode_queries(["sheet"])[0]
        asked = (vector, "sheet", [], ["sheet"], 10)
        assert old.candidates(*asked).frequencies == new.candidates(*asked).frequencies
        assert objects(old.where) == objects(new.where)


def objects(path: str) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return sorted(map(str, connection.execute("SELECT type, name, sql FROM sqlite_schema")))


def test_an_older_graph_without_a_column_is_refused_unharmed(of_the_first_days):
    with closing(sqlite3.connect(of_the_first_days)) as connection:
        connection.execute("ALTER TABLE entity DROP COLUMN terms")
    with SqliteStore(of_the_first_days) as store:
        with pytest.raises(SchemaMismatch, match=r"entity has no terms.*--graph NEW.db ingest"):
            store.prepare(WORDS.fingerprint)
        assert store.info().schema_version == 1
        assert store.statistics()["passages"] == 20


def test_a_damaged_file(filled):
    with filled.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(200_000))
    with pytest.raises(StoreUnavailable, match=r"damaged|not an SQLite file"):
        list(SqliteStore(filled).maintenance.records())


@pytest.fixture
def nobody(filled) -> Iterator[Path]:
    """A graph in a folder that may be read but not written, for a user who is not root."""
    before = os.geteuid()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.db"
        shutil.copy(filled, path)
        path.chmod(0o444)
        Path(folder).chmod(0o555)
        if before == 0:
            os.seteuid(65534)  # root may do everything
        yield path
        os.seteuid(before)
        Path(folder).chmod(0o755)


def test_no_right_to_write(nobody):
    with pytest.raises(StoreUnavailable, match=r"right to write|may read and write"):
        SqliteStore(nobody).add(batch(*pages(21, 1)))
    with pytest.raises(StoreUnavailable, match="may read and write"):
        SqliteStore(nobody.parent / "new.db").prepare(WORDS.fingerprint)


def test_locked_by_another_writer(filled):
    other = sqlite3.connect(filled, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with SqliteStore(filled, patience=0.2) as store:
        assert store.statistics()["documents"] == 20  # readers do not wait
        with pytest.raises(StoreUnavailable, match="another process; wait"):
            store.add(batch(*pages(21, 1)))
        other.execute("ROLLBACK")
        other.close()
        store.add(batch(*pages(21, 1)))
        assert store.statistics()["documents"] == 21


def test_a_writer_waits_for_the_other(filled):
    other = sqlite3.connect(filled, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    end = threading.Timer(0.3, lambda: (other.execute("COMMIT"), other.close()))
    end.start()
    with SqliteStore(filled) as store:
        store.add(batch(*pages(21, 1)))
        assert store.statistics()["documents"] == 21
    end.join()


def test_a_full_disk_leaves_the_graph_as_it_was(filled):
    with SqliteStore(filled) as store:
        before = content(store)
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (filled.stat().st_size + 50_000, hard))
        try:
            with pytest.raises(StoreUnavailable, match=r"disk"):
                store.add(batch(*pages(21, 400)))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            signal.signal(signal.SIGXFSZ, ignored)
        assert content(store) == before
        store.add(batch(*pages(21, 1)))
        assert store.statistics()["documents"] == 21


# -- many at once
def test_threads_read_while_one_writes(filled):
    query = WORDS.encode_queries(["Sheet 3"])[0]
    with SqliteStore(filled) as store, ThreadPoolExecutor(8) as threads:

        def read(_: int) -> int:
            ids = [scored.id for scored in store.nearest_passages(query, 50)]
            assert list(store.passages(ids)) == ids  # nothing goes: what was found is there
            return len(ids)

        writes = [threads.submit(store.add, batch(*pages(21 + n, 1))) for n in range(20)]
        counts = list(threads.map(read, range(60)))
        for write in writes:
            write.result()
        assert min(counts) >= 20
        assert read(0) == 40
        assert store.statistics()["names"] == 39


def test_a_long_export_sees_one_state(filled):
    with SqliteStore(filled) as store:
        records = store.maintenance.records()
        first = [next(records) for _ in range(3)]
        store.remove([one.document.id for one in pages(1, 20)])
        assert len([r for r in [*first, *records] if r["kind"] == "passage"]) == 20
        assert store.statistics()["passages"] == 0


def test_an_export_that_is_broken_off_holds_nothing_up(filled):
    with SqliteStore(filled, patience=0.5) as store:
        records = store.maintenance.records()
        next(records)
        records.close()
        store.add(batch(*pages(21, 1)))
    assert [file.name for file in filled.parent.iterdir()] == ["graph.db"]


WRITER = """
import sys
sys.path.insert(0, sys.argv[1])
from support.building import WORDS, batch, page
from hoptrail.kg.sqlite.store import SqliteStore

with SqliteStore(sys.argv[2]) as store:
    store.prepare(WORDS.fingerprint)
    for n in range(int(sys.argv[3]), int(sys.argv[4])):
        several = [page(f"Sheet {n}-{m}", f"Sheet {n}-{m} follows Sheet {n}.") for m in range(20)]
        store.add(batch(page(f"Sheet {n}", f"Sheet {n}."), *several))
        print(n, flush=True)
"""


def writer(path: Path, start: int, end: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(TESTS), str(path), str(start), str(end)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_two_processes_write_one_graph(path):
    first, second = writer(path, 0, 6), writer(path, 6, 12)
    first.communicate()
    second.communicate()
    assert (first.returncode, second.returncode) == (0, 0)
    with SqliteStore(path) as store:
        counts = store.statistics()
        assert (counts["documents"], counts["names"]) == (12 * 21, 12 * 20)


def test_killed_at_any_moment_the_graph_is_whole(path):
    """Confirmed batches are there, the last one wholly or not at all; the next writer goes on."""
    started = 0
    for delay in (0.0, 0.01, 0.02, 0.005):
        process = writer(path, started, started + 1000)
        assert process.stdout is not None
        confirmed = int(process.stdout.readline())
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        confirmed = max([confirmed, *(int(line) for line in process.stdout if line.strip())])
        process.stdout.close()
        process.wait()
        with SqliteStore(path) as store:
            counts = store.statistics()
            batches, rest = divmod(counts["documents"], 21)
            assert (rest, counts["names"]) == (0, 20 * batches)
            assert batches > confirmed
            assert len(store.keyword_search("follows", 10_000)) == 20 * batches
            started = batches
