"""Along the edges of the Neo4j graph: a hop's two looks, and a layer of message passing."""

import functools
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter

from ..candidates import (
    MAX_RELATION_WORDS,
    Bridge,
    Candidates,
    PassageCandidate,
    RankedTriple,
    RankedTriples,
    Taken,
    Ways,
    may_chain,
)
from ..text.bm25 import bm25
from ..text.stemming import asked
from ..text.words import STOP, WORD, normal_form, terms, words
from ..types import PARSED, LinkKind, Passage, Scored, Statement, Triple, Vector
from ..vectors import DECIMALS
from . import rows
from .answers import TRIPLE
from .rows import floats, made
from .statements import Row, encodable

Ask = Callable[..., Row]  # the row of a statement of one, given its name and parameters

NO_WORDS = 'words:"∅"'  # a query that the full-text index takes, and that finds nothing
EVERY = 1 << 62
PASSAGE = rows.names("passage", Passage)
_SPACE = "".join(map(chr, (*range(9, 14), *range(28, 33), 0x85, 0xA0, 0x1680))) + (
    "\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
)
WORDY = rf"(?s)[{_SPACE}]*(?:[^{_SPACE}]+[{_SPACE}]+){{{MAX_RELATION_WORDS}}}[^{_SPACE}].*"
"""A relation of more words than a parse's chain takes, as `str.split` tells them (not as Java)."""
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
        places=_places(stems),
    )
    return _candidates(row, list(_flat(row, stems, row["bm25"])))


def candidates_within(
    ask: Ask,
    vector: Vector,
    text: str,
    stems: Collection[str],
    pool: int,
    within: Collection[str],
) -> Candidates:
    """See Graph.candidates; within some passages."""
    looked_for = telling(text)
    row = ask(
        "search/candidates_within",
        ids=list(dict.fromkeys(within)),
        vector=floats(vector),
        words=looked_for,
        stems=list(stems),
    )
    texts = {one[0]: tuple(one[4]) for one in row["found"] if one[4]}
    frequencies, wanted = dict(row["frequencies"]), set(stems)
    best = keywords_within(looked_for, texts, frequencies, row["passages"], pool)
    scores = {scored.id: scored.score for scored in best}
    row["frequencies"] = [(s, count) for s, count in frequencies.items() if s in wanted]
    found = [
        PassageCandidate(id_, cosine, scores.get(id_, 0.0), title, frozenset(covered), key)
        for id_, cosine, title, covered, _, key in row["found"]
    ]
    return _candidates(row, found)


def telling(text: str) -> list[str]:
    """Find the stems that a keyword search looks for."""
    return [*terms(text), *asked(text)][:QUERY_WORDS]


def keywords_within(
    wanted: Sequence[str],
    texts: Mapping[str, tuple[str, str, str]],
    frequencies: Mapping[str, int],
    passages: int,
    limit: int,
) -> list[Scored]:
    """Rank passages that hold one of these stems, given title, text and language, by BM25."""
    scores = bm25(wanted, texts, frequencies, passages)
    found = [Scored(id_, score) for id_, score in scores.items()]
    return sorted(found, key=lambda scored: (-scored.score, scored.id))[: max(limit, 0)]


def bridges(
    ask: Ask,
    scores: Mapping[str, float],
    vector: Vector,
    stems: Collection[str],
    ways: Ways,
    known: Mapping[str, PassageCandidate],
    within: Collection[str] | None,
) -> list[Bridge]:
    """See Graph.bridges."""
    ids = list(scores)
    row = ask(
        "search/bridges",
        ids=ids,
        scores=list(scores.values()),
        titled=[0.0, float(ways.named), float(ways.names)],
        most=ways.most,
        bits=ways.bits,
        shares=list(ways.shares),
        links=ways.links,
        known=list(known),
        vector=floats(vector),
        places=_places(stems),
        within=None if within is None else list(within),
    )
    found = {**known, **{target.id: target for target in _flat(row, stems)}}
    bridges = [
        bridge
        for id_, naming, numbers in row["ways"]
        for bridge in _bridges(ids, row["naming"], found[id_], naming, numbers)
    ]
    return sorted(bridges, key=lambda bridge: (bridge.source, bridge.target.id))


