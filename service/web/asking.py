"""Routes that answer questions: at once, or step by step as events."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent

from ...kg.answers import Step
from ...kg.errors import BadRequest, HoptrailError
from ...kg.until import Until
from ..evidence import Considered
from . import problems, public
from .engine import Engine, log
from .shapes import Question

router = APIRouter(prefix="/v1", tags=["questions"])


def engine_of(request: Request) -> Engine:
    """The engine of the app that serves this request."""
    return request.app.state.engine


def known_parameters(request: Request) -> None:
    """Refuse parameters that the route does not have: a misspelt one would count for nothing.

    Raises:
        Refused: names them, and those that there are.
    """
    there = [field.alias for field in request.scope["route"].dependant.query_params]
    unknown = [name for name in request.query_params if name not in there]
    if unknown:
        known = f"there are: {', '.join(there)}" if there else "there are none"
        detail = f"This route has no parameter {', '.join(unknown)}; {known}."
        raise problems.Refused(422, "invalid", detail)


Served = Annotated[Engine, Depends(engine_of)]


def limit_of(engine: Engine, question: Question) -> Until:
    """How long a question may take: what is asked for, no more than the service allows."""
    most = engine.bounds.deadline
    return Until(min(question.timeout or most, most))


def considering(
    engine: Engine, asked: Question, on_step: Callable[[Step], None] = lambda step: None
) -> Callable[[], Considered]:
    """Make what answers a question, in whichever thread calls it.

    Raises:
        BadRequest: a setting that the method does not have, or a language model is lacking.
    """
    from ...reasoning.registry import METHODS

    method = METHODS[asked.method](**asked.settings.of(asked.method))
    if engine.hop.model is None and getattr(method, "needs_model", True):
        without = [name for name in METHODS if not getattr(METHODS[name](), "needs_model", True)]
        raise BadRequest(
            f"{asked.method} takes a language model, and this service has none. These methods do "
            f"without: {', '.join(without)}."
        )
    return partial(
        engine.hop.consider,
        asked.question,
        method=method,
        retriever=asked.retriever,
        within=asked.within,
        where=asked.where,
        sources=asked.sources,
        options=asked.options,
        on_step=on_step,
    )


async def until_gone(request: Request) -> None:
    """Wait until the client has left."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def answered(engine: Engine, asked: Question, work: Callable[[], Considered], until: Until):  # noqa: ANN201
    """Answer, count, and have it recorded; what a client waits for before is a place."""
    outcome = "error"
    try:
        considered = await engine.ask(work, until)
        outcome = "abstained" if considered.answer.abstained else "answered"
    except asyncio.CancelledError:
        outcome = "left"
        raise
    finally:
        engine.metrics.questions.labels(asked.method, outcome).inc()
    engine.record_later(considered, asked.record)
    return considered


@router.post("/ask", summary="Answer a question with its chain of evidence")
async def ask(asked: Question, request: Request, engine: Served) -> dict[str, Any]:
    """Answer a question with the chain of facts and the sentences that state them, or abstain.

    The object is that of `hoptrail ask --json`; the work ends when the client leaves.
    """
    work, until = considering(engine, asked), limit_of(engine, asked)
    async with engine.place():
        answering = asyncio.ensure_future(answered(engine, asked, work, until))
        gone = asyncio.ensure_future(until_gone(request))
        try:
            await asyncio.wait((answering, gone), return_when=asyncio.FIRST_COMPLETED)
            if not answering.done():
                until.cancel()
            considered = await answering
        finally:
            gone.cancel()
            answering.cancel()
    return public.answer_json(considered.answer)


async def _place(engine: Served) -> AsyncIterator[None]:
    """A place, held while the response is streamed; without one nothing is streamed."""
    async with engine.place():
        yield


@router.post(
    "/ask/stream",
    summary="Answer a question, and tell each step as it happens",
    response_class=EventSourceResponse,
    dependencies=[Depends(_place)],
)
async def ask_stream(asked: Question, engine: Served) -> AsyncIterator[ServerSentEvent]:
    """Stream `started`, each `step`, and at the end one `answer` or `error`."""
    until = limit_of(engine, asked)
    steps: asyncio.Queue[tuple[str, dict[str, Any]] | None] = asyncio.Queue()
    loop, store = asyncio.get_running_loop(), engine.hop.store
    counted = 0

    def tell(step: Step) -> None:
        nonlocal counted
        counted += 1
        told = public.step_json(store, step, counted)
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(steps.put_nowait, ("step", public.public(told)))

    number = 1
    said = {"method": asked.method, "retriever": asked.retriever, "deadline": until.seconds}
    yield ServerSentEvent(event="started", id="1", data=said)
    working = asyncio.ensure_future(_outcome(engine, asked, tell, until))
    working.add_done_callback(lambda _: steps.put_nowait(None))
    try:
        while (event := await steps.get()) is not None:
            number += 1
            yield ServerSentEvent(event=event[0], id=str(number), data=event[1])
        name, data = await working
        yield ServerSentEvent(event=name, id=str(number + 1), data=data)
    finally:
        until.cancel()
        working.cancel()


async def _outcome(
    engine: Engine, asked: Question, tell: Callable[[Step], None], until: Until
) -> tuple[str, dict[str, Any]]:
    """The last event."""
    try:
        work = considering(engine, asked, tell)
        considered = await answered(engine, asked, work, until)
    except (HoptrailError, problems.Refused) as error:
        return "error", problems.of(error, engine.hop.store.where)
    except Exception as error:  # noqa: BLE001 - a stream has begun: its last event tells
        log.exception("a question failed")
        return "error", problems.of(error)
    return "answer", public.answer_json(considered.answer)
