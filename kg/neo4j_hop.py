"""The two looks a hop takes at the Neo4j graph: candidates, and the bridges from them."""

from collections.abc import Collection, Mapping

from .neo4j_rows import floats
from .neo4j_server import Row, Statements
from .neo4j_text import lucene
from .types import Bridge, Candidate, Candidates, Vector

NO_WORDS = 'words:"∅"'  # a query that the full-text index takes, and that finds nothing


def candidates(
    run: Statements,
    statement: str,
    vector: Vector,
    text: str,
    titles: Collection[str],
    stems: Collection[str],
    pool: int,
) -> Candidates:
    """See GraphStore.candidates; `statement`: as the server finds vectors."""
    found = run(
        statement,
        vector=floats(vector),
        near=pool + 1,
        lucene=lucene(text) or NO_WORDS,
        pool=pool,
        titles=list(titles),
        stems=list(stems),
    )
    scores = {row["id"]: row["bm25"] for row in found}
    return _candidates(run, found, scores, stems)


def candidates_within(
    run: Statements,
    vector: Vector,
    text: str,
    stems: Collection[str],
    pool: int,
    within: Collection[str],
) -> Candidates:
    """The same of some passages alone."""
    ids = list(dict.fromkeys(within))
    found = run("search/candidates_within", ids=ids, vector=floats(vector), stems=list(stems))
    asked = lucene(text)
    worded = run("search/keywords_within", lucene=asked, ids=ids, limit=pool) if asked else []
    return _candidates(run, found, {row["id"]: row["score"] for row in worded}, stems)


def bridges(
    run: Statements,
    passage_ids: Collection[str],
    vector: Vector,
    stems: Collection[str],
    most: int,
    within: Collection[str] | None,
) -> list[Bridge]:
    """See GraphStore.bridges."""
    found = run(
        "search/bridges",
        ids=list(dict.fromkeys(passage_ids)),
        vector=floats(vector),
        stems=list(stems),
        most=most,
        within=None if within is None else list(within),
    )
    bridges = []
    for row in found:
        target = _candidate(row, {})
        for source, names, named, rarest in row["ways"]:
            bridges.append(Bridge(source, target, bool(names), bool(named), rarest))
    return sorted(bridges, key=lambda bridge: (bridge.source, bridge.target.id))


def _candidates(
    run: Statements, found: list[Row], scores: Mapping[str, float], stems: Collection[str]
) -> Candidates:
    count = run("read/count_passages")[0]["passages"]
    frequencies = {row["id"]: row["passages"] for row in run.for_ids("search/stems", stems)}
    listed = [_candidate(row, scores) for row in sorted(found, key=lambda row: row["id"])]
    return Candidates(count, frequencies, listed)


def _candidate(row: Row, scores: Mapping[str, float]) -> Candidate:
    bm25 = scores.get(row["id"], 0.0)
    return Candidate(row["id"], row["cosine"], bm25, row["title"], frozenset(row["covered"]))
