"""What may only be read is read; what would write says why it can't."""

import codecs
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.building import WORDS, batch, content, page

from hoptrail.kg.errors import StoreUnavailable
from hoptrail.kg.sqlite.store import SqliteStore

codecs.lookup("cp437")  # as nobody it may not be found, and is not looked for again
PAGES = [page(f"Sheet {n}", f"Sheet {n} follows Sheet {n - 1}.") for n in range(1, 9)]


def written(path: Path) -> None:
    with SqliteStore(path) as store:
        store.prepare(WORDS.fingerprint)
        store.add(batch(*PAGES))


@pytest.fixture
def folder() -> Iterator[Path]:
    """For a user who is not root: to root everything is writable."""
    before = os.geteuid()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        written(folder / "graph.db")
        yield folder
        os.seteuid(before)
        folder.chmod(0o755)


def read_only(folder: Path, files: int = 0o444) -> None:
    for file in folder.iterdir():
        file.chmod(files)
    folder.chmod(0o555)
    if os.geteuid() == 0:
        os.seteuid(65534)


def writable(folder: Path) -> None:
    os.seteuid(os.getuid())
    if os.geteuid():
        folder.chmod(0o755)
        (folder / "graph.db").chmod(0o644)


@pytest.mark.parametrize("files", [0o444, 0o666])
def test_a_graph_in_a_read_only_folder_is_read(folder, files):
    with SqliteStore(folder / "graph.db") as store:
        before = content(store)
    read_only(folder, files)
    with SqliteStore(folder / "graph.db") as store:
        assert content(store) == before
        assert store.keyword_search("follows", 3)
        with pytest.raises(StoreUnavailable, match="grant the right to write the file and its fol"):
            store.add(batch(page("New", "New.")))
        assert content(store) == before
    assert [file.name for file in folder.iterdir()] == ["graph.db"]


def test_what_another_process_changes_is_seen_and_never_half(folder):
    read_only(folder)
    with SqliteStore(folder / "graph.db") as store:
        records = store.maintenance.records()
        next(records)
        writable(folder)
        with SqliteStore(folder / "graph.db") as other:
            other.add(batch(page("New", "New.")))
        read_only(folder)
        with pytest.raises(StoreUnavailable, match=r"changed while it was read.*repeat"):
            list(records)
        assert store.statistics()["documents"] == len(PAGES) + 1


def test_who_gets_the_right_to_write_reads_with_locks_from_then_on(folder):
    read_only(folder)
    with SqliteStore(folder / "graph.db") as store:
        records = store.maintenance.records()
        next(records)
        writable(folder)
        store.remove(["id of Sheet 8"])
        with pytest.raises(StoreUnavailable, match=r"changed while it was read.*repeat"):
            list(records)
        for number in range(1, 8):
            store.remove([f"id of Sheet {number}"])
            assert store.statistics()["documents"] == 7 - number


def test_changes_that_are_still_in_the_log_are_never_passed_over(folder, tmp_path):
    with SqliteStore(folder / "graph.db") as store:
        store.add(batch(page("New", "New.")))
        with sqlite3.connect(folder / "graph.db") as held:
            held.execute("SELECT count(*) FROM document").fetchone()
            for file in folder.iterdir():
                shutil.copy(file, tmp_path)
        held.close()
    for name in ("graph.db", "graph.db-wal"):  # as a kill leaves it, without the log's index
        shutil.copy(tmp_path / name, folder)
    read_only(folder)
    with (
        SqliteStore(folder / "graph.db") as store,
        pytest.raises(StoreUnavailable, match=r"changes in graph.db-wal.*copy both"),
    ):
        store.statistics()


def test_the_commands_on_a_read_only_mount(hoptrail, mounted, made, graph, towns, tmp_path):
    folder = tmp_path / "only"
    folder.mkdir()
    shutil.copy(made, folder / "graph.db")
    only = mounted(f"mount --bind {folder} {folder}", f"mount -o remount,bind,ro {folder}")

    def run(*arguments: object) -> tuple[int, str, str]:
        return hoptrail("--graph", folder / "graph.db", *arguments, behind=only)

    status, out, err = run("ask", "--record", "Where does Town 7 lie?")
    assert (status, "Danube" in out) == (0, True)
    assert "The answer was not recorded" in err
    assert "grant the right to write" in err
    status, exported, _ = run("export", "-")
    assert (status, exported) == (0, hoptrail("--graph", graph, "export", "-")[1])
    assert run("stats")[0] == run("show", "Danube")[0] == 0
    status, _, err = run("ingest", towns)
    assert (status, "grant the right to write the file and its folder" in err) == (1, True)
