"""What `evaluate retrieval` shows: tables in a terminal, Markdown, JSON."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ...reasoning.evaluation.metrics.intervals import RESAMPLES, Interval
from ...reasoning.evaluation.retrieval import ALL_SUPPORTING, COMPARED, RetrievalResult
from ..console.counting import counted
from ..console.printing import WIDTH
from .tables import Table, difference

EDGES = ("next", "shares_keyword", "names", "mentions", "statements", "relates_to")
"""Of a graph's statistics; statements are the STATES edges."""


HEADER = ("", "recall@2", "recall@5", "95 %", "recall@10", "all@5", "mean ms", "median", "p95")


@dataclass(frozen=True, slots=True)
class Report:
    """Results of one or more files, and each retriever's difference from one of them.

    Args:
        against: the retriever the others are compared with.
        differences: by (dataset, retriever); not of `against` itself.
    """

    results: Sequence[RetrievalResult]
    against: str
    differences: Mapping[tuple[str, str], Mapping[str, Interval]]

    @staticmethod
    def of(results: Sequence[RetrievalResult], against: str) -> "Report":
        """Compare each retriever with one of them, on the same questions.

        Raises:
            BadRequest: two retrievers were not measured on the same questions.
        """
        base = {r.dataset: r for r in results if r.retriever == against}
        differences = {
            (r.dataset, r.retriever): r.against(base[r.dataset])
            for r in results
            if r.retriever != against
        }
        return Report(results, against, differences)

    def lines(self) -> Iterator[str]:
        """Yield the tables' lines, for a terminal."""
        for dataset in self._datasets():
            questions, graph = self._setting(dataset)
            yield f"{dataset}: {questions}"
            yield from textwrap.wrap(graph, WIDTH)
            for table in self._tables(dataset):
                yield ""
                yield from table.lines()
            yield from self._warnings(dataset)
            yield ""

    def markdown(self) -> str:
        """Return the tables in Markdown, a section for each file."""
        parts = ["# Retrieval"]
        for dataset in self._datasets():
            tables = ["\n".join(table.markdown()) for table in self._tables(dataset)]
            parts += [f"## {dataset}", " ".join(self._setting(dataset)), *tables]
            parts += self._warnings(dataset)
        parts.append(
            f"Figures in %, with 95 % bootstrap intervals ({RESAMPLES:,} resamples; "
            "differences are paired by question). ms: a question's time, its encoding included."
        )
        return "\n\n".join(parts) + "\n"

    def json(self) -> list[dict[str, Any]]:
        """Return one object for each file and retriever."""
        return [self._object(result) for result in self.results]

    def _datasets(self) -> list[str]:
        return list(dict.fromkeys(result.dataset for result in self.results))

    def _of(self, dataset: str) -> list[RetrievalResult]:
        return [result for result in self.results if result.dataset == dataset]

    def _setting(self, dataset: str) -> tuple[str, str]:
        first = self._of(dataset)[0]
        edges = ", ".join(f"{n:,} {kind}" for kind, n in _edges(first.graph).items() if n)
        left_out = first.settings["left_out"]
        without = f" {left_out:,} without supporting paragraphs left out." if left_out else ""
        if absent := first.settings["absent"]:
            without += f" {absent:,} supporting articles are not in the graph."
        return (
            f"{counted(first.questions, 'question')}, {first.settings['within']}.{without}",
            f"{counted(first.passages, 'passage')}, "
            f"{counted(first.graph['entities'], 'entity', 'entities')}; "
            f"edges: {edges or 'none'}.",
        )

    def _warnings(self, dataset: str) -> Iterator[str]:
        for result in self._of(dataset):
            if result.settings.get("fitted_to_these"):
                yield (
                    f"{result.retriever} was fitted to these very questions, which flatters it: "
                    "measure on others."
                )

    def _tables(self, dataset: str) -> Iterator[Table]:
        results = self._of(dataset)
        yield Table(HEADER, [_row(result) for result in results])
        others = [r.retriever for r in results if r.retriever != self.against]
        if others:
            header = (f"against {self.against}", "recall@5", "95 %", "all@5", "95 %")
            yield Table(header, [self._difference(dataset, name) for name in others])

    def _difference(self, dataset: str, name: str) -> list[str]:
        row, differences = [name], self.differences[dataset, name]
        for figure in COMPARED:
            row += difference(differences[figure])
        return row

    def _object(self, result: RetrievalResult) -> dict[str, Any]:
        differences = self.differences.get((result.dataset, result.retriever))
        counts = ("documents", "passages", "entities", "triples")
        return {
            "dataset": result.dataset,
            "retriever": result.retriever,
            "questions": result.questions,
            "passages": result.passages,
            **{name: asdict(interval) for name, interval in result.figures.items()},
            "against": differences
            and {
                "retriever": self.against,
                **{name: asdict(interval) for name, interval in differences.items()},
            },
            "seconds_a_question": result.seconds_a_question,
            "latency": result.latency,
            "graph": {name: result.graph[name] for name in counts}
            | {"edges": _edges(result.graph)},
            "settings": dict(result.settings),
            "each": [
                {"id": one.id, **one.figures, "seconds": round(one.seconds, 6)}
                for one in result.each
            ],
        }


def _row(result: RetrievalResult) -> list[str]:
    figures = {name: f"{100 * i.value:.1f}" for name, i in result.figures.items()}
    five = result.figures["recall@5"]
    times = (result.seconds_a_question, result.latency["median"], result.latency["p95"])
    return [
        result.retriever,
        figures["recall@2"],
        figures["recall@5"],
        f"[{100 * five.low:.1f}, {100 * five.high:.1f}]",
        figures["recall@10"],
        figures[ALL_SUPPORTING],
        *(f"{1000 * seconds:.1f}" for seconds in times),
    ]


def _edges(graph: Mapping[str, int]) -> dict[str, int]:
    return {("states" if kind == "statements" else kind).upper(): graph[kind] for kind in EDGES}
