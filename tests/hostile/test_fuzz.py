"""Made-up files, names and questions: a result or an error with a message, soon, and no traceback.

HOPTRAIL_TEST_EXAMPLES multiplies how many: 17 makes 10,000.
"""

import gzip
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
from functools import partial
from pathlib import Path
from random import Random

import pytest
from hostile.made_up import file, mutated, text
from support.building import WORDS, batch, content, page
from support.soon import soon

from hoptrail.kg.errors import HoptrailError
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.types import Document, Failure
from hoptrail.loaders import documents
from hoptrail.loaders.questions.files import read_questions
from hoptrail.service import Hoptrail
from hoptrail.service.graph.export import export_graph, import_graph
from hoptrail.service.graph.show import surroundings

TIMES = int(os.environ.get("HOPTRAIL_TEST_EXAMPLES", "1"))
FILES, NAMES, QUESTIONS, EXPORTS = 200 * TIMES, 200 * TIMES, 150 * TIMES, 40 * TIMES
RETRIEVERS = ("bm25", "hop", "dense", "hybrid", "gnn")
PAGES = [
    page("Bystander", "Quenby sings.", "Nobody hears.", mentions=("Quenby",)),
    page("Witness", "Quenby met Zorada.", triples=(("Quenby", "met", "Zorada"),)),
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory) -> Iterator[SqliteStore]:
    with SqliteStore(tmp_path_factory.mktemp("fuzz") / "graph.db") as store:
        store.prepare(WORDS.fingerprint)
        store.add(batch(*PAGES))
        yield store


def check(found: Document | Failure) -> None:
    """Every text can be written down, and every place is one of the text's."""
    texts = [value for f in fields(found) if isinstance(value := getattr(found, f.name), str)]
    if isinstance(found, Document):
        texts += [*found.metadata, *map(str, found.metadata.values())]
        texts += [section.heading for section in found.sections]
        texts += [anchor.title for anchor in found.anchors]
        places = [section.start for section in found.sections]
        assert places == sorted(places)
        assert all(0 <= place <= len(found.text) for place in places)
        assert found.text.strip()
    else:
        assert found.reason
    for one in texts:
        one.encode()


def test_files_become_documents_or_failures(tmp_path):
    read = failed = 0
    for number in range(FILES):
        suffix, data = file(number)
        path = tmp_path / f"{number}{suffix}"
        path.write_bytes(data)
        with soon(number):
            found = list(documents([path]))
            for one in found:
                check(one)
        failed += any(isinstance(one, Failure) for one in found)
        read += any(isinstance(one, Document) for one in found)
        if suffix in (".json", ".jsonl", ".csv", ".tsv"):
            with soon(number):
                _questions(path)
        path.unlink()
    assert min(read, failed) > FILES / 5


def _questions(path: Path) -> None:
    try:
        list(read_questions(path))
    except HoptrailError as error:
        str(error).encode()


def test_names_of_files_are_only_names(tmp_path):
    made = set()
    for number in range(NAMES // 2):
        name = os.fsencode(
            text(Random(number)).replace("/", "").replace("\0", "").encode("utf-8", "surrogatepass")
        )[:200]
        path = os.path.join(os.fsencode(tmp_path), name + b".txt")
        Path(os.fsdecode(path)).write_bytes(b"Quenby met Zorada.")
        made.add(path)
    with soon("a folder"):
        found = list(documents([tmp_path]))
    for one in found:
        check(one)
    hidden = sum(os.path.basename(path).startswith(b".") for path in made)
    assert len(found) == len(made) - hidden


def test_names_are_found_or_not(graph):
    before = content(graph)
    hop = Hoptrail(graph, encoder=WORDS)
    for number in range(NAMES):
        name = text(Random(number))
        if name in ("Bystander", "Witness"):
            continue
        with soon(name):
            for call in (partial(surroundings, graph), hop.remove):
                with suppress(HoptrailError):
                    call(name)
    assert content(graph) == before


def test_questions_are_answered_or_refused(graph):
    hop = Hoptrail(graph, encoder=WORDS)
    answered = 0
    for number in range(QUESTIONS):
        question = text(Random(-number))
        retriever = RETRIEVERS[number % len(RETRIEVERS)]
        with soon(question), suppress(HoptrailError):
            hop.search(question, retriever=retriever, limit=3)
            if number % 5 == 0:
                hop.ask(question, retriever=retriever, record=False)
            answered += 1
    assert answered > QUESTIONS / 2


def test_exports_are_taken_or_refused_as_a_whole(graph, tmp_path):
    whole = tmp_path / "whole.jsonl"
    export_graph(graph, whole)
    taken = 0
    for number in range(EXPORTS):
        random = Random(number)
        path = tmp_path / random.choice(("export.jsonl", "export.gz"))
        data = mutated(whole.read_bytes(), random)
        if path.suffix == ".gz":
            data = gzip.compress(data) if number % 3 else mutated(gzip.compress(data), random)
        path.write_bytes(data)
        with soon(number), SqliteStore(tmp_path / f"{number}.db") as store:
            try:
                import_graph(store, path, WORDS)
                taken += 1
            except HoptrailError as error:
                str(error).encode()
                assert not any(store.statistics().values())
            assert store.maintenance.problems() == []
    assert taken < EXPORTS / 2
