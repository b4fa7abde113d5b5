"""What grows with a graph: `python benchmarks/growth.py GRAPH QUESTIONS… [--to WHERE]`.

GRAPH is an SQLite graph of real documents, with their vectors; QUESTIONS are files that `hoptrail
evaluate retrieval` takes. The documents are written again and again into an empty graph (WHERE is a
file or a Neo4j URI, a temporary file by default), each copy under names of its own, through
GraphStore.add (renamed.py says how). At each of --sizes a fresh process opens the graph and asks,
each question about one of the copies. A run that was stopped goes on where it was.

Statements are left out, as no retriever here reads them; --statements writes them.

"one word" is how many seconds it takes to write a single passage that has the commonest ordinary
word as its title: all that hold the word are looked at again. It is removed at once.

Memory is what the operating system counts for the process that asked, with its peak, and for a
server on this machine; on disk is the file, or the database's folder.
"""

import argparse
import math
import multiprocessing
import os
import re
import sys
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from pathlib import Path

import neo4j
import numpy as np
from comparators.copying import _batches
from latency import LIMIT, Remembering, Search, floor, times
from renamed import Names, copies, moved

from hoptrail.kg.errors import BadRequest, HoptrailError
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.store import GraphStore
from hoptrail.kg.types import (
    Batch,
    Document,
    Passage,
    Vector,
)
from hoptrail.loaders.questions.files import read_questions
from hoptrail.models.encoder import SentenceEncoder
from hoptrail.reasoning.retrieval import Hop, Hybrid
from hoptrail.service.settings import open_store

SIZES = (10_000, 30_000, 100_000, 300_000)
PROCESS = "CALL dbms.queryJmx('java.lang:type=Runtime') YIELD attributes RETURN attributes.Pid"
FOLDER = "SHOW SETTINGS 'server.directories.data' YIELD value"
MB = 1 << 20


@dataclass(frozen=True)
class Asked:
    """What a fresh process found: seconds to the first answer, milliseconds, bytes.

    Args:
        links: bridges a question, on average.
    """

    first: float
    milliseconds: Mapping[str, Sequence[float]]
    links: float
    memory: int
    peak: int


def ask(where: str, vectors: dict[str, Vector]) -> Asked:
    """Ask every question of each retriever; for a process of its own."""
    encoder, questions = Remembering(vectors=vectors), list(vectors)
    with ExitStack() as stack:
        store = stack.enter_context(open_store(where))
        hybrid, hop = Hybrid(store, encoder), Hop(store, encoder)
        searches: dict[str, Search] = {
            "hybrid": lambda question: hybrid.search(question, LIMIT),
            "hop": lambda question: hop.search(question, LIMIT),
        }
        if "://" in where:
            searches["floor"] = stack.enter_context(floor(where, encoder))
        start = time.perf_counter()
        hop.search(questions[0], LIMIT)
        first = time.perf_counter() - start
        measured = times(searches, questions)
        memory, peak = resident("self", "VmRSS"), resident("self", "VmHWM")
        links = np.mean([len(hop.look(question).messages) for question in questions])
    return Asked(first, measured, float(links), memory, peak)


def resident(process: str, what: str) -> int:
    """Bytes of memory of a process, where the system tells (Linux), else 0."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    except OSError:
        return 0
    found = re.search(rf"{what}:\s+(\d+) kB", status)
    return 1024 * int(found[1]) if found else 0


def server(uri: str) -> tuple[int, int]:
    """Bytes of a server's memory and of its database, 0 when it runs elsewhere."""
    say = os.environ.get
    auth = say("HOPTRAIL_NEO4J_USER", "neo4j"), say("HOPTRAIL_NEO4J_PASSWORD", "")
    database = say("HOPTRAIL_NEO4J_DATABASE", "neo4j")
    with neo4j.GraphDatabase.driver(uri, auth=auth, telemetry_disabled=True) as driver:
        with suppress(neo4j.exceptions.ClientError):  # not every edition has it
            driver.execute_query("CALL db.checkpoint()", database_=database)
        process = driver.execute_query(PROCESS, database_=database).records[0][0]["value"]
        folder = driver.execute_query(FOLDER, database_=database).records[0]["value"]
    return resident(str(process), "VmRSS"), on_disk(Path(folder) / "databases" / database)


def on_disk(where: Path) -> int:
    """Bytes of a file, or of all in a folder."""
    files = where.rglob("*") if where.is_dir() else [where]
    return sum(file.stat().st_size for file in files if file.is_file())


