"""Searching on SQLite as a graph grows: `python benchmarks/search.py [--sizes N…] [--keep FOLDER]`.

Graphs of made-up passages (made_up.py). At each size a fresh process asks made-up questions of the
store, each search in turn with the yardstick: the product of the same vectors and the question's,
and the POOL largest of it, in bare numpy on one matrix. Numpy has one thread, here and there.

"first" is the first search of the process, which reads all vectors; "new words" is BM25 of the
first questions, whose words nobody asked before. The other figures are medians after WARM_UP
questions, as in a service. All are processor time: with one thread and all that is asked for in
memory an idle machine's clock shows the same, and what else a machine does hardly shows.

Then, at --shared passages, processes search (hybrid) while another adds passages, 256 a
transaction, and each does the same alone; there in time by the clock and in processor time.
"""

import os

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # before numpy comes

import argparse
import math
import multiprocessing
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import made_up
import numpy as np
from growth import resident

from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.types import Batch, Document, Fingerprint, Passage, Vector
from hoptrail.reasoning.retrieval import Hop, Hybrid

SIZES = (10_000, 100_000, 1_000_000)
POOL = 100  # how many passages are wanted: the depth of a hybrid's lists
WARM_UP, ASKED, NEW = 100, 50, 20
BATCH = 256
SECONDS = 15.0  # that each part of the concurrent run takes
MB = 1e6

Search = Callable[[str], object]


@dataclass(frozen=True)
class Known:
    """An encoder that knows the questions."""

    vectors: Mapping[str, Vector]
    fingerprint: Fingerprint = made_up.FINGERPRINT

    def encode_queries(self, texts: Sequence[str]) -> Vector:
        """See models.encoder.Encoder."""
        return np.stack([self.vectors[text] for text in texts])

    encode_passages = encode_queries

    def count_tokens(self, text: str) -> int:
        """See models.encoder.Encoder."""
        return len(text.split())


@dataclass(frozen=True)
class Measured:
    """Of one size: seconds to the first answer, milliseconds by search, memory in bytes.

    Args:
        held: share of the passages that hold a word of a question, on average.
    """

    passages: int
    first: float
    held: float
    memory: float
    peak: float
    milliseconds: Mapping[str, Sequence[float]]

    def median(self, name: str) -> float:
        """Milliseconds."""
        return float(np.median(self.milliseconds[name]))


def asked(path: Path, number: int) -> Known:
    """Made-up questions with vectors."""
    texts = made_up.questions(path, number)
    return Known(dict(zip(texts, made_up.query_vectors(number), strict=True)))


def matrix(path: Path) -> Vector:
    """All vectors (n, DIMENSION) of a graph, in one piece."""
    with sqlite3.connect(path) as db:
        count = db.execute("SELECT count(*) FROM passage").fetchone()[0]
        found = np.empty((count, made_up.DIMENSION), np.float32)
        for row, (vector,) in enumerate(db.execute("SELECT vector FROM passage_vector")):
            found[row] = np.frombuffer(vector, "<f4")
    return found


def measure(path: Path) -> Measured:
    """Ask one graph; for a process of its own."""
    encoder = asked(path, WARM_UP + 6 * ASKED)
    texts = list(encoder.vectors)
    with SqliteStore(path) as store:
        start = time.perf_counter()
        store.nearest_passages(encoder.vectors[texts[0]], POOL)
        first = time.perf_counter() - start
        memory, peak = resident("self", "VmRSS"), resident("self", "VmHWM")
        new = [milliseconds(lambda q: store.keyword_search(q, POOL), q) for q in texts[:NEW]]
        hybrid, hop = Hybrid(store, encoder), Hop(store, encoder)
        everything = matrix(path)

        def bare(question: str) -> object:
            scores = everything @ encoder.vectors[question]
            best = np.argpartition(scores, -POOL)[-POOL:]
            return best[np.argsort(-scores[best])]

        searches: dict[str, Search] = {
            "numpy": bare,
            "dense, 10": lambda q: store.nearest_passages(encoder.vectors[q], 10),
            "dense, 100": lambda q: store.nearest_passages(encoder.vectors[q], POOL),
            "BM25": lambda q: store.keyword_search(q, POOL),
            "hybrid": lambda q: hybrid.search(q, 10),
            "hop": lambda q: hop.search(q, 10),
        }
        for question in texts[NEW:WARM_UP]:
            store.keyword_search(question, POOL)
        taken: dict[str, list[float]] = {name: [] for name in searches}
        for number in range(ASKED):
            for start, (name, search) in enumerate(searches.items()):  # each has its own questions
                question = texts[WARM_UP + start * ASKED + number]
                taken[name].append(milliseconds(search, question))
        held = float(np.mean([len(store.keyword_search(q, len(everything))) for q in texts[:NEW]]))
    return Measured(
        len(everything), first, held / len(everything), memory, peak, taken | {"new words": new}
    )


def milliseconds(search: Search, question: str) -> float:
    """Processor time of one search."""
    start = time.process_time()
    search(question)
    return 1000 * (time.process_time() - start)


