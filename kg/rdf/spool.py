"""Triples of files, read one after the other into a temporary database, to be looked up there."""

import bz2
import functools
import gzip
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, NamedTuple, Self

from ..errors import BadRequest
from . import lines
from .lines import LINES, Broken
from .oxigraph import FORMATS, Named, named, oxigraph
from .xml_guard import Guarded

MAX_NAMES = 200_000  # properties, datatypes and graphs, which are kept in memory
NOTHING = "Nothing was written."
IRI, BLANK = "", "_:"
"""What stands in the place of a datatype where an object is no literal."""
_PRAGMAS = ("page_size = 32768", "cache_size = -12288", "journal_mode = OFF", "synchronous = OFF")
_OPENERS: dict[str, Callable[[Any], Any]] = {".gz": gzip.open, ".bz2": bz2.open}

_COLUMNS = ("place", "subject", "name", "object", "kind")
_ROWS = 200  # that a statement inserts


class Value(NamedTuple):
    """An object as a file has it.

    Args:
        text: an IRI, a blank node's name after "_:", or a literal's text.
        kind: "" for an IRI, "_:" for a blank node, "@en" for a language, else a datatype's IRI.
    """

    text: str
    kind: str

    @property
    def literal(self) -> bool:
        """Say whether it is neither IRI nor blank node."""
        return self.kind not in (IRI, BLANK)