@dataclass(frozen=True)
class Row:
    """One size."""

    passages: int
    rate: float  # passages written a second, since the last size; 0 when nothing was
    common: float  # seconds to write one with a common title
    memory: int  # of the server
    disk: int
    asked: Asked

    def median(self, name: str) -> float:
        """Milliseconds."""
        return float(np.median(self.asked.milliseconds[name]))

    def cells(self) -> Iterator[str]:
        """Of a table's line, in the order of `head`."""
        yield f"{self.passages:,}"
        yield f"{self.rate:.0f}" if self.rate else "–"
        yield f"{self.common:.1f}"
        yield f"{self.disk / MB:,.0f}"
        yield f"{self.asked.memory / MB:,.0f} ({self.asked.peak / MB:,.0f})"
        if self.served:
            yield f"{self.memory / MB:,.0f}" if self.memory else "–"
        yield f"{self.asked.first:.1f}"
        yield f"{self.asked.links:.0f}"
        for name, values in self.asked.milliseconds.items():
            yield f"{self.median(name):.1f} ({np.percentile(values, 95):.0f})"
        yield f"{self.median('hop') / self.median('hybrid'):.2f}"
        if self.served:
            yield f"{self.median('hop') / self.median('floor'):.2f}"

    def head(self) -> list[str]:
        """What the cells are."""
        names = ["passages", "written/s", "one word s", "disk MB", "process MB (peak)"]
        names += ["server MB"] * self.served + ["first s", "links"]
        names += [f"{name} ms (p95)" for name in self.asked.milliseconds]
        return [*names, "hop/hybrid", *["hop/floor"] * self.served]

    @property
    def served(self) -> bool:
        """Whether a server was asked."""
        return "floor" in self.asked.milliseconds


def grown(former: Row, row: Row) -> str:
    """Exponents of n between two sizes: 0 stays the same, 1 doubles with the passages."""
    ratio = math.log(row.passages / former.passages)
    exponents = {
        name: math.log(row.median(name) / former.median(name)) / ratio
        for name in row.asked.milliseconds
    }
    exponents["links"] = math.log(row.asked.links / former.asked.links) / ratio
    exponents["disk"] = math.log(row.disk / former.disk) / ratio
    said = ", ".join(f"{name} {value:.2f}" for name, value in exponents.items())
    return f"From {former.passages:,} to {row.passages:,} passages, exponents: {said}"


def measure(given: argparse.Namespace, source: GraphStore, where: str) -> Iterator[Row]:
    """Write and ask."""
    info = source.info()
    if info is None:
        raise BadRequest(f"{source.where} holds no graph; name one that `hoptrail ingest` made.")
    batches = list(_batches(source))
    if not given.statements:
        batches = [replace(batch, statements=()) for batch in batches]
    names = Names([passage for batch in batches for passage in batch.passages])
    questions = chosen(given.questions, given.number)
    vectors = SentenceEncoder().encode_queries(questions)
    stream, passages, copy = copies(batches, names), 0, 0
    for size in sorted(given.sizes):
        written, seconds = 0, 0.0
        with open_store(where) as target:
            target.prepare(info.fingerprint)
            held = target.documents().keys()
            while passages < size:
                copy, batch = next(stream)
                passages += len(batch.passages)
                if not held >= {document.id for document in batch.documents}:
                    seconds += timed(target, batch)
                    written += len(batch.passages)
                    note(f"\r{passages:,} passages, {written / seconds:.0f} written a second ")
            common = one_word(target, names.commonest, vectors[:1])
        asked = {}
        for number, (question, vector) in enumerate(zip(questions, vectors, strict=True)):
            about = number % (copy + 1)
            asked[names.text(question, about)] = moved(vector[None], about, 0)[0]
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as fresh:
            answers = fresh.submit(ask, where, asked).result()
        memory, disk = server(where) if "://" in where else (0, on_disk(Path(where)))
        rate = written / seconds if written else 0.0
        yield Row(passages, rate, common, memory, disk, answers)


def timed(target: GraphStore, batch: Batch) -> float:
    """Seconds to write it."""
    start = time.perf_counter()
    target.add(batch)
    return time.perf_counter() - start


def one_word(target: GraphStore, title: str, vectors: Vector) -> float:
    """Seconds to write a passage of this title, which goes again."""
    document = Document("one word", title, title, "growth.py")
    passage = Passage(document.id, 0, title, title)
    seconds = timed(target, Batch([document], [passage], vectors))
    target.remove([document.id])
    return seconds


def chosen(files: Collection[Path], number: int) -> list[str]:
    """So many questions, as many of each file."""
    share = math.ceil(number / len(files))
    return [q.question for file in files for q in islice(read_questions(file), share)][:number]


def note(text: str) -> None:
    """To the terminal, not into the table."""
    print(text, end="", file=sys.stderr, flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("graph", metavar="GRAPH")
    parser.add_argument("questions", type=Path, nargs="+", metavar="QUESTIONS")
    parser.add_argument("--to", metavar="WHERE", help="an empty graph, or the one of a former run")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="N")
    parser.add_argument("--number", type=int, default=100, help="of questions [%(default)s]")
    parser.add_argument("--statements", action="store_true", help="write statements, too")
    given = parser.parse_args()
    rows: list[Row] = []
    try:
        with tempfile.TemporaryDirectory() as folder, SqliteStore(given.graph) as source:
            for row in measure(given, source, given.to or f"{folder}/growth.db"):
                if not rows:
                    print("", *row.head(), "", sep=" | ")
                    print("|--:" * len(row.head()) + "|")
                rows.append(row)
                print("", *row.cells(), "", sep=" | ", flush=True)
    except HoptrailError as error:
        sys.exit(str(error))
    for former, row in pairwise(rows):
        print(grown(former, row))


if __name__ == "__main__":
    main()
