"""Rows with more or fewer fields than the first, which spreadsheets open all the same."""

import csv
import re
from collections.abc import Sequence

_FREE = re.compile(
    r"\b(?:remarks?|notes?|comments?|description|details?|abstract|answer|content|text"
    r"|bemerkung(?:en)?|notiz(?:en)?|kommentare?|beschreibung)\b",
    re.IGNORECASE,
)
"""In the name of a column of sentences."""


class Columns:
    """What is known of a table's columns, from its first row and the rows so far.

    Args:
        first: the fields of the first row, with the blanks that they begin with.
        delimiter: between them.
    """

    def __init__(self, first: Sequence[str], delimiter: str) -> None:
        self._last = len(first) - 1
        self._free = bool(first) and _FREE.search(first[-1]) is not None
        self._delimiter = delimiter
        self._spaced = delimiter.isspace() or any(name.startswith(" ") for name in first)
        self._kinds = [set[bool]() for _ in first]  # whether there were figures, words
        self._words = 0  # by how many more fields of the last column have several words

    def fitted(self, row: list[str], written: Sequence[str]) -> list[str] | None:
        """Give a row as many fields as there are columns; None where it is unclear which are which.

        Fields that lack at its end are empty. What is over is a field's that holds the delimiter:
        one that has a blank behind it, where others have none, else the last column's if that
        holds text, and the fields before it are such as their columns have.

        Args:
            row: its fields.
            written: its lines.
        """
        if len(row) == self._last + 1:
            self._learn(row)
            return row
        if len(row) <= self._last:
            several = sum(bool(field.strip()) for field in row) > 1
            return row + [""] * (self._last + 1 - len(row)) if several else None
        if not any(field.strip() for field in row[self._last + 1 :]):
            return row[: self._last + 1]
        whole = self._by_blanks(written)
        if len(whole) == self._last + 1:
            return whole
        over, text = row[self._last :], "".join(written)
        close = self._delimiter.join(over)
        rest = close if close in text else f"{self._delimiter} ".join(over)
        return [*row[: self._last], rest] if self._fits(row, rest) else None

    def _by_blanks(self, written: Sequence[str]) -> list[str]:
        """The fields, if a delimiter with a blank behind it is a sentence's: "plays; sings"."""
        whole: list[str] = []
        for field in [] if self._spaced else next(csv.reader(written, delimiter=self._delimiter)):
            if whole and field.startswith(" ") and field.strip():
                whole[-1] += self._delimiter + field
            else:
                whole.append(field)
        return [field.strip() for field in whole]

    def _learn(self, row: Sequence[str]) -> None:
        for kinds, field in zip(self._kinds, row, strict=True):
            if field.strip():
                kinds.add(_is_figure(field))
        if row[-1].strip():
            self._words += 1 if " " in row[-1].strip() else -1

    def _fits(self, row: Sequence[str], rest: str) -> bool:
        alike = all(
            not kinds or not field.strip() or _is_figure(field) in kinds
            for kinds, field in zip(self._kinds[:-1], row, strict=False)
        )
        told = any(self._kinds) and not _is_figure(rest)
        return told and alike and (self._free or self._words > 0)


def _is_figure(field: str) -> bool:
    return any(map(str.isdigit, field)) and not any(map(str.isalpha, field))
