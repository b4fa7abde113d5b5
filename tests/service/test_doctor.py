"""`hoptrail doctor`: a line for each finding, --fix, exit status."""

import json
import sqlite3
from contextlib import closing

import pytest


@pytest.fixture
def ulm(run, tmp_path):
    """A graph of two documents in `hoptrail.db`."""
    (tmp_path / "ulm.md").write_text("# Ulm\n\nUlm is a city on the Danube, like Passau.\n")
    (tmp_path / "passau.md").write_text("# Passau\n\nPassau is a city on the Danube and the Inn.\n")
    run("ingest", "ulm.md", "passau.md")


def damage(sql):
    with closing(sqlite3.connect("hoptrail.db", isolation_level=None)) as connection:
        connection.execute(sql)


def exported(run):
    status, out, _ = run("export", "-", "--no-vectors")
    assert status == 0
    return [line for line in out.splitlines() if '"kind": "document"' not in line]


def test_what_follows_from_the_texts_is_found_and_mended(run, ulm):
    before = exported(run)
    assert "ok      soundness: nothing is wrong" in run("doctor")[1]
    damage("DELETE FROM names")
    damage("UPDATE entity SET passages = 7")
    assert run("doctor", "--quick")[0] == 0
    status, out, _ = run("doctor")
    assert (status, "FAIL    names: " in out, "`hoptrail doctor --fix` mends" in out) == (
        1,
        True,
        True,
    )
    status, out, _ = run("doctor", "--fix")
    assert (status, "mended  names: " in out, "mended  counts: " in out) == (0, True, True)
    assert "ok      soundness: nothing is wrong" in out
    assert run("doctor")[0] == 0
    assert exported(run) == before


def test_what_cannot_be_mended_is_ingested_again(run, ulm):
    before = exported(run)
    damage("UPDATE passage SET text = replace(text, 'city', 'sity') WHERE title = 'Ulm'")
    status, out, _ = run("doctor", "--fix", "--json")
    findings = {(f["what"], f["ok"], f["mended"]): f["detail"] for f in json.loads(out)["findings"]}
    assert status == 1
    assert (
        "whose text is not the one that was ingested: 1 (Ulm)"
        in (findings["documents", True, True])
    )
    assert "ulm.md); `hoptrail ingest`" in findings["documents", False, False]
    assert run("ingest", "ulm.md", "passau.md")[0] == 0
    assert run("doctor")[0] == 0
    assert exported(run) == before


def test_an_older_graph_is_brought_up_to_date(run, ulm):
    damage("DROP TABLE parameters")
    damage("UPDATE graph_info SET schema_version = 1")
    status, out, _ = run("doctor")
    assert (status, "FAIL    schema: made by an older version; `hoptrail ingest`" in out) == (
        1,
        True,
    )
    status, out, _ = run("doctor", "--fix")
    assert (status, "mended  schema: " in out) == (0, True)


def test_no_graph_yet(run):
    status, out, _ = run("doctor", "--fix")
    assert (status, "no graph yet" in out) == (0, True)


def test_a_graph_that_can_t_be_read_is_one_finding_the_last(run, tmp_path):
    (tmp_path / "letter.txt").write_text("Dear reader, this is not a database. " * 40)
    status, out, _ = run("doctor", "--graph", "letter.txt", "--json")
    findings = json.loads(out)["findings"]
    wrong = [finding for finding in findings if not finding["ok"]]
    assert (status, wrong) == (1, findings[-1:])
    assert (wrong[0]["what"], "letter.txt" in wrong[0]["detail"]) == ("graph", True)
