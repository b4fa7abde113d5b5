"""A batch is parsed and encoded while another is written; the graph is the same."""

import threading
from dataclasses import replace
from itertools import pairwise

import pytest
from support.building import content

from hoptrail.kg.errors import StoreUnavailable
from hoptrail.kg.ingest.pipeline import FIRST, Ingestion, Tools
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.types import Document, Failure, Passage
from hoptrail.loaders import documents
from hoptrail.models.parser import Pipeline

pytestmark = pytest.mark.one_release

PIPELINE = Pipeline()
LONGEST = 30  # seconds that threads wait for each other before a test fails


@pytest.fixture
def tools(encoder) -> Tools:
    return Tools(
        lambda: encoder.fingerprint, encoder.encode_passages, encoder.count_tokens, PIPELINE
    )


@pytest.fixture
def graph(tmp_path):
    with SqliteStore(tmp_path / "graph.db") as store:
        yield store


def town(n: int, text: str = "") -> Document:
    told = text or f"Town {n} lies near Town {n // 2} on the Danube."
    return Document(f"id {n}", f"Town {n}", told, f"{n}.txt")


def towns(number: int) -> list[Document]:
    return [town(n) for n in range(number)]


def at_work() -> list[str]:
    names = (thread.name for thread in threading.enumerate())
    return [name for name in names if name.startswith(("encode", "parse"))]


@pytest.mark.parametrize("batch", [1, 2, 100])
def test_a_document_that_comes_again_is_known_and_the_last_one_counts(new_store, tools, batch):
    again = [town(0), town(1, "Town 1 has moved to the Rhine."), town(1, "Town 1 is gone.")]
    store = new_store()
    report = Ingestion(store, tools, batch=batch).run([*towns(3), *again])
    assert (report.added, report.changed, report.unchanged) == (3, 2, 1)
    got, afresh = content(store), new_store()
    Ingestion(afresh, tools).run([town(0), again[2], town(2)])
    assert got == content(afresh)


def test_regenerating_takes_up_no_document_of_the_same_run(graph, tools):
    report = Ingestion(graph, tools, batch=1, regenerate=True).run([*towns(2), *towns(2)])
    assert (report.added, report.changed, report.unchanged) == (2, 0, 2)


def test_the_next_batch_is_encoded_and_parsed_while_one_is_written(graph, tools, monkeypatch):
    encoded, parsed, write = threading.Semaphore(0), threading.Semaphore(0), graph.add

    def encode(texts, progress):
        vectors = tools.encode(texts, progress)
        encoded.release()
        return vectors

    def parse(texts):
        yield from tools.parse(texts)
        parsed.release()

    overlapped = []

    def add(batch):
        own_and_next = {"id 0": 2, "id 3": 0}.get(batch.documents[0].id, 1)
        for done in (encoded, parsed):
            overlapped.append(all(done.acquire(timeout=LONGEST) for _ in range(own_and_next)))
        write(batch)

    monkeypatch.setattr(graph, "add", add)
    report = Ingestion(graph, replace(tools, encode=encode, parse=parse), batch=1).run(towns(4))
    assert report.added == 4
    assert all(overlapped)


def test_progress_tells_of_what_is_written_and_of_nothing_else(graph, tools):
    seen = []

    def progress(report):
        assert report.seen == report.added == graph.statistics()["documents"]
        assert threading.current_thread() is threading.main_thread()
        seen.append(report.seen)

    Ingestion(graph, tools, batch=2).run(towns(7), progress)
    assert seen == [2, 4, 6, 7]


def test_progress_shows_what_is_passed_over(graph, tools):
    Ingestion(graph, tools).run(towns(8))
    seen = []
    Ingestion(graph, tools, batch=3).run(towns(8), lambda report: seen.append(report.unchanged))
    assert seen[:3] == [3, 6, 8]


@pytest.mark.parametrize("part", ["encode", "parse"])
def test_an_error_in_a_thread_ends_the_run_and_keeps_what_was_written(graph, tools, part):
    calls = []

    def failing(given, *more):
        calls.append(1)
        if len(calls) == 3:
            raise MemoryError(part)
        return getattr(tools, part)(given, *more)

    with pytest.raises(MemoryError, match=part):
        Ingestion(graph, replace(tools, **{part: failing}), batch=1).run(towns(9))
    assert graph.statistics()["documents"] == 2
    assert len(calls) <= 4
    assert at_work() == []
    assert Ingestion(graph, tools).run(towns(9)).added == 7


