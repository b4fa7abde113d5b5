"""Small tables, for a terminal and for Markdown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...reasoning.evaluation.metrics.intervals import Interval


def difference(interval: Interval) -> tuple[str, str]:
    """Format a paired difference in points and its 95 % interval, with signs."""
    value, low, high = (
        f"{100 * share:+.1f}" for share in (interval.value, interval.low, interval.high)
    )
    return value, f"[{low}, {high}]"


@dataclass(frozen=True, slots=True)
class Table:
    """A table: the first column is text and starts at the left, the others are figures."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]

    def lines(self) -> Iterator[str]:
        """Yield the lines for a terminal, columns aligned."""
        widths = [max(map(len, column)) for column in zip(self.header, *self.rows, strict=True)]
        for row in (self.header, *self.rows):
            first, *others = (
                cell.rjust(width) if number else cell.ljust(width)
                for number, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            yield "  ".join([first, *others]).rstrip()

    def markdown(self) -> Iterator[str]:
        """Yield the lines of Markdown."""
        rule = ["---", *(["---:"] * (len(self.header) - 1))]
        for row in (self.header, rule, *self.rows):
            yield f"| {' | '.join(row)} |"
