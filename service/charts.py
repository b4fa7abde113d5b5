"""The plot of `evaluate retrieval --plot`: how much is found against what a question costs."""

import importlib.util
import math
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..kg.errors import BadRequest, HoptrailError
from .printing import in_a_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..reasoning.evaluation.retrieval import RetrievalResult

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


def plot_retrieval(results: "Sequence[RetrievalResult]", file: Path) -> None:
    """Recall@5 with its interval against the median ms a question: a panel for each dataset."""
    import matplotlib

    with matplotlib.rc_context({"text.parse_math": False}):  # a "$" in a file's name is one
        _plot(results, file)


def _plot(results: "Sequence[RetrievalResult]", file: Path) -> None:
    import matplotlib
    from matplotlib.figure import Figure

    datasets = list(dict.fromkeys(result.dataset for result in results))
    names = list(dict.fromkeys(result.retriever for result in results))
    across, down = min(ACROSS, len(datasets)), math.ceil(len(datasets) / ACROSS)
    legend = 0.8 + 0.08 * max(map(len, names))  # inches
    figure = Figure(figsize=(0.6 + 3.8 * across + legend, 0.6 + 3.6 * down), layout="constrained")
    grid = figure.subplots(down, across, squeeze=False, sharey=True)
    panels = list(grid.flat)
    for panel, dataset in zip(panels, datasets, strict=False):
        _panel(panel, [r for r in results if r.dataset == dataset], names)
    for panel in panels[len(datasets) :]:
        panel.remove()
    for row in grid:
        row[0].set_ylabel("recall@5, %")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right upper", frameon=False, fontsize="small")
    undated = {"Date": None} if file.suffix.lower() == ".svg" else {}
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "hoptrail"}):
        figure.savefig(file, dpi=150, metadata=undated)  # text as text, equal files


def _panel(panel: "Axes", results: "Sequence[RetrievalResult]", names: Sequence[str]) -> None:
    for result in results:
        number, five = names.index(result.retriever), result.figures["recall@5"]
        panel.errorbar(
            1000 * result.latency["median"],
            100 * five.value,
            [[100 * (five.value - five.low)], [100 * (five.high - five.value)]],
            fmt=MARKERS[number % len(MARKERS)],
            color=COLOURS[number % len(COLOURS)],
            label=in_a_line(result.retriever),
            markersize=7,
            elinewidth=1.2,
            capsize=3,
        )
    first = results[0]
    panel.set_title(
        f"{in_a_line(first.dataset)}\n{first.questions:,} questions, {first.passages:,} passages",
        fontsize="medium",
        loc="left",
    )
    times = [result.latency["median"] for result in results]
    if max(times) > FAR * statistics.median(times):
        panel.set_xscale("log")
    else:
        panel.set_xlim(-50 * max(times), 1100 * max(times))
    panel.set_xlabel("median ms a question")
    panel.grid(color=GREY, linewidth=0.6)
    panel.set_axisbelow(True)
    panel.spines[["top", "right"]].set_visible(False)
