"""Moves a Neo4j graph to another encoder: new vectors beside the old ones, then in their place.

No transaction could hold all vectors of a large graph, or change an index and data. So GraphInfo
says how far it is: `next_encoder` while the new vectors grow, `switching` while they are put in the
place of the old ones. Each step may be repeated, and comes to the same. Each transaction looks
whether that is still so: a process that was held up must not undo what others have begun since.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict

from ..errors import StoreUnavailable
from ..graph_info import already, as_options, check_target
from ..maintenance import Embedded
from ..text.words import passage_reading
from ..types import Fingerprint, Vector
from . import rows
from .schema import drop_vector_indexes, make_vector_indexes
from .server import ROWS_WITH_VECTORS, Neo4jServer, Row, Statements
from .write import lock

LACKING = {"passage": "reembed/lacking_passages", "triple": "reembed/lacking_triples"}
KEEP = {"passage": "reembed/keep_passages", "triple": "reembed/keep_triples"}
PUT = ("reembed/put_passages", "reembed/put_triples")
DROP = ("reembed/drop_passages", "reembed/drop_triples")


def target(info: Row) -> Fingerprint | None:
    """The encoder that a graph of these properties of GraphInfo is being moved to."""
    text = info.get("next_encoder")
    return Fingerprint(**json.loads(text)) if text else None


def check_settled(where: str, info: Row) -> None:
    """While vectors are put in place, nobody knows which encoder one is of.

    Raises:
        StoreUnavailable: they are.
    """
    if info.get("switching") and (to := target(info)):
        raise StoreUnavailable(
            f"The graph in {where} is being moved to the encoder {to.name}; try again in a moment. "
            f"If no `hoptrail reembed` is running: `hoptrail {as_options(to)} reembed` ends it."
        )


def begin(server: Neo4jServer, where: str, fingerprint: Fingerprint) -> None:
    """See Upkeep.begin_reembedding."""

    def none_yet(run: Statements) -> bool:
        info = lock(run, where)
        if target(info) == fingerprint:
            return False
        check_settled(where, info)
        if rows.info(info).fingerprint == fingerprint:
            raise already(where, fingerprint)
        run("reembed/begin", target=None)  # if dropping breaks off, it begins anew
        return True

    def still_none(run: Statements) -> bool:
        begun = target(lock(run, where))
        if begun is not None:
            check_target(where, begun, fingerprint)
        return begun is None

    if server.write(none_yet):
        for statement in DROP:
            _page_by_page(server, statement, still_none)
        text = json.dumps(asdict(fingerprint))
        server.write(lambda run: still_none(run) and run("reembed/begin", target=text))


def lacking(run: Statements, kind: Embedded, limit: int, after: str) -> dict[str, str]:
    """See Upkeep.not_reembedded."""
    found = run(LACKING[kind], limit=limit, after=after)
    if kind == "triple":
        return {row["id"]: row["text"] for row in found}
    return {row["id"]: passage_reading(row["title"], row["text"]) for row in found}


def keep(
    run: Statements, kind: Embedded, texts: Mapping[str, str], vectors: Iterable[Vector]
) -> None:
    """See Upkeep.keep_reembedded; the caller has checked the encoder."""
    given = [
        {"id": id_, "text": text, "embedding": rows.floats(vector)}
        for (id_, text), vector in zip(texts.items(), vectors, strict=True)
    ]
    run.chunked(KEEP[kind], given, ROWS_WITH_VECTORS)


def finish(server: Neo4jServer, where: str, fingerprint: Fingerprint) -> bool:
    """See Upkeep.finish_reembedding."""

    def whole(run: Statements) -> bool:
        info = lock(run, where)
        check_target(where, target(info), fingerprint)
        if info.get("switching"):
            return True
        if any(lacking(run, kind, 1, "") for kind in ("passage", "triple")):
            return False
        run("reembed/switch")
        return True

    def switching(run: Statements) -> bool:
        info = lock(run, where)
        return bool(info.get("switching")) and target(info) == fingerprint

    if not server.write(whole):
        return False
    drop_vector_indexes(server)  # filling them anew is faster than changing every entry
    for statement in PUT:
        _page_by_page(server, statement, switching)
    make_vector_indexes(server, fingerprint.dimension)
    held = rows.encoder_row(fingerprint)
    server.write(lambda run: switching(run) and run("reembed/finish", info=held))
    return True


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
