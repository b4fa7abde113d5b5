"""Fit the reader's weights: to benchmark questions and to those about own documents.

python benchmarks/own_documents/fit.py FILE … --spans ADAPTER --before ADAPTER [--most 400]
    [--work FOLDER] [--out FILE]

FILE are training files of HotpotQA, 2WikiMultihopQA and MuSiQue. Their questions are read from what
is found in a graph of all paragraphs of the file, as `ask` does: among a question's own paragraphs
too many are supporting ones. Questions about own documents are read from what is found in the
graph of their kind: those in `kinds.FITTED`, which the span reader (`further.py` made --spans) has
not learned from, and those in `kinds.LEARNED` but for the first, read by the adapter which that
learning began with (--before). So both tell how sure it may be elsewhere.
"""

import argparse
import os
import random
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

from kinds import FIRST, FITTED, LEARNED, graph, questions

from hoptrail import Hoptrail
from hoptrail.loaders.questions.question import Question
from hoptrail.reasoning.fitted import Fitted
from hoptrail.reasoning.reader.weights import READER
from hoptrail.reasoning.training.reader import Source, examples_of, provenance_of, source_of
from hoptrail.reasoning.training.reader_fitting import Example, fit
from hoptrail.service.training.reader import finding

SHARE = 3.0  # of a file in all weight; a kind has 1
Read = tuple[Source, list[list[Example]]]


def drawn(path: Path, most: int) -> Source:
    """So many of a file's questions, drawn at random."""
    source = source_of(path)
    order = random.Random(1).sample(source.questions, len(source.questions))
    return replace(source, questions=order[:most])


def of_file(path: Path, most: int, work: Path, spans: Path) -> Read:
    """Read so many questions of a file from what is found among the paragraphs of all of them."""
    os.environ["HOPTRAIL_SPANS"] = str(spans)
    source, made = drawn(path, most), work / f"{path.stem}.db"
    if not made.exists():
        with Hoptrail(made) as hop:
            hop.ingest(path)
    return source, _found(made, [replace(one, paragraphs=()) for one in source.questions])


def of_kind(kind: str, work: Path, spans: Path) -> Read:
    """Read a kind's questions from what is found in its graph."""
    os.environ["HOPTRAIL_SPANS"] = str(spans)
    source = source_of(questions(kind))
    return source, _found(graph(kind, work), source.questions)


def _found(made: Path, asked: Sequence[Question]) -> list[list[Example]]:
    with Hoptrail(made) as hop:
        find = finding(hop)
        return [list(examples_of(one, hop.pipeline, find=find)) for one in asked]


def parts(given: argparse.Namespace) -> Iterator[tuple[float, Source, list[list[Example]]]]:
    """What is fitted to, with the share of each in all weight."""
    anew = get_context("spawn")  # threads of PyTorch do not survive a fork
    kinds = [(kind, given.spans) for kind in FITTED]
    kinds += [(kind, given.before) for kind in LEARNED if kind not in FIRST]
    work, most = given.work, given.most
    with ProcessPoolExecutor(given.processes, anew) as pool:
        begun = [(SHARE, pool.submit(of_file, p, most, work, given.spans)) for p in given.files]
        begun += [(1.0, pool.submit(of_kind, kind, work, spans)) for kind, spans in kinds]
        for number, (share, one) in enumerate(begun, 1):
            source, read = one.result()
            print(f"{source.name}, {number} of {len(begun)}", flush=True)
            yield share, source, read


def main() -> None:
    """Read the arguments, read all questions, fit."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--spans", type=Path, required=True, help="adapter of the span reader")
    parser.add_argument("--before", type=Path, required=True, help="the one that it began with")
    parser.add_argument("--most", type=int, default=400, help="questions of a file")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "own-documents")
    parser.add_argument("--out", type=Path, default=Path("reader.json"))
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    known = list(parts(given))
    total, shares = sum(len(read) for *_, read in known), sum(share for share, *_ in known)
    examples = [
        replace(one, weight=one.weight * share * total / (shares * len(read)))
        for share, _, read in known
        for each in read
        for one in each
    ]
    with Hoptrail(given.work / "none.db") as hop:
        told = provenance_of([source for _, source, _ in known], hop.pipeline)
    READER.save(Fitted(fit(examples), provenance=told), given.out)


if __name__ == "__main__":
    main()
