"""Damage that only a file can have."""

import sqlite3
from contextlib import closing

import pytest
from support.building import WORDS, content
from support.damaging import damage, whole, written

from hoptrail.kg.errors import StoreUnavailable
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.store import GraphStore


@pytest.fixture
def file(tmp_path) -> SqliteStore:
    with SqliteStore(tmp_path / "g.db") as store:
        yield whole(store)


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("DROP INDEX document_title", "document_title"),
        ("DROP VIEW next", "next"),
        ("DROP TRIGGER passage_vector_gone", "passage_vector_gone"),
        ("DROP TABLE term", "term"),
        ("DROP TABLE passage_words", "passage_words"),
        ("DROP TABLE entity; DROP TABLE spelling", "entity, spelling"),
        ("DROP VIEW next; CREATE VIEW next (source, target) AS SELECT 1, 2", "next"),
    ],
)
def test_missing_tables_that_follow_from_others_are_made(file, sql, says):
    before, search = content(file), file.keyword_search("Runa sheets", 10)
    damage(file, sql)
    [problem] = file.maintenance.problems()
    assert (problem.what, problem.mendable) == ("schema", True)
    assert says in problem.detail
    assert problem in file.maintenance.repair()
    assert file.maintenance.problems() == []
    assert (content(file), file.keyword_search("Runa sheets", 10)) == (before, search)


def test_a_missing_table_of_facts_is_not_made(file):
    damage(file, "DROP TABLE states")
    [problem] = file.maintenance.problems()
    assert (problem.what, problem.mendable, file.maintenance.repair()) == ("schema", False, [])
    assert "restore a backup" in problem.detail


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE spelling SET times = 9 WHERE entity_id = 'vaagur'",
        "UPDATE triple SET head_id = 'x', tied = 1 WHERE relation = 'born in'",
        "DELETE FROM entity",
        "INSERT INTO passage_words (passage_words) VALUES ('delete-all')",
        "INSERT INTO passage_vector VALUES (99, x'00')",
        "INSERT INTO mentions VALUES ('gone', 'vaagur', 'Vaagur')",
        "INSERT INTO states VALUES ('gone', (SELECT min(id) FROM triple), 0, 1)",
        "INSERT INTO names VALUES ('gone', 'gone')",
        "INSERT INTO cites SELECT id, 9, 1, 0.5, 'gone' FROM answer",
        "INSERT INTO step SELECT id, 9, 0, 0.5, 'gone' FROM answer",
        "INSERT INTO passage_vector_next VALUES (1, x'00')",
        "UPDATE graph_info SET next_fingerprint = 'x'",
    ],
)
def test_rows_of_a_file_are_mended(file, sql):
    before, search = content(file), file.keyword_search("Runa sheets", 10)
    damage(file, sql)
    assert file.maintenance.problems()
    assert all(problem.mendable for problem in file.maintenance.problems())
    file.maintenance.repair()
    assert file.maintenance.problems() == []
    assert (content(file), file.keyword_search("Runa sheets", 10)) == (before, search)


def without_its_indexes(file, table, sql):
    """Alter a table and leave the indexes made for it as they were, as a crash of the disk may."""
    file.close()
    indexes = "FROM sqlite_schema WHERE sql IS NOT NULL AND type = 'index' AND tbl_name = ?"
    with closing(sqlite3.connect(file.where)) as connection:
        rows = connection.execute(f"SELECT * {indexes}", (table,)).fetchall()
    put_back = "INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)"
    for do, values in ((f"DELETE {indexes}", [(table,)]), (sql, [()]), (put_back, rows)):
        with closing(sqlite3.connect(file.where, isolation_level=None)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            connection.executemany(do, values)


def test_an_index_that_lacks_a_row(file):
    """SQLite's own check finds it, its REINDEX mends it."""
    without_its_indexes(file, "document", "UPDATE document SET source = 'x' || source")
    [problem] = file.maintenance.problems()
    assert (problem.what, problem.mendable) == ("indexes", True)
    assert file.maintenance.repair() == [problem]
    assert file.maintenance.problems() == []


def test_rows_that_only_an_index_still_knows_are_lost_not_mended(file):
    without_its_indexes(file, "document", "UPDATE document SET source = 'x' || source")
    without_its_indexes(file, "question", "DELETE FROM question")
    [problem] = file.maintenance.problems()
    assert (problem.what, problem.mendable) == ("file", False)
    assert "restore a backup" in problem.detail
    assert file.maintenance.repair() == []
    assert file.maintenance.problems() == [problem]


def test_an_unreadable_map_of_a_document(file):
    damage(file, "UPDATE document SET metadata = '{' WHERE title = 'Introduction'")
    file.maintenance.repair()
    [left] = file.maintenance.problems()
    assert "Introduction.md" in left.detail
    assert set(file.documents()) == {d.id for d in written().documents}


def test_a_reader_sees_what_was_mended(file):
    with SqliteStore(file.where) as other:
        asked = WORDS.encode_queries(["Salt Lantern"])[0]
        assert len(other.nearest_passages(asked, 4)) == 4
        damage(file, "UPDATE passage_vector SET vector = x'00' WHERE number = 1")
        file.maintenance.repair()
        left = file.nearest_passages(asked, 4)
        assert (len(left), other.nearest_passages(asked, 4)) == (3, left)


def test_a_file_that_may_not_be_written(file, monkeypatch):
    def refused() -> None:
        raise StoreUnavailable("no right to write")

    monkeypatch.setattr(file._file, "require_rights", refused)
    assert [problem.what for problem in file.maintenance.problems()] == ["rights"]


def test_a_damaged_file(file):
    file.close()
    with open(file.where, "r+b") as opened:
        opened.seek(4096 * 3)
        opened.write(b"\xff" * 4096 * 4)
    assert "is damaged" in said(file)


def said(store: GraphStore) -> str:
    """Found by a check, or before one can begin."""
    try:
        return "; ".join(problem.detail for problem in store.maintenance.problems())
    except StoreUnavailable as error:
        return str(error)
