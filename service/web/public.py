"""What clients are told: as the command line's JSON, but for where files lie on this machine."""

import math
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from ...kg.answers import Answer, Step
from ...kg.store import Graph, GraphStore
from ...kg.types import Statement
from ...kg.where import Condition, matching
from .. import payloads
from ..evidence import located
from ..hits import ListedDocument

UPLOADED = "upload:"
MAX_TITLES = 12  # of a step's passages
MAX_TRIPLES = 60  # of an entity


def public(value: Any) -> Any:  # noqa: ANN401 - JSON
    """Name sources by their last part, wherever they stand; what is not finite, JSON has not."""
    if isinstance(value, dict):
        return {
            name: public_source(one) if name == "source" and isinstance(one, str) else public(one)
            for name, one in value.items()
        }
    if isinstance(value, list | tuple):
        return [public(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def public_source(source: str) -> str:
    """Name a source: a URL and an upload as they are, a file without its folders."""
    if "://" in source or source.startswith(UPLOADED):
        return source
    return PurePath(source).name or source


def answer_json(answer: Answer) -> dict[str, Any]:
    """Return the object of `ask --json`."""
    return public(payloads.answer_json(answer))


def questions_json(graph: Graph, after: str, limit: int) -> dict[str, Any] | None:
    """Return recorded answers after one of them, the newest first, without their evidence.

    With the cursor of the next ones, None after the last; None where there is no such answer.
    """
    before = None
    if after:
        if (last := answer_of(graph, after)) is None:
            return None
        before = (last.created_at, last.id)
    found = graph.newest(limit, before)
    listed = [{"id": o.id, "question": o.question, "created_at": o.created_at} for o in found]
    return {"questions": listed, "next": found[-1].id if len(found) == limit else None}


def answer_of(graph: Graph, id_: str) -> Answer | None:
    """Find the recorded answer of an id."""
    return next((one for one in graph.answers([id_]) if one.id == id_), None)


def recorded_json(graph: GraphStore, answer: Answer) -> dict[str, Any]:
    """Return the same of an answer that the graph holds."""
    said = answer_json(located(graph, answer))
    return {**said, "query": graph.evidence_query(answer.id) or None}


def step_json(graph: Graph, step: Step, number: int) -> dict[str, Any]:
    """Say what a step did, for those who watch: its passages with titles, not its prompt."""
    there = graph.passages(list(step.passages[:MAX_TITLES]))
    return {
        "n": number,
        "kind": step.kind,
        "name": step.name,
        "seconds": round(step.seconds, 3),
        "tokens": step.tokens,
        "passages": [{"id": one.id, "title": one.title} for one in there.values()],
        "triples": list(step.triples),
        "beams": [chain.to_dict() for chain in step.beams],
        "text": step.output,
    }


def document_json(graph: Graph, id_: str, after: int, limit: int) -> dict[str, Any] | None:
    """Return a document with its passages from a position on; None where there is none."""
    info = graph.documents([id_]).get(id_)
    if info is None:
        return None
    ids = graph.passages_of([id_])
    shown = graph.passages(ids[after : after + limit])
    return public(
        {
            "id": info.id,
            "title": info.title,
            "source": info.source,
            "metadata": dict(info.metadata),
            "ingested_at": info.ingested_at,
            "passages_in_all": len(ids),
            "passages": [
                {
                    "id": one.id,
                    "position": one.position,
                    "heading": one.heading,
                    "page": one.page,
                    "text": one.text,
                }
                for one in shown.values()
            ],
        }
    )


def listed_json(
    graph: Graph, after: str, limit: int, conditions: Sequence[Condition] = ()
) -> dict[str, Any]:
    """Return documents by id, and the cursor of the next ones, None after the last.

    Raises:
        NotFound: there are documents, and none fulfils the conditions.
    """
    if conditions:
        meant = list(matching(graph, conditions))
        found, total = [one for one in meant if one.id > after][:limit], len(meant)
    else:
        found, total = graph.documents_after(after, limit), graph.statistics()["documents"]
    counts = graph.passage_counts([one.id for one in found])
    listed = [
        ListedDocument(d.id, d.title, d.source, counts.get(d.id, 0), d.ingested_at, d.metadata)
        for d in found
    ]
    return {
        "documents": public([one.to_dict() for one in listed]),
        "next": found[-1].id if len(found) == limit else None,
        "total": total,
    }


def entity_json(graph: Graph, id_: str) -> dict[str, Any] | None:
    """Return an entity with what is said of it, and the passages that mention it."""
    entity = graph.entities([id_]).get(id_)
    if entity is None:
        return None
    statements = graph.triples_about([id_], MAX_TRIPLES)
    mentioning = graph.passages(graph.mentioning([id_], MAX_TITLES))
    return {
        "id": entity.id,
        "name": entity.name,
        "aliases": list(entity.aliases),
        "passages_in_all": entity.passages,
        "triples": _triples(statements),
        "passages": [
            {"id": p.id, "title": p.title, "document_id": p.document_id}
            for p in mentioning.values()
        ],
    }


def _triples(statements: Sequence[Statement]) -> list[dict[str, Any]]:
    """Each once, with the passages that state it."""
    places: dict[str, list[str]] = {}
    for one in statements:
        places.setdefault(one.triple.id, []).append(one.passage_id)
    distinct = {one.triple.id: one.triple for one in statements if not one.triple.tied}
    return [
        {
            "id": t.id,
            "head": t.head,
            "relation": t.relation,
            "tail": t.tail,
            "head_id": t.head_id,
            "tail_id": t.tail_id,
            "passage_ids": places[t.id],
        }
        for t in distinct.values()
    ]
