"""The statements of `cypher/`, run in a transaction."""

import itertools
import logging
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from neo4j import ManagedTransaction, Session

from ...cypher import PREFIX, Version, query

log = logging.getLogger(__name__)

Row = dict[str, Any]
ROWS = 5000  # a statement
ROWS_WITH_VECTORS = 500
ROWS_AT_ONCE = 1000  # of those that take long to make: the server writes some, others are made
AHEAD = 16  # statements that wait for the server while rows of the next are made
WITHOUT_COLUMNS = "// Columns: none.\n"


class Statements:
    """Runs the statements of `cypher/` in a transaction, as a server of a version takes them.

    Args:
        transaction: of the driver; or a session, and each statement is a transaction.
        server: its version.
        prefix: of the graph's labels.
        leave: breaks the connection off, where what waits for the server is interrupted.
    """

    def __init__(
        self,
        transaction: ManagedTransaction | Session,
        server: Version,
        prefix: str = PREFIX,
        leave: Callable[[], None] = lambda: None,
    ) -> None:
        self._transaction = transaction
        self._server, self.prefix, self._leave = server, prefix, leave
        self._thread: ThreadPoolExecutor | None = None
        self._sent = deque[Future[list[Row]]]()

    def __call__(self, name: str, /, **parameters: object) -> list[Row]:
        """Run a statement of `cypher/` by its name; return all its rows."""
        text = query(name, self._server, self.prefix)
        clean = {key: encodable(value) for key, value in parameters.items()}
        if self._thread is None:
            return self._run(name, text, clean)
        self._sent.append(self._thread.submit(self._run, name, text, clean))
        return self._wait(AHEAD if WITHOUT_COLUMNS in text else 0)

    @contextmanager
    def ahead(self) -> Iterator[None]:
        """Wait no more for statements that answer nothing: the next rows are made meanwhile.

        The driver waits until the server has done a statement, so another thread does. What one
        fails of is raised by a later one, or in the end.
        """
        with ThreadPoolExecutor(1, "statements") as self._thread:
            try:
                yield
                self._wait(0)
            except KeyboardInterrupt:
                self._leave()
                raise
            finally:
                self._thread.shutdown(cancel_futures=True)
                self._thread = None
                self._sent.clear()

    def _wait(self, most: int) -> list[Row]:
        """Wait until so many statements are under way; return the rows of the last one done."""
        rows: list[Row] = []
        while len(self._sent) > most:
            rows = self._sent.popleft().result()
        return rows

    def _run(self, name: str, text: Any, parameters: dict[str, Any]) -> list[Row]:  # noqa: ANN401 - of a file, so as literal as the driver wants it
        started = time.perf_counter()
        rows = [dict(record) for record in self._transaction.run(text, parameters)]
        log.debug("%s: %d rows, %.1f ms", name, len(rows), 1000 * (time.perf_counter() - started))
        return rows

    def chunked(
        self, name: str, rows: Iterable[Any], size: int = ROWS, key: str = "rows", **others: object
    ) -> list[Row]:
        """Run a statement for chunks of `$rows` (or another list parameter), never for none."""
        left, found = iter(rows), []
        while chunk := list(itertools.islice(left, size)):
            found += self(name, **{key: chunk}, **others)
        return found

    def for_ids(self, name: str, ids: Iterable[str], **others: Any) -> list[Row]:  # noqa: ANN401
        """Run a statement for chunks of `$ids`."""
        return self.chunked(name, ids, key="ids", **others)


def whole(text: str) -> str:
    """Return a text that is to be written: not mended, as what is looked for is.

    Raises:
        UnicodeEncodeError: it holds half of a surrogate pair; `explained` says so.
    """
    text.encode()
    return text


def encodable(value: object) -> object:
    """Put U+FFFD for halves of surrogate pairs, which UTF-8 has not, into a text, or a list or map.

    Rows (lists of maps) are left alone: what documents say arrives clean.
    """
    if isinstance(value, str) and not value.isascii():
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {key: encodable(inner) for key, inner in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], str):
        return value if all(map(str.isascii, value)) else [encodable(inner) for inner in value]
    return value
