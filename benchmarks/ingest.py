"""Ingestion against its parts alone: `python benchmarks/ingest.py [DATA…] [--to WHERE]`.

DATA are files and folders as `hoptrail ingest` takes them; without any, pages of made-up worlds
(tests/world). Where they are too few they come again under other names (renamed.py).

Speed: documents are read and split, parsed, encoded and written, each part alone and with all the
cores it can use, then the same ones are ingested into another graph; in turns, --rounds times.
What all of it needs of the processor, shared among the cores, is what no schedule can beat: the
floor. --to writes into an empty graph of yours, such as a Neo4j URI; what was written is removed
again. The processor seconds of a server are not counted.

Memory: a fresh process for each of --sizes, SQLite. From --quick on names are told by their
capitals instead of parsed and vectors are random; splitting, spaCy's words and the store are real.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path
from typing import TypeVar

import numpy as np
import spacy
import torch
from growth import note, resident
from renamed import Names
from spacy.tokens import Doc

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from world import World, pages

from hoptrail.kg.errors import HoptrailError
from hoptrail.kg.extraction.keywords import keywords
from hoptrail.kg.extraction.triples import statements, tidy
from hoptrail.kg.ingest.pipeline import BATCH, Ingestion, Report, Tools, reading
from hoptrail.kg.notes import NoteKind
from hoptrail.kg.store import GraphStore
from hoptrail.kg.text.splitting import split
from hoptrail.kg.types import Batch, Document, Mention, Passage, Statement, Vector
from hoptrail.loaders import documents
from hoptrail.models.encoder import SentenceEncoder
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.reader.noting import notings
from hoptrail.service.settings import open_store

T = TypeVar("T")
Noted = Mapping[NoteKind, Mapping[str, bytes]]
WORLDS = 8  # of some 300 pages
SIZES, QUICK = (2_000, 6_000, 50_000), 10_000
WARM_UP = 64  # documents
MB = 1 << 20


@dataclass
class Cost:
    """Seconds on the clock, and of the processor in this process."""

    wall: float = 0.0
    processor: float = 0.0

    def of(self, work: Callable[[], T]) -> T:
        """Do it, and count it in."""
        wall, processor = time.perf_counter(), time.process_time()
        result = work()
        self.wall += time.perf_counter() - wall
        self.processor += time.process_time() - processor
        return result


class Quick:
    """In the place of parser and encoder, where nothing but memory is measured."""

    def __init__(self, encoder: SentenceEncoder) -> None:
        self._nlp, self._random = spacy.blank("en"), np.random.default_rng(1)
        self._dimension = encoder.fingerprint.dimension

    def parse(self, texts: Iterable[str]) -> Iterator[Doc]:
        """Words, of which those with a capital are names."""
        for text in texts:
            words = self._nlp.make_doc(text)
            yield Doc(
                self._nlp.vocab,
                [word.text for word in words],
                [bool(word.whitespace_) for word in words],
                pos=["PROPN" if word.text[:1].isupper() else "NOUN" for word in words],
                deps=["ROOT" if not word.i else "dep" for word in words],
                heads=[0] * len(words),
            )

    def encode(self, texts: Sequence[str], progress: Callable[[int], None]) -> Vector:
        """Random vectors."""
        drawn = self._random.standard_normal((len(texts), self._dimension), np.float32)
        return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def corpus(files: Sequence[Path]) -> list[Document]:
    """All documents of these files, or made-up ones."""
    if files:
        return [item for item in documents(files) if isinstance(item, Document)]
    made = [(seed, page) for seed in range(WORLDS) for page in pages(World.made(seed))]
    return [Document(f"{seed} {p.title}", p.title, p.text, "made up") for seed, p in made]


def many(told: Sequence[Document]) -> Iterator[Document]:
    """Without end, each time under other names."""
    yield from told
    names = Names([Passage(d.id, 0, d.title, d.text) for d in told])
    for copy in count(1):
        for d in told:
            title, text = names.name(d.title, copy), names.text(d.text, copy)
            yield replace(d, id=f"{copy} {d.id}", title=title, text=text, sections=(), anchors=())


def tools_of(encoder: SentenceEncoder) -> Tools:
    """What ingestion has."""
    pipeline = Pipeline()
    return Tools(
        lambda: encoder.fingerprint,
        encoder.encode_passages,
        encoder.count_tokens,
        pipeline,
        notes=notings(pipeline),
    )


def alone(
    told: Sequence[Document], tools: Tools, store: GraphStore, costs: dict[str, Cost]
) -> None:
    """One part after the other, a batch at a time."""
    for start in range(0, len(told), BATCH):
        some = told[start : start + BATCH]
        passages = costs["read"].of(lambda some=some: list(split_up(some, tools, store)))
        mentions, stated, docs = costs["parse"].of(lambda told=passages: parse(told, tools))
        texts = [reading(passage) for passage in passages]
        vectors = costs["encode"].of(lambda texts=texts: tools.encode(texts, lambda done: None))
        extractors = dict.fromkeys((passage.id for passage in passages), tools.extractor())
        batch = Batch(some, passages, vectors, mentions, stated, extractors=extractors)
        notes = costs["note"].of(lambda told=passages, docs=docs: noted(told, docs, tools))
        costs["write"].of(lambda batch=batch, notes=notes: write(batch, notes, tools, store))


def split_up(some: Sequence[Document], tools: Tools, store: GraphStore) -> Iterator[Passage]:
    """Passages of documents, once the graph has been asked what it holds of them."""
    store.documents([document.id for document in some])
    for d in some:
        for position, (start, end) in enumerate(split(d.text, d.title, tools.count_tokens)):
            yield Passage(d.id, position, d.title, d.text[start:end])


def parse(
    passages: Sequence[Passage], tools: Tools
) -> tuple[list[Mention], list[Statement], list[Doc]]:
    """Names, triples, and the parses."""
    mentions, stated, docs = [], [], []
    parses = tools.parse(tidy(passage.text) for passage in passages)
    for passage, doc in zip(passages, parses, strict=True):
        mentions += keywords(passage.id, doc, passage.title)
        stated += statements(passage.id, doc, passage.title)
        docs.append(doc)
    return mentions, stated, docs


def noted(passages: Sequence[Passage], docs: Sequence[Doc], tools: Tools) -> Noted:
    """Packed parses, and vectors of sentences."""
    made = tools.notes.items()
    return {kind: one.make(passages, docs, lambda done: None) for kind, one in made}


def write(batch: Batch, notes: Noted, tools: Tools, store: GraphStore) -> None:
    """All that is kept."""
    store.add(batch)
    for kind, values in notes.items():
        store.note(kind, tools.notes[kind].maker(), values)


def speed(given: argparse.Namespace) -> None:
    """Measure and print the parts, and the whole."""
    tools = tools_of(SentenceEncoder())
    stream = many(corpus(given.data))
    costs = {part: Cost() for part in ("read", "parse", "encode", "note", "write")}
    whole, writing, passages = Cost(), 0.0, 0
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        one = stack.enter_context(open_store(given.to or folder / "alone.db"))
        other = stack.enter_context(open_store(given.to or folder / "whole.db"))
        one.prepare(tools.fingerprint())
        warm = list(islice(stream, WARM_UP))
        alone(warm, tools, one, {part: Cost() for part in costs})
        Ingestion(other, tools).run(warm)
        for round_ in range(given.rounds):
            told = list(islice(stream, given.number))
            alone(told, tools, one, costs)
            if given.to:
                one.remove([document.id for document in told])
            report = whole.of(lambda told=told: Ingestion(other, tools).run(told))
            writing, passages = writing + report.seconds["write"], passages + report.passages
            if given.to:
                other.remove([document.id for document in told])
            note(f"\rround {round_ + 1}: {passages:,} passages in {whole.wall:.1f} s ")
        if given.to:
            other.remove([document.id for document in warm])
    print_speed(costs, whole, writing, passages)


def print_speed(costs: dict[str, Cost], whole: Cost, writing: float, passages: int) -> None:
    """The table, and what the issue of all this asks for."""
    cores = min(os.cpu_count() or 1, torch.get_num_threads())
    print("| | s | s of processor | passages/s |\n|---|--:|--:|--:|")
    for part, cost in [*costs.items(), ("all, one after the other", summed(costs)), ("", whole)]:
        name = f"{part} alone" if part in costs else part or "**ingestion**"
        print(f"| {name} | {cost.wall:.1f} | {cost.processor:.1f} | {passages / cost.wall:.1f} |")
    slowest, floor = max(cost.wall for cost in costs.values()), whole.processor / cores
    print(f"\ningestion / slowest part alone: {whole.wall / slowest:.2f}")
    print(f"ingestion / floor ({cores} cores): {whole.wall / floor:.2f}")
    print(f"ingestion / larger of both: {whole.wall / max(slowest, floor):.2f}")
    print(f"one after the other / ingestion: {summed(costs).wall / whole.wall:.2f}")
    print(
        f"store's share: {writing / whole.wall:.1%}; of the processor "
        + (f"{costs['write'].processor / summed(costs).processor:.1%}")
    )


def summed(costs: dict[str, Cost]) -> Cost:
    """All parts."""
    return Cost(
        sum(cost.wall for cost in costs.values()), sum(cost.processor for cost in costs.values())
    )


def memory(given: argparse.Namespace) -> None:
    """A fresh process for each size."""
    print("\n| passages | MB before | MB, peak | graph MB |\n|--:|--:|--:|--:|")
    for size in given.sizes:
        command = [sys.executable, __file__, *map(str, given.data), "--quick", str(given.quick)]
        told = subprocess.run([*command, "--child", str(size)], stdout=subprocess.PIPE, check=True)
        found = json.loads(told.stdout)
        mark = " (quick)" if size >= given.quick else ""
        row = (
            f"{found['passages']:,}{mark}",
            *(found[k] // MB for k in ("before", "peak", "disk")),
        )
        print("", *row, "", sep=" | ", flush=True)


def child(given: argparse.Namespace) -> None:
    """Ingest so many documents, and say what memory that took."""
    encoder = SentenceEncoder()
    tools = tools_of(encoder)
    if given.child >= given.quick:
        quick = Quick(encoder)
        tools = replace(tools, encode=quick.encode, parse=quick.parse)
    told = many(corpus(given.data))
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "g.db") as store:
        Ingestion(store, tools).run(islice(told, WARM_UP))
        before = resident("self", "VmRSS")
        report = Ingestion(store, tools).run(islice(told, given.child), progress)
        disk = sum(file.stat().st_size for file in Path(folder).iterdir())
    peak = resident("self", "VmHWM")
    print(json.dumps({"passages": report.passages, "before": before, "peak": peak, "disk": disk}))


def progress(report: Report) -> None:
    """To the terminal, not into the table."""
    note(f"\r{report.passages:,} passages, {resident('self', 'VmRSS') // MB} MB ")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, nargs="*", metavar="DATA")
    parser.add_argument("--to", metavar="WHERE", help="an empty graph for speed, e.g. of Neo4j")
    parser.add_argument("--number", type=int, default=1024, help="of documents a round")
    parser.add_argument("--rounds", type=int, default=2, help="of speed; 0 for none [2]")
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, metavar="N")
    parser.add_argument("--quick", type=int, default=QUICK, metavar="N")
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    try:
        if given.child is not None:
            child(given)
            return
        if given.rounds:
            speed(given)
        if given.sizes:
            memory(given)
    except HoptrailError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
