"""Fit what the reader is packaged with: to benchmark questions and to those about own documents.

python benchmarks/own_documents/fit.py FILE … --begin ADAPTER --general SQUAD … [--most 60]
    [--work FOLDER] [--out FOLDER]

FILE are training files of HotpotQA, 2WikiMultihopQA and MuSiQue. Their questions are read from what
is found in a graph of all paragraphs of the file, as `ask` does: an answer's confidence is fitted
to that, for among a question's own paragraphs too many are supporting ones. So many of them, drawn
at random, are also read from their own paragraphs; these teach which candidate is right. Each kind
of own documents is read from what is found in its graph. The kinds named in LEFT_OUT are not looked
at: they tell how the rest holds elsewhere.

ADAPTER is what `hoptrail train spans SQUAD …` wrote. It goes on learning from the kinds, the
questions of FILE that the weights are not fitted to, and as many of SQUAD: once for each half of
the kinds, so that the weights are fitted to what is said of questions that it has not learned
from, and once for all, which is packaged. What is found for questions of FILE is read by the last,
also for those that it has learned from, each hardly more than once.
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

from evaluate import HERE, KINDS, LEFT_OUT, documents
from safetensors.torch import save_file

from hoptrail import Hoptrail
from hoptrail.loaders.questions.question import Question
from hoptrail.models.span_reader import read_adapter
from hoptrail.reasoning.fitted import Fitted
from hoptrail.reasoning.reader.weights import READER
from hoptrail.reasoning.training.reader import Source, examples_of, provenance_of, source_of
from hoptrail.reasoning.training.reader_fitting import Example, fit
from hoptrail.reasoning.training.span_rows import Drawing
from hoptrail.reasoning.training.spans import Schedule, train
from hoptrail.service.training.reader import finding
from hoptrail.service.training.spans import with_found

Read = tuple[Source, list[list[Example]]]


def drawn(path: Path) -> Source:
    """A file's questions in random order."""
    source = source_of(path)
    order = random.Random(1).sample(source.questions, len(source.questions))
    return replace(source, questions=order)


def of_paragraphs(path: Path, most: int, work: Path, spans: Path) -> Read:
    """Read so many questions of a file from their paragraphs: confidence is not fitted to them."""
    os.environ["HOPTRAIL_SPANS"] = str(spans)
    source = drawn(path)
    source = replace(source, questions=source.questions[:most])
    with Hoptrail(work / "none.db") as hop:
        read = [list(examples_of(one, hop.encoder, hop.pipeline)) for one in source.questions]
    return source, [[replace(one, retrieved=False) for one in each] for each in read]


def of_file(path: Path, most: int, work: Path, spans: Path) -> Read:
    """Read so many questions of a file from what is found among the paragraphs of all of them."""
    os.environ["HOPTRAIL_SPANS"] = str(spans)
    source, graph = drawn(path), work / f"{path.stem}.db"
    source = replace(source, questions=source.questions[:most])
    new = not graph.exists()
    with Hoptrail(graph) as hop:
        if new:
            hop.ingest(path)
        find, made = finding(hop), (hop.encoder, hop.pipeline)
        asked = (replace(one, paragraphs=()) for one in source.questions)
        return source, [list(examples_of(one, *made, find=find)) for one in asked]


def of_kind(kind: str, work: Path, spans: Path) -> Read:
    """Read a kind's questions from what is found in its graph."""
    os.environ["HOPTRAIL_SPANS"] = str(spans)
    source = source_of(HERE / f"{kind}.jsonl")
    with Hoptrail(work / f"{kind}.db") as hop:
        find, made = finding(hop), (hop.encoder, hop.pipeline)
        return source, [list(examples_of(one, *made, find=find)) for one in source.questions]


