"""The application: routes, page and MCP over one graph, behind one guard."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from threading import Thread
from typing import Any

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import compile_path
from starlette.staticfiles import StaticFiles

from ...kg.errors import HoptrailError
from ..hoptrail import Hoptrail
from . import asking, mcp, problems, reading, uploads
from .engine import Engine
from .guard import OPEN, Guard
from .ingesting import JobWorker, Tools
from .keys import Keys
from .logs import log
from .metrics import Metrics
from .problems import Refused
from .settings import Serving

PAGE = Path(__file__).parent / "page"
DESCRIPTION = (
    "Answers questions that no single document answers, with the chain of evidence. Errors are "
    "problem details (RFC 9457)."
)


def create(serving: Serving, hop: Hoptrail | None = None) -> FastAPI:
    """Make the application; it opens the graph when it starts.

    Args:
        hop: to be served; None opens the one of the settings, and closes it in the end.

    Raises:
        BadRequest: the keys can't be read, or the settings name no graph.
    """
    keys = Keys.load(Path(serving.keys)) if serving.keys else None
    metrics, own = Metrics(), hop is None
    served = Hoptrail.of(serving.settings) if hop is None else hop

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        engine = app.state.engine = Engine(served, serving.bounds, metrics, serving.browser)
        ingesting = Tools(serving, served.encoder, served.pipeline)
        app.state.jobs = ingesting.jobs
        worker = app.state.worker = JobWorker(ingesting, metrics)
        engine.at_end(worker.stop)
        Thread(target=engine.load, name="load", daemon=True).start()
        worker.start()
        try:
            async with tools.session_manager.run():
                yield
        finally:
            worker.close()
            engine.close()
            if own:
                served.close()

    app = FastAPI(
        title="Hoptrail",
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,  # it would load scripts from elsewhere
        redoc_url=None,
        generate_unique_id_function=lambda route: route.name,  # what assistants call a tool
    )
    if keys is not None:
        _declare_key(app)
    app.state.serving = serving
    app.mount("/page", StaticFiles(directory=PAGE), name="page")

    @app.get("/", include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(PAGE / "index.html")

    tools = mcp.server(lambda: app.state.engine)
    app.router.routes.extend(mcp.routes(tools))
    checked = [Depends(asking.known_parameters)]
    for router in (asking.router, reading.router, uploads.router):
        app.include_router(router, responses=_problems(), dependencies=checked)
    app.include_router(reading.open_router, responses=_problems())
    _explain(app, served)
    app.add_middleware(
        Guard,  # pyright: ignore[reportArgumentType]
        keys=keys,
        hosts=serving.hosts,
        bounds=serving.bounds,
        metrics=metrics,
    )
    return app


def _problems() -> dict[int | str, dict[str, Any]]:
    said = {
        "type": "object",
        "properties": {name: {"type": "string"} for name in ("type", "title", "detail")}
        | {"status": {"type": "integer"}},
    }
    content = {problems.MEDIA_TYPE: {"schema": said}}
    meant = {
        400: "It can't be read",
        401: "No key",
        403: "Not with this key, or from this place",
        404: "Not in the graph",
        408: "The body did not come",
        409: "The graph is empty, or of another encoder or version",
        413: "Too long",
        415: "Of a kind that nothing reads",
        421: "Not under this name",
        422: "It can't be asked so",
        502: "The language model's server does not answer",
        503: "Not now",
        504: "It took too long",
        507: "The disk is full",
    }
    return {status: {"description": text, "content": content} for status, text in meant.items()}


def _declare_key(app: FastAPI) -> None:
    """Have OpenAPI say which routes take a key."""
    described = app.openapi

    def openapi() -> dict[str, Any]:
        said = described()
        said["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
        for path, ways in said["paths"].items():
            for way in ways.values() if path not in OPEN else ():
                way["security"] = [{"key": []}]
        return said

    app.openapi = openapi


def _explain(app: FastAPI, hop: Hoptrail) -> None:
    """Turn what is raised into problem details."""

    @app.exception_handler(HoptrailError)
    async def known(request: Request, error: HoptrailError) -> JSONResponse:
        return problems.response(problems.of(error, hop.store.where))

    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> JSONResponse:
        return problems.response(problems.of(error), error.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        wrong = [
            {"where": ".".join(map(str, one["loc"])), "what": _said(one["msg"])}
            for one in error.errors()
        ]
        detail = "; ".join(f"{one['where']}: {one['what']}" for one in wrong[:5])
        return problems.response(problems.problem(422, "invalid", detail, errors=wrong[:20]))

    @app.exception_handler(HTTPException)
    async def other(request: Request, error: HTTPException) -> JSONResponse:
        kind = {404: "no-such-route", 405: "no-such-method"}.get(error.status_code, "refused")
        said = problems.problem(error.status_code, kind, str(error.detail))
        headers = dict(error.headers or {})
        if error.status_code == 405:  # it names the methods of one of several routes of that path
            headers["Allow"] = ", ".join(sorted(_methods(app, request))) or headers["Allow"]
        return problems.response(said, headers)


def _said(message: str) -> str:
    """What a validator of ours says, without the word that pydantic puts before it."""
    return message.removeprefix("Value error, ")


def _methods(app: FastAPI, request: Request) -> set[str]:
    """The methods that the path of a request takes."""
    return {
        method.upper()
        for path, methods in app.openapi()["paths"].items()
        if compile_path(path)[0].match(request.url.path)
        for method in (*methods, *(["head"] if "get" in methods else []))
    }


def from_environment() -> FastAPI:
    """Make the application as the process that started this one was told."""
    log()
    return create(Serving.from_environment())
