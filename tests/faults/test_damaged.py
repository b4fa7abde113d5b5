"""A file that is damaged, cut off or no graph at all: a clear error, or what is still right."""

import os
import random
import shutil
import sqlite3
import traceback
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from support.building import WORDS, content

from hoptrail.kg.errors import HoptrailError, StoreUnavailable
from hoptrail.kg.types import Document
from hoptrail.models.parser import Pipeline
from hoptrail.service import Hoptrail
from hoptrail.service.graph.export import export_graph
from hoptrail.service.graph.parameters import kept
from hoptrail.service.graph.show import surroundings

DAMAGES = int(os.environ.get("HOPTRAIL_TEST_DAMAGES", "30"))
PAGE = 4096
PIPELINE = Pipeline()
QUESTION = "Where does the river that Town 7 lies on end?"
TOWNS = [
    Document(
        f"id {n}",
        f"Town {n}",
        f"Town {n} lies near Town {n // 2} on the Danube. Hans Meyer was born in Town {n}.",
        f"towns/{n}.txt",
        {"page": str(n)},
    )
    for n in range(40)
]
COMMANDS: dict[str, Callable[[Hoptrail, Path], object]] = {
    "stats": lambda hop, _: (hop.statistics(), hop.store.failures(), kept(hop.store)),
    "search dense": lambda hop, _: hop.search(QUESTION, retriever="dense"),
    "search hop": lambda hop, _: hop.search(QUESTION, retriever="hop"),
    "ask": lambda hop, _: hop.ask(QUESTION),
    "show": lambda hop, _: surroundings(hop.store, "Danube"),
    "export": lambda hop, folder: export_graph(hop.store, folder / "out.jsonl"),
    "remove": lambda hop, _: hop.remove("Town 7"),
    "ingest": lambda hop, _: hop.ingest(Document("new", "New", "Ulm is a city.", "n"), *TOWNS),
}


def opened(path: Path) -> Hoptrail:
    return Hoptrail(path, encoder=WORDS, pipeline=PIPELINE)


@pytest.fixture(scope="module")
def sound(tmp_path_factory) -> Path:
    """A folder with graph.db, closed, and open.db with a log, as a kill leaves it."""
    folder = tmp_path_factory.mktemp("sound")
    with opened(folder / "graph.db") as hop:
        hop.ingest(*TOWNS[:20], embed_triples=True)
        hop.ask(QUESTION)
        hop.ingest(*TOWNS)
        for suffix in ("", "-wal"):
            shutil.copy(folder / f"graph.db{suffix}", folder / f"open.db{suffix}")
    return folder


def flip(data: bytearray, rolled: random.Random) -> None:
    for _ in range(rolled.choice((1, 8, 64))):
        data[rolled.randrange(len(data))] ^= 1 << rolled.randrange(8)


def overwrite(data: bytearray, rolled: random.Random) -> None:
    start = rolled.randrange(len(data) // PAGE) * PAGE
    data[start : start + PAGE] = rolled.choice((bytes(PAGE), rolled.randbytes(PAGE)))


def swap(data: bytearray, rolled: random.Random) -> None:
    one, other = (rolled.randrange(len(data) // PAGE) * PAGE for _ in range(2))
    data[one : one + PAGE], data[other : other + PAGE] = (
        data[other : other + PAGE],
        data[one : one + PAGE],
    )


def cut(data: bytearray, rolled: random.Random) -> None:
    del data[rolled.randrange(1, len(data)) :]


def is_whole(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as db:
        return db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def commands_end_well(damaged: Path, folder: Path) -> dict[str, str]:
    """What each command said, "" where it worked; a traceback fails here."""
    said = {}
    for name, command in COMMANDS.items():
        for suffix in ("", "-wal"):
            (folder / f"graph.db{suffix}").unlink(missing_ok=True)
            if (file := damaged.with_name(f"{damaged.name}{suffix}")).exists():
                shutil.copy(file, folder / f"graph.db{suffix}")
        try:
            with opened(folder / "graph.db") as hop:
                command(hop, folder)
            said[name] = ""
        except HoptrailError as error:
            said[name] = str(error)
        except (TypeError, ValueError, LookupError, AttributeError, sqlite3.Error) as error:
            # A value that no check of a file finds odd; or seen later than the store could see it.
            inside = "/kg/" in traceback.extract_tb(error.__traceback__)[-1].filename
            assert not inside or is_whole(folder / "graph.db")
        assert not (folder / "out.jsonl.part").exists()
    return said


@pytest.mark.filterwarnings("ignore:The answer was not recorded")
@pytest.mark.parametrize("number", range(DAMAGES))
def test_damage_is_named(sound, tmp_path, number):
    rolled = random.Random(number)
    harm = (flip, overwrite, swap, flip)[number % 4]
    source = sound / ("open.db" if number % 5 == 4 else "graph.db")
    for file in sound.glob(f"{source.name}*"):
        shutil.copy(file, tmp_path / file.name.replace(source.name, "damaged.db"))
    target = tmp_path / ("damaged.db-wal" if number % 10 == 9 else "damaged.db")
    data = bytearray(target.read_bytes())
    harm(data, rolled)
    target.write_bytes(data)
    work = tmp_path / "work"
    work.mkdir()
    commands_end_well(tmp_path / "damaged.db", work)


@pytest.mark.parametrize("number", range(3))
def test_a_file_that_was_cut_off_is_never_taken_for_whole(sound, tmp_path, number):
    data = bytearray((sound / "graph.db").read_bytes())
    cut(data, random.Random(number))
    (tmp_path / "damaged.db").write_bytes(data)
    work = tmp_path / "work"
    work.mkdir()
    for name, said in commands_end_well(tmp_path / "damaged.db", work).items():
        assert "is damaged; restore a backup" in said or "not an SQLite file" in said, name


def claims_more_pages(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(28)
        file.write((2**31).to_bytes(4, "big"))


def emptied(path: Path) -> None:
    path.write_bytes(b"")
    path.with_name("graph.db-wal").write_bytes(bytes(PAGE))


def without_its_info(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("UPDATE graph_info SET fingerprint = '{'")
    db.close()


def a_short_vector(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("UPDATE passage_vector SET vector = x'00112233' WHERE number = 7")
    db.close()


@pytest.mark.parametrize(
    "harm", [claims_more_pages, emptied, without_its_info, a_short_vector], ids=lambda f: f.__name__
)
def test_what_can_be_told_is_told(sound, tmp_path, harm):
    path = tmp_path / "graph.db"
    shutil.copy(sound / "graph.db", path)
    harm(path)
    with opened(path) as hop, pytest.raises(StoreUnavailable, match="is damaged; restore a backup"):
        hop.search(QUESTION, retriever="dense")


def test_a_log_that_is_not_of_this_file_is_passed_over(sound, tmp_path):
    path = tmp_path / "graph.db"
    shutil.copy(sound / "graph.db", path)
    with opened(sound / "graph.db") as hop:
        before = content(hop.store)
    (tmp_path / "graph.db-wal").write_bytes(random.Random(0).randbytes(10 * PAGE))
    with opened(path) as hop:
        assert content(hop.store) == before
