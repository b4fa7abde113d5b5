"""The plots of `evaluate --plot`: how much is found, or right, against what a question costs."""

import importlib.util
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...kg.errors import BadRequest, HoptrailError
from ..console.counting import counted
from ..console.safe import in_a_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ...reasoning.evaluation.metrics.intervals import Interval
    from ...reasoning.evaluation.retrieval import RetrievalResult
    from ...reasoning.evaluation.runs.results import AnswerResult

SUFFIXES = (".png", ".svg")
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#000000")
"""Told apart by colour-blind people too (Okabe and Ito)."""
MARKERS = "osD^vP*Xd"
ACROSS = 3  # panels in a row
FAR = 10  # times the median: from here on the slowest would press the others together
GREY = "0.85"


def require(file: Path) -> None:
    """Refuse what could not be drawn, before any work.

    Raises:
        BadRequest: the file is neither .png nor .svg.
        HoptrailError: matplotlib is not installed.
    """
    if file.suffix.lower() not in SUFFIXES:
        raise BadRequest(f"{file} ends neither in .png nor in .svg; name such a file for the plot.")
    if importlib.util.find_spec("matplotlib") is None:
        raise HoptrailError('A plot needs matplotlib: pip install "hoptrail[plot]"')


@dataclass(frozen=True, slots=True)
class Point:
    """A retriever or method in a plot: a share with its interval, against a cost."""

    dataset: str
    name: str
    share: "Interval"
    cost: float


def plot_retrieval(results: "Sequence[RetrievalResult]", file: Path) -> None:
    """Draw recall@5 with its interval against the median ms a question, a panel a dataset."""
    points = [
        Point(r.dataset, r.retriever, r.figures["recall@5"], 1000 * r.latency["median"])
        for r in results
    ]
    titles = {
        r.dataset: f"{counted(r.questions, 'question')}, {counted(r.passages, 'passage')}"
        for r in results
    }
    _draw(points, titles, "recall@5, %", "median ms a question", file)


def plot_answers(results: "Sequence[AnswerResult]", file: Path) -> None:
    """Draw accuracy with its interval against tokens read and written, a panel a dataset."""
    points = [Point(r.dataset, r.method, r.figures["accuracy"], r.tokens) for r in results]
    titles = {r.dataset: counted(r.questions, "question") for r in results}
    _draw(points, titles, "accuracy, %", "tokens a question", file)


def _draw(
    points: Sequence[Point], titles: Mapping[str, str], share: str, cost: str, file: Path
) -> None:
    import matplotlib
    from matplotlib.figure import Figure

    names = list(dict.fromkeys(point.name for point in points))
    across, down = min(ACROSS, len(titles)), math.ceil(len(titles) / ACROSS)
    legend = 0.8 + 0.08 * max(map(len, names))  # inches
    undated = {"Date": None} if file.suffix.lower() == ".svg" else {}
    with matplotlib.rc_context(
        {
            "text.parse_math": False,  # a "$" in a file's name is one
            "svg.fonttype": "none",  # text as text
            "svg.hashsalt": "hoptrail",  # equal files
        }
    ):
        size = (0.6 + 3.8 * across + legend, 0.6 + 3.6 * down)
        figure = Figure(figsize=size, layout="constrained")
        grid = figure.subplots(down, across, squeeze=False, sharey=True)
        panels = list(grid.flat)
        for panel, (dataset, title) in zip(panels, titles.items(), strict=False):
            _panel(panel, [point for point in points if point.dataset == dataset], names)
            panel.set_title(f"{in_a_line(dataset)}\n{title}", fontsize="medium", loc="left")
            panel.set_xlabel(cost)
        for panel in panels[len(titles) :]:
            panel.remove()
        for row in grid:
            row[0].set_ylabel(share)
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside right upper", frameon=False, fontsize="small")
        figure.savefig(file, dpi=150, metadata=undated)


def _panel(panel: "Axes", points: Sequence[Point], names: Sequence[str]) -> None:
    for point in points:
        number, share = names.index(point.name), point.share
        panel.errorbar(
            point.cost,
            100 * share.value,
            [[100 * (share.value - share.low)], [100 * (share.high - share.value)]],
            fmt=MARKERS[number % len(MARKERS)],
            color=COLOURS[number % len(COLOURS)],
            label=in_a_line(point.name),
            markersize=7,
            elinewidth=1.2,
            capsize=3,
        )
    costs = [point.cost for point in points]
    most = max(costs) or 1  # nothing costs tokens without a language model
    if min(costs) > 0 and most > FAR * statistics.median(costs):
        panel.set_xscale("log")
    else:
        panel.set_xlim(-0.05 * most, 1.1 * most)
    panel.grid(color=GREY, linewidth=0.6)
    panel.set_axisbelow(True)
    panel.spines[["top", "right"]].set_visible(False)
