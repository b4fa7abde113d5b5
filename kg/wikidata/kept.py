"""What the graph keeps of Wikidata, told as an endpoint would tell it; nothing is asked."""

import functools
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from ..linked import Claim, LinkedGraph
from ..text.words import normal_form
from .knowledge import Tail, Told
from .properties import INVERSE, NEAR, PARENTS, SEX, Encode, Properties, Property, Wants
from .relations import Relations


class TellsTails(Protocol):
    """A source of facts: `Knowledge` over an endpoint, or `KeptKnowledge` over a graph."""

    def tails(
        self,
        head: str | Sequence[str],
        relation: str,
        context: str = "",
        wants: Wants | None = None,
    ) -> Told | None:
        """See `Knowledge.tails`."""
        ...


class KeptKnowledge:
    """Tells tails from a graph's links and claims (`hoptrail link --statements`).

    Args:
        graph: `Graph.wikidata`.
        encode: for relations that are no property's label; None leaves those without tails.
        properties: with their aliases; None knows the labels of the claims alone.
        near: the least similarity of a relation that is no property's name to the property's label,
            −1 to 1.
        relations: what those of the graph were found to mean, which comes before all else.
    """

    def __init__(
        self,
        graph: LinkedGraph,
        encode: Encode | None = None,
        properties: Properties | None = None,
        near: float = NEAR,
        relations: Relations | None = None,
    ) -> None:
        self._graph, self._encode, self._properties = graph, encode, properties
        self._near = near
        self._relations = relations or Relations()

    def tails(
        self,
        head: str | Sequence[str],
        relation: str,
        context: str = "",
        wants: Wants | None = None,
    ) -> Told | None:
        """Tell what is kept of a head by a relation in words, see `Knowledge.tails`.

        Args:
            head: a name, which is the item that most documents link it to; or QIDs.
            relation: in words.
            context: plays no part: the documents' links have told namesakes apart.
            wants: the type of the values, where `properties` know types.
        """
        qids = self._items(head) if isinstance(head, str) else list(dict.fromkeys(head))
        claims = self._graph.claims(qids)
        stating = self._graph.stating(qids)
        wanted = self._wanted(relation, claims, stating, wants)
        for one in wanted:
            if found := [c for c in (stating if one.inverse else claims) if c.pid == one.pid]:
                return self._told(found, one)
        for one in wanted:
            others = () if one.near or one.inverse else INVERSE.get(one.pid, ())
            if found := self._of_sex(one.pid, [c for c in stating if c.pid in others]):
                return self._told(found, one._replace(inverse=True))
        return None

    def _wanted(
        self,
        relation: str,
        claims: Sequence[Claim],
        stating: Sequence[Claim],
        wants: Wants | None,
    ) -> list["_Wanted"]:
        """What a relation may mean: as was found of the graph's own, else by name, else nearest."""
        if learnt := self._relations.of(relation):
            return [_Wanted(m.pid, m.inverse, m.stated / max(m.of, 1), near=False) for m in learnt]
        properties = self._properties or self._named(claims, stating)
        had = {claim.pid for claim in claims}
        return [
            _Wanted(one.id, inverse=False, score=one.score, near=one.how in ("near", "form"))
            for one in properties.linked(relation, had, wants)
            if one.sure(self._near)
        ]

    def _of_sex(self, pid: str, claims: list[Claim]) -> list[Claim]:
        """A father is no mother, where that is stated."""
        if pid not in PARENTS or not claims:
            return claims
        sexes: dict[str, set[str | None]] = {}
        for claim in self._graph.claims({one.item_id for one in claims}):
            if claim.pid == SEX:
                sexes.setdefault(claim.item_id, set()).add(claim.value_id)
        return [c for c in claims if PARENTS[pid] in sexes.get(c.item_id, {PARENTS[pid]})]

    def _items(self, name: str) -> list[str]:
        links = Counter(link.item_id for link in self._graph.links([normal_form(name)]))
        ranked = sorted(links, key=lambda qid: (-links[qid], int(qid[1:])))
        return ranked[:1]

    def _named(self, *claims: Sequence[Claim]) -> Properties:
        """The properties whose names the graph keeps, else those of claims by their labels."""
        if self._relations.known:
            return _made(self._relations.known, self._encode)
        labels = {claim.pid: claim.relation for some in claims for claim in some}
        return Properties((Property(*one) for one in sorted(labels.items())), self._encode)

    def _told(self, claims: list[Claim], wanted: "_Wanted") -> Told:
        """Preferred statements alone, where there are any: the others were true once."""
        first = claims[0]
        if wanted.inverse:
            items = self._graph.items([one.item_id for one in claims])
            by = {one.item_id: one.id for one in reversed(claims)}
            tails = [Tail(item.label or qid, qid, (), by[qid]) for qid, item in items.items()]
            head = first.value_id or "", first.value
        else:
            item = self._graph.items([first.item_id])[first.item_id]
            preferred = [one for one in claims if one.rank == "preferred"] or claims
            every = (Tail(one.value, one.value_id, (), one.id) for one in preferred)
            tails = list(dict.fromkeys(every))
            head = first.item_id, item.label or item.id
        return Told(
            *head,
            first.pid,
            first.relation,
            tuple(tails),
            inverse=wanted.inverse,
            endpoint=first.endpoint,
            at=_seconds(first.fetched_at),
            score=wanted.score,
        )


@functools.lru_cache(maxsize=4)  # with the vectors of their names
def _made(known: tuple[Property, ...], encode: Encode | None) -> Properties:
    return Properties(known, encode)


class _Wanted(NamedTuple):
    """A property that a relation may mean; `near`: by no name of it, so in this direction alone."""

    pid: str
    inverse: bool
    score: float
    near: bool


def _seconds(time: str) -> float:
    try:
        return datetime.fromisoformat(time).timestamp()
    except ValueError:
        return 0.0
