"""A system that refuses to write, as the command line tells of it."""

import errno
import sys
from pathlib import Path

import pytest

from hoptrail.service.cli.app import main


@pytest.fixture
def docs(tmp_path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "ulm.md").write_text("# Ulm\n\nUlm is a city on the Danube.\n", encoding="utf-8")
    return folder


@pytest.fixture
def full_disk(monkeypatch):
    """Whoever identifies a language meets a file of the system's that can't grow."""

    def refuse(text):
        raise OSError(errno.EFBIG, "File too large")

    monkeypatch.setattr("hoptrail.kg.ingest.pipeline.language_of", refuse)


def test_a_file_that_may_not_grow_is_a_full_disk_and_names_the_graph(run, docs, full_disk):
    status, _, err = run("--graph", "towns.db", "ingest", str(docs))
    assert status == 1
    for told in ("File too large", "command on towns.db", "ulimit -f", "free some space"):
        assert told in err


def test_debugging_shows_where_the_system_refused(run, docs, full_disk, monkeypatch):
    monkeypatch.setenv("HOPTRAIL_DEBUG", "1")
    monkeypatch.setattr(sys, "argv", ["hoptrail", "ingest", str(docs)])
    with pytest.raises(OSError, match="File too large"):
        main()
