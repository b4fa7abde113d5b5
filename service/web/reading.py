"""Routes that look something up: searches, documents, passages, entities, answers, counts."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response
from fastapi.responses import PlainTextResponse

from ...kg.errors import NotFound
from ...kg.store import Graph, GraphStore
from ...kg.types import Found
from ...kg.where import conditions
from ..given import MAX_QUESTION
from ..graph.show import show_json, shown
from ..hits import Hit
from ..payloads import hits_json
from ..settings import DEFAULT_RETRIEVER, SHOWN
from . import public
from .asking import Served
from .engine import Engine
from .metrics import MEDIA_TYPE
from .shapes import ConditionText, RetrieverName, Sources

router = APIRouter(prefix="/v1")
open_router = APIRouter(tags=["state"])
# Ids of entities are names, and those of documents their makers' choice: "ac/dc"; hence `:path`.
ThingId = Annotated[str, Path(min_length=1, max_length=128, pattern=r"^[^\x00-\x1f]+$")]


def _search(
    engine: Engine,
    question: str,
    retriever: str,
    limit: int,
    where: list[str],
    sources: Sources,
) -> dict[str, Any]:
    hits: list[Hit] = engine.hop.search(
        question, retriever=retriever, limit=limit, where=where, sources=sources
    )
    return public.public(hits_json(question, retriever, hits))


@router.get("/search", summary="Rank passages for a question", tags=["questions"])
async def search(
    engine: Served,
    q: Annotated[str, Query(min_length=1, max_length=MAX_QUESTION)],
    retriever: RetrieverName = DEFAULT_RETRIEVER,
    limit: Annotated[int, Query(ge=1, le=50)] = 10,
    where: Annotated[list[ConditionText], Query(max_length=8)] = [],  # noqa: B006
    sources: Annotated[Sources, Query()] = None,
) -> dict[str, Any]:
    """Find the passages that a question or some words need, as `hoptrail search --json` does."""
    return await engine.look(partial(_search, engine, q, retriever, limit, where, sources))


async def _found(
    engine: Engine, what: str, work: Callable[[GraphStore], dict | None]
) -> dict[str, Any]:
    found = await engine.look(lambda: work(engine.hop.store))
    if found is None:
        raise NotFound(f"The graph holds no {what} of that id.")
    return found


@router.get("/documents", summary="List documents, page by page", tags=["documents"])
async def documents(
    engine: Served,
    after: Annotated[str, Query(max_length=128)] = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    where: Annotated[list[ConditionText], Query(max_length=8)] = [],  # noqa: B006
) -> dict[str, Any]:
    """List documents by id, those that fulfil all conditions; `next` is the cursor for `after`.

    It is null at the end; `total` counts them all.
    """
    work = partial(public.listed_json, engine.hop.store, after, limit, conditions(where))
    return await engine.look(work)


@router.get("/documents/{id:path}", summary="Show a document", tags=["documents"])
async def document(
    engine: Served,
    id: ThingId,  # noqa: A002 - what the route calls it
    after: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> dict[str, Any]:
    """Show a document with its passages from number `after` on."""
    return await _found(
        engine, "document", lambda graph: public.document_json(graph, id, after, limit)
    )


def _passage(graph: Graph, id_: str) -> dict[str, Any] | None:
    passage = graph.passages([id_]).get(id_)
    if passage is None:
        return None
    [said] = shown(graph, [Found("passage", id_, passage.title)])
    place = {"document_id": passage.document_id, "position": passage.position}
    return public.public({**said, **place})


@router.get("/passages/{id}", summary="Show a passage", tags=["graph"])
async def passage(engine: Served, id: ThingId) -> dict[str, Any]:  # noqa: A002
    """Show a passage and what surrounds it."""
    return await _found(engine, "passage", lambda graph: _passage(graph, id))


@router.get("/entities/{id:path}", summary="Show an entity and its neighbours", tags=["graph"])
async def entity(engine: Served, id: ThingId) -> dict[str, Any]:  # noqa: A002
    """Show what is said of an entity, and which passages mention it."""
    return await _found(engine, "entity", lambda graph: public.entity_json(graph, id))


@router.get("/questions", summary="List what was asked last, page by page", tags=["questions"])
async def questions(
    engine: Served,
    after: Annotated[str, Query(max_length=128)] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> dict[str, Any]:
    """List recorded answers, the newest first; `next` is the cursor for `after`, null at last."""
    return await _found(engine, "answer", lambda graph: public.questions_json(graph, after, limit))


def _answer(graph: GraphStore, id_: str) -> dict[str, Any] | None:
    found = public.answer_of(graph, id_)
    return None if found is None else public.recorded_json(graph, found)


@router.get("/answers/{id}", summary="Show a recorded answer", tags=["questions"])
async def answer(engine: Served, id: ThingId) -> dict[str, Any]:  # noqa: A002
    """Show an answer as it was given, as far as its evidence is still in the graph."""
    return await _found(engine, "answer", lambda graph: _answer(graph, id))


@router.get("/things", summary="Show everything that a name may mean", tags=["graph"])
async def things(
    engine: Served,
    name: Annotated[str, Query(min_length=1, max_length=MAX_QUESTION)],
    limit: Annotated[int, Query(ge=1, le=200)] = SHOWN,
) -> dict[str, Any]:
    """Show what a name, a file's name or an id means, as `hoptrail show --json` does."""
    found = await engine.look(lambda: show_json(engine.hop.store, name, limit))
    return public.public(found)


@router.get("/stats", summary="Count what the graph holds", tags=["graph"])
async def stats(engine: Served) -> dict[str, int]:
    """Count documents, passages, entities and facts."""
    return await engine.look(engine.hop.statistics)


@router.get("/about", summary="Tell what the service is made of", tags=["state"])
async def about(engine: Served) -> dict[str, Any]:
    """Tell version, encoder, model, methods, retrievers and limits."""
    from ..settings import METHODS, RETRIEVERS

    said = await engine.look(engine.about)
    return {**said, "methods": list(METHODS), "retrievers": list(RETRIEVERS)}


@open_router.get("/health", summary="Tell that the process answers")
async def health() -> dict[str, str]:
    """Say that it lives, and nothing else."""
    return {"status": "alive"}


@open_router.get("/ready", summary="Tell whether questions can be answered")
async def ready(engine: Served, response: Response) -> dict[str, Any]:
    """Say whether models are loaded and the graph can be reached; 503 when not."""
    why = await engine.look(engine.ready)
    response.status_code = 503 if why else 200
    return {"ready": not why, "why": why or None}


@open_router.get(
    "/metrics", summary="Counts and times for Prometheus", response_class=PlainTextResponse
)
async def metrics(engine: Served) -> Response:
    """Write the metrics of this process."""
    return Response(engine.metrics.text(), media_type=MEDIA_TYPE)
