"""What Wikidata says: of an entity and a relation in words, the tails with their statements."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from .endpoint import Endpoint
from .items import Item, Stated, names_of
from .linking import Linker, Ranked
from .properties import INVERSE, NEAR, PARENTS, SEX, Meant, Properties, Wants
from .values import Row, Value, entity_id, ids, language_list

HEADS = 3
"""Items that a name may mean, which are tried together with what the relation may mean."""
PROPERTIES = 5
LEAST_FIT = 0.6
"""Of the name of an item that is linked at all."""


@dataclass(frozen=True, slots=True)
class Tail:
    """A value that is stated.

    Args:
        text: its label, or a literal as the endpoint writes it.
        id: QID of an item, else None.
        aliases: of an item.
        claim: id of the claim of a graph that states it, None of an endpoint's.
    """

    text: str
    id: str | None = None
    aliases: tuple[str, ...] = ()
    claim: str | None = field(default=None, compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Give all that it is called."""
        return (self.text, *self.aliases)


@dataclass(frozen=True, slots=True)
class Told:
    """What is stated of a head by one property.

    Args:
        head: QID; of several heads the first that it is stated of.
        label: of the head.
        pid: of the property; where `inverse`, of the statements of the tails.
        phrase: the property's label.
        tails: all values, as a set has them: none is the first.
        inverse: the tails state it of the head.
        endpoint: that said so.
        at: when it said so (seconds since 1970).
        score: of head and property together.
    """

    head: str
    label: str
    pid: str
    phrase: str
    tails: tuple[Tail, ...]
    inverse: bool
    endpoint: str
    at: float
    score: float

    @property
    def statements(self) -> tuple[str, ...]:
        """Write each as ⟨head; property; tail⟩, with the ids."""
        head = f"{self.label} ({self.head})"
        ends = [f"{tail.text} ({tail.id})" if tail.id else tail.text for tail in self.tails]
        pairs = [(end, head) if self.inverse else (head, end) for end in ends]
        return tuple(f"⟨{one}; {self.phrase} ({self.pid}); {two}⟩" for one, two in pairs)


