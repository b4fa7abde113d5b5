"""A graph that was traced for one question, and the way back through it (KnowTrace §3.2, §3.3).

Both stores walk a recorded answer's graph as `Tracing` does here: see `Graph.backtrace`.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from .text.words import normal_form
from .types import Triple

Edges = Mapping[str, list[tuple[str, Triple]]]
"""Entity id → (entity id, triple) for each triple that leads there."""


@dataclass(frozen=True, slots=True)
class TracedTriple:
    """A triple with what brought it.

    Args:
        round: of exploration, from 1.
        entity: that was explored, or, where the triple names that at neither end, the end that is
            nearer to it.
        guidance: what was asked about it.
    """

    triple: Triple
    round: int
    entity: str
    guidance: str

    @property
    def ways(self) -> tuple[tuple[str, str], ...]:
        """Pairs (from, to) of entity ids: away from the entity that was explored.

        Either way where the triple names that at neither end.
        """
        head, tail, explored = self.triple.head_id, self.triple.tail_id, normal_form(self.entity)
        if explored == head:
            return ((head, tail),)
        return ((tail, head),) if explored == tail else ((head, tail), (tail, head))


@dataclass(frozen=True, slots=True)
class Tracing:
    """The graph traced for one question: G_q.

    Args:
        triples: in the order in which they came, each once.
        initial: ids of entities that exploration began at: they were in no triple by then.
        targets: ids of entities that appear in thought and answer; none without an answer.
    """

    triples: tuple[TracedTriple, ...] = ()
    initial: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()

    @classmethod
    def of(cls, traced: Iterable[TracedTriple], ends: Iterable[tuple[int, str, str]]) -> "Tracing":
        """Make one of what a store holds: see `ends`, in their order."""
        by_kind: dict[str, list[str]] = {"initial": [], "target": []}
        for _, kind, entity_id in ends:
            by_kind[kind].append(entity_id)
        return cls(tuple(traced), tuple(by_kind["initial"]), tuple(by_kind["target"]))

    def __bool__(self) -> bool:
        return bool(self.triples)

    @property
    def traced(self) -> list[tuple[int, int, str, str, str]]:
        """The triples as records have them: (order, round, entity, guidance, triple id)."""
        return [
            (place, one.round, one.entity, one.guidance, one.triple.id)
            for place, one in enumerate(self.triples)
        ]

    @property
    def ends(self) -> list[tuple[int, str, str]]:
        """Where it begins and what the answer names: (order, "initial" or "target", entity id)."""
        kinds = ("initial", self.initial), ("target", self.targets)
        return [(place, kind, key) for kind, keys in kinds for place, key in enumerate(keys)]

    def evidence(self) -> list[Triple]:
        """Walk back from the targets to the initial entities: the triples on the ways (S_q).

        A triple leads from the entity that was explored to its other end. On a way are those that
        can be reached from an initial entity and lead to a target; in the order of `triples`.
        """
        onward, back = _edges(self.triples), _edges(self.triples, back=True)
        reached, leading = _reached(self.initial, onward), _reached(self.targets, back)
        return [
            one.triple
            for one in self.triples
            if any(start in reached and end in leading for start, end in one.ways)
        ]

    def ways(self) -> list[tuple[Triple, ...]]:
        """Give the ways one by one, from an initial entity to a target: together the evidence.

        For each triple of the evidence that is on none yet, the shortest way over it, the one that
        came last first; a way that is the beginning of another is left out.
        """
        kept = set(self.evidence())
        inside = [one for one in self.triples if one.triple in kept]
        to_it = _shortest(self.initial, _edges(inside))
        from_it = _shortest(self.targets, _edges(inside, back=True))
        found: list[tuple[Triple, ...]] = []
        covered: set[Triple] = set()
        for one in reversed(inside):
            if one.triple not in covered:
                way = min(_over(one, to_it, from_it), key=len)
                found.append(tuple(dict.fromkeys(way)))
                covered |= set(way)
        return found[::-1]


def _edges(triples: Iterable[TracedTriple], *, back: bool = False) -> Edges:
    edges: dict[str, list[tuple[str, Triple]]] = defaultdict(list)
    for one in triples:
        for start, end in one.ways:
            if back:
                edges[end].append((start, one.triple))
            else:
                edges[start].append((end, one.triple))
    return edges


def _reached(starts: Iterable[str], edges: Edges) -> set[str]:
    return set(_shortest(starts, edges))


def _shortest(starts: Iterable[str], edges: Edges) -> dict[str, tuple[Triple, ...]]:
    """The shortest way to whatever can be reached, the triples in the order of the walk."""
    found: dict[str, tuple[Triple, ...]] = dict.fromkeys(starts, ())
    queue = list(found)
    for entity in queue:
        for end, triple in edges.get(entity, ()):
            if end not in found:
                found[end] = (*found[entity], triple)
                queue.append(end)
    return found


def _over(
    one: TracedTriple,
    to_it: Mapping[str, tuple[Triple, ...]],
    from_it: Mapping[str, tuple[Triple, ...]],
) -> Iterator[tuple[Triple, ...]]:
    for start, end in one.ways:
        if start in to_it and end in from_it:
            yield (*to_it[start], one.triple, *reversed(from_it[end]))


def named(text_words: Iterable[str], entities: Mapping[str, Collection[str]]) -> list[str]:
    """Find the entities that a text names: ids, in the order of their first mention.

    A longer name hides those inside it: "Birmingham" is not named by "the Birmingham riots".

    Args:
        text_words: of the text, folded (`words.words`).
        entities: the words of a name, folded, by id.
    """
    left = list(text_words)
    places: dict[str, int] = {}
    for key in sorted(entities, key=lambda key: (-len(entities[key]), key)):
        name = list(entities[key])
        for at in range(len(left) - len(name) + 1 if name else 0):
            if left[at : at + len(name)] == name:
                places.setdefault(key, at)
                left[at : at + len(name)] = [""] * len(name)
    return sorted(places, key=lambda key: places[key])
