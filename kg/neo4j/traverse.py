"""Along the edges of the Neo4j graph: a hop's two looks, and a layer of message passing."""

from collections.abc import Callable, Collection, Mapping
from operator import attrgetter

from ..candidates import Bridge, Candidates, PassageCandidate
from ..text.words import STOP, WORD, words
from ..types import LinkKind, Vector
from ..vectors import DECIMALS
from .rows import floats
from .server import Row, encodable

Ask = Callable[..., Row]  # the row of a statement of one, given its name and parameters

NO_WORDS = 'words:"∅"'  # a query that the full-text index takes, and that finds nothing
# Distinct words: Lucene refuses more than 1024 clauses, and a word is up to three.
QUERY_WORDS = 128


def candidates(
    ask: Ask,
    vector: Vector,
    text: str,
    titles: Collection[str],
    stems: Collection[str],
    pool: int,
) -> Candidates:
    """See Graph.candidates."""
    row = ask(
        "search/candidates",
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
    """See Graph.candidates; within some passages."""
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
    """See Graph.bridges."""
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


def _candidates(row: Row, found: list[PassageCandidate]) -> Candidates:
    found.sort(key=attrgetter("id"))
    return Candidates(row["passages"], dict(row["frequencies"]), found)


def _candidate(
    id_: str, cosine: float, title: str, covered: list[str], bm25: float = 0.0
) -> PassageCandidate:
    return PassageCandidate(id_, cosine, bm25, title, frozenset(covered))


def propagate(
    ask: Ask,
    distances: Mapping[str, float],
    senders: Collection[str],
    alpha: float,
    vector: Vector,
    kinds: Collection[LinkKind],
    within: Collection[str] | None,
) -> dict[str, float]:
    """See Graph.propagate."""
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


def lucene(text: str) -> str:
    """Ask for any of the words, in the title or anywhere; empty when no word says anything.

    The property `words` holds title and text folded, `title` the title as it is typed: so a word
    of the title counts twice, and a name is found with and without its accents. Words are letters
    and digits in quotes: none of it is syntax.
    """
    folded = [word for word in dict.fromkeys(words(text)) if word not in STOP][:QUERY_WORDS]
    typed = [
        word for word in dict.fromkeys(m.lower() for m in WORD.findall(text)) if word not in STOP
    ]
    clauses = [f'words:"{word}"' for word in folded]
    clauses += [f'title:"{word}"' for word in dict.fromkeys([*folded, *typed[:QUERY_WORDS]])]
    return " ".join(clauses)
