"""Triples and mentions of documents, drawn to be judged by hand: `precision.py FILE…`.

Prints `--number` of each, drawn with a seed, with the line of the passage that they come from. A
judge says of each whether it is right; `docs/extraction.md` has the figures and how was judged.
"""

import argparse
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from hoptrail.kg.ingest.pipeline import Ingestion, Tools
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.types import Fingerprint, Vector
from hoptrail.loaders import documents
from hoptrail.models.parser import Pipeline

LONGEST = 400  # characters shown of a passage


def zeros(texts: Sequence[str], _: object) -> Vector:
    """Vectors that nobody will ask for."""
    return np.ones((len(texts), 1), np.float32)


def main() -> None:
    """Ingest into a graph that is thrown away, draw and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    fingerprint = Fingerprint("none", 1, "none", True, "", "", "none")
    tools = Tools(lambda: fingerprint, zeros, lambda text: len(text) // 4, Pipeline())
    with tempfile.TemporaryDirectory() as folder, SqliteStore(Path(folder) / "graph.db") as store:
        report = Ingestion(store, tools).run(documents(args.files))
        show(store, args.number, random.Random(args.seed))
        print(f"\n{report.passages} passages, {report.statements} statements, {report.seconds}")


def show(store: SqliteStore, number: int, chance: random.Random) -> None:
    """Print what was drawn."""
    passages = store.passages(store.passages_of(list(store.documents())))
    stated = store.triples_of(list(passages))
    for n, s in enumerate(chance.sample(stated, min(number, len(stated))), 1):
        passage = passages[s.passage_id]
        tied = " (tied)" if s.triple.tied else ""
        print(f"\n{n}. ⟨{s.triple.head}; {s.triple.relation}; {s.triple.tail}⟩{tied}")
        print(f"   [{passage.title} / {passage.heading}] {around(passage.text, s.start, s.end)}")
    mentioned = store.mentioned(list(passages))
    pairs = [(id_, entity) for id_ in sorted(mentioned) for entity in sorted(mentioned[id_])]
    drawn = chance.sample(pairs, min(number, len(pairs)))
    names = store.entities([entity for _, entity in drawn])
    for n, (id_, entity) in enumerate(drawn, 1):
        passage, name = passages[id_], names[entity].name
        at = max(passage.text.find(name), 0)
        shown = around(passage.text, max(at - 60, 0), at + len(name) + 60, 0)
        print(f"\n{n}. {name!r}\n   [{passage.title} / {passage.heading}] {shown}")


def around(text: str, start: int, end: int, more: int = 60) -> str:
    """The words at text[start:end] and some before and after, line ends shown."""
    piece = text[max(0, start - more) : max(end, start) + more]
    return piece[:LONGEST].replace("\n", " ⏎ ")


if __name__ == "__main__":
    main()
