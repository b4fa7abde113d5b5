"""Ingestion is repeatable, resumable, exact about change, and survives bad sources."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.building import content
from support.processes import python_path

from hoptrail.kg.ingest import pipeline
from hoptrail.kg.ingest.pipeline import Ingestion, Report, Tools
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.types import Document, Fact, Failure
from hoptrail.models.parser import Pipeline

PIPELINE = Pipeline()
TOWNS = {
    "Ulm": "Ulm is a city on the Danube. Albert Einstein was born in Ulm.",
    "Danube": "The Danube is a river. It flows through Vienna and Budapest.",
    "Albert Einstein": "Albert Einstein (14 March 1879 – 18 April 1955) was a physicist.",
    "Vienna": "Vienna is the capital of Austria. The Danube crosses the city.",
}


def documents(**changed: str) -> list[Document]:
    texts = TOWNS | changed
    return [Document(f"id {title}", title, text, f"{title}.txt") for title, text in texts.items()]


def tools_of(encoder) -> Tools:
    return Tools(
        lambda: encoder.fingerprint, encoder.encode_passages, encoder.count_tokens, PIPELINE
    )


@pytest.fixture
def tools(encoder) -> Tools:
    return tools_of(encoder)


def ingested(store, tools, sources, **settings) -> Report:
    return Ingestion(store, tools, **settings).run(sources)


def test_documents_become_passages_entities_and_triples(new_store, tools):
    store = new_store()
    report = ingested(store, tools, documents())
    assert (report.added, report.changed, report.unchanged) == (4, 0, 0)
    assert store.entities(["albert einstein"])["albert einstein"].passages == 2
    facts = {
        (s.triple.head, s.triple.relation, s.triple.tail) for s in store.triples_about(["ulm"])
    }
    assert ("Albert Einstein", "was born in", "Ulm") in facts


def test_names_with_other_blanks_are_the_names_with_ordinary_ones(new_store, tools):
    store, told = new_store(), Fact(0, 34, "Bo\u202fEk", "was born\u00a0in", "Bad\u2007Ischl")
    text = "Name: Bo\u202fEk; Born: Bad\u2007Ischl, 1900\n\nAda\u00a0Holm was born in New\u00a0Ulm."
    ingested(store, tools, [Document("1", "The\u00a0two", text, "two.txt", facts=(told,))])
    (passage,) = store.passages(store.passages_of(["1"])).values()
    assert passage.title == "The two"
    assert passage.text == "Name: Bo Ek; Born: Bad Ischl, 1900\n\nAda Holm was born in New Ulm."
    facts = {
        (s.triple.head, s.triple.relation, s.triple.tail)
        for s in store.triples_about(["ada holm", "bo ek"])
    }
    assert {("Ada Holm", "was born in", "New Ulm"), ("Bo Ek", "was born in", "Bad Ischl")} <= facts


def test_ingesting_the_same_again_changes_nothing(new_store, tools):
    store = new_store()
    ingested(store, tools, documents())
    before = list(store.maintenance.records())
    report = ingested(store, tools, documents())
    assert (report.added, report.unchanged) == (0, 4)
    assert list(store.maintenance.records()) == before  # not even times


def test_a_changed_document_replaces_its_own_part(new_store, tools):
    store = new_store()
    ingested(store, tools, documents())
    new = documents(Ulm="Ulm has the tallest church of the world.")
    assert ingested(store, tools, new).changed == 1
    changed = content(store)
    afresh = new_store()
    ingested(afresh, tools, new)
    assert changed == content(afresh)


def test_a_killed_ingestion_is_finished_by_the_same_call(new_store, tools):
    store = new_store()

    def dying() -> Iterator[Document]:
        yield from documents()[:2]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingested(store, tools, dying(), batch=1)
    written = store.statistics()["documents"]
    assert 0 < written < 4
    report = ingested(store, tools, documents(), batch=1)
    assert (report.unchanged, report.added) == (written, 4 - written)
    finished = content(store)
    afresh = new_store()
    ingested(afresh, tools, documents())
    assert finished == content(afresh)


def test_a_source_that_fails_is_recorded_and_cleared_when_mended(new_store, tools):
    store = new_store()
    sources = [*documents()[:1], Failure("Danube.txt", "not UTF-8"), *documents()[2:]]
    report = ingested(store, tools, sources)
    assert report.added == 3
    assert report.failures == store.failures() == [Failure("Danube.txt", "not UTF-8")]
    ingested(store, tools, documents())
    assert store.failures() == []


def test_a_failure_is_forgotten_when_its_source_is_read_again_unchanged_or_gone(new_store, tools):
    store = new_store()
    ingested(store, tools, documents())
    bad = [Failure("Danube.txt", "no permission to read"), Failure("gone.txt", "holds no text")]
    ingested(store, tools, bad)
    assert len(store.failures()) == 2
    ingested(store, tools, documents(), gone=lambda source: source == "gone.txt")
    assert store.failures() == []


def test_long_documents_do_not_wait_for_each_other(store, tools):
    """A kill loses a batch and the rest of one document, however few the documents are."""
    text = " ".join(f"Sentence number {n} tells of the Danube." for n in range(60))
    long = [Document(f"id {n}", f"Long {n}", text, "long.txt") for n in range(3)]
    seen = []
    Ingestion(store, tools, limit=50, batch=5).run(
        long, lambda report: seen.append(report.passages)
    )
    per_document = store.statistics()["passages"] // 3
    assert per_document >= 5
    assert seen[:3] == [per_document, 2 * per_document, 3 * per_document]


def test_reading_is_not_far_ahead_of_writing(store, tools, monkeypatch):
    """Else a bar of what is read stands at its end for most of the time."""
    text = " ".join(f"Sentence number {n} tells of the Danube." for n in range(60))
    monkeypatch.setattr(pipeline, "TOGETHER", 4000)  # a document and a half, as of long ones
    read, ahead = list[str](), list[int]()

    def long() -> Iterator[Document]:
        for number in range(12):
            read.append(f"id {number}")
            yield Document(f"id {number}", f"Long {number}", text, "long.txt")

    Ingestion(store, tools, limit=20, batch=8).run(
        long(), lambda report: ahead.append(len(read) - report.seen)
    )
    assert max(ahead) < 8


def test_data_in_letters_is_no_passage(store, tools):
    key = "MIIEvQIBADANBgkqhkiG9w0" * 100
    text = f"The pump was paid.\n{key}\nIts key is with Ann Lee."
    ingested(store, tools, [Document("1", "Invoice", text, "a.json")])
    (passage,) = store.passages(store.passages_of(["1"])).values()
    assert passage.text.split() == "The pump was paid. Its key is with Ann Lee.".split()


def test_the_same_document_twice_in_one_run_is_one(new_store, tools):
    store = new_store()
    report = ingested(store, tools, [*documents(), *documents()])
    assert (report.added, report.unchanged) == (4, 4)
    assert store.statistics()["documents"] == 4


def test_long_documents_become_several_passages_in_order(new_store, tools):
    store = new_store()
    text = " ".join(f"Sentence number {n} tells of the Danube." for n in range(40))
    ingested(store, tools, [Document("long", "Long", text, "long.txt")], limit=50)
    ids = store.passages_of(["long"])
    texts = [passage.text for passage in store.passages(ids).values()]
    assert len(texts) > 4
    assert " ".join(texts) == text


def test_triples_are_embedded_on_request(new_store, tools):
    store = new_store()
    ingested(store, tools, documents(), embed_triples=True)
    counts = store.statistics()
    assert counts["embedded_triples"] == counts["triples"] > 0


WRITER = """
import sys
from pathlib import Path
from support.fakes import WordEncoder
from test_ingest import many, tools_of
from hoptrail.kg.ingest.pipeline import Ingestion
from hoptrail.kg.sqlite.store import SqliteStore
print("ready", flush=True)
Ingestion(SqliteStore(Path(sys.argv[1])), tools_of(WordEncoder()), batch=2).run(
    many(), lambda report: print(report.seen, flush=True)
)
"""


def many() -> list[Document]:
    return [
        Document(
            f"id {n}", f"Town {n}", f"Town {n} lies near Town {n // 2} on the Danube.", "towns"
        )
        for n in range(60)
    ]


@pytest.mark.parametrize("lines", [1, 2, 5])
def test_kill_9_loses_at_most_the_batch_in_flight(tmp_path, encoder, lines):
    graph, here = tmp_path / "graph.db", Path(__file__).parent
    paths = python_path(here, here.parents[1])
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(graph)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": paths},
    ) as process:
        assert process.stdout is not None
        for _ in range(lines):
            assert process.stdout.readline()
        process.kill()
    with SqliteStore(graph) as store, SqliteStore(tmp_path / "afresh.db") as afresh:
        written = store.statistics()["documents"]
        assert written >= 2 * (lines - 2)
        report = ingested(store, tools_of(encoder), many())
        assert report.unchanged == written < 60
        ingested(afresh, tools_of(encoder), many())
        assert content(store) == content(afresh)


def test_a_passage_is_found_by_the_title_that_its_text_does_not_name(tmp_path, encoder):
    with SqliteStore(tmp_path / "graph.db") as store:
        texts = {"Ulm": "A city on a river.", "Bonn": "Another city on a river."}
        sources = [Document(f"id {t}", t, text, f"{t}.txt") for t, text in texts.items()]
        ingested(store, tools_of(encoder), sources)
        for title in texts:
            [found] = store.nearest_passages(encoder.encode_queries([title])[0], 1)
            assert store.passages([found.id])[found.id].title == title
