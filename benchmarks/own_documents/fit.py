"""Fit the reader's weights: to questions about own documents and to benchmark questions.

python benchmarks/own_documents/fit.py DEVELOPMENT … --train FILE … [--check] [--work FOLDER]
    [--out FILE]

Both are files of HotpotQA, 2WikiMultihopQA and MuSiQue. With --check every other development
question is fitted to, and the others tell what comes of it. Of the training files, 200 questions
each are: the span reader has learned from them, so they alone would make it far too sure (its best
guess is right for 72 % of HotpotQA's, and for 39 % of the development questions), and without them
it is too unsure of what several passages tell. Questions are read from what is found in a graph of
all paragraphs; those about own documents from the graph of their kind: split "fitted", which the
span reader has not learned from, and `kinds.FIRST`, which mostly ask in the documents' words.
SHARES says how much each file or kind counts. HOPTRAIL_SPANS and HOPTRAIL_SENTENCES name other span
readers than the packaged ones.
"""

import argparse
import random
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

from kinds import FIRST, graph, of_split, questions

from hoptrail import Hoptrail
from hoptrail.loaders.questions.question import Question
from hoptrail.reasoning.fitted import Fitted
from hoptrail.reasoning.reader.judging.weights import READER
from hoptrail.reasoning.training.reader import Source, examples_of, provenance_of, source_of
from hoptrail.reasoning.training.reader_fitting import Example, fit
from hoptrail.service.training.reader import finding

SHARES = {"development": 4.5, "half": 4.5, "train": 3.0, "fitted": 1.0, "first": 0.5}
DRAWN = 200  # questions of a training file
Read = tuple[Source, list[list[Example]]]


def chosen(path: Path, role: str) -> Source:
    """The questions of a file that are fitted to."""
    source = source_of(path)
    if role == "train":
        order = random.Random(1).sample(source.questions, len(source.questions))
        return replace(source, questions=order[:DRAWN])
    return source if role == "development" else replace(source, questions=source.questions[::2])


def of_file(path: Path, role: str, made: Path) -> Read:
    """Read questions of a file from what is found in a graph."""
    source = chosen(path, role)
    asked = [replace(one, paragraphs=()) for one in source.questions]
    return source, _read(made, asked)


def of_kind(kind: str, work: Path) -> Read:
    """Read a kind's questions from what is found in its graph."""
    source = source_of(questions(kind))
    return source, _read(graph(kind, work), source.questions)


def _read(made: Path, asked: Sequence[Question]) -> list[list[Example]]:
    with Hoptrail(made) as hop:
        find = finding(hop)
        return [list(examples_of(one, hop.pipeline, find=find)) for one in asked]


def made_of(files: Sequence[Path], made: Path) -> Path:
    """Make a graph of all paragraphs of some files where it isn't there yet."""
    if not made.exists():
        with Hoptrail(made) as hop:
            hop.ingest(*files)
    return made


def parts(given: argparse.Namespace) -> Iterator[tuple[float, Source, list[list[Example]]]]:
    """What is fitted to, with what each counts."""
    work = given.work
    role = "half" if given.check else "development"
    files = [(role, path, made_of(given.files, work / "development.db")) for path in given.files]
    files += [("train", path, made_of([path], work / f"{path.stem}.db")) for path in given.train]
    kinds = [("fitted", kind) for kind in of_split("fitted")] + [("first", kind) for kind in FIRST]
    anew = get_context("spawn")  # threads of PyTorch do not survive a fork
    with ProcessPoolExecutor(given.processes, anew) as pool:
        begun = [(role, pool.submit(of_file, path, role, made)) for role, path, made in files]
        begun += [(role, pool.submit(of_kind, kind, work)) for role, kind in kinds]
        for number, (role, one) in enumerate(begun, 1):
            source, read = one.result()
            print(f"{source.name}, {number} of {len(begun)}", flush=True)
            yield SHARES[role], source, read


def main() -> None:
    """Read the arguments, read all questions, fit."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--train", nargs="+", type=Path, required=True)
    parser.add_argument("--check", action="store_true", help="fit to half of the files only")
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
