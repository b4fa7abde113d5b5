"""Finds which of Wikidata's properties the relations of a linked graph are, and keeps that."""

from collections.abc import Iterator

from ...kg.linked import Claim
from ...kg.store import GraphStore
from ...kg.where import documents
from ...kg.wikidata.properties import Properties
from ...kg.wikidata.relations import KIND, Ends, Relations, found


def relate(store: GraphStore, properties: Properties) -> Relations:
    """Find the properties of all relations that linked ends have, and keep them with the graph.

    Args:
        store: a graph with links and claims.
        properties: know names, also those that the graph's claims lack.
    """
    relations = found(_ends(store), properties)
    if relations.means:
        store.keep_parameters(KIND, relations.json)
    else:
        store.forget_parameters(KIND)
    return relations


def _ends(store: GraphStore) -> Iterator[Ends]:
    """The triples of each document of which an end is linked there, with its claims."""
    for document in documents(store):
        stated = store.triples_of(store.passages_of([document.id]))
        triples = {one.triple.id: one.triple for one in stated if not one.triple.tied}
        names = {end for one in triples.values() for end in (one.head_id, one.tail_id)}
        links = store.wikidata.links(names) if names else []
        items = {one.entity_id: one.item_id for one in links if one.document_id == document.id}
        claims: dict[str, list[Claim]] = {}
        for claim in store.wikidata.claims(set(items.values())) if items else ():
            claims.setdefault(claim.item_id, []).append(claim)
        for triple in triples.values():
            head, tail = items.get(triple.head_id), items.get(triple.tail_id)
            if head or tail:
                of = (claims.get(qid, []) if qid else [] for qid in (head, tail))
                yield Ends(triple, head, tail, *of)