def test_one_part_is_not_waited_for_when_the_other_has_failed(graph, tools):
    going_on = threading.Event()

    def encode(texts, progress):
        while not going_on.wait(0.01):
            progress(0)  # raises once the run has ended
        return tools.encode(texts, progress)

    def parse(texts):
        raise MemoryError

    with pytest.raises(MemoryError):
        Ingestion(graph, replace(tools, encode=encode, parse=parse), batch=1).run(towns(3))
    assert at_work() == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, StoreUnavailable])
def test_a_run_that_ends_while_writing_is_finished_by_the_same_call(
    graph, tools, tmp_path, monkeypatch, error
):
    write, told = graph.add, [*towns(6), Failure("x.txt", "not UTF-8"), *towns(8)[6:]]

    def add(batch):
        if batch.documents[0].id == "id 4":
            raise error("now")
        write(batch)

    monkeypatch.setattr(graph, "add", add)
    with pytest.raises(error):
        Ingestion(graph, tools, batch=2).run(told)
    monkeypatch.undo()
    assert graph.statistics()["documents"] == 4
    assert at_work() == []
    report = Ingestion(graph, tools, batch=2).run(told)
    assert (report.added, report.unchanged) == (4, 4)
    with SqliteStore(tmp_path / "afresh.db") as afresh:
        Ingestion(afresh, tools).run(told)
        assert content(graph) == content(afresh)


def test_no_more_is_read_ahead_than_is_worked_on(graph, tools):
    """So that memory does not grow with the sources, nor what a kill loses."""
    read = []

    def sources():
        for document in towns(9):
            read.append(document)
            yield document

    ahead = []
    Ingestion(graph, tools, batch=1).run(
        sources(), lambda report: ahead.append(len(read) - report.seen)
    )
    assert ahead[0] == 1
    assert all(before >= after for before, after in pairwise(ahead))


def test_triples_are_encoded_while_the_next_batch_is_parsed(graph, tools):
    Ingestion(graph, tools, embed_triples=True, batch=2).run(towns(9))
    counts = graph.statistics()
    assert counts["embedded_triples"] == counts["triples"] > 0


def test_the_first_batches_are_small(graph, tools):
    written: list[int] = []
    Ingestion(graph, tools).run(towns(150), lambda report: written.append(report.passages))
    assert written[0] == FIRST
    assert written[1] == 3 * FIRST
    assert written[-1] == 150


LISTED = (
    "goggles and nitrile gloves, always in hood number 2",
    "peroxide up to 500 ml in the lab, the rest elsewhere",
    "formalin up to 300 ml in the ventilated cupboard, locked",
)


def held(graph: SqliteStore) -> list[Passage]:

    return list(graph.passages(graph.passages_of(list(graph.documents()))).values())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sheet.md", "# Hood\n\n" + "".join(f"- {item}\n" for item in LISTED)),
        ("sheet.html", f"<h1>Hood</h1><ul>{''.join(f'<li>{item}' for item in LISTED)}</ul>"),
    ],
)
def test_items_of_a_list_stay_lines_where_the_format_has_markup(graph, tools, tmp_path, name, text):
    (tmp_path / name).write_text(text)
    Ingestion(graph, tools).run(documents([tmp_path / name]))
    (passage,) = held(graph)
    assert passage.text.split("\n")[-3:] == [*LISTED]


def test_preformatted_pages_and_mails_may_be_hard_wrapped(graph, tools, tmp_path):
    lines = "The light has three keepers, who live there all the\nyear and repair the clocks of the"
    (tmp_path / "a.html").write_text(f"<h1>Light</h1><pre>{lines}\nvillage.</pre>")
    head = "From: Ann <ann@example.org>\nSubject: Light\n\n"
    (tmp_path / "a.eml").write_text(f"{head}{lines}\nvillage.\n")
    Ingestion(graph, tools).run(documents([tmp_path]))
    texts = [passage.text for passage in held(graph)]
    assert len([text for text in texts if "all the" in text and "\nyear" not in text]) == 2
