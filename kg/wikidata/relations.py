"""Which properties the relations of documents are: by their names, and by what both ends state."""

import functools
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Literal, NamedTuple

from ..linked import Claim
from ..store import Graph
from ..types import Triple
from .names import name_key
from .properties import INVERSE, Properties, Property

KIND = "wikidata-relations"
"""Of the graph's parameters, as which the relations are kept."""
SUPPORT = 2
"""Triples that have to be stated by a property, for a relation that is not its name."""
SHARE = 0.5
"""Of the triples that the property could state, how many it has to state."""
MOST = 5
"""Properties that a relation may mean."""


@dataclass(frozen=True, slots=True)
class Means:
    """A property that a relation of documents means.

    Args:
        label: of the property.
        inverse: the tail states it of the head.
        how: the relation is its name, or both ends of triples say so.
        stated: triples of this relation that Wikidata states by the property, in this direction.
        of: triples that it states something by that property of.
    """

    pid: str
    label: str
    inverse: bool
    how: Literal["name", "ends"]
    stated: int
    of: int


class Ends(NamedTuple):
    """A triple of a document with what is stated of the items that its ends mean there.

    Args:
        head_id: QID; None where the head is not linked.
        tail_id: QID; None where the tail is not linked.
        of_head: claims about the head.
        of_tail: claims about the tail.
    """

    triple: Triple
    head_id: str | None
    tail_id: str | None
    of_head: Sequence[Claim]
    of_tail: Sequence[Claim]


@dataclass(frozen=True)
class Relations:
    """Properties by relation; a relation is known by its folded words.

    Args:
        means: the likeliest first.
        known: properties with all their names: those that state something here, and those that
            state the same in the other direction.
    """

    means: Mapping[str, tuple[Means, ...]] = field(default_factory=dict)
    known: tuple[Property, ...] = ()

    def of(self, relation: str) -> tuple[Means, ...]:
        """Give what a relation in words means; nothing where that was not found."""
        return self.means.get(name_key(relation), ())

    @property
    def json(self) -> str:
        """Write them as a graph's parameters."""
        told = {key: [asdict(one) for one in means] for key, means in sorted(self.means.items())}
        known = [asdict(one) | {"description": ""} for one in self.known]
        return json.dumps({"relations": told, "properties": known}, ensure_ascii=False)

    @classmethod
    def kept(cls, graph: Graph) -> "Relations":
        """Read those that a graph keeps; none where it keeps none."""
        text = graph.parameters(KIND)
        return _read(text) if text else cls()


@functools.lru_cache(maxsize=4)  # each question about a relation reads them
def _read(text: str) -> Relations:
    told = json.loads(text)
    means = {key: tuple(Means(**one) for one in of) for key, of in told["relations"].items()}
    known = (Property(**one | {"aliases": tuple(one["aliases"])}) for one in told["properties"])
    return Relations(means, tuple(known))


def found(read: Iterable[Ends], properties: Properties) -> Relations:
    """Find which properties relations mean.

    One that is the name of properties means these alone, those first that state most of its
    triples. Any other, also one whose form allows several ("is village in"), means what states
    SHARE of the triples that it could state, and SUPPORT of them: head and value, or in the other
    direction tail and value, are the triple's ends. What is merely near a property's name means
    nothing here: of such nine in ten are wrong.
    """
    stated = defaultdict[str, Counter[tuple[str, bool]]](Counter)
    could = defaultdict[str, Counter[tuple[str, bool]]](Counter)
    for ends in read:
        key = name_key(ends.triple.relation)
        for inverse, claims in ((False, ends.of_head), (True, ends.of_tail)):
            could[key].update({(claim.pid, inverse) for claim in claims})
            told = (claim for claim in claims if _joins(claim, ends, inverse))
            stated[key].update({(claim.pid, inverse) for claim in told})
    means = {key: _means(key, stated[key], could[key], properties) for key in could if key}
    had = {pid for counts in could.values() for pid, _ in counts}
    wanted = had | {other for pid in had for other in INVERSE.get(pid, ())}
    known = tuple(one for pid, one in properties.by_id.items() if pid in wanted)
    return Relations({key: of for key, of in means.items() if of}, known)


def _joins(claim: Claim, ends: Ends, inverse: bool) -> bool:
    """Whether a claim about one end has the other as its value."""
    other, name = ends.tail_id, ends.triple.tail
    if inverse:
        other, name = ends.head_id, ends.triple.head
    if claim.value_id and other:
        return claim.value_id == other
    return name_key(claim.value) == name_key(name)


def _means(
    key: str,
    stated: Counter[tuple[str, bool]],
    could: Counter[tuple[str, bool]],
    properties: Properties,
) -> tuple[Means, ...]:
    meant = properties.linked(key, (), limit=MOST)  # nothing is near that no head has
    if any(one.how != "form" for one in meant):
        named = [one.id for one in meant]
        ranked = sorted(named, key=lambda pid: -stated[pid, False])
        counts = [(pid, stated[pid, False], could[pid, False]) for pid in ranked]
        return tuple(Means(p, _label(p, properties), False, "name", *of) for p, *of in counts)
    joined = [
        (pair, count)
        for pair, count in stated.items()
        if count >= SUPPORT and count >= SHARE * could[pair]
    ]
    joined.sort(key=lambda one: (-one[1], one[0][1], int(one[0][0][1:])))
    return tuple(
        Means(pid, _label(pid, properties), inverse, "ends", count, could[pid, inverse])
        for (pid, inverse), count in joined[:MOST]
    )


def _label(pid: str, properties: Properties) -> str:
    return properties.by_id[pid].label if pid in properties.by_id else pid
