"""One line of kg/schema.py is all that a new property of a node takes, on every store."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import pytest
from support.building import WORDS, kind, page

from hoptrail.kg.schema import KINDS, TEXT, TEXTS, Field
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.store import GraphStore
from hoptrail.kg.types import Batch, Document, DocumentInfo, Passage, Statement, Triple
from hoptrail.models.encoder import Encoder
from hoptrail.service.graph.export import export_graph, import_graph

DIALECT = Field("dialect", TEXT, "")
TAGS = Field("tags", TEXTS, ())
NODES = ("document", "passage", "triple")
TOWN = page("Vaagur", "Vaagur is a town.", triples=(("Vaagur", "is", "a town"),))


@dataclass(frozen=True)
class TaggedDocument(Document):
    dialect: str = "fo"
    tags: tuple[str, ...] = ("north", "é'\"")


@dataclass(frozen=True)
class TaggedPassage(Passage):
    dialect: str = "fo"
    tags: tuple[str, ...] = ("north", "é'\"")


@dataclass(frozen=True)
class TaggedTriple(Triple):
    dialect: str = "fo"
    tags: tuple[str, ...] = ("north", "é'\"")


@dataclass(frozen=True, slots=True)
class TaggedInfo(DocumentInfo):
    dialect: str = ""


def add_line(monkeypatch: pytest.MonkeyPatch, name: str, *fields: Field) -> None:
    """As if these lines had been added at the end of a kind in kg/schema.py."""
    monkeypatch.setitem(KINDS, name, replace(KINDS[name], fields=(*KINDS[name].fields, *fields)))


def tagged() -> Batch:
    document = TOWN.document
    [passage] = TOWN.passages
    [stated] = TOWN.statements
    slots = (stated.triple.head, stated.triple.relation, stated.triple.tail, "test")
    own = TaggedPassage(passage.document_id, passage.position, passage.title, passage.text)
    return Batch(
        [TaggedDocument(document.id, document.title, document.text, document.source)],
        [own],
        WORDS.encode_passages([own.text]),
        statements=[Statement(own.id, TaggedTriple(*slots))],
    )


def exported(store: GraphStore, file: Any) -> bytes:
    export_graph(store, file)
    return file.read_bytes()


def test_a_property_is_written_exported_imported_and_copied_by_one_line(
    monkeypatch, new_store, tmp_path
):
    encoder: Encoder = WORDS
    for name in NODES:
        add_line(monkeypatch, name, DIALECT, TAGS)
    store = new_store()
    store.prepare(encoder.fingerprint)
    store.add(tagged())
    for name in NODES:
        [record] = kind(store, name)
        assert (record["dialect"], list(record["tags"])) == ("fo", ["north", "é'\""])
    first = exported(store, tmp_path / "first.jsonl")
    with SqliteStore(tmp_path / "other.db") as other:
        import_graph(other, tmp_path / "first.jsonl", encoder)
        assert exported(other, tmp_path / "second.jsonl") == first
        back = new_store()
        back.maintenance.restore(other.maintenance.records())  # as `copy` does
        assert exported(back, tmp_path / "third.jsonl") == first
        assert back.maintenance.problems() == []


def test_a_property_of_entities_comes_with_their_records(monkeypatch, new_store):
    add_line(monkeypatch, "entity", DIALECT)
    store = new_store()
    store.prepare(WORDS.fingerprint)
    store.add(tagged())
    records = list(store.maintenance.records())
    for record in records:
        if record["kind"] == "entity":
            assert record["dialect"] == ""
            record["dialect"] = "fo"
    other = new_store()
    other.maintenance.restore(iter(records))
    assert list(other.maintenance.records()) == records
    other.add(tagged())  # counts names anew, and leaves the rest
    assert {record["dialect"] for record in kind(other, "entity")} == {"fo"}


def test_a_graph_from_before_the_line_has_its_default_until_it_is_written(
    monkeypatch, new_store, tmp_path
):
    store = new_store()
    store.prepare(WORDS.fingerprint)
    store.add(tagged())
    exported(store, tmp_path / "before.jsonl")
    for name in NODES:
        add_line(monkeypatch, name, DIALECT, TAGS)
    assert [record["dialect"] for name in NODES for record in kind(store, name)] == [""] * 3
    with SqliteStore(tmp_path / "other.db") as other:
        import_graph(other, tmp_path / "before.jsonl", WORDS)
        assert [r["tags"] for name in NODES for r in kind(other, name)] == [[]] * 3
    store.remove([TOWN.document.id])
    store.add(tagged())
    assert [record["dialect"] for name in NODES for record in kind(store, name)] == ["fo"] * 3
    assert store.maintenance.problems() == []


def test_a_missing_column_of_a_file_is_made_by_doctor_too(monkeypatch, tmp_path):
    with SqliteStore(tmp_path / "graph.db") as store:
        store.prepare(WORDS.fingerprint)
        store.add(tagged())
        add_line(monkeypatch, "passage", DIALECT)
        [problem] = store.maintenance.problems()
        assert (problem.what, problem.mendable) == ("schema", True)
        assert "passage.dialect" in problem.detail
        assert store.maintenance.repair() == [problem]
        with closing(sqlite3.connect(store.where)) as db:
            assert db.execute("SELECT dialect FROM passage").fetchall() == [("",)]


def test_as_a_typed_attribute_it_takes_a_field_of_the_dataclass(monkeypatch, new_store):
    add_line(monkeypatch, "document", DIALECT)
    for module in ("hoptrail.kg.sqlite.read", "hoptrail.kg.neo4j.store"):
        monkeypatch.setattr(f"{module}.DocumentInfo", TaggedInfo)
    store = new_store()
    store.prepare(WORDS.fingerprint)
    store.add(tagged())
    assert store.documents()[TOWN.document.id].dialect == "fo"
    assert store.documents([TOWN.document.id])[TOWN.document.id].dialect == "fo"
