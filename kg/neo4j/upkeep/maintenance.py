"""`kg.maintenance.Maintenance` on a Neo4j server."""

from collections.abc import Callable, Iterable, Iterator

from ...maintenance import Problem, Record, Unembedded
from ...types import Fingerprint
from .. import reembed
from ..graph import ServedGraph
from ..migrate import migrate
from ..restore import restore
from ..statements import Row
from . import check


class Neo4jMaintenance:
    """Maintenance of the graph on a server."""

    def __init__(self, graph: ServedGraph) -> None:
        self._graph = graph
        self._server = graph.server

    def records(self) -> Iterator[Row]:
        return self._graph.records()

    def restore(
        self, records: Iterable[Record], progress: Callable[[int], None] = lambda done: None
    ) -> int:
        self._graph.check_chosen()
        migrate(self._server)  # what is there may be what an older version left unfinished
        self._graph.forget()  # the records say which encoder
        return restore(self._server, records, progress)

    def reembedding(self, fingerprint: Fingerprint) -> reembed.Neo4jReembedding:
        self._graph.migrate()
        move = reembed.Neo4jReembedding(self._server, fingerprint)
        move.begin()
        return move

    def moving_to(self) -> Fingerprint | None:
        row = self._server.read(self._graph.look)
        return reembed.target(row) if row else None

    def not_embedded(self, limit: int) -> Iterator[Unembedded]:
        return reembed.not_embedded(self._server, limit)

    def problems(
        self, quick: bool = False, progress: Callable[[str], None] = lambda what: None
    ) -> list[Problem]:
        return check.problems(self._server, quick, progress)

    def repair(self, progress: Callable[[str], None] = lambda what: None) -> list[Problem]:
        return check.repair(self._server, self._graph.migrate, progress)
