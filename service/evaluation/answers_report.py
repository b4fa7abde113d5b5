"""What `evaluate answers` shows: tables in a terminal, Markdown, JSON."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ...reasoning.evaluation.metrics.intervals import RESAMPLES, Interval
from ...reasoning.evaluation.runs.results import COMPARED, AnswerResult, Difference
from ..console.counting import counted
from ..console.safe import in_a_line
from .tables import Table, difference

RIGHT = ("", "EM", "95 %", "F1", "95 %", "accuracy", "95 %")
GIVEN_UP = ("", "answered", "precision", "abst. P", "abst. R", "failed")
SEEN = ("", "support", "all", "all@5", "doc error")
CITED = {
    "facts_em": "facts EM",
    "facts_f1": "F1",
    "triples_em": "triples EM",
    "triples_f1": "F1",
    "joint_em": "joint EM",
    "joint_f1": "F1",
    "fever_score": "FEVER score",
    "evidence_precision": "evidence P",
    "evidence_recall": "R",
    "evidence_f1": "F1",
    "paragraphs_f1": "paragraphs F1",
    "filtered_to_all": "FA",
    "pairs_answer_f1": "pairs: answer F1",
    "pairs_support_f1": "support F1",
}
TESTED = ("EM better", "worse", "p", "accuracy better", "worse", "p")
COST = ("", "calls", "tokens in", "out", "s")
EVIDENCE = ("supporting_recall", "all_supporting", "all_supporting_at_5", "document_error")
MAX_LISTED = 5  # reasons of a method, and questions of a reason; all are in JSON and the run's file
NONE = "–"


@dataclass(frozen=True, slots=True)
class Report:
    """Results of one or more files, and each method's difference from one of them.

    Args:
        against: the method the others are compared with.
        differences: by (dataset, method); not of `against` itself.
    """

    results: Sequence[AnswerResult]
    against: str
    differences: Mapping[tuple[str, str], Difference]

    @staticmethod
    def of(results: Sequence[AnswerResult], against: str) -> "Report":
        """Compare each method with one of them, on the same questions.

        Raises:
            BadRequest: two methods were not measured on the same questions.
        """
        base = {r.dataset: r for r in results if r.method == against}
        differences = {
            (r.dataset, r.method): r.against(base[r.dataset])
            for r in results
            if r.method != against
        }
        return Report(results, against, differences)

    def lines(self) -> Iterator[str]:
        """Yield the tables' lines, for a terminal."""
        for dataset in self._datasets():
            yield f"{dataset}: {self._setting(dataset)}"
            yield from self._manifests(dataset)
            for table in self._tables(dataset):
                yield ""
                yield from table.lines()
            failures = list(self._failures(dataset))
            yield from ["", *failures] if failures else []
            yield ""

    def markdown(self) -> str:
        """Return the tables in Markdown, a section for each file."""
        parts = ["# Answers"]
        for dataset in self._datasets():
            tables = ["\n".join(table.markdown()) for table in self._tables(dataset)]
            parts += [f"## {dataset}", self._setting(dataset), *self._manifests(dataset)]
            parts += [*tables, *self._failures(dataset)]
        parts.append(
            f"Shares in %, with 95 % bootstrap intervals ({RESAMPLES:,} resamples; differences are "
            "paired by question). better, worse: questions that only one of the two gets right; p: "
            "McNemar's exact test of these. Calls, tokens and seconds are means a question. "
            "docs/evaluation.md says what each figure means."
        )
        return "\n\n".join(parts) + "\n"

    def json(self) -> list[dict[str, Any]]:
        """Return one object for each file and method."""
        return [self._object(result) for result in self.results]

    def _datasets(self) -> list[str]:
        return list(dict.fromkeys(result.dataset for result in self.results))

    def _of(self, dataset: str) -> list[AnswerResult]:
        return [result for result in self.results if result.dataset == dataset]

    def _setting(self, dataset: str) -> str:
        first, abouts = self._of(dataset)[0], [r.manifest for r in self._of(dataset)]
        open_ = sum(not one.answerable for one in first.each)
        without = f", {open_:,} unanswerable" if open_ else ""
        if hidden := sum(one.answerable and not one.golds for one in first.each):
            without += f", {hidden:,} whose answer the file does not tell, counted as wrong"
        passages = _either(counted(a["graph"]["counts"]["passages"], "passage") for a in abouts)
        retriever = _either(about["retriever"] for about in abouts)
        model = _either(a["model"]["name"] if a["model"] else "none" for a in abouts)
        return in_a_line(
            f"{counted(first.questions, 'question')}{without}, {first.manifest['within']}, "
            f"{passages} in the graph, retriever {retriever}, language model: {model}."
        )

    def _manifests(self, dataset: str) -> Iterator[str]:
        """In what runs differ besides their method; of one command in the retriever at most."""
        for result in self._of(dataset):
            found = self.differences.get((dataset, result.method))
            if found and found.manifest:
                yield in_a_line(f"{result.method}: {'; '.join(found.manifest)}.")

    def _failures(self, dataset: str) -> Iterator[str]:
        """Questions that failed for one reason in one line."""
        for result in self._of(dataset):
            failed = result.failed
            reasons = list(dict.fromkeys(one.failed for one in failed))
            for reason in reasons[:MAX_LISTED]:
                ids = [one.id for one in failed if one.failed == reason]
                yield in_a_line(f"{result.method} failed at {_questions(ids)}: {reason}")
            if more := sum(one.failed not in reasons[:MAX_LISTED] for one in failed):
                yield f"{result.method} failed at {counted(more, 'more question')}."

    def _tables(self, dataset: str) -> Iterator[Table]:
        results = self._of(dataset)
        yield Table(RIGHT, [_right(result) for result in results])
        yield Table(GIVEN_UP, [_given_up(result) for result in results])
        if any(name in result.figures for result in results for name in EVIDENCE):
            yield Table(SEEN, [_shares(result, EVIDENCE) for result in results])
        cited = [name for name in CITED if any(name in result.figures for result in results)]
        if cited:
            header = ("cited", *(CITED[name] for name in cited))
            yield Table(header, [_shares(result, cited) for result in results])
        yield Table(COST, [_cost(result) for result in results])
        others = [r.method for r in results if r.method != self.against]
        if others:
            found = [(name, self.differences[dataset, name]) for name in others]
            header = f"against {self.against}"
            yield Table((header, *RIGHT[1:]), [_difference(name, one) for name, one in found])
            yield Table((header, *TESTED), [_tested(name, one) for name, one in found])

    def _object(self, result: AnswerResult) -> dict[str, Any]:
        found = self.differences.get((result.dataset, result.method))
        return {
            "dataset": result.dataset,
            "method": result.method,
            "questions": result.questions,
            "failed": [one.id for one in result.failed],
            **{name: asdict(interval) for name, interval in result.figures.items()},
            "answered": asdict(result.answered),
            "abstention": asdict(result.abstention),
            "against": found and {"method": self.against, **_compared(found)},
            "a_question": result.costs,
            "manifest": dict(result.manifest),
            "each": [one.as_json() for one in result.each],
        }


