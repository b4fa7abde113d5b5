"""What the graph keeps of Wikidata: items, links that lead to them, statements of them."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Protocol

from .text.words import stable_id


@dataclass(frozen=True, slots=True)
class LinkedItem:
    """An item of Wikidata, as an endpoint knew it.

    Args:
        id: QID.
        endpoint: that was asked.
        fetched_at: ISO 8601, UTC.
    """

    id: str
    label: str
    description: str
    endpoint: str
    fetched_at: str


@dataclass(frozen=True, slots=True)
class ItemLink:
    """In a document an entity means an item; elsewhere the same name may mean another.

    Args:
        item_id: QID.
        score: of the item, see `kg.wikidata.linking`.
        margin: by how much it was ahead of the next.
        method: fingerprint of the linker.
        reason: what spoke for it, for people.
    """

    document_id: str
    entity_id: str
    item_id: str
    score: float
    margin: float
    method: str
    reason: str


@dataclass(frozen=True, slots=True)
class Claim:
    """What Wikidata states of an item; no passage does, so it is no triple.

    Times have as many parts as are known: "1899-05-02", "1899-05", "1899".

    Args:
        item_id: QID.
        pid: of the property.
        relation: the property's label.
        value: a label, a time, a number, a text.
        value_id: QID of a value that is an item.
        rank: "preferred" or "normal"; deprecated statements are none.
        unit: label of a quantity's unit, "" where it has none.
        start: qualifier start time, "" where it is not said.
        end: qualifier end time.
        point_in_time: qualifier.
        statement: the statement's own id, "" of an endpoint that has direct claims alone.
        endpoint: that was asked.
        fetched_at: ISO 8601, UTC.
    """

    item_id: str
    pid: str
    relation: str
    value: str
    value_id: str | None
    rank: str
    unit: str
    start: str
    end: str
    point_in_time: str
    statement: str
    endpoint: str
    fetched_at: str

    @property
    def id(self) -> str:
        """Make an id of the statement's own, else of all that is stated."""
        said = self.statement or stable_id(self.pid, self.value_id or self.value)
        return stable_id("claim", self.item_id, said)

    @property
    def said(self) -> str:
        """Write the value with its unit and times: "Jens Thorkil (2007-03 to 2018-12-31)"."""
        times = f"{self.start} to {self.end}".strip() if self.start or self.end else ""
        times = times or self.point_in_time
        return " ".join(filter(None, (self.value, self.unit, f"({times})" if times else "")))


@dataclass(frozen=True, slots=True)
class Origin:
    """Where evidence comes from that no document states.

    Args:
        item: QID.
        pid: of the property.
        endpoint: that said so.
        date: ISO 8601, UTC; "undated" where that is not known.
        claim: id of the one that the graph keeps; None for all of that property, and for what an
            endpoint was asked live.
    """

    item: str
    pid: str
    endpoint: str
    date: str
    claim: str | None = None

    @property
    def text(self) -> str:
        """Write it in a line, as the extractor of triples and the source of passages."""
        said = ("wikidata", self.item, self.pid, self.endpoint, self.date, self.claim)
        return " ".join(filter(None, said))

    @property
    def shown(self) -> str:
        """Write it for people."""
        return f"Wikidata {self.item} {self.pid} · {self.endpoint} · {self.date}"

    @classmethod
    def of(cls, text: str) -> "Origin | None":
        """Read what `text` wrote; None for all else."""
        found = _ORIGIN.fullmatch(text)
        return cls(*found.groups()) if found else None

    def to_dict(self) -> dict[str, str | None]:
        """Return plain values, as `ask --json` prints them."""
        return asdict(self)

    @classmethod
    def of_claim(cls, claim: Claim) -> "Origin":
        """Give that of a claim."""
        day = claim.fetched_at[:10] or "undated"
        return cls(claim.item_id, claim.pid, claim.endpoint, day, claim.id)


_ORIGIN = re.compile(r"wikidata (Q\d+) (P\d+) (\S+) (\d{4}-\d\d-\d\d|undated)(?: ([0-9a-f]{24}))?")


class LinkedGraph(Protocol):
    """What questions ask of it; `Graph.wikidata`."""

    def items(self, item_ids: Collection[str]) -> dict[str, LinkedItem]:
        """Return items by QID, in the order asked, those that are there."""
        ...

    def links(self, entity_ids: Collection[str]) -> list[ItemLink]:
        """Return what entities mean, by (entity, document)."""
        ...

    def linked(self, item_ids: Collection[str]) -> list[ItemLink]:
        """Return what means these items, by (entity, document): aliases of one thing meet."""
        ...

    def linked_by(self, document_ids: Collection[str]) -> dict[str, str]:
        """Return the fingerprint of what linked documents, by id, also of those without links."""
        ...

    def item_ids(self) -> list[str]:
        """Return the QIDs of all items that a link leads to, sorted."""
        ...

    def stated(self) -> bool:
        """Say whether anything is stated of any item."""
        ...

    def claims(self, item_ids: Collection[str]) -> list[Claim]:
        """Return what is stated of items, by (item, property, id)."""
        ...

    def stating(self, item_ids: Collection[str]) -> list[Claim]:
        """Return claims whose values are items that links lead to, by (item, property, id)."""
        ...

    def claims_about(self, entity_ids: Collection[str], limit: int = 100) -> list[Claim]:
        """Return what is stated of the items that entities mean, by (item, property, id)."""
        ...


class KeepsLinks(LinkedGraph, Protocol):
    """What is written to it, each call one transaction; `GraphStore.wikidata`.

    `Entity.wikidata_id` and `description` follow: those of the item that all links of an entity
    lead to, and None where they lead to several, or there is none. Links go with their document.
    """

    def link(
        self,
        document_ids: Collection[str],
        method: str,
        links: Sequence[ItemLink],
        items: Iterable[LinkedItem],
    ) -> None:
        """Keep what entities mean in some documents, in place of what was kept of these.

        What leads from a document or an entity that is not there is passed over.

        Args:
            document_ids: all that were looked at.
            method: fingerprint of what looked.
            links: of these documents.
            items: that the links lead to, and may lead to; of known ones what is new counts.
        """
        ...

    def unlink(self, document_ids: Collection[str] | None = None) -> int:
        """Take out the links of documents, or of all; return how many there were.

        With all of them go all items and claims.
        """
        ...

    def state(self, item_ids: Collection[str], claims: Iterable[Claim]) -> None:
        """Keep what is stated of items, in place of all that was kept of these."""
        ...

    def forget_claims(self) -> int:
        """Take all claims out; return how many there were."""
        ...