def _bridges(
    sources: Sequence[str],
    naming_them: Sequence[int],
    target: PassageCandidate,
    naming_it: int,
    ways: Iterable[int],
) -> Iterator[Bridge]:
    """Put the ways from each source together; see `search/bridges`."""
    titled: dict[int, int] = {}
    rarest: dict[int, int] = {}
    for number in ways:
        way, place = divmod(number, len(sources))
        if way < 4:
            titled[place] = titled.get(place, 0) | way
        else:
            rarest[place] = min(rarest.get(place, way), way)
    for place in titled.keys() | rarest.keys():
        by, passages = titled.get(place, 0), rarest.get(place, 0) >> 2
        names, named = naming_it if by & 2 else 0, naming_them[place] if by & 1 else 0
        yield Bridge(sources[place], target, names, named, passages or None)


def _places(stems: Iterable[str]) -> dict[object, int]:
    """Number the stems: a server looks a map's key up faster than it searches a list."""
    return {encodable(stem): place for place, stem in enumerate(stems)}


def _candidates(row: Row, found: list[PassageCandidate]) -> Candidates:
    found.sort(key=attrgetter("id"))
    return Candidates(row["passages"], dict(row["frequencies"]), found)


def _flat(
    row: Row, stems: Collection[str], bm25: Iterable[float] = itertools.repeat(0.0)
) -> Iterator[PassageCandidate]:
    """Candidates of flat lists; passages by the hundred cover the same few sets of stems."""
    listed = list(stems)
    held = functools.cache(lambda places: frozenset(listed[place] for place in places))
    columns = (row[name] for name in ("ids", "cosines", "titles", "covered", "keys"))
    for one, score in zip(zip(*columns, strict=True), bm25, strict=False):
        id_, cosine, title, covered, key = one
        yield PassageCandidate(id_, cosine, score, title, held(tuple(covered)), key)


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


def rank_triples(
    ask: Ask,
    chains: Sequence[Sequence[Triple]],
    passage_ids: Collection[str],
    queries: Vector,
    limit: int | None,
    within: Collection[str] | None,
    beyond: bool,
) -> RankedTriples:
    """See Graph.rank_triples."""
    asked = list(dict.fromkeys(passage_ids))
    if not chains or (limit is not None and limit <= 0):
        return RankedTriples([[] for _ in chains], {})
    row = ask(
        "search/rank_triples",
        ids=asked,
        chains=[_chain(*one, beyond) for one in zip(chains, queries, strict=True)],
        limit=EVERY if limit is None else limit,
        every=limit is None,
        within=None if within is None else list(within),
        decimals=DECIMALS,
        parsed=PARSED,
        wordy=WORDY,
        names=TRIPLE,
        held=PASSAGE,
    )
    if not row["triples"]:
        return RankedTriples([[] for _ in chains], {})
    place = {id_: number for number, id_ in enumerate(asked)}
    found: dict[str, tuple[Triple, list[Statement]]] = {}
    for id_, held, stated in row["triples"]:
        triple = made("triple", Triple, held)
        stated.sort(key=lambda one: (place.get(one[0], 0), one[0]))
        found[id_] = triple, [Statement(p, triple, start, end) for p, start, end in stated]
    scored = dict(row["found"])
    return RankedTriples(
        [_ranked(chain, scored.get(n, ()), found, limit) for n, chain in enumerate(chains)],
        {id_: made("passage", Passage, held) for id_, held in sorted(row["passages"])},
    )


def _chain(chain: Sequence[Triple], query: Vector, beyond: bool) -> Row:
    pairs = [[normal_form(end) for end in (one.head, one.tail)] for one in chain]
    return {
        "vector": floats(query),
        "from": encodable(sorted({*itertools.chain.from_iterable(pairs)})) if beyond else [],
        "said": encodable([triple.text for triple in chain]),
        "pairs": [encodable(pair) for pair in pairs],
    }


def _ranked(
    chain: Sequence[Triple],
    scored: Iterable[tuple[str, float | None]],
    found: Mapping[str, tuple[Triple, list[Statement]]],
    limit: int | None,
) -> list[RankedTriple]:
    """What the statement found; of those without a vector, which it does not sift, what may go."""
    taken, ranked, blind = Taken(chain), [], []
    for id_, score in scored:
        if id_ in found:  # else none of these passages states it
            one = RankedTriple(found[id_][0], score, found[id_][1])
            (blind if score is None else ranked).append(one)
    if limit is not None:
        blind = [one for one in blind if may_chain(one.triple) and taken.leaves(one.triple)]
    return ranked + blind


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
    anywhere = [*folded, *asked(text)][:QUERY_WORDS]
    clauses = [f'words:"{word}"' for word in anywhere]
    clauses += [f'title:"{word}"' for word in dict.fromkeys([*folded, *typed[:QUERY_WORDS]])]
    return " ".join(clauses)
