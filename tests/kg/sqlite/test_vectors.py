"""What a process keeps in memory finds the same as the file read afresh, whoever changed it."""

import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from support.building import WAYS, WORDS, Page, batch, content, page
from support.fakes import WordEncoder

from hoptrail.kg import vectors
from hoptrail.kg.sqlite import keywords
from hoptrail.kg.sqlite import vectors as sqlite_search
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.types import Scored

TESTS = Path(__file__).parents[2]
NAMES = "Aru Beln Corv Dast Emlin Farrow Gost Hale Ivar Jorn Kest Lume".split()


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "graph.db"


@pytest.fixture
def small_chunks(monkeypatch) -> None:
    """A graph of some forty passages lies in many chunks."""
    monkeypatch.setattr(sqlite_search, "CHUNK", 4)
    monkeypatch.setattr(vectors, "CHUNK", 4)


def some_page(chance: random.Random) -> Page:
    """One of 30 documents, each time with another content."""
    texts = []
    for _ in range(chance.randint(1, 3)):
        head, tail, other = chance.sample(NAMES, 3)
        texts.append(f"{head} crosses {tail}. {other} {'lies far ' * chance.randint(0, 2)}")
    stated = [(t.split()[0], "crosses", t.split()[2].strip(".")) for t in texts]
    return page(f"Page {chance.randint(1, 30)}", *texts, triples=tuple(stated))


def searches(store: SqliteStore) -> list[object]:
    """What the searches find that keep something in memory."""
    found: list[object] = []
    for question in ("Which town does Aru cross?", "Corv far Page 7", "Beln", "Lume lies in Dast"):
        vector = WORDS.encode_queries([question])[0]
        near = store.nearest_passages(vector, 5)
        distances = {scored.id: 1 - scored.score for scored in near}
        found += [
            near,
            store.nearest_passages(vector, 1000),
            store.keyword_search(question, 5),
            store.candidates(vector, question, ["page 7"], ["corv"], 4),
            store.bridges({scored.id: 1.0 for scored in near}, vector, [], WAYS, {}),
            store.propagate(distances, list(distances), 0.5, vector, ["NEXT", "NAMES"]),
        ]
    return found


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_after_any_changes_a_search_finds_what_a_fresh_process_finds(seed, path, small_chunks):
    chance = random.Random(seed)
    with SqliteStore(path) as writer, SqliteStore(path) as reader:
        writer.prepare(WORDS.fingerprint)
        for _ in range(15):
            for _ in range(chance.randint(0, 3)):
                change(writer, chance)
            with SqliteStore(path) as fresh:
                assert searches(reader) == searches(fresh)


def change(store: SqliteStore, chance: random.Random) -> None:
    pages = {one.title: one for one in (some_page(chance) for _ in range(chance.randint(1, 4)))}
    what = chance.choice(["add", "add", "lazily", "remove", "last", "embed"])
    if what in ("add", "lazily"):
        store.add(batch(*pages.values(), embedded=what == "add"))
    elif what == "remove":
        store.remove([one.document.id for one in pages.values()])
    elif what == "last":  # its number is free for the next
        rows = [record for record in content(store) if record["kind"] == "passage"]
        store.remove([row["document_id"] for row in rows[-1:]])
    else:
        without = [r for r in content(store) if r["kind"] == "triple" and not r["embedding"]]
        texts = {r["id"]: f"{r['head']} {r['relation']} {r['tail']}" for r in without[::2]}
        if texts:
            embedded = WORDS.encode_passages(list(texts.values()))
            store.set_triple_embeddings(dict(zip(texts, embedded, strict=True)))


def test_only_what_changed_is_read(path, small_chunks):
    chance = random.Random(4)
    with SqliteStore(path) as store:
        store.prepare(WORDS.fingerprint)
        store.add(
            batch(*{one.title: one for one in (some_page(chance) for _ in range(60))}.values())
        )
        with sqlite3.connect(path, isolation_level=None) as db:
            matrix = sqlite_search.Matrix()
            before = matrix.current(db)
            store.add(batch(page("One more", "It lies elsewhere.")))
            store.remove(["id of Page 7"])
            after = matrix.current(db)
    shared = {id(matrix) for _, matrix in before.chunks} & {id(m) for _, m in after.chunks}
    assert len(shared) >= len(before.chunks) - 3
    assert set(after.numbers) != set(before.numbers)


