"""CSV and TSV: each row a document, by the names in the first row."""

import csv
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

from ...kg.types import Document
from .. import reading
from ..fields import Fields
from ..options import Meter, Options
from ..reading import chunks, too_long
from ..records import Record, lines

_DELIMITERS = ",;\t|"
_NAMED = re.compile(rf"sep=([{_DELIMITERS}])\s*\Z", re.I)  # a first line that is meant for Excel


def load(
    path: Path, options: Options | None = None, meter: Meter | None = None
) -> Iterator[Document]:
    """Each row as a document, each once, in the file's order.

    Args:
        path: of the file; its delimiter is the one that the first row has most of.
        options: which columns are what.
        meter: counts along.

    Raises:
        SourceError: the file can't be read, or a row has too few or too many fields; earlier rows
            were yielded.
    """
    options = options or Options()
    fields, seen = Fields(path, options), set[str]()
    for record in rows(path, meter, options.encoding):
        document = fields.document(record)
        if document and document.id not in seen:
            seen.add(document.id)
            yield document


def rows(path: Path, meter: Meter | None = None, encoding: str = "") -> Iterator[Record]:
    """Each row as a record, by the names in the first row.

    Raises:
        SourceError: see `load`.
    """
    csv.field_size_limit(reading.MOST)  # of this process: Python knows no other
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
