"""Along the edges of the SQLite graph: a hop's two looks, and a layer of message passing."""

import json
import re
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import numpy as np

from ..candidates import Bridge, Candidates, PassageCandidate, Ways
from ..text.words import encodable
from ..types import KEYWORD_CAP, LinkKind, Scored, Vector
from ..vectors import DECIMALS, Vectors
from .columns import columns, selected
from .file import put_ids
from .vectors import nearest

NAMED_TITLES = """
SELECT passage.id FROM temp.asked CROSS JOIN passage ON normal_title = asked.id AND position = 0
"""
NAMES = """
SELECT source, target, 1 FROM temp.asked CROSS JOIN names ON source = asked.id
UNION ALL SELECT target, source, 0 FROM temp.asked CROSS JOIN names ON target = asked.id
"""
NAMING = """
SELECT asked.id, count(*) FROM temp.asked CROSS JOIN names ON target = asked.id GROUP BY asked.id
"""
ENTITIES = """
SELECT asked.id, entity.id, entity.terms, entity.passages FROM temp.asked
CROSS JOIN mentions ON passage_id = asked.id CROSS JOIN entity ON entity.id = entity_id
WHERE entity.passages BETWEEN 2 AND ?
"""
MENTIONING = """
SELECT entity_id, passage_id FROM temp.asked CROSS JOIN mentions ON entity_id = asked.id
"""
CANDIDATES = """
SELECT passage.id, number, normal_title, terms, {text_key}
FROM temp.asked CROSS JOIN passage USING (id)
"""
WITHIN = "SELECT passage.id FROM temp.inside CROSS JOIN passage USING (id)"
_EITHER_WAY = """
SELECT source, target FROM temp.asked CROSS JOIN {table} ON source = asked.id
UNION ALL SELECT target, source FROM temp.asked CROSS JOIN {table} ON target = asked.id
"""
_SHARING = f"""
SELECT DISTINCT asked.id, other.passage_id FROM temp.asked
CROSS JOIN mentions mine ON mine.passage_id = asked.id
CROSS JOIN entity ON entity.id = mine.entity_id AND entity.passages BETWEEN 2 AND {KEYWORD_CAP}
CROSS JOIN mentions other ON other.entity_id = entity.id
"""
KEYS = "SELECT passage.id, {text_key} FROM temp.asked CROSS JOIN passage USING (id)"
NUMBERS = "SELECT id, number FROM temp.asked CROSS JOIN passage USING (id) ORDER BY id"
NEIGHBOURS: dict[LinkKind, str] = {
    "NEXT": _EITHER_WAY.format(table="next"),
    "SHARES_KEYWORD": _SHARING,
    "NAMES": _EITHER_WAY.format(table="names"),
}


def candidates(
    db: sqlite3.Connection,
    vectors: Vectors,
    vector: Vector,
    texts: Sequence[Scored],
    titles: Collection[str],
    stems: Collection[str],
    pool: int,
    inside: bool,
) -> Candidates:
    """See Graph.candidates.

    Args:
        vectors: all passages', or those inside.
        texts: what keyword search found.
    """
    scores = {scored.id: scored.score for scored in texts}
    if inside:
        ids = {row[0] for row in db.execute(WITHIN)}
    else:
        ids = {scored.id for scored in nearest(db, "passage", vectors, vector, pool + 1)} | set(
            scores
        )
        put_ids(db, titles)
        ids |= {row[0] for row in db.execute(NAMED_TITLES)}
    asked = _held(stems)
    put_ids(db, asked)
    frequencies = dict(db.execute("SELECT id, passages FROM temp.asked JOIN term USING (id)"))
    counted = "SELECT count(*) FROM passage"  # takes 10 ms for a million
    count = db.execute(counted).fetchone()[0] if inside else len(vectors.numbers)
    return Candidates(count, frequencies, _candidates(db, vectors, vector, asked, ids, scores))


def bridges(
    db: sqlite3.Connection,
    vectors: Vectors,
    vector: Vector,
    scores: Mapping[str, float],
    stems: Collection[str],
    ways: Ways,
    known: Mapping[str, PassageCandidate],
    inside: bool,
) -> list[Bridge]:
    """See Graph.bridges; `vectors` as for `candidates`."""
    put_ids(db, scores)
    names: set[tuple[str, str]] = set()
    named: set[tuple[str, str]] = set()
    for source, target, forward in db.execute(NAMES):
        (names if forward else named).add((source, target))
    put_ids(db, {title for _, title in names} | {title for title, _ in named})
    naming = dict(db.execute(NAMING))
    rarest = _rarest(db, scores, set(stems), len(ways.shares) - 1)

    def across(pair: tuple[str, str]) -> tuple[int, int, int | None]:
        source, target = pair
        by_name = naming[target] if pair in names else 0
        return by_name, naming[source] if pair in named else 0, rarest.get(pair)

    pairs = sorted(pair for pair in names | named | rarest.keys() if pair[0] != pair[1])
    if inside:
        kept = {row[0] for row in db.execute(WITHIN)}
        pairs = [pair for pair in pairs if pair[1] in kept]
    strength: dict[str, float] = {}
    for pair in pairs:
        source, target = pair
        link = ways.link(*across(pair))
        strength[target] = max(strength.get(target, 0.0), scores[source] * link)
    new = sorted(strength.keys() - known.keys(), key=lambda id_: (-strength[id_], id_))
    asked = _held(stems)
    read = _candidates(db, vectors, vector, asked, new[: ways.links], {})
    found = {**known, **{candidate.id: candidate for candidate in read}}
    return [
        Bridge(source, found[target], *across((source, target)))
        for source, target in pairs
        if target in found
    ]


