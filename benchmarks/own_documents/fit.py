"""Fit the reader's packaged weights: to benchmark questions and to those about own documents.

python benchmarks/own_documents/fit.py FILE … [--most 60] [--work FOLDER] [--out reader.json]

FILE are training files of HotpotQA, 2WikiMultihopQA and MuSiQue, of which so many questions each
are taken, drawn at random. Beside them each kind of own documents counts half as much as a file;
its questions are read from what is found in its graph, as `ask` does. The kinds named in LEFT_OUT
are not looked at: they tell how the rest holds elsewhere.
"""

import argparse
import random
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

from evaluate import HERE, KINDS, LEFT_OUT, documents

from hoptrail import Hoptrail
from hoptrail.reasoning.fitted import Fitted
from hoptrail.reasoning.reader.weights import READER
from hoptrail.reasoning.training.reader import Source, examples_of, provenance_of, source_of
from hoptrail.reasoning.training.reader_fitting import Example, fit
from hoptrail.service.training.reader import finding

Read = tuple[Source, list[list[Example]]]


def of_file(path: Path, most: int, work: Path) -> Read:
    """Read so many questions of a file from their paragraphs."""
    source = source_of(path)
    drawn = random.Random(1).sample(source.questions, len(source.questions))[:most]
    with Hoptrail(work / "none.db") as hop:
        read = [list(examples_of(one, hop.encoder, hop.pipeline)) for one in drawn]
    return replace(source, questions=drawn), read


def of_kind(kind: str, work: Path) -> Read:
    """Read a kind's questions from what is found in its graph."""
    graph, source = work / f"{kind}.db", source_of(HERE / f"{kind}.jsonl")
    new = not graph.exists()
    with Hoptrail(graph) as hop:
        if new:
            hop.ingest(documents(kind, work))
        find, made = finding(hop), (hop.encoder, hop.pipeline)
        return source, [list(examples_of(one, *made, find=find)) for one in source.questions]


def main() -> None:
    """Read the arguments, read all questions, fit."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--most", type=int, default=60)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "own-documents")
    parser.add_argument("--out", type=Path, default=Path("reader.json"))
    parser.add_argument("--share", type=float, default=0.5, help="of a kind, against a file's 1")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(given.processes) as pool:
        begun = [pool.submit(of_file, path, given.most, given.work) for path in given.files]
        kinds = (kind for kind in KINDS if kind not in LEFT_OUT)
        begun += [pool.submit(of_kind, kind, given.work) for kind in kinds]
        parts = []
        for number, one in enumerate(begun, 1):
            parts.append(one.result())
            print(f"{parts[-1][0].name}, {number} of {len(begun)}", flush=True)
    total = sum(len(read) for _, read in parts)
    shares = [1.0] * len(given.files) + [given.share] * (len(parts) - len(given.files))
    examples = [
        replace(one, weight=one.weight * share * total / (sum(shares) * len(read)))
        for share, (_, read) in zip(shares, parts, strict=True)
        for each in read
        for one in each
    ]
    with Hoptrail(given.work / "none.db") as hop:
        told = provenance_of([source for source, _ in parts], hop.encoder, hop.pipeline)
    READER.save(Fitted(fit(examples), provenance=told), given.out)


if __name__ == "__main__":
    main()
