"""One layer of GNN-Ret's message passing on the Neo4j graph: one statement."""

from collections.abc import Collection, Mapping

from .neo4j_hop import Ask
from .neo4j_rows import floats
from .neo4j_server import encodable
from .types import LinkKind, Vector
from .vectors import DECIMALS


def propagate(
    ask: Ask,
    distances: Mapping[str, float],
    senders: Collection[str],
    alpha: float,
    vector: Vector,
    kinds: Collection[LinkKind],
    within: Collection[str] | None,
) -> dict[str, float]:
    """See GraphStore.propagate."""
    # An id that UTF-8 can't hold, no passage has; the statement would not survive it as a key.
    known = {id_: value for id_, value in distances.items() if encodable(id_) == id_}
    row = ask(
        "search/propagate",
        ids=[id_ for id_ in dict.fromkeys(senders) if id_ in known],
        distances=known,
        alpha=float(alpha),
        kinds=list(kinds),
        vector=floats(vector),
        within=None if within is None else list(within),
        decimals=DECIMALS,
    )
    return dict(sorted(row["found"]))