def _rarest(
    db: sqlite3.Connection, ids: Collection[str], stems: set[str], most: int
) -> dict[tuple[str, str], int]:
    """For each of these passages and each that shares an unasked entity: how rare the rarest is."""
    put_ids(db, ids)
    mentioned: dict[str, tuple[int, list[str]]] = {}
    for source, entity, terms, passages in db.execute(ENTITIES, (most,)):
        if entity in mentioned:
            mentioned[entity][1].append(source)
        elif not stems.issuperset(json.loads(terms)):
            mentioned[entity] = (passages, [source])
    put_ids(db, mentioned)
    rarest: dict[tuple[str, str], int] = {}
    for entity, target in db.execute(MENTIONING):
        passages, sources = mentioned[entity]
        for source in sources:
            pair = source, target
            if passages < rarest.get(pair, most + 1):
                rarest[pair] = passages
    return rarest


def _candidates(
    db: sqlite3.Connection,
    vectors: Vectors,
    vector: Vector,
    stems: Sequence[str],
    ids: Collection[str],
    scores: dict[str, float],
) -> list[PassageCandidate]:
    put_ids(db, ids)
    rows = db.execute(CANDIDATES.format(text_key=_text_key(db))).fetchall()
    if not rows:
        return []
    _, cosines = vectors.cosines([row[1] for row in rows], vector)
    covered = _covered(stems)
    return [
        PassageCandidate(id_, cosine, scores.get(id_, 0.0), title, covered(held), key)
        for (id_, _, title, held, key), cosine in zip(rows, cosines.tolist(), strict=True)
    ]


def _text_key(db: sqlite3.Connection) -> str:
    return selected(db, "passage", columns("passage", ["text_key"]))


def _covered(stems: Sequence[str]) -> Callable[[str], frozenset[str]]:
    """Which of the stems a passage's JSON array of terms holds.

    Parsing a thousand arrays would take longer than all else; one expression takes half of what
    looking for each stem does.
    """
    if not stems:
        return lambda held: frozenset()
    spelt = {json.dumps(stem, ensure_ascii=False)[1:-1]: stem for stem in stems}
    find = re.compile(f'"({"|".join(map(re.escape, spelt))})"').findall
    return lambda held: frozenset([spelt[found] for found in find(held)])


def _held(stems: Collection[str]) -> list[str]:
    return [stem for stem in dict.fromkeys(stems) if encodable(stem)]


def propagate(
    db: sqlite3.Connection,
    vectors: Vectors,
    distances: Mapping[str, float],
    senders: Collection[str],
    alpha: float,
    vector: Vector,
    kinds: Collection[LinkKind],
) -> dict[str, float]:
    """See Graph.propagate; `vectors` are all passages', or those that may receive."""
    put_ids(db, [id_ for id_ in senders if id_ in distances])
    pairs = {pair for kind in dict.fromkeys(kinds) for pair in db.execute(NEIGHBOURS[kind])}
    put_ids(db, {end for pair in pairs for end in pair})
    keys = dict(db.execute(KEYS.format(text_key=_text_key(db))))
    messages: dict[str, float] = {}
    for source, target in pairs:
        if source != target and (not keys[source] or keys[source] != keys[target]):
            sent = distances[source]
            messages[target] = min(messages.get(target, sent), sent)
    return {
        id_: alpha * distances.get(id_, unchanged) + (1 - alpha) * messages[id_]
        for id_, unchanged in _distances(db, vectors, vector, messages)
    }


def _distances(
    db: sqlite3.Connection, vectors: Vectors, vector: Vector, ids: Collection[str]
) -> Iterable[tuple[str, float]]:
    """1 - cosine of those that have a vector here, by id."""
    put_ids(db, ids)
    rows = db.execute(NUMBERS).fetchall()
    here, cosines = vectors.cosines([number for _, number in rows], vector)
    distances = 1 - np.round(cosines.astype(np.float64), DECIMALS)
    there = (id_ for (id_, _), held in zip(rows, here, strict=True) if held)
    return zip(there, distances.tolist(), strict=True)
