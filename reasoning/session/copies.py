"""Where else passages stand: what is found and cited once names all its sources."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ...kg.answers import Citation, Copy
from ...kg.store import Graph


def copies_of(
    graph: Graph,
    passage_ids: Collection[str],
    near: Mapping[str, Collection[str]] | None = None,
    within: Collection[str] | None = None,
) -> dict[str, tuple[Copy, ...]]:
    """Find the other documents that hold these passages, sorted by source and passage id.

    Copies come first, then near copies.

    Args:
        graph: of the passages.
        passage_ids: of those that may have copies.
        near: near copies of some, by id, which have copies in turn.
        within: passages that are asked alone; None for all.
    """
    near, allowed = near or {}, None if within is None else frozenset(within)
    asked = {id_: [id_, *near.get(id_, ())] for id_ in passage_ids}
    equal = graph.copies({one for group in asked.values() for one in group})
    others = {
        id_: {
            copy
            for one in group
            for copy in equal.get(one, [one])
            if copy != id_ and (allowed is None or copy in allowed)
        }
        for id_, group in asked.items()
    }
    passages = graph.passages(sorted(set().union(*others.values()))) if any(others.values()) else {}
    documents = graph.documents({p.document_id for p in passages.values()}) if passages else {}
    made = {
        id_: Copy(id_, p.document_id, p.title, documents[p.document_id].source)
        for id_, p in passages.items()
        if p.document_id in documents
    }
    return {
        id_: tuple(
            sorted(
                (
                    replace(made[one], near=one not in equal.get(id_, ()))
                    for one in group
                    if one in made
                ),
                key=_by_source,
            )
        )
        for id_, group in others.items()
    }


def cited_once(
    graph: Graph,
    citations: Sequence[Citation],
    near: Mapping[str, Collection[str]],
    within: Collection[str] | None = None,
) -> tuple[Citation, ...]:
    """Leave the copies of earlier ones out of citations, with their votes; name all sources.

    A near copy states nothing for the one that it is like: what is cited of it stays.
    """
    cited = [citation.passage_id for citation in citations]
    copies = copies_of(graph, cited, near, within)
    kept: dict[str, Citation] = {}
    for citation in citations:
        others = copies[citation.passage_id]
        first = next((o.passage_id for o in others if o.passage_id in kept and not o.near), None)
        if first is None:
            kept[citation.passage_id] = replace(citation, also=others)
        elif citation.votes > kept[first].votes:
            kept[first] = replace(kept[first], votes=citation.votes)
    return tuple(kept.values())


def _by_source(copy: Copy) -> tuple[bool, str, str]:
    return copy.near, copy.source, copy.passage_id
