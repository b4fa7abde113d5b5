"""The two looks a hop takes at the Neo4j graph: candidates, and the bridges from them."""

from collections.abc import Callable, Collection, Mapping
from operator import attrgetter

from .candidates import Bridge, Candidate, Candidates
from .neo4j_rows import floats
from .neo4j_server import Row
from .neo4j_text import lucene
from .types import Vector

Ask = Callable[..., Row]  # the row of a statement of one, given its name and parameters

NO_WORDS = 'words:"∅"'  # a query that the full-text index takes, and that finds nothing


def candidates(
    ask: Ask,
    statement: str,
    vector: Vector,
    text: str,
    titles: Collection[str],
    stems: Collection[str],
    pool: int,
) -> Candidates:
    """See GraphStore.candidates; `statement`: as the server finds vectors."""
    row = ask(
        statement,
        vector=floats(vector),
        near=pool + 1,
        lucene=lucene(text) or NO_WORDS,
        pool=pool,
        titles=list(titles),
        stems=list(stems),
    )
    return _candidates(row, [_candidate(*found) for found in row["found"]])


def candidates_within(
    ask: Ask,
    vector: Vector,
    text: str,
    stems: Collection[str],
    pool: int,
    within: Collection[str],
) -> Candidates:
    """The same of some passages alone."""
    row = ask(
        "search/candidates_within",
        ids=list(dict.fromkeys(within)),
        vector=floats(vector),
        lucene=lucene(text) or NO_WORDS,
        pool=pool,
        stems=list(stems),
    )
    scores: Mapping[str, float] = dict(row["worded"])
    found = [_candidate(*found, bm25=scores.get(found[0], 0.0)) for found in row["found"]]
    return _candidates(row, found)


def bridges(
    ask: Ask,
    passage_ids: Collection[str],
    vector: Vector,
    stems: Collection[str],
    most: int,
    within: Collection[str] | None,
) -> list[Bridge]:
    """See GraphStore.bridges."""
    ids = list(dict.fromkeys(passage_ids))
    row = ask(
        "search/bridges",
        ids=ids,
        vector=floats(vector),
        stems=list(stems),
        most=most,
        within=None if within is None else list(within),
    )
    bridges = []
    for *found, ways in row["found"]:
        target = _candidate(*found)
        for place, names, named, rarest in ways:
            bridges.append(Bridge(ids[place], target, bool(names), bool(named), rarest))
    return sorted(bridges, key=lambda bridge: (bridge.source, bridge.target.id))


def _candidates(row: Row, found: list[Candidate]) -> Candidates:
    found.sort(key=attrgetter("id"))
    return Candidates(row["passages"], dict(row["frequencies"]), found)


def _candidate(
    id_: str, cosine: float, title: str, covered: list[str], bm25: float = 0.0
) -> Candidate:
    return Candidate(id_, cosine, bm25, title, frozenset(covered))
