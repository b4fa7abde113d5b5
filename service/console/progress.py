"""Progress bars on standard error, where that is a terminal; they go when the work is done."""

from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskProgressColumn,
    TimeRemainingColumn,
)
from rich.table import Column
from rich.text import Text

from .counting import counted
from .safe import in_a_line

if TYPE_CHECKING:
    from ...kg.ingest.workers import Report

SLOWEST = 600.0
"""Seconds between two steps, at most, from which the time that is left is estimated."""


class _Description(ProgressColumn):
    """As it is, in one line: names of files are no markup."""

    def __init__(self) -> None:
        super().__init__(Column(no_wrap=True))

    def render(self, task: Task) -> Text:
        return Text(in_a_line(task.description))


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:.0f}/s" if task.speed else "", style="dim")


class _Documents(ProgressColumn):
    def __init__(self) -> None:
        super().__init__(Column(no_wrap=True))

    def render(self, task: Task) -> Text:
        report: Report = task.fields["report"]
        if not (report.seen or report.parsed) or not task.elapsed:
            return Text("")
        written = f"{counted(report.seen, 'document')}, {counted(report.passages, 'passage')}"
        ahead = max(0, report.parsed - report.passages)  # what the first batch has been doing
        more = f", {ahead:,} more parsed" if ahead else ""
        return Text(f"{written}, {report.passages / task.elapsed:.0f}/s{more}")


def progress_bar() -> Progress:
    """Make a bar of how much is done."""
    columns = (_Description(), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    return _shown_in_a_terminal(*columns)


def counting_bar() -> Progress:
    """Make a bar of how many are done, of how many, at which rate."""
    columns = (_Description(), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    return _shown_in_a_terminal(*columns, refresh_per_second=4)


def reading_bar() -> Progress:
    """Make a bar of how much is read; a task has the `report` that the ingestion fills."""
    columns = (_Description(), BarColumn(bar_width=20), TaskProgressColumn(), _Documents())
    return _shown_in_a_terminal(*columns, TimeRemainingColumn())


def _shown_in_a_terminal(*columns: ProgressColumn, refresh_per_second: float = 10) -> Progress:
    console = Console(stderr=True)
    return Progress(
        *columns,
        console=console,
        transient=True,
        refresh_per_second=refresh_per_second,
        speed_estimate_period=SLOWEST,
        disable=not console.is_terminal,
    )
