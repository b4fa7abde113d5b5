"""The whole graph as a file, moved to its place when whole; JSONL read again."""

import gzip
import io
import json
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain, count, islice
from pathlib import Path
from typing import IO, Any

from ...kg.errors import BadRequest, EmptyGraph
from ...kg.rdf.oxigraph import FORMATS
from ...kg.records import BadRecord, BadRecords
from ...kg.store import GraphStore
from ...models.encoder import Encoder
from ..console.interrupting import vanishing
from ..console.safe import as_json
from .graphml import SUFFIXES, write_graphml
from .rdf import is_rdf, write_rdf
from .vectors import with_vectors, without_vectors

Record = dict[str, Any]

MAX_LINE = 64 << 20  # bytes of a line


def export_graph(store: GraphStore, file: Path, *, vectors: bool = True) -> int:
    """Write every record as a line, and count them; an older file stays until this is whole.

    Args:
        store: the graph.
        file: "-" is standard output; gzipped where the name ends in .gz; by what comes before that
            RDF (.ttl, .nt, …), or GraphML (.graphml, .ml), which `import` does not read.
        vectors: False leaves null in their place, for diff and grep; `import` encodes again.

    Raises:
        BadRequest: the name ends in what is no format.
        EmptyGraph: there is no graph; nothing has been written then.
    """
    _check_suffix(file)
    if store.info() is None:
        raise EmptyGraph(f"There is no graph in {store.where} to export.")
    if str(file) == "-":
        return _write(store, sys.stdout, vectors)
    file = file.resolve()
    if file.exists() and not file.is_file():  # a device or a pipe is written to, not replaced
        return _write_file(store, file, file, vectors)
    part = file.with_name(f"{file.name}.part")
    try:
        with vanishing(part):
            count = _write_file(store, part, file, vectors)
        os.replace(part, file)
    finally:
        part.unlink(missing_ok=True)
    return count


def import_graph(
    store: GraphStore,
    file: Path,
    encoder: Encoder,
    progress: Callable[[int], None] = lambda done: None,
) -> int:
    """Write what `export_graph` wrote into an empty graph, and count the records.

    Args:
        store: where to.
        file: "-" is standard input; gzipped where the name ends in .gz.
        encoder: encodes passages whose vectors were left out.
        progress: called with the number of records written so far.

    Raises:
        BadRequest: what is wrong with which line, or it is GraphML; nothing has been written then.
        EncoderMismatch: vectors were left out, and they were of another encoder.
    """
    name = "standard input" if str(file) == "-" else str(file)
    if is_graphml(file):
        raise BadRequest(
            f"{name}: GraphML is written for other programs, and lacks what a graph needs. Import "
            "what `export NAME.jsonl` wrote. Nothing was written."
        )
    try:
        store.info()  # a newer version's is refused first
        read = _read(file, name)
        first = list(islice(read, 1))  # of another file no graph is made
        records = with_vectors(chain(first, read), name, encoder)
        return store.maintenance.restore(records, progress)
    except BadRecord as error:
        raise BadRequest(
            f"{name}, line {error.number}: {error.reason}. Nothing was written."
        ) from error
    except BadRecords as error:
        raise BadRequest(f"{name}: {error} Nothing was written.") from error


def _check_suffix(file: Path) -> None:
    """Refuse a suffix that names no format; without one a file holds records."""
    known = (".jsonl", *FORMATS, *SUFFIXES)
    suffix = Path(file.name.lower().removesuffix(".gz")).suffix
    if suffix and suffix not in known:
        raise BadRequest(
            f"Nothing is written as {suffix}. A name ends in {', '.join(known)}, each also in .gz; "
            "without a suffix it gets records, as .jsonl does."
        )


def is_graphml(file: Path) -> bool:
    """Tell by its name whether a file is to hold GraphML."""
    return file.name.lower().removesuffix(".gz").endswith(SUFFIXES)


def _write_file(store: GraphStore, part: Path, file: Path, vectors: bool) -> int:
    """What the name of `file` asks for, into `part`."""
    with _for_writing(part, file.suffix == ".gz") as out:
        if is_rdf(file):
            return write_rdf(store, out, file, vectors)
        with io.TextIOWrapper(out, encoding="utf-8", newline="\n") as text:
            if is_graphml(file):
                return write_graphml(store.maintenance.records(), text)
            return _write(store, text, vectors)


def _write(store: GraphStore, out: IO[str], vectors: bool) -> int:
    written = 0
    for record in without_vectors(store.maintenance.records(), vectors):
        out.write(as_json(record) + "\n")
        written += 1
    return written


@contextmanager
def _for_writing(file: Path, zipped: bool) -> Iterator[IO[bytes]]:
    with ExitStack() as stack:
        out: Any = stack.enter_context(file.open("wb"))
        if zipped:  # without name and time: equal graphs give equal files
            out = stack.enter_context(gzip.GzipFile("", "wb", fileobj=out, mtime=0))
        yield out


def _read(file: Path, name: str) -> Iterator[Record]:
    """A record a line."""
    with ExitStack() as stack:
        lines: Any = sys.stdin.buffer if str(file) == "-" else stack.enter_context(file.open("rb"))
        if file.suffix == ".gz":
            lines = stack.enter_context(gzip.GzipFile(fileobj=lines))
        for number in count(1):
            try:
                line = lines.readline(MAX_LINE + 1)
            except (EOFError, zlib.error, gzip.BadGzipFile) as error:
                raise BadRequest(
                    f"{name} is damaged after line {number - 1} ({error}); export the graph again"
                ) from error
            if not line:
                return
            yield _record(number, line)


def _record(number: int, line: bytes) -> Record:
    if len(line) > MAX_LINE:
        raise BadRecord(number, f"it is longer than {MAX_LINE >> 20} MB")
    try:
        record = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
    except (ValueError, RecursionError) as error:
        raise BadRecord(number, f"it is not JSON in UTF-8 ({error})") from error
    if not isinstance(record, dict):
        raise BadRecord(number, "it is not a JSON object")
    return record