def found(kind: str, work: Path) -> list[Question]:
    """A kind's questions with the passages found for them; its graph is made where it isn't yet."""
    graph = work / f"{kind}.db"
    new = not graph.exists()
    with Hoptrail(graph) as hop:
        if new:
            hop.ingest(documents(kind, work))
        find = finding(hop)
        return [with_found(one, find) for one in source_of(HERE / f"{kind}.jsonl").questions]


def adapted(
    begin: Path, general: Sequence[Question], own: Sequence[Question], steps: int, out: Path
) -> Path:
    """Let an adapter go on learning from some questions and as many general ones."""
    drawing = Drawing(elsewhere=0.6, renamed=0.05, titled=1.0)
    how = Schedule(steps=steps, rate=6e-4, warm=20, held=0.1, drawing=drawing)
    among = random.Random(2).sample(general, min(len(own), len(general)))
    print(f"{out.name}: {len(own)} questions", flush=True)
    save_file(train([*own, *among], how, begin=read_adapter(begin)), out)
    return out


def adapters(given: argparse.Namespace, kinds: Sequence[str]) -> tuple[Path, tuple[Path, Path]]:
    """The adapter that went on with all kinds, and those for kinds of even and odd number."""
    asked = {kind: found(kind, given.work) for kind in kinds}
    rest = [one for path in given.files for one in drawn(path).questions[given.most :]]
    general = [one for path in given.general for one in source_of(path).questions]

    def spans(name: str, of: Sequence[str]) -> Path:
        own = [*rest, *(one for kind in of for one in asked[kind])]
        out = given.work / f"spans-{name}.safetensors"
        return adapted(given.begin, general, own, given.steps, out)

    return spans("all", kinds), (spans("odd", kinds[1::2]), spans("even", kinds[::2]))


def parts(
    given: argparse.Namespace, kinds: Sequence[str], whole: Path, halves: tuple[Path, Path]
) -> Iterator[tuple[float, Source, list[list[Example]]]]:
    """What is fitted to, with the share of each in all weight."""
    work, anew = given.work, get_context("spawn")  # threads of PyTorch do not survive a fork
    with ProcessPoolExecutor(given.processes, anew) as pool:
        begun = [(1.0, pool.submit(of_paragraphs, p, given.most, work, whole)) for p in given.files]
        begun += [
            (given.share, pool.submit(of_file, p, given.found, work, whole)) for p in given.files
        ]
        begun += [
            (1.0, pool.submit(of_kind, kind, work, halves[number % 2]))
            for number, kind in enumerate(kinds)
        ]
        for number, (share, one) in enumerate(begun, 1):
            source, read = one.result()
            print(f"{source.name}, {number} of {len(begun)}", flush=True)
            yield share, source, read


def main() -> None:
    """Read the arguments, read all questions, fit."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--begin", type=Path, required=True)
    parser.add_argument("--general", nargs="+", type=Path, required=True)
    parser.add_argument("--most", type=int, default=60, help="of a file from own paragraphs")
    parser.add_argument("--found", type=int, default=400, help="… from what is found")
    parser.add_argument("--steps", type=int, default=110, help="of going on, a half's or all's")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "own-documents")
    parser.add_argument("--out", type=Path, default=Path())
    parser.add_argument("--share", type=float, default=3.0, help="of what is found of a file")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    kinds = [kind for kind in KINDS if kind not in LEFT_OUT]
    whole, halves = adapters(given, kinds)
    known = list(parts(given, kinds, whole, halves))
    total, shares = sum(len(read) for *_, read in known), sum(share for share, *_ in known)
    examples = [
        replace(one, weight=one.weight * share * total / (shares * len(read)))
        for share, _, read in known
        for each in read
        for one in each
    ]
    with Hoptrail(given.work / "none.db") as hop:
        told = provenance_of([source for _, source, _ in known], hop.encoder, hop.pipeline)
    READER.save(Fitted(fit(examples), provenance=told), given.out / "reader.json")
    whole.replace(given.out / "span_reader.safetensors")


if __name__ == "__main__":
    main()