# -- readers beside a writer
@dataclass(frozen=True)
class Work:
    """What one process did: how often, milliseconds of each, processor milliseconds of each."""

    times: int
    median: float
    p95: float
    cpu: float


def read(path: Path, seconds: float) -> Work:
    """Search for so long."""
    encoder = asked(path, WARM_UP)
    with SqliteStore(path) as store:
        hybrid = Hybrid(store, encoder)
        hybrid.search(next(iter(encoder.vectors)), 10)
        return repeated([lambda q=q: hybrid.search(q, 10) for q in encoder.vectors], seconds)


def add(path: Path, seconds: float, seed: int) -> Work:
    """Add passages for so long."""
    made = made_up.Made(seed)
    batches = [batch(made, f"{seed} {number}") for number in range(200)]
    with SqliteStore(path) as store:
        return repeated([lambda b=b: store.add(b) for b in batches], seconds)


def repeated(actions: Sequence[Callable[[], object]], seconds: float) -> Work:
    """One after the other, again and again."""
    taken: list[float] = []
    cpu, start = time.process_time(), time.perf_counter()
    while (now := time.perf_counter()) < start + seconds:
        actions[len(taken) % len(actions)]()
        taken.append(1000 * (time.perf_counter() - now))
    cpu = 1000 * (time.process_time() - cpu) / len(taken)
    median, p95 = np.percentile(taken, [50, 95])
    return Work(len(taken), float(median), float(p95), cpu)


def batch(made: made_up.Made, name: str) -> Batch:
    """BATCH passages, each a document of its own."""
    texts = [made.text(words) for words in made.words(BATCH)]
    documents = [
        Document(f"{name} {number}", "Added", text, f"{name} {number}")
        for number, text in enumerate(texts)
    ]
    passages = [Passage(document.id, 0, "Added", document.text) for document in documents]
    return Batch(documents, passages, made.vectors(BATCH))


def together(path: Path, readers: int) -> None:
    """Print what readers and a writer do alone and beside each other."""
    with ProcessPoolExecutor(readers + 1, multiprocessing.get_context("spawn")) as pool:

        def run(reading: int, writing: int, seed: int = 1) -> list[list[Work]]:
            reads = [pool.submit(read, path, SECONDS) for _ in range(reading)]
            writes = [pool.submit(add, path, SECONDS, seed) for _ in range(writing)]
            return [[each.result() for each in works] for works in (reads, writes)]

        alone, _ = run(readers, 0)
        _, [writer] = run(0, 1, 2)
        beside, [written] = run(readers, 1, 3)
    print(f"\n| {readers} readers, a writer | alone: ms (p95) | cpu ms | beside | cpu ms | ratio |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, before, after in (("hybrid search", alone, beside), ("add 256", [writer], [written])):
        figures = [mean(works) for works in (before, after)]
        shown = " | ".join(f"{w.median:.1f} ({w.p95:.0f}) | {w.cpu:.1f}" for w in figures)
        wall, cpu = (figures[1].median / figures[0].median, figures[1].cpu / figures[0].cpu)
        print(f"| {name} | {shown} | {wall:.2f} (cpu {cpu:.2f}) |")


def mean(works: Sequence[Work]) -> Work:
    """Of several processes."""
    parts = ([w.median for w in works], [w.p95 for w in works], [w.cpu for w in works])
    return Work(sum(w.times for w in works), *(sum(part) / len(part) for part in parts))


def show(found: Sequence[Measured]) -> None:
    """Print milliseconds, how many times the yardstick they are, and how they grow."""
    names = ["numpy", "dense, 10", "dense, 100", "BM25", "new words", "hybrid", "hop"]
    print(f"| passages | MB (peak) | first s | held | {' | '.join(names)} |")
    print(f"|--:{'|--:' * (len(names) + 3)}|")
    for one in found:
        bare = one.median("numpy")
        cells = [f"{bare:.2f} ms", *(f"{one.median(name) / bare:.2f}" for name in names[1:])]
        memory = f"{one.memory / MB:,.0f} ({one.peak / MB:,.0f})"
        print(
            f"| {one.passages:,} | {memory} | {one.first:.1f} | {one.held:.0%} "
            f"| {' | '.join(cells)} |"
        )
    for before, after in pairwise(found):
        more = math.log(after.passages / before.passages)
        slopes = [math.log(after.median(n) / before.median(n)) / more for n in names]
        print(f"| exponent | | | | {' | '.join(f'{slope:.2f}' for slope in slopes)} |")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="N")
    parser.add_argument("--shared", type=int, default=100_000, metavar="N", help="0: not at all")
    parser.add_argument("--readers", type=int, default=1, metavar="N")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the graphs there")
    given = parser.parse_args()
    with ExitStack() as stack:
        folder = given.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        paths = {size: folder / f"s{size}.db" for size in {*given.sizes, given.shared} - {0}}
        for size, path in paths.items():
            if not path.exists():
                made_up.write(path, size)
        found = []
        for size in sorted(given.sizes):
            with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
                found.append(pool.submit(measure, paths[size]).result())
        show(found)
        if given.shared:
            copied = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "shared.db"
            shutil.copy(paths[given.shared], copied)
            together(copied, given.readers)


if __name__ == "__main__":
    main()
