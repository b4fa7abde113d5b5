"""The names of an endpoint that is small enough to give all of them."""

from .endpoint import Endpoint
from .items import LABEL
from .names import NameIndex
from .values import language_list

PAGE = 20_000
"""Names of one query."""


def read_names(endpoint: Endpoint, index: NameIndex, limit: int = 2_000_000) -> int:
    """Read an endpoint's labels and aliases of items into an index; return how many there were.

    Args:
        endpoint: of a part of Wikidata. The whole has hundreds of millions: it gives its time up.
        index: is complete afterwards, where nothing went wrong.
        limit: names; of more none are had.

    Raises:
        EndpointUnavailable: as `Endpoint.ask`, also where the endpoint holds more than the limit.
    """
    read, at = 0, 0.0
    while True:
        answered = endpoint.ask(
            "names", languages=language_list(), limit=str(PAGE), offset=str(read)
        )
        rows = answered.rows
        index.add(
            (item, row["name"].text, row["kind"].text == LABEL)
            for row in rows
            if (item := row["item"].item)
        )
        read, at = read + len(rows), min(at or answered.at, answered.at)
        if len(rows) < PAGE or read >= limit:
            break
    index.finish(at)
    return read