def _compared(found: Difference) -> dict[str, Any]:
    return {
        **{name: asdict(interval) for name, interval in found.figures.items()},
        "mcnemar": {name: asdict(test) for name, test in found.tests.items()},
        "manifest": list(found.manifest),
    }


def _questions(ids: Sequence[str]) -> str:
    if len(ids) == 1:
        return f"question {ids[0]!r}"
    named = [*map(repr, ids[:MAX_LISTED]), *(["…"] if len(ids) > MAX_LISTED else [])]
    return f"{counted(len(ids), 'question')} ({', '.join(named)})"


def _either(values: Iterable[str]) -> str:
    return " or ".join(dict.fromkeys(values))


def _right(result: AnswerResult) -> list[str]:
    row = [result.method]
    for name in COMPARED:
        one = result.figures[name]
        row += [_share(one.value), _interval(one)]
    return row


def _given_up(result: AnswerResult) -> list[str]:
    answered, abstention = result.answered, result.abstention
    shares = (answered.coverage, answered.precision, abstention.precision, abstention.recall)
    return [result.method, *map(_share, shares), f"{len(result.failed):,}"]


def _shares(result: AnswerResult, figures: Sequence[str]) -> list[str]:
    found = (result.figures.get(name) for name in figures)
    return [result.method, *(_share(one and one.value) for one in found)]


def _difference(name: str, found: Difference) -> list[str]:
    row = [name]
    for figure in COMPARED:
        row += difference(found.figures[figure])
    return row


def _tested(name: str, found: Difference) -> list[str]:
    row = [name]
    for test in found.tests.values():
        row += [f"{test.better:,}", f"{test.worse:,}", _p(test.p)]
    return row


def _cost(result: AnswerResult) -> list[str]:
    costs = result.costs
    return [
        result.method,
        f"{costs['calls']:.1f}",
        f"{costs['tokens_in']:,.0f}",
        f"{costs['tokens_out']:,.0f}",
        f"{costs['seconds']:.2f}",
    ]


def _interval(one: Interval) -> str:
    return f"[{100 * one.low:.1f}, {100 * one.high:.1f}]"


def _share(value: float | None) -> str:
    return NONE if value is None else f"{100 * value:.1f}"


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"