class Spool:
    """The triples of some files, in a temporary file of SQLite's own, which goes when it is closed.

    Args:
        progress: called with the number of bytes read so far, as the files have them.
        lenient: leave out lines of N-Triples and N-Quads that are broken, instead of refusing them.

    Attributes:
        triples: how many there are.
        left_out: how many of what is no triple here, by kind.
        broken: lines that were left out.
    """

    def __init__(
        self, progress: Callable[[int], None] = lambda done: None, *, lenient: bool = False
    ) -> None:
        self.broken = Broken()
        self._lenient = lenient
        self.triples = 0
        self.left_out = Counter[str]()
        self._progress = progress
        self._numbers = _Numbers()
        self._places: list[tuple[str, str]] = []  # file and graph
        self._before = 0
        self._db = sqlite3.connect("", isolation_level=None)
        for pragma in _PRAGMAS:
            self._db.execute(f"PRAGMA {pragma}")
        self._db.execute(f"CREATE TABLE triple ({', '.join(_COLUMNS)})")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._db.close()

    # -- written
    def read(
        self, file: Path, source: str, format_: str = "", stream: IO[bytes] | None = None
    ) -> None:
        """Add the triples of a file.

        Args:
            file: packed by gzip or bzip2 where its name says so.
            source: what it is called.
            format_: of FORMATS, without the dot; "" goes by the name.
            stream: read instead of the file, such as standard input; it stays open.

        Raises:
            BadRequest: what is wrong with which line.
        """
        says = named(file)
        suffix = f".{format_}" if format_ else says.suffix
        with ExitStack() as stack:
            opened = stream or stack.enter_context(file.open("rb"))
            raw = _Metered(opened, self._read_to)
            try:
                self._take(self._unpacked(raw, says, stack), suffix, file, source)
            except SyntaxError as error:
                line = f", line {error.lineno}" if error.lineno else ""
                raise BadRequest(f"{source}{line}: {_reason(error)}") from None
            except MemoryError as error:  # Oxigraph's own limit
                raise BadRequest(f"{source}: a value is too long ({error}). {NOTHING}") from None
            except (EOFError, gzip.BadGzipFile, UnicodeDecodeError) as error:
                raise BadRequest(f"{source} is damaged: {error}. {NOTHING}") from None
            self._before += raw.done

    def index(self) -> None:
        """Make what was read ready to be looked up."""
        self._db.execute("CREATE INDEX triple_subject ON triple (subject)")
        blank = self._numbers.get(BLANK, -1)
        self._db.execute(f"CREATE INDEX triple_blank ON triple (object) WHERE kind = {blank:d}")

    def _unpacked(self, raw: "_Metered", says: Named, stack: ExitStack) -> Any:  # noqa: ANN401
        if says.packed:
            return stack.enter_context(_OPENERS[says.packed](raw))
        return raw

    def _take(self, opened: Any, suffix: str, file: Path, source: str) -> None:  # noqa: ANN401
        ox = oxigraph()
        if FORMATS[suffix] == "RDF_XML":
            opened = Guarded(opened)
        format_ = getattr(ox.RdfFormat, FORMATS[suffix])
        if not self._lenient:
            parsed = ox.parse(opened, format_, base_iri=file.resolve().as_uri())
        elif FORMATS[suffix] in LINES:
            parsed = lines.parsed(opened, ox, format_, source, self.broken)
        else:
            raise BadRequest(
                f"{source}: broken lines can be left out of N-Triples and N-Quads alone, where a "
                f"line stands for itself. {NOTHING}"
            )
        self._db.execute("BEGIN")
        before = self._db.total_changes
        self._insert(parsed, ox, format_.supports_datasets, source)
        self._db.execute("COMMIT")
        self.triples += self._db.total_changes - before

    def _insert(self, parsed: Any, ox: Any, graphs: bool, source: str) -> None:  # noqa: ANN401
        """Insert what was parsed, many rows a statement: one by one takes half as long again."""
        iri, blank, literal, triple = ox.NamedNode, ox.BlankNode, ox.Literal, ox.Triple
        numbers, full = self._numbers, _ROWS * len(_COLUMNS)
        own, places = f"{BLANK}{len(self._places)}.", {"": self._place(source, "")}
        place, rows = places[""], []
        for quad in parsed:
            if graphs:
                place = self._of_graph(quad.graph_name, ox, places, source)
            subject, object_ = quad.subject, quad.object
            about, property_, type_ = subject.value, quad.predicate.value, type(object_)
            if type_ is triple:
                self.left_out["triples about triples"] += 1
                continue
            if type(subject) is blank:
                about = own + about
            text = object_.value
            if type_ is iri:
                kind = IRI
            elif type_ is literal:
                language = object_.language
                kind = f"@{language}" if language else object_.datatype.value
            else:
                text, kind = own + text, BLANK
            rows += (
                place,
                about,
                numbers[property_],
                text,
                numbers[kind],
            )
            if len(rows) == full:
                self._db.execute(_insertion(_ROWS), rows)
                rows.clear()
        if rows:
            self._db.execute(_insertion(len(rows) // len(_COLUMNS)), rows)

    def _of_graph(self, graph: Any, ox: Any, places: dict[str, int], source: str) -> int:  # noqa: ANN401
        name = "" if type(graph) is ox.DefaultGraph else graph.value
        if name not in places:
            places[name] = self._place(source, name)
        return places[name]

    def _place(self, source: str, graph: str) -> int:
        if len(self._places) == MAX_NAMES:
            raise BadRequest(f"There are more than {MAX_NAMES:,} named graphs.")
        self._places.append((source, graph))
        return len(self._places) - 1

    def _read_to(self, done: int) -> None:
        self._progress(self._before + done)

    # -- read
    def of(self, subject: str) -> list[tuple[str, Value]]:
        """List property and value of what is said of a subject, in the files' order."""
        rows = self._db.execute(
            "SELECT name, object, kind FROM triple WHERE subject = ? ORDER BY rowid", (subject,)
        )
        names = self._numbers.names
        return list(
            dict.fromkeys((names[name], Value(text, names[kind])) for name, text, kind in rows)
        )

    def subjects(self) -> Iterator[str]:
        """Give each subject once, in the files' order."""
        rows = self._db.execute("SELECT subject FROM triple GROUP BY subject ORDER BY min(rowid)")
        return (subject for (subject,) in rows)

    def count_subjects(self) -> int:
        """Count the subjects."""
        return self._db.execute("SELECT count(DISTINCT subject) FROM triple").fetchone()[0]

    def referred(self, blank: str) -> bool:
        """Say whether anything leads to a blank node."""
        kind = self._numbers.get(BLANK, -1)
        query = f"SELECT 1 FROM triple WHERE kind = {kind:d} AND object = ? LIMIT 1"
        return self._db.execute(query, (blank,)).fetchone() is not None

    def places(self, subject: str) -> list[tuple[str, str]]:
        """List the files, and the graphs in them, that say something of a subject."""
        query = "SELECT DISTINCT place FROM triple WHERE subject = ? ORDER BY place"
        return [self._places[place] for (place,) in self._db.execute(query, (subject,))]

    def have(self, name: str, value: str) -> Iterator[str]:
        """Give the subjects that have an IRI as the value of a property."""
        numbers = [self._numbers.get(text, -1) for text in (name, IRI)]
        query = "SELECT DISTINCT subject FROM triple WHERE name = ? AND kind = ? AND object = ?"
        return (subject for (subject,) in self._db.execute(query, (*numbers, value)))


class _Numbers(dict[str, int]):
    """Numbers names as they come; `names` gives them by number."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def __missing__(self, name: str) -> int:
        if len(self) == MAX_NAMES:
            raise BadRequest(
                f"There are more than {MAX_NAMES:,} different properties and datatypes; are "
                "subjects and properties mixed up?"
            )
        self.names.append(name)
        return self.setdefault(name, len(self))


class _Metered:
    """A file that counts the bytes read of it."""

    def __init__(self, file: IO[bytes], tell: Callable[[int], None]) -> None:
        self._file = file
        self._tell = tell
        self.done = 0

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self.done += len(data)
        self._tell(self.done)
        return data

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - what gzip asks for
        return getattr(self._file, name)


@functools.cache
def _insertion(rows: int) -> str:
    marks = f"({', '.join('?' * len(_COLUMNS))})"
    return f"INSERT INTO triple VALUES {', '.join([marks] * rows)}"


def _reason(error: SyntaxError) -> str:
    if "LoadDocumentCallback" in str(error.msg):
        return f"it names a context elsewhere, which is not fetched; write it out. {NOTHING}"
    return f"{str(error.msg).rstrip('.')}. {NOTHING}"