class Knowledge:
    """Answers from an endpoint, items in memory for as long as it lives.

    A question takes at most three queries for a chain of two: names, statements of the heads,
    statements of what these lead to; one less with an index of names; one more where nothing is
    stated and the other direction is tried. None where all was asked before.
    """

    def __init__(self, linker: Linker, properties: Properties) -> None:
        self.linker, self.properties = linker, properties
        self._items: dict[str, Item | None] = {}

    @property
    def endpoint(self) -> Endpoint:
        """What is asked."""
        return self.linker.endpoint

    def items(self, qids: Collection[str]) -> dict[str, Item]:
        """Give items by QID, those that the endpoint knows; each is asked for once."""
        if missing := [qid for qid in qids if qid not in self._items]:
            self._items |= {**dict.fromkeys(missing), **self.linker.items(missing)}
        return {qid: item for qid in qids if (item := self._items[qid]) is not None}

    def heads(
        self, names: Sequence[str], context: str = "", relations: Sequence[str] = ()
    ) -> list[list[Ranked]]:
        """Rank the items that each name may mean, in one go, best first.

        Args:
            names: of entities, as a question or a triple words them.
            context: the question, or passages about them.
            relations: in words, what will be asked of each: of namesakes that one is meant of
                which it is stated. As many as names, or none.

        Returns:
            In the order of the names; none that fits less than LEAST_FIT.

        Raises:
            EndpointUnavailable: as `Endpoint.ask_each`.
        """
        fits = self.linker.candidates(set(names), similar=True)
        items = self.items({qid for some in fits.values() for qid in some})
        ranked = []
        for name, relation in zip(names, relations or [""] * len(names), strict=True):
            had = {pid for qid in fits[name] if qid in items for pid in items[qid].properties}
            wanted = self.wanted(relation, had) if relation else ()
            found = self.linker.rank(name, fits[name], items, context, wanted)
            ranked.append([one for one in found if one.fit >= LEAST_FIT])
        return ranked

    def wanted(self, relation: str, had: Collection[str]) -> set[str]:
        """Give the PIDs that a relation in words may mean, of those that are had."""
        return {one.id for one in self.properties.linked(relation, had, limit=3)}

    def tails(
        self,
        head: str | Sequence[str],
        relation: str,
        context: str = "",
        wants: Wants | None = None,
        near: float = NEAR,
    ) -> Told | None:
        """Tell what Wikidata states of a head by a relation in words.

        Head and property are chosen together: the best pair of which something is stated, else in
        the other direction ("father" of whom a "child" leads to).

        Args:
            head: a name, or the QIDs of what a link before led to, which need no linking.
            relation: in words, such as "director" or "was born in".
            context: the question, or passages about the head; for a name that several things have.
            wants: the type of the values, where it is known: "when" asks for a Time.
            near: the least similarity to a property of a relation that is no property's name, −1
                to 1.

        Returns:
            None where nothing is stated, which is not the same as an endpoint out of reach.

        Raises:
            EndpointUnavailable: as `Endpoint.ask_each`.
        """
        if isinstance(head, str):
            [ranked] = self.heads([head], context, [relation])
            groups = [(one.score, [one.item]) for one in _rivals(ranked)]
        else:
            known = self.items(head)
            groups = [(0.0, [known[qid] for qid in head if qid in known])]
        pairs = [
            (score + meant.score, items, meant)
            for score, items in groups
            for meant in self._meant(relation, items, wants)
            if meant.sure(near)
        ]
        pairs.sort(key=lambda one: -one[0])
        for score, items, meant in pairs:
            if told := self._direct(items, meant, score):
                return told
        for score, items, meant in pairs:
            if told := self._inverse(items, meant, score):
                return told
        return None

    def _meant(self, relation: str, items: list[Item], wants: Wants | None) -> list[Meant]:
        had = {pid for item in items for pid in item.properties}
        return self.properties.linked(relation, had, wants, PROPERTIES)

    def _direct(self, items: list[Item], meant: Meant, score: float) -> Told | None:
        stated = [(item, s) for item in items for s in item.statements if s.pid == meant.id]
        tails = dict.fromkeys(tail_of(one) for _, one in stated if is_known(one.value))
        return self._told(stated[0][0], meant, tuple(tails), False, score) if tails else None

    def _inverse(self, items: list[Item], meant: Meant, score: float) -> Told | None:
        others = INVERSE.get(meant.id, ())
        if not others or meant.how in ("near", "form") or not items:
            return None
        answered = self.endpoint.ask_each(
            "stated_of",
            "items",
            [item.id for item in items],
            lambda some: ids(some, "Q"),
            properties=ids(others, "P"),
            languages=language_list(),
        )
        rows: dict[str, list[Row]] = {}
        for row in answered.rows:
            if item := row["item"].item:
                rows.setdefault(item, []).append(row)
        fitting = self._of_sex(meant.id, list(rows))
        named = {qid: names_of(rows[qid]) for qid in fitting}
        tails = [Tail(named[qid][0] or qid, qid, named[qid][1]) for qid in fitting]
        if not tails:
            return None
        stating = entity_id(rows[fitting[0]][0]["property"].text) or meant.id
        return self._told(items[0], Meant(stating, score, meant.how), tuple(tails), True, score)

    def _of_sex(self, pid: str, qids: list[str]) -> list[str]:
        """A father is no mother, where that is stated."""
        qids = sorted(qids, key=lambda qid: int(qid[1:]))
        if pid not in PARENTS or not qids:
            return qids
        sexes = {
            qid: {one.value.item for one in item.statements if one.pid == SEX}
            for qid, item in self.items(qids).items()
        }
        return [qid for qid in qids if not sexes.get(qid) or PARENTS[pid] in sexes[qid]]

    def _told(
        self, item: Item, meant: Meant, tails: tuple[Tail, ...], inverse: bool, score: float
    ) -> Told:
        phrase = self.properties.by_id[meant.id].label
        label = item.label or item.id
        return Told(
            item.id, label, meant.id, phrase, tails, inverse, self.endpoint.url, item.at, score
        )


def tail_of(stated: Stated) -> Tail:
    """Make a tail of what is stated."""
    return Tail(stated.text, stated.value.item, stated.aliases)


def is_known(value: Value) -> bool:
    """Say whether a value says something: an unknown one is a URI of its own, or a blank node."""
    return value.kind == "literal" or value.item is not None


def _rivals(ranked: Sequence[Ranked]) -> list[Ranked]:
    """The best, and those that are called so just as well: what is merely similar is no rival."""
    if not ranked:
        return []
    least = min(ranked[0].fit, 0.9)
    return [one for one in ranked[:HEADS] if one.fit >= least]
