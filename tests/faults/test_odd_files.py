"""Files and folders that nobody made for us: each is read, or recorded with the reason."""

import json
import os
import socket
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.building import WORDS

from hoptrail.kg.types import Document, Failure
from hoptrail.loaders import documents
from hoptrail.models.parser import Pipeline
from hoptrail.service import Hoptrail

TINY = int(os.environ.get("HOPTRAIL_TEST_FILES", "2000"))
PIPELINE = Pipeline()


def read(*paths: Path) -> tuple[list[Document], dict[str, str]]:
    """Documents, and the reasons of failures by file name."""
    found = list(documents(paths))
    failures = {os.path.basename(f.source): f.reason for f in found if isinstance(f, Failure)}
    return [item for item in found if isinstance(item, Document)], failures


@pytest.fixture
def hop(tmp_path_factory):
    with Hoptrail(tmp_path_factory.mktemp("graph") / "g.db", encoder=WORDS, pipeline=PIPELINE) as h:
        yield h


def test_a_line_of_50_mb_as_json(tmp_path):
    file = tmp_path / "long.jsonl"
    text = "The Danube crosses the city. " * (50_000_000 // 29)
    with file.open("w") as out:
        out.write(json.dumps({"title": "Danube", "text": text}) + "\n")
        out.write(json.dumps({"title": "Ulm", "text": "Ulm lies on the Danube."}) + "\n")
    found, failures = read(file)
    assert [len(document.text) for document in found] == [len(text.strip()), 23]
    assert failures == {}


def test_a_line_of_50_mb_as_text_without_a_space(tmp_path):
    file = tmp_path / "long.txt"
    file.write_text("x" * 50_000_000)
    found, failures = read(file)
    assert ([len(document.text) for document in found], failures) == ([50_000_000], {})


def test_a_line_too_long_for_a_passage_is_cut(hop, tmp_path):
    (tmp_path / "long.txt").write_text("ab " * 300 + "x" * 300_000)
    report = hop.ingest(tmp_path)
    assert (report.added, report.failures) == (1, [])
    found = hop.store.passages(hop.store.passages_of(list(hop.store.documents())))
    assert sum(passage.text.count("ab") for passage in found.values()) == 300


def test_tiny_files_without_number(hop, tmp_path):
    for number in range(TINY):
        folder = tmp_path / str(number // 1000)
        folder.mkdir(exist_ok=True)
        (folder / f"{number}.txt").write_text(f"Note {number}.")
    assert hop.ingest(tmp_path).added == TINY
    assert hop.ingest(tmp_path).unchanged == TINY


def test_loops_of_links_are_walked_once(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "note.txt").write_text("Ulm is a city.")
    (tmp_path / "a" / "b" / "up").symlink_to(tmp_path / "a")
    (tmp_path / "self.txt").symlink_to(tmp_path / "self.txt")
    (tmp_path / "one.txt").symlink_to(tmp_path / "two.txt")
    (tmp_path / "two.txt").symlink_to(tmp_path / "one.txt")
    found, failures = read(tmp_path)
    assert len(found) == 1
    assert failures == {
        name: f"{tmp_path / name} is a symbolic link that leads nowhere"
        for name in ("one.txt", "self.txt", "two.txt")
    }


def test_what_is_no_file_is_never_waited_for(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe.txt")
    monkeypatch.chdir(tmp_path)  # a socket's path must be short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.txt")
        (tmp_path / "device.txt").symlink_to("/dev/zero")
        found, failures = read(tmp_path)
    assert (found, set(failures.values())) == ([], {"not a regular file"})
    assert {"pipe.txt", "socket.txt"} <= set(failures)


@pytest.fixture
def deep(tmp_path, monkeypatch) -> Iterator[Path]:
    """A thousand folders in each other: the path is longer than the system takes at once."""
    monkeypatch.chdir(tmp_path)
    for _ in range(1000):
        os.mkdir("folder")
        os.chdir("folder")
    Path("deep.txt").write_text("Ulm is a city.")
    yield tmp_path
    os.unlink("deep.txt")
    for _ in range(1000):  # what removes temporary folders later goes only so deep
        os.chdir("..")
        os.rmdir("folder")


def test_a_thousand_folders_deep(deep):
    (deep / "flat.txt").write_text("Bonn is a city.")
    found, failures = read(deep)
    assert [document.title for document in found] == ["flat"]
    assert failures == {"folder": "its path is too long to be read; move it higher up"}


def test_names_of_any_bytes_are_kept_and_printed_harmlessly(hop, hoptrail_says, tmp_path):
    folder = tmp_path / "names"
    folder.mkdir()
    names = [b"a" * 251 + b".txt", b"line\nbreak.txt", b"\x1b[31mred.txt", b"bad\xff.txt", b"-.txt"]
    for name in names:
        Path(os.fsdecode(os.path.join(os.fsencode(folder), name))).write_bytes(b"Ulm is a city.")
    (folder / "\x1b]0;title\x07.txt").write_bytes(b"\xff")
    assert hop.ingest(folder).added == len(names)
    assert hop.ingest(folder).unchanged == len(names)
    said = hoptrail_says("--graph", hop.store.where, "stats")
    assert "not UTF-8" in said
    assert "\x1b" not in said
    assert "\x07" not in said


@pytest.fixture
def hoptrail_says(hoptrail):
    return lambda *arguments: "".join(hoptrail(*arguments)[1:])


def test_a_folder_that_changes_while_it_is_read(tmp_path):
    for number in range(40):
        (tmp_path / f"{number:02}.txt").write_text(f"Note {number}.")
    stream = documents([tmp_path])
    first = next(stream)
    for number in range(1, 40, 2):
        (tmp_path / f"{number:02}.txt").unlink()
    (tmp_path / "02.txt").write_text("Another note.")
    (tmp_path / "99.txt").write_text("A note that came late.")
    found = [first, *stream]
    gone = [item.reason for item in found if isinstance(item, Failure)]
    assert gone == ["no such file; it may have been moved or deleted"] * 20
    texts = [item.text for item in found if isinstance(item, Document)]
    assert len(texts) == 20
    assert "Another note." in texts


def test_a_file_that_grows_while_it_is_read_ends(tmp_path):
    file, done = tmp_path / "log.jsonl", threading.Event()
    line = json.dumps({"title": "Log", "text": "Ulm is a city. " * 1000}) + "\n"
    file.write_text(line * 100)

    def grow() -> None:
        with file.open("a") as out:
            for _ in range(1000):
                if done.is_set():
                    return
                out.write(line)
                out.flush()

    growing = threading.Thread(target=grow)
    growing.start()
    found, failures = read(file)
    done.set()
    growing.join()
    assert len(found) == 1  # the same text is one document
    assert all("not valid JSON" in reason for reason in failures.values())


def test_a_folder_without_the_right_to_read_it_is_named():
    before = os.geteuid()
    with tempfile.TemporaryDirectory() as name:  # where others than root may go
        folder, closed = Path(name), Path(name) / "closed"
        closed.mkdir()
        (folder / "open.txt").write_text("Ulm is a city.")
        folder.chmod(0o755)
        closed.chmod(0)
        if before == 0:
            os.seteuid(65534)
        try:
            found, failures = read(folder)
        finally:
            os.seteuid(before)
            closed.chmod(0o755)
    assert len(found) == 1
    assert failures == {"closed": "no permission to read this folder"}
