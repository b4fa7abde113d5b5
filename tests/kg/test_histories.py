"""Whatever is added, changed, removed and repeated: the graph equals one built afresh.

HOPTRAIL_TEST_EXAMPLES multiplies the number of random histories.
"""

import itertools
import os
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.building import WORDS, batch, content, page

from hoptrail.kg.ingest.pipeline import Ingestion, Tools
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.types import Anchor, Document, Section
from hoptrail.models.parser import Pipeline

pytestmark = pytest.mark.one_release

TIMES = int(os.environ.get("HOPTRAIL_TEST_EXAMPLES", "1"))
DOCUMENTS = range(6)
NAMES = ("Salt Lantern", "The Salt Lantern", "Salt", "Vaagur", "VAAGUR", "Jens", "Gjógv")
SENTENCES = tuple(f"{a} met {b}." for a in NAMES for b in NAMES)
TOOLS = Tools(lambda: WORDS.fingerprint, WORDS.encode_passages, WORDS.count_tokens, Pipeline())


def histories(made):
    """Steps: documents to add (or to change) by key, or keys to remove; any of them once more."""
    keys = st.lists(st.sampled_from(DOCUMENTS), min_size=1, max_size=4, unique=True)
    added = keys.flatmap(lambda some: st.fixed_dictionaries({key: made(key) for key in some}))
    step = st.one_of(added, added, added, keys)
    repeated = st.tuples(step, st.booleans()).map(lambda pair: [pair[0]] * (1 + pair[1]))
    return st.lists(repeated, min_size=1, max_size=5).map(
        lambda nested: list(itertools.chain(*nested))
    )


@st.composite
def pages(draw, key: int):
    """A document with up to 6 passages: entities go over the cap of shared keywords, and back."""
    texts = draw(st.lists(st.sampled_from(SENTENCES), max_size=6, unique=True))
    triples = draw(st.lists(st.tuples(*[st.sampled_from(NAMES)] * 2), max_size=2))
    return replace(
        page(draw(st.sampled_from(NAMES)), *texts),
        id=f"d{key}",
        mentions=tuple(draw(st.lists(st.sampled_from(NAMES), max_size=4))),
        triples=tuple((head, "met", tail) for head, tail in triples),
        extractor=draw(st.sampled_from(["test", "test-tied"])),
    )


def lived(store, history, write) -> dict:
    """The documents left after this history."""
    left = {}
    for step in history:
        if isinstance(step, dict):
            write(step)
            left |= step
        else:
            there = [key for key in step if left.pop(key, None)]
            assert store.remove([f"d{key}" for key in step]) == len(there)
    return left


def afresh(folder, write) -> list:
    """The content of a new graph; SQLite's, which is the quickest and equals any other's."""
    with SqliteStore(folder / "afresh.db") as store:
        store.prepare(WORDS.fingerprint)
        write(store)
        found = content(store)
    for file in folder.glob("afresh.db*"):
        file.unlink()
    return found


@st.composite
def documents(draw, key: int):
    """The same with what a loader knows of a text: sections and hyperlinks."""
    text = "\n\n".join(draw(st.lists(st.sampled_from(SENTENCES), max_size=6, unique=True)))
    places = st.integers(0, len(text))
    sections = draw(st.lists(st.tuples(places, st.sampled_from(NAMES)), max_size=2))
    anchors = draw(st.lists(st.tuples(places, st.sampled_from(NAMES)), max_size=3))
    return Document(
        f"d{key}",
        draw(st.sampled_from(NAMES)),
        text,
        f"{key}.md",
        sections=tuple(Section(start, name) for start, name in sorted(sections)),
        anchors=tuple(Anchor(start, name) for start, name in sorted(anchors)),
    )


def check_histories(new_store, tmp_path, made, write):
    """Run random histories on a store; fewer on a server, where emptying it takes its time."""
    few = not isinstance(new_store(), SqliteStore)
    unhurried = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]

    @settings(max_examples=TIMES * (6 if few else 30), suppress_health_check=unhurried)
    @given(history=histories(made))
    def check(history):
        store = new_store()
        store.prepare(WORDS.fingerprint)
        left = lived(store, history, lambda step: write(store, step))
        assert content(store) == afresh(tmp_path, lambda fresh: write(fresh, left))
        if not few:
            assert store.maintenance.problems() == []

    check()


def test_batches(new_store, tmp_path):
    def write(store, pages):
        store.add(batch(*pages.values()))

    check_histories(new_store, tmp_path, pages, write)


def test_ingestions(new_store, tmp_path):
    def write(store, documents):
        ingestion = Ingestion(store, TOOLS, limit=12, batch=5)
        ingestion.run(documents.values())
        again = ingestion.run(documents.values())
        assert (again.unchanged, again.passages) == (len(documents), 0)

    check_histories(new_store, tmp_path, documents, write)
