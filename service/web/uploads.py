"""Routes that change the graph: documents sent and removed, and the jobs that ingest them."""

import asyncio
import json
import os
import secrets
import shutil
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import ValidationError
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import File, FormParser

from ...kg.errors import NotFound
from ...loaders import LOADERS
from .asking import Served
from .jobs import ENDED, Job, Jobs, place_of
from .problems import Refused
from .reading import ThingId
from .shapes import NewDocument

router = APIRouter(prefix="/v1", tags=["documents"])
LOOK = 0.3  # seconds between two looks at a job
MAX_NAME = 200
_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {"file": {"type": "string", "format": "binary"}},
                }
            },
            "application/json": {"schema": NewDocument.model_json_schema()},
        },
    }
}


def jobs_of(request: Request) -> Jobs:
    """The jobs of the app that serves this request."""
    return request.app.state.jobs


Kept = Annotated[Jobs, Depends(jobs_of)]


@router.post(
    "/documents",
    status_code=202,
    summary="Send a document, which a job then ingests",
    openapi_extra=_BODY,
    response_model=None,
)
async def send_document(request: Request, response: Response, jobs: Kept) -> dict[str, Any]:
    """Take a file as multipart/form-data, or a text as JSON; the same name replaces the former."""
    id_ = secrets.token_hex(12)
    inbox = jobs.inbox(id_)
    inbox.mkdir(parents=True, mode=0o700)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    try:
        if kind == "multipart/form-data":
            source, path = await _file(request, inbox)
        elif kind == "application/json":
            source, path = await _text(request, inbox)
        else:
            detail = "Send multipart/form-data with a file, or application/json."
            raise Refused(415, "unknown-body", detail)
        await asyncio.to_thread(_to_disk, path)
        what = "file" if kind == "multipart/form-data" else "text"
        job = await asyncio.to_thread(jobs.add, id_, source, what, path.stat().st_size)
    except BaseException:
        shutil.rmtree(inbox, ignore_errors=True)
        raise
    request.app.state.worker.wake()
    response.headers["Location"] = request.scope.get("root_path", "") + f"/v1/jobs/{id_}"
    return job.to_dict()


async def _file(request: Request, inbox: Path) -> tuple[str, Path]:
    """Write the one file of a form to the inbox as it comes; its source, and where it lies.

    Raises:
        Refused: it is no such form, or of a kind that nothing reads.
    """
    files: list[File] = []
    try:
        return await _only(request, inbox, files)
    finally:
        for file in files:
            file.close()


async def _only(request: Request, inbox: Path, files: list[File]) -> tuple[str, Path]:
    _, _, rest = request.headers["content-type"].partition("boundary=")
    boundary = rest.partition(";")[0].strip().strip('"')
    config = {"UPLOAD_DIR": str(inbox), "MAX_MEMORY_FILE_SIZE": 0, "UPLOAD_DELETE_TMP": False}
    try:
        form = FormParser(
            "multipart/form-data", lambda _: None, files.append, boundary=boundary, config=config
        )
        async for part in request.stream():
            form.write(part)
        form.finalize()
    except (FormParserError, ValueError) as error:
        raise Refused(400, "no-form", f"The body is no multipart form ({error}).") from None
    if len(files) != 1:
        raise Refused(422, "one-file", f"Send one file in a request, not {len(files)}.")
    [file] = files
    source = place_of((file.file_name or b"").decode("utf-8", "replace"))
    name = _checked(source)
    file.flush_to_disk()
    path = inbox / name
    os.replace(os.fsdecode(file.actual_file_name or b""), path)
    return source, path


def _checked(source: str) -> str:
    """The name under which a file lies in the inbox: its last part, without what steers a system.

    Raises:
        Refused: no name, or a kind that nothing reads.
    """
    name = source.partition(":")[2]
    lowered = name.lower()
    if not name.strip(". ") or any(not c.isprintable() or c in "/\\:" for c in name):
        raise Refused(422, "no-name", "The file has no name that can be kept.")
    if len(name.encode()) > MAX_NAME:
        raise Refused(422, "no-name", f"The file's name is longer than {MAX_NAME} bytes.")
    if not any(lowered.removesuffix(".gz").endswith(suffix) for suffix in LOADERS):
        raise Refused(415, "unknown-format", f"Known: {', '.join(LOADERS)}, each also as .gz.")
    return name


async def _text(request: Request, inbox: Path) -> tuple[str, Path]:
    try:
        sent = NewDocument.model_validate_json(await request.body())
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "body"
        raise Refused(422, "invalid", f"{where}: {first['msg']}") from None
    path = inbox / "document.json"
    path.write_text(json.dumps(sent.model_dump()), encoding="utf-8")
    return place_of(sent.source or sent.title), path


def _to_disk(path: Path) -> None:
    """Only what lies on the disk is acknowledged."""
    for one in (path, path.parent):
        handle = os.open(one, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@router.delete("/documents/{id}", status_code=204, summary="Remove a document", response_model=None)
async def remove_document(engine: Served, id: ThingId) -> None:  # noqa: A002 - what the route calls it
    """Take a document out again with all that follows from it."""
    if not await engine.look(partial(engine.hop.store.remove, [id])):
        raise NotFound("The graph holds no document of that id.")


@router.get("/jobs", summary="List jobs, the newest first")
async def list_jobs(jobs: Kept, limit: Annotated[int, Query(ge=1, le=200)] = 50) -> dict[str, Any]:
    """List what was sent and what became of it."""
    found = await asyncio.to_thread(jobs.newest, limit)
    return {"jobs": [job.to_dict() for job in found]}


async def _job(jobs: Jobs, id_: str) -> Job:
    job = await asyncio.to_thread(jobs.get, id_)
    if job is None:
        raise NotFound("There is no job of that id.")
    return job


@router.get("/jobs/{id}", summary="Show a job")
async def job(jobs: Kept, id: ThingId) -> dict[str, Any]:  # noqa: A002
    """Show how far a document is."""
    return (await _job(jobs, id)).to_dict()


@router.delete("/jobs/{id}", status_code=202, summary="Cancel a job")
async def cancel_job(jobs: Kept, id: ThingId) -> dict[str, Any]:  # noqa: A002
    """Cancel a job that waits or runs; what is done stays done."""
    await _job(jobs, id)
    await asyncio.to_thread(jobs.cancel, id)
    return (await _job(jobs, id)).to_dict()


async def _known(jobs: Kept, id: ThingId) -> None:  # noqa: A002
    await _job(jobs, id)


@router.get(
    "/jobs/{id}/events",
    summary="Tell how a job goes on",
    response_class=EventSourceResponse,
    dependencies=[Depends(_known)],
)
async def job_events(request: Request, jobs: Kept, id: ThingId) -> AsyncIterator[ServerSentEvent]:  # noqa: A002
    """Stream `progress` whenever something changes, and `done` at the end."""
    told, number = None, 0
    while True:
        found = await _job(jobs, id)
        if found != told:
            told, number = found, number + 1
            name = "done" if found.state in ENDED else "progress"
            yield ServerSentEvent(event=name, id=str(number), data=found.to_dict())
        if found.state in ENDED or request.app.state.engine.ending:
            return
        await asyncio.sleep(LOOK)
