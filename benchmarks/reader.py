"""Short answers without a language model: exact match, F1, and what abstaining leaves.

python benchmarks/reader.py DATA [--cache FOLDER] [--train FILE …] [--weights FILE]

DATA is a folder of question files (see loaders/questions/). Each question is read from the five
best of its own paragraphs, and once more from its gold paragraphs. With --train the weights are
fitted anew to these files and written to --weights. Parses and vectors are kept in --cache, so the
time a question takes is measured apart, on --timed questions with nothing kept; on a busy machine
set OMP_NUM_THREADS=1, waiting threads cost more than they bring.
"""

import argparse
import itertools
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from hoptrail.loaders.questions.files import Question, read_questions
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.evaluation.metrics.abstention import auroc, selective
from hoptrail.reasoning.matching import exact_match, f1
from hoptrail.reasoning.reader import Reader, Reading
from hoptrail.reasoning.reader.judging.weights import READER, Weights, packaged
from hoptrail.reasoning.reader.reader import THRESHOLD
from hoptrail.reasoning.training.reader import is_right, passages_of, study_of, train

DEV = (
    "hotpotqa_dev_distractor.jsonl",
    "2wiki_dev.jsonl",
    "2wiki_dev_open.jsonl",
    "musique_dev.jsonl",
    "musique_dev_unanswerable.jsonl",
)


class CachedPipeline:
    """A pipeline that keeps its parses between runs."""

    def __init__(self, pipeline: Pipeline, folder: Path) -> None:
        self._pipeline = pipeline
        self._bin, self._texts = folder / "parses.spacy", folder / "parses.json"
        self._docs: dict[str, Doc] = {}
        if self._bin.exists():
            vocab: Vocab = next(pipeline(["x"])).vocab
            texts = json.loads(self._texts.read_text(encoding="utf-8"))
            docs = DocBin().from_disk(self._bin).get_docs(vocab)
            self._docs = dict(zip(texts, docs, strict=True))

    @property
    def fingerprint(self) -> str:
        """Of the pipeline behind."""
        return self._pipeline.fingerprint

    def __call__(self, texts: Iterable[str]) -> Iterator[Doc]:
        """Parses in order."""
        wanted = list(texts)
        new = [text for text in dict.fromkeys(wanted) if text not in self._docs]
        self._docs.update(zip(new, self._pipeline(new), strict=True))
        return (self._docs[text] for text in wanted)

    def save(self) -> None:
        """Write what is known."""
        DocBin(store_user_data=False, docs=self._docs.values()).to_disk(self._bin)
        self._texts.write_text(json.dumps(list(self._docs)), encoding="utf-8")


class Table:
    """Figures of one file in one setting."""

    def __init__(self) -> None:
        self.em: list[float] = []
        self.f1: list[float] = []
        self.confidence: list[float] = []
        self.right: list[bool] = []
        self.ruled: list[bool] = []

    def add(self, question: Question, reading: Reading) -> None:
        """One question's reading."""
        golds = (question.answer, *question.aliases) if question.answerable else ()
        self.em.append(exact_match(reading.text, golds))
        self.f1.append(f1(reading.text, golds))
        self.right.append(is_right(reading.text, golds))
        self.confidence.append(reading.confidence)
        self.ruled.append(reading.rule not in ("", "default"))

    def __str__(self) -> str:
        """One row."""
        answered = selective(self.confidence, self.right, THRESHOLD)
        ruled = [em for em, by_rule in zip(self.em, self.ruled, strict=True) if by_rule]
        by_rule = f"{_percent(len(ruled) / len(self.em))} {_percent(_mean(ruled))}"
        return (
            f"{len(self.em):5d} {_percent(_mean(self.em))} {_percent(_mean(self.f1))} "
            f"{_percent(answered.coverage)} {_percent(answered.precision)} {by_rule} "
            f"{_percent(auroc(self.confidence, self.right))}"
        )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _percent(value: float | None) -> str:
    return "    –" if value is None else f"{100 * value:5.1f}"


def measure(path: Path, parse: CachedPipeline, weights: Weights, setting: str) -> Table:
    """Every question of a file read in one setting."""
    table = Table()
    for question in read_questions(path):
        study = study_of(question, parse, setting)
        if study is not None:
            table.add(question, study.reading(weights))
    return table


def seconds_a_question(path: Path, weights: Weights, limit: int) -> float:
    """Median time of `Reader.read` on five passages, models loaded, nothing else kept."""
    reader, seconds = Reader(Pipeline(), weights), []
    for question in itertools.islice(read_questions(path), limit + 1):
        passages = passages_of(question, reader.parse, "retrieved")
        start = time.perf_counter()
        reader.read(question.question, passages)
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds[1:])  # the first one loads the models


def main() -> None:
    """Read the arguments, train where asked, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("data", type=Path)
    parser.add_argument(
        "--cache", type=Path, default=Path(tempfile.gettempdir()) / "hoptrail-reader"
    )
    parser.add_argument("--train", type=Path, nargs="*", default=[])
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--timed", type=int, default=20)
    given = parser.parse_args()
    given.cache.mkdir(parents=True, exist_ok=True)
    parse = CachedPipeline(Pipeline(), given.cache)
    weights = Weights.load(given.weights) if given.weights and not given.train else None
    if given.train:
        trained = train(given.train, parse, _show)
        weights = trained.parameters
        parse.save()
        if given.weights:
            READER.save(trained, given.weights)
    print(f"{'file':32s} {'read from':9s}     n    EM    F1 cover preci rules  EM  auroc")
    for path in (given.data / name for name in DEV if (given.data / name).exists()):
        for setting in ("retrieved", "gold"):
            table = measure(path, parse, weights or packaged(), setting)
            if table.em:
                print(f"{path.name:32s} {setting:9s} {table}", flush=True)
    parse.save()
    timed = next((given.data / name for name in DEV if (given.data / name).exists()), None)
    if timed is not None and given.timed:
        seconds = seconds_a_question(timed, weights or packaged(), given.timed)
        print(f"{seconds:.2f} s a question (median of {given.timed}, five passages)")


def _show(done: int, total: int) -> None:
    if done % 50 == 0 or done == total:
        print(f"{done} of {total} questions read", file=sys.stderr)


if __name__ == "__main__":
    main()
