"""What the graph keeps of Wikidata, told as an endpoint would tell it; nothing is asked."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from ..linked import Claim, LinkedGraph
from ..text.words import normal_form
from .knowledge import Tail, Told
from .properties import HAS, Encode, Meant, Properties, Property, Wants


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
    """

    def __init__(
        self,
        graph: LinkedGraph,
        encode: Encode | None = None,
        properties: Properties | None = None,
        near: float = -1.0,
    ) -> None:
        self._graph, self._encode, self._properties = graph, encode, properties
        self._near = near

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
        if not claims:
            return None
        properties = self._properties or self._named(claims)
        had = {claim.pid for claim in claims}
        for meant in properties.linked(relation, had, wants):
            if meant.how == "near" and meant.score - HAS < self._near:
                continue
            if found := [claim for claim in claims if claim.pid == meant.id]:
                return self._told(found, meant)
        return None

    def _items(self, name: str) -> list[str]:
        links = Counter(link.item_id for link in self._graph.links([normal_form(name)]))
        ranked = sorted(links, key=lambda qid: (-links[qid], int(qid[1:])))
        return ranked[:1]

    def _named(self, claims: Sequence[Claim]) -> Properties:
        labels = {claim.pid: claim.relation for claim in claims}
        return Properties((Property(*one) for one in sorted(labels.items())), self._encode)

    def _told(self, claims: list[Claim], meant: Meant) -> Told:
        """Preferred statements alone, where there are any: the others were true once."""
        first = claims[0]
        item = self._graph.items([first.item_id])[first.item_id]
        preferred = [one for one in claims if one.rank == "preferred"] or claims
        tails = dict.fromkeys(Tail(one.value, one.value_id) for one in preferred)
        return Told(
            first.item_id,
            item.label or item.id,
            meant.id,
            first.relation,
            tuple(tails),
            inverse=False,
            endpoint=first.endpoint,
            at=_seconds(first.fetched_at),
            score=meant.score,
        )


def _seconds(time: str) -> float:
    try:
        return datetime.fromisoformat(time).timestamp()
    except ValueError:
        return 0.0
