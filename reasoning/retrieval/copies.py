"""The same text from several documents, or nearly the same: one passage of a ranking."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ...kg.errors import BadRequest
from ...kg.store import Graph
from ...kg.text.words import words
from ...kg.types import Scored

LOOKS = 4  # at a ranking, each DEEPER times as deep as the one before
DEEPER = 4
RUN = 3  # words: the runs of so many that two texts have in common make them near copies


def check_near(near: float) -> None:
    """Refuse a share of common runs of words that is none.

    Raises:
        BadRequest: not above 0 and up to 1.
    """
    if not 0 < near <= 1:
        raise BadRequest(f"near={near:g} is no share of words, above 0 and up to 1 (copies alone).")


def distinct(
    graph: Graph, ranked: Callable[[int], Sequence[Scored]], limit: int, near: float = 1.0
) -> list[Scored]:
    """Take the best of a ranking, of copies the first, looking deeper where these take the places.

    Args:
        graph: of the passages.
        ranked: gives so many of the ranking, best first, or more; fewer where there are no more.
        limit: how many at most.
        near: share of runs of three words from which on texts are near copies; 1: only copies are.
    """
    depth, kept = limit, list[Scored]()
    for _ in range(LOOKS if limit > 0 else 0):
        found = ranked(depth)
        kept = apart(graph, first_of_each(graph, found), limit, near)
        if len(kept) >= limit or len(found) < depth:
            break
        depth = DEEPER * max(depth, len(found))
    return kept[: max(limit, 0)]


def first_of_each(graph: Graph, found: Iterable[Scored]) -> list[Scored]:
    """Leave the copies of earlier ones out of a ranking."""
    listed = list(found)
    copies = graph.copies([scored.id for scored in listed])
    firsts: dict[str, Scored] = {}
    for scored in listed:
        firsts.setdefault(copies.get(scored.id, [scored.id])[0], scored)
    return list(firsts.values())


def apart(graph: Graph, found: Sequence[Scored], limit: int, near: float) -> list[Scored]:
    """Take the best that are no near copies of a better one, which tells of them in `also`."""
    if near >= 1:
        return list(found[:limit])
    texts = graph.passages([scored.id for scored in found])
    kept: list[tuple[Scored, frozenset[tuple[str, ...]]]] = []
    for scored in found:
        if scored.id not in texts:
            continue
        runs = _runs(texts[scored.id].text)
        place = next((n for n, (_, other) in enumerate(kept) if _common(runs, other) >= near), None)
        if place is not None:
            first, others = kept[place]
            kept[place] = replace(first, also=(*first.also, scored.id)), others
        elif len(kept) < limit:
            kept.append((scored, runs))
    return [scored for scored, _ in kept]


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    said = words(text)
    return frozenset(zip(*(said[start:] for start in range(RUN)), strict=False)) or frozenset(
        [tuple(said)]
    )


def _common(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> float:
    return len(one & other) / len(one | other)
