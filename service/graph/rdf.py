"""A graph as RDF: written, read again, asked; and RDF of others, made ready to be ingested."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ...kg.errors import BadRequest
from ...kg.rdf.oxigraph import FORMATS, named
from ...kg.rdf.query import Found, ask, load
from ...kg.rdf.reading import described, holds_a_graph, records
from ...kg.rdf.spool import Spool
from ...kg.rdf.writing import write
from ...kg.records import BadRecord, BadRecords
from ...kg.store import GraphStore
from ...loaders.rdf import RdfMapping, Things
from ...loaders.sources import STDIN
from ...models.encoder import Encoder
from .vectors import with_vectors, without_vectors

NOTHING = "Nothing was written."


def is_rdf(file: Path) -> bool:
    """Tell by its name whether a file holds RDF, packed or not."""
    return bool(named(file).suffix)


def write_rdf(store: GraphStore, out: IO[bytes], file: Path, vectors: bool) -> int:
    """Write every record of a graph as RDF, and count the triples.

    Args:
        store: the graph.
        out: binary.
        file: its name says in which format.
        vectors: False leaves them out; `import` encodes again.

    Raises:
        BadRequest: pyoxigraph is not installed; a text holds what the format can't.
    """
    if named(file).packed == ".bz2":
        raise BadRequest(f"{file.name}: RDF is written as it is, or packed by gzip (.gz).")
    found = store.maintenance.records()
    return write(without_vectors(found, vectors), out, named(file).suffix)


@contextmanager
def spooled(
    files: Sequence[Path],
    progress: Callable[[int], None] = lambda done: None,
    format_: str = "",
    *,
    lenient: bool = False,
) -> Iterator[Spool]:
    """Read files of RDF into a spool.

    Args:
        files: as their names say, if `format_` does not; "-" is standard input, which has no name.
        progress: called with the number of bytes read so far.
        format_: of FORMATS, without the dot, of all files.
        lenient: leave broken lines of N-Triples and N-Quads out; `Spool.broken` tells them.

    Raises:
        BadRequest: what is wrong with which line; nothing has been written then.
    """
    for file in files:
        if not (format_ or is_rdf(file)):
            raise BadRequest(
                f"{file.name} has none of the suffixes of RDF ({', '.join(FORMATS)}, also packed "
                "by .gz or .bz2), while another file has; import records by themselves, or say "
                "--format."
            )
    with Spool(progress, lenient=lenient) as spool:
        for file in files:
            if str(file) == STDIN:
                spool.read(file, STDIN, format_, sys.stdin.buffer)
            else:
                spool.read(file, str(file.resolve()), format_)
        spool.index()
        yield spool


def restore(
    store: GraphStore,
    spool: Spool,
    encoder: Encoder,
    progress: Callable[[int], None] = lambda done: None,
) -> int | None:
    """Write the graph that `export` wrote as RDF into an empty one; count the records.

    None, and nothing written, when the spool holds RDF of others.

    Raises:
        BadRequest: what is wrong with which node; nothing has been written then.
        EncoderMismatch: vectors were left out, and they were of another encoder.
    """
    if not holds_a_graph(spool):
        return None
    try:
        found = with_vectors(records(spool), "the RDF", encoder)
        return store.maintenance.restore(found, progress)
    except BadRecord as error:
        where = described(spool, error.number)
        raise BadRequest(f"{where}: {error.reason}. {NOTHING}") from error
    except BadRecords as error:
        raise BadRequest(f"{error} {NOTHING}") from error


def things(spool: Spool, mapping: RdfMapping | None = None) -> Things:
    """Make documents of others' RDF."""
    return Things(spool, mapping or RdfMapping())


def asked(store: GraphStore, query: str, limit: int, seconds: float) -> Found:
    """Ask a graph by SPARQL, see `kg.rdf.query`."""
    found = without_vectors(store.maintenance.records(), passages=False)
    return ask(load(found, limit), query, seconds)


def mapped(
    labels: Sequence[str] = (),
    aliases: Sequence[str] = (),
    texts: Sequence[str] = (),
    language: str = "en",
) -> RdfMapping:
    """Make a mapping of these properties, before those that everybody uses."""
    known = RdfMapping()
    return RdfMapping(
        (*labels, *known.labels),
        (*aliases, *known.aliases),
        (*texts, *known.texts),
        language.strip().lower(),
    )
