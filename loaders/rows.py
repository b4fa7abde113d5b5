"""Rows of CSV and TSV files as records, by the names in the first row."""

import csv
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

from . import reading
from .options import Meter
from .reading import chunks, too_long
from .records import Record, lines

_DELIMITERS = ",;\t|"
_NAMED = re.compile(rf"sep=([{_DELIMITERS}])\s*\Z", re.I)  # a first line that is meant for Excel


def rows(path: Path, meter: Meter | None = None, encoding: str = "") -> Iterator[Record]:
    """Yield each row as a record, in the file's order.

    The delimiter is the one that the first row has most of.

    Raises:
        SourceError: the file can't be read, or a row has too few or too many fields; earlier rows
            were yielded.
    """
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
    reader = csv.reader(
        itertools.chain(start, rest), delimiter=delimiter, skipinitialspace=delimiter != "\t"
    )
    header: list[str] = []
    while True:
        begun = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise Record(path, f"line {begun}", {}).error(_why(error)) from None
        if row is None:
            return
        if not any(cell.strip() for cell in row):
            continue
        if header:
            yield _record(path, begun, header, row)
        else:
            header = [name.strip() for name in row]


def _record(path: Path, line: int, header: list[str], row: list[str]) -> Record:
    record = Record(path, f"line {line}", dict(zip(header, row, strict=False)))
    if len(row) != len(header):
        counts = f"{len(row)} fields where the first row has {len(header)}"
        raise record.error(f"{counts}; quote a field that holds a delimiter or a quote")
    return record


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
