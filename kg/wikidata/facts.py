"""What Wikidata states of an item by one property, as a passage that states triples."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from ..linked import Claim, LinkedItem, Origin
from ..types import DocumentInfo, Passage, Statement, Triple

MAX_VALUES = 20
"""That a fact tells, of a property with many."""
_DOCUMENT = "wikidata:"


@dataclass(frozen=True, slots=True)
class Fact:
    """All that Wikidata states of an item by one property.

    Args:
        passage: the item's label as title, "property: value; value" as text; its document is the
            item, its position the property's number.
        document: what the passage is of; its source says where all this comes from.
        statements: a triple for each value.
        ends: QIDs of the values, in the order of the statements; None for what is no item.
        claims: their ids, in that order.
    """

    item: str
    passage: Passage
    document: DocumentInfo
    statements: tuple[Statement, ...]
    ends: tuple[str | None, ...]
    claims: tuple[str, ...]

    @property
    def relation(self) -> str:
        """The property's label."""
        return self.statements[0].triple.relation


def facts(claims: Iterable[Claim], items: dict[str, LinkedItem]) -> list[Fact]:
    """Make facts of claims, by (item, property); of preferred and other values the preferred.

    Args:
        claims: in that order.
        items: that they are of, by QID; claims of others are left out.
    """
    grouped = groupby(claims, key=lambda one: (one.item_id, one.pid))
    return [_fact(items[qid], list(some)) for (qid, _), some in grouped if qid in items]


def _fact(item: LinkedItem, claims: Sequence[Claim]) -> Fact:
    told = [one for one in claims if one.rank == "preferred"] or claims
    told = list({one.value: one for one in told}.values())[:MAX_VALUES]
    first, label = told[0], item.label or item.id
    origin = replace(Origin.of_claim(first), claim=None)
    text = f"{first.relation}: {'; '.join(one.said for one in told)}"
    passage = Passage(_DOCUMENT + item.id, int(first.pid[1:]), label, text)
    document = DocumentInfo(
        passage.document_id, label, origin.text, "", {"wikidata": item.id}, first.fetched_at
    )
    statements = tuple(Statement(passage.id, stated(item, one), 0, len(text)) for one in told)
    ends, ids = tuple(one.value_id for one in told), tuple(one.id for one in told)
    return Fact(item.id, passage, document, statements, ends, ids)


def stated(item: LinkedItem, claim: Claim) -> Triple:
    """Make a claim of an item a triple."""
    end = f"{claim.value} {claim.unit}".rstrip()
    return Triple(item.label or item.id, claim.relation, end, Origin.of_claim(claim).text)
