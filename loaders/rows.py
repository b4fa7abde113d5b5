"""Rows of CSV and TSV files as records, by the names in the first row."""

import csv
import itertools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..kg.text.words import clean
from . import reading
from .careless import Columns
from .options import Meter
from .reading import chunks, too_long
from .records import MOST_LEFT, Record, left_out, lines
from .tables import distinct

_DELIMITERS = ",;\t|"
_NAMED = re.compile(rf"sep=([{_DELIMITERS}])\s*\Z", re.I)  # a first line that is meant for Excel


def rows(path: Path, meter: Meter | None = None, encoding: str = "") -> Iterator[Record]:
    """Yield each row as a record, in the file's order.

    The delimiter is the one that the first row has most of. A row with too few or too many fields
    is read as `careless.Columns` has it; the meter notes what was put together.

    Raises:
        SourceError: the file can't be read, or of some rows it is unclear which field is which; the
            others were yielded.
    """
    header, columns, left, read = list[str](), None, list[tuple[int, str]](), 0
    for begun, row, written, delimiter in _split(path, meter, encoding):
        if columns is None:
            header = distinct([name.strip() for name in row])
            header = [name or " " * place for place, name in enumerate(header)]  # each its own
            columns = Columns(next(csv.reader(written, delimiter=delimiter)), delimiter)
            continue
        place, whole = f"line {begun}", columns.fitted(row, written)
        if whole is None:
            counts = f"{len(row)} fields where the first row has {len(header)}"
            left.append((begun, counts))
            if len(left) > max(MOST_LEFT, read):
                break
            continue
        read += 1
        if meter and any(cell.strip() for cell in row[len(header) :]):
            meter.joined.append(f"{clean(path.name)}, {place}")
        yield Record(path, place, dict(zip(header, whole, strict=True)))
    if left:
        raise left_out(path, left, "quote a field that holds a delimiter or a quote")


def _split(
    path: Path, meter: Meter | None, encoding: str
) -> Iterator[tuple[int, list[str], list[str], str]]:
    """(number of its first line, fields, lines, delimiter) of each row that is not empty."""
    csv.field_size_limit(reading.MAX_TEXT)  # of this process: Python knows no other
    text, start = lines(path, chunks(path, meter, encoding)), list[str]()
    for line in text:
        start.append(line + "\n")
        if line.strip():
            break
    rest = (line + "\n" for line in text)
    delimiter = _delimiter(path, start[-1])
    if _NAMED.match(start[-1]):
        start[-1] = "\n"
    written = list[str]()
    reader = csv.reader(
        _noted(itertools.chain(start, rest), written),
        delimiter=delimiter,
        skipinitialspace=delimiter != "\t",
    )
    while True:
        begun = reader.line_num + 1
        written.clear()
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise Record(path, f"line {begun}", {}).error(_why(error)) from None
        if row is None:
            return
        if any(cell.strip() for cell in row):
            yield begun, row, written, delimiter


def _noted(lines: Iterable[str], written: list[str]) -> Iterator[str]:
    for line in lines:
        written.append(line)
        yield line


def _delimiter(path: Path, first: str) -> str:
    if named := _NAMED.match(first):
        return named[1]
    if path.suffix.lower() == ".tsv":
        return "\t"
    return max(_DELIMITERS, key=lambda delimiter: _fields(first, delimiter))


def _fields(line: str, delimiter: str) -> int:
    try:
        return len(next(csv.reader([line], delimiter=delimiter)))
    except csv.Error:  # said where the row is read
        return 0


def _why(error: csv.Error) -> str:
    if "field larger" in str(error):
        return f"a field of {too_long()}; a quote may be open that nothing closes"
    return f"not a table of fields: {error}"
