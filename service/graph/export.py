"""The whole graph as JSONL or GraphML: written, moved to its place when whole; JSONL read again."""

import base64
import gzip
import io
import json
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import IO, Any

from ...kg.errors import BadRequest, EmptyGraph, EncoderMismatch
from ...kg.graph_info import check_encoder
from ...kg.records import BadRecord, BadRecords, checked, info_of
from ...kg.store import GraphStore
from ...kg.text.words import passage_reading
from ...kg.vectors import to_bytes
from ...models.encoder import Encoder
from ..console.interrupting import vanishing
from ..console.safe import as_json
from .graphml import SUFFIXES, write_graphml

Record = dict[str, Any]

MAX_LINE = 64 << 20  # bytes of a line
ENCODED = 256  # passages at once


def export_graph(store: GraphStore, file: Path, *, vectors: bool = True) -> int:
    """Write every record as a line, and count them; an older file stays until this is whole.

    Args:
        store: the graph.
        file: "-" is standard output; gzipped where the name ends in .gz; GraphML, which `import`
            does not read, where it ends in .graphml or .ml (before .gz).
        vectors: False leaves null in their place, for diff and grep; `import` encodes again.

    Raises:
        EmptyGraph: there is no graph; nothing has been written then.
    """
    if store.info() is None:
        raise EmptyGraph(f"There is no graph in {store.where} to export.")
    if str(file) == "-":
        return _write(store, sys.stdout, vectors)
    write = _write_graphml if is_graphml(file) else _write
    file = file.resolve()
    if file.exists() and not file.is_file():  # a device or a pipe is written to, not replaced
        with _for_writing(file, file.suffix == ".gz") as out:
            return write(store, out, vectors)
    part = file.with_name(f"{file.name}.part")
    try:
        with vanishing(part), _for_writing(part, file.suffix == ".gz") as out:
            count = write(store, out, vectors)
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
        BadRequest: what is wrong with which line; nothing has been written then.
        EncoderMismatch: vectors were left out, and they were of another encoder.
    """
    name = "standard input" if str(file) == "-" else str(file)
    try:
        records = _with_vectors(_read(file, name), name, encoder)
        return store.maintenance.restore(records, progress)
    except BadRecord as error:
        raise BadRequest(
            f"{name}, line {error.number}: {error.reason}. Nothing was written."
        ) from error
    except BadRecords as error:
        raise BadRequest(f"{name}: {error} Nothing was written.") from error


def is_graphml(file: Path) -> bool:
    """Tell by its name whether a file is to hold GraphML."""
    return file.name.lower().removesuffix(".gz").endswith(SUFFIXES)


def _write_graphml(store: GraphStore, out: IO[str], vectors: bool) -> int:
    return write_graphml(store.maintenance.records(), out)


def _write(store: GraphStore, out: IO[str], vectors: bool) -> int:
    written = 0
    for record in store.maintenance.records():
        if record["kind"] == "triple" or (record["kind"] == "passage" and not vectors):
            # A triple's is computed when a question needs it: not what was ingested.
            record["embedding"] = None
        out.write(as_json(record) + "\n")
        written += 1
    return written


@contextmanager
def _for_writing(file: Path, zipped: bool) -> Iterator[IO[str]]:
    with ExitStack() as stack:
        out: Any = stack.enter_context(file.open("wb"))
        if zipped:  # without name and time: equal graphs give equal files
            out = stack.enter_context(gzip.GzipFile("", "wb", fileobj=out, mtime=0))
        yield stack.enter_context(io.TextIOWrapper(out, encoding="utf-8", newline="\n"))


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


def _with_vectors(records: Iterator[Record], name: str, encoder: Encoder) -> Iterator[Record]:
    """The same, vectors of passages that have none computed again."""
    waiting: list[Record] = []
    info: Record | None = None
    for record in records:
        info = info or record
        if record.get("kind") == "passage" and record.get("embedding") is None:
            waiting.append(record)
            if len(waiting) < ENCODED:
                continue
            record = None
        yield from _encoded(waiting, info, name, encoder)
        waiting.clear()
        if record is not None:
            yield record
    if info is not None:
        yield from _encoded(waiting, info, name, encoder)


def _encoded(waiting: list[Record], info: Record, name: str, encoder: Encoder) -> Iterator[Record]:
    texts = [(record.get("title"), record.get("text")) for record in waiting]
    if not all(isinstance(part, str) for text in texts for part in text):
        yield from waiting  # to be refused
        return
    if texts:
        _check_encoder(info, name, encoder)
        vectors = encoder.encode_passages([passage_reading(*text) for text in texts])  # pyright: ignore[reportArgumentType]
        for record, vector in zip(waiting, vectors, strict=True):
            yield {**record, "embedding": base64.b64encode(to_bytes(vector)).decode("ascii")}


def _check_encoder(info: Record, name: str, encoder: Encoder) -> None:
    held = info_of(*next(checked([info])))
    try:
        check_encoder(name, held, encoder.fingerprint)
    except EncoderMismatch as error:
        raise EncoderMismatch(
            f"{name} holds no vectors, so its passages are encoded again, with the encoder it was "
            f"made with: name it by --encoder, --query-prefix and --passage-prefix ({error})"
        ) from error