def test_a_graph_moved_to_another_encoder_is_searched_with_its_vectors(path, small_chunks):
    other = WordEncoder(name="other words", dimension=32)
    chance = random.Random(5)
    with SqliteStore(path) as reader, SqliteStore(path) as writer:
        writer.prepare(WORDS.fingerprint)
        writer.add(
            batch(*{one.title: one for one in (some_page(chance) for _ in range(20))}.values())
        )
        searches(reader)
        move = writer.maintenance.reembedding(other.fingerprint)
        for given in move.lacking(10):
            move.keep(given, other.encode_passages(list(given.texts.values())))
        assert move.finish()
        vector = other.encode_queries(["Page 3"])[0]
        for _ in range(2):
            with SqliteStore(path) as fresh:
                assert reader.nearest_passages(vector, 50) == fresh.nearest_passages(vector, 50)
            writer.remove([f"id of Page {number}" for number in range(1, 15)])


def test_threads_search_while_another_process_writes(path, small_chunks):
    """Every answer is that of one state: the pages come in order, so the newest tells which."""
    with SqliteStore(path) as store:
        store.prepare(WORDS.fingerprint)
        store.add(batch(page("Page 0", "Aru lies far.")))
        vector = WORDS.encode_queries(["Aru"])[0]

        def search(_: int) -> tuple[set[str], set[str]]:
            near = store.nearest_passages(vector, 1000)
            words = store.keyword_search("Aru", 1000)
            return {s.id for s in near}, {s.id for s in words}

        script = (
            "import sys; sys.path.insert(0, sys.argv[2])\n"
            "from support.building import batch, page\n"
            "from hoptrail.kg.sqlite.store import SqliteStore\n"
            "with SqliteStore(sys.argv[1]) as store:\n"
            "    for n in range(1, 41):\n"
            "        store.add(batch(page(f'Page {n}', 'Aru lies far.')))\n"
        )
        with subprocess.Popen([sys.executable, "-c", script, str(path), str(TESTS)]) as writer:
            with ThreadPoolExecutor(4) as threads:
                found = []
                while writer.poll() is None:
                    found += threads.map(search, range(8))
            assert writer.returncode == 0
        ids = [f"id of Page {n}" for n in range(41)]
        order = [store.passages_of([id_])[0] for id_ in ids]
        states = [set(order[: n + 1]) for n in range(41)]
        assert all(near in states and words in states for near, words in found)
        assert search(0) == (states[-1], states[-1])


def test_what_ties_with_the_last_is_chosen_by_id(path):
    with SqliteStore(path) as store:
        store.prepare(WORDS.fingerprint)
        store.add(batch(*(page(f"Page {n}", "Aru lies far.") for n in range(1, 10))))
        everything = store.keyword_search("aru", 100)
        assert [s.id for s in everything] == sorted(s.id for s in everything)
        assert store.keyword_search("aru", 4) == everything[:4]
        same = batch(*(page("Same", "Aru.", id=f"same {n}") for n in range(9)))
        store.add(same)
        vector = same.embeddings[0]
        nearest = store.nearest_passages(vector, 4)
        assert [s.id for s in nearest] == sorted(p.id for p in same.passages)[:4]
        assert {s.score for s in nearest} == {1.0}


def test_words_asked_before_and_not_are_scored_as_in_one_statement(path, monkeypatch):
    monkeypatch.setattr(keywords, "MAX_SCORES", 0.5)
    chance = random.Random(6)
    question = "Does Aru cross Beln or Corv, far from Page 7?"
    with SqliteStore(path) as store:
        store.prepare(WORDS.fingerprint)
        store.add(
            batch(*{one.title: one for one in (some_page(chance) for _ in range(60))}.values())
        )
        everyone = [r["id"] for r in content(store) if r["kind"] == "passage"]
        for words in ("corv far", "beln", question, question, "far", question):
            assert store.keyword_search(words, 7) == approximately(
                store.keyword_search(words, 7, within=everyone)
            )


def approximately(found: list[Scored]) -> list[Scored]:
    return [Scored(scored.id, pytest.approx(scored.score)) for scored in found]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("lay_out", [lambda m: [m], lambda m: [m[:5], m[5:7], m[7:]]])
def test_a_vector_is_as_near_wherever_it_lies(lay_out: Callable[[np.ndarray], list[np.ndarray]]):
    drawn = np.random.default_rng(1).standard_normal((50, 384)).astype(np.float32)
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    numbers, chunks = 0, []
    for part in lay_out(drawn):
        chunks.append((np.arange(numbers, numbers + len(part)), part))
        numbers += len(part)
    exact = np.round(drawn.astype(np.float64) @ drawn[11].astype(np.float64), 6)
    found = vectors.Vectors(tuple(chunks)).nearest(drawn[11], 6)
    assert dict(zip(*found, strict=True)) == {n: exact[n] for n in np.argsort(-exact)[:6]}
