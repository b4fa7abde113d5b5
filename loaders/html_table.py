"""A table of an HTML file while it is read."""

from collections.abc import Mapping

from .layout import Mark
from .tables import MAX_COLUMN, Cell


class OpenTable:
    """An open table: where it began, and its cells while it may be one of data."""

    def __init__(self, mark: Mark) -> None:
        self.mark = mark
        self.plain = True
        self.named = False  # a list of names and values: <dl>
        self.cells: list[list[Cell]] = []
        self.open: tuple[bool, int, int, list[str]] | None = None

    def row(self) -> None:
        """Begin a row."""
        self.end_cell()
        self.cells.append([])

    def cell(self, header: bool, columns: int, spread: int) -> None:
        """Begin a cell."""
        self.end_cell()
        self.open = header, columns, spread, []

    def end_cell(self) -> None:
        """Take up the open cell, if there is one."""
        if self.open:
            header, columns, spread, texts = self.open
            text = " ".join("".join(texts).split())
            if not self.cells:
                self.cells.append([])
            self.cells[-1].append(Cell(text, header, columns, spread))
            self.open = None


def pairs(table: OpenTable) -> list[tuple[str, str]] | None:
    """Names and values of a <dl>; None where it is a glossary or anything else."""
    found = [(row[0], row[1:]) for row in table.cells if row]
    short = all(
        name.header
        and not name.text.endswith((".", "?"))
        and len(values) == 1
        and 0 < len(values[0].text) <= MAX_COLUMN
        and not values[0].text.endswith((".", "!", "?"))
        for name, values in found
    )
    if len(found) < 2 or not short:
        return None
    return [(name.text.rstrip(" :"), values[0].text) for name, values in found]


def spans(attributes: Mapping[str, str]) -> tuple[int, int]:
    """Over how many columns and rows a cell spreads."""
    said = (attributes.get(name, "") for name in ("colspan", "rowspan"))
    across, down = (int(s) if s.isdecimal() and len(s) < 5 else 1 for s in said)
    return across, down
