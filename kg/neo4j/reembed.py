"""Moves a Neo4j graph to another encoder: new vectors beside the old ones, then in their place.

No transaction could hold all vectors of a large graph, or change an index and data. So GraphInfo
says how far it is: `next_encoder` while the new vectors grow, `switching` while they are put in the
place of the old ones. Each step may be repeated, and comes to the same. Each transaction looks
whether that is still so: a process that was held up must not undo what others have begun since.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict

from ..errors import StoreUnavailable
from ..graph_info import already, as_options, check_dimension, check_target
from ..maintenance import Embedded, Unembedded
from ..text.words import passage_reading
from ..types import Fingerprint, Vector
from . import rows
from .schema import drop_vector_index, make_vector_index
from .server import Neo4jServer
from .statements import ROWS_WITH_VECTORS, Row, Statements
from .write import lock

LACKING: dict[Embedded, str] = {
    "passage": "reembed/lacking_passages",
    "triple": "reembed/lacking_triples",
}
KEEP = {"passage": "reembed/keep_passages", "triple": "reembed/keep_triples"}
PUT = ("reembed/put_passages", "reembed/put_triples")
DROP = ("reembed/drop_passages", "reembed/drop_triples")


def target(info: Row) -> Fingerprint | None:
    """Return the encoder that a graph of these properties of GraphInfo is being moved to."""
    text = info.get("next_encoder")
    return Fingerprint(**json.loads(text)) if text else None


def check_settled(where: str, info: Row) -> None:
    """Refuse a graph whose vectors are being put in place: nobody knows which encoder one is of.

    Raises:
        StoreUnavailable: they are.
    """
    if info.get("switching") and (to := target(info)):
        raise StoreUnavailable(
            f"The graph in {where} is being moved to the encoder {to.name}; try again in a moment. "
            f"If no `hoptrail reembed` is running: `hoptrail {as_options(to)} reembed` ends it."
        )


class Neo4jReembedding:
    """`kg.maintenance.Reembedding` on a server."""

    def __init__(self, server: Neo4jServer, fingerprint: Fingerprint) -> None:
        self._server = server
        self._where = server.where
        self._fingerprint = fingerprint

    def begin(self) -> None:
        """Go on with the vectors of this encoder; see `Maintenance.reembedding`."""
        if self._server.write(self._none_yet):
            for statement in DROP:
                _page_by_page(self._server, statement, self._still_none)
            text = json.dumps(asdict(self._fingerprint))
            self._server.write(
                lambda run: self._still_none(run) and run("reembed/begin", target=text)
            )

    def count(self) -> int:
        return self._server.read(lambda run: run("reembed/count_lacking"))[0]["lacking"]

    def lacking(self, limit: int) -> Iterator[Unembedded]:
        for kind, statement in LACKING.items():
            yield from _parts(self._server, kind, statement, limit)

    def keep(self, given: Unembedded, vectors: Vector) -> None:
        def work(run: Statements) -> None:
            check_target(self._where, target(lock(run, self._where)), self._fingerprint)
            run.chunked(KEEP[given.kind], listed, ROWS_WITH_VECTORS)

        check_dimension(self._where, self._fingerprint.dimension, vectors)
        listed = [
            {"id": id_, "text": text, "embedding": rows.floats(vector)}
            for (id_, text), vector in zip(given.texts.items(), vectors, strict=True)
        ]
        self._server.write(work)

    def finish(self) -> bool:
        if not self._server.write(self._switch):
            return False
        drop_vector_index(self._server)  # filling them anew is faster than changing every entry
        for statement in PUT:
            _page_by_page(self._server, statement, self._switching)
        make_vector_index(self._server, self._fingerprint.dimension)
        held = rows.encoder_row(self._fingerprint)
        self._server.write(lambda run: self._switching(run) and run("reembed/finish", info=held))
        return True

    # -- steps, each of which looks how far the move is
    def _none_yet(self, run: Statements) -> bool:
        info = lock(run, self._where)
        if target(info) == self._fingerprint:
            return False
        check_settled(self._where, info)
        if rows.info(info).fingerprint == self._fingerprint:
            raise already(self._where, self._fingerprint)
        run("reembed/begin", target=None)  # if dropping breaks off, it begins anew
        return True

    def _still_none(self, run: Statements) -> bool:
        begun = target(lock(run, self._where))
        if begun is not None:
            check_target(self._where, begun, self._fingerprint)
        return begun is None

    def _switch(self, run: Statements) -> bool:
        """Nobody is to trust a vector from now on; False where something still lacks its own."""
        info = lock(run, self._where)
        check_target(self._where, target(info), self._fingerprint)
        if info.get("switching"):
            return True
        if any(run(statement, limit=1, after="") for statement in LACKING.values()):
            return False
        run("reembed/switch")
        return True

    def _switching(self, run: Statements) -> bool:
        info = lock(run, self._where)
        return bool(info.get("switching")) and target(info) == self._fingerprint


def not_embedded(server: Neo4jServer, limit: int) -> Iterator[Unembedded]:
    """See Maintenance.not_embedded."""
    return _parts(server, "triple", "reembed/not_embedded", limit)


def _parts(server: Neo4jServer, kind: Embedded, name: str, limit: int) -> Iterator[Unembedded]:
    last = ""
    while found := server.read(lambda run, after=last: run(name, limit=limit, after=after)):
        yield Unembedded(kind, {row["id"]: _text(kind, row) for row in found})
        last = found[-1]["id"]


def _text(kind: Embedded, row: Row) -> str:
    return passage_reading(row["title"], row["text"]) if kind == "passage" else row["text"]


def _page_by_page(
    server: Neo4jServer, statement: str, allowed: Callable[[Statements], bool]
) -> None:
    last = ""

    def page(run: Statements) -> str | None:
        if not allowed(run):
            return None
        return run(statement, after=last, limit=ROWS_WITH_VECTORS)[0]["last"]

    while last is not None:
        last = server.write(page)
