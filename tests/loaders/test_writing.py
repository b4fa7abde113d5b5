"""A file is written whole or stays as it was."""

import errno
import os
import threading

import pytest

from hoptrail.loaders.writing import write_whole

UNWRITABLE = "half of a pair: \ud800"


def test_what_cannot_be_written_leaves_what_stood_there(tmp_path):
    file = tmp_path / "weights.json"
    write_whole(file, "before\n")
    with pytest.raises(UnicodeEncodeError):
        write_whole(file, "x" * 100_000 + UNWRITABLE)
    assert file.read_text() == "before\n"
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_stays_one(tmp_path):
    file, link = tmp_path / "weights.json", tmp_path / "current.json"
    file.write_text("before\n")
    link.symlink_to(file)
    write_whole(link, "after\n")
    assert link.is_symlink()
    assert file.read_text() == "after\n"


def test_a_pipe_is_written_to(tmp_path):
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_whole(pipe, "to whoever reads\n")
    reader.join(10)
    assert read == ["to whoever reads\n"]
    assert pipe.is_fifo()


def test_a_file_that_is_mounted_by_itself_is_written_to(tmp_path, monkeypatch):
    """As a container is given one; to mount one takes rights that tests need not have."""

    def busy(*paths: object) -> None:
        raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))

    file = tmp_path / "report.json"
    file.write_text("before\n")
    monkeypatch.setattr(os, "replace", busy)
    write_whole(file, "after\n")
    assert file.read_text() == "after\n"
    assert list(tmp_path.iterdir()) == [file]


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "none" / "report.json", "text")
