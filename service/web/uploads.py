"""Routes that change the graph: documents sent and removed, and the jobs that ingest them."""

import asyncio
import contextlib
import json
import os
import secrets
import shutil
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import IO, Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import ValidationError
from python_multipart.decoders import Base64Decoder, QuotedPrintableDecoder
from python_multipart.multipart import MultipartParser, parse_options_header

from ...kg.errors import NotFound
from ...loaders import LOADERS
from .asking import Served
from .jobs import ENDED, Job, Jobs, keeping, place_of
from .problems import Refused
from .reading import ThingId
from .shapes import NewDocument

router = APIRouter(prefix="/v1", tags=["documents"])
LOOK = 0.3  # seconds between two looks at a job
MAX_NAME = 200
_DECODERS = {b"base64": Base64Decoder, b"quoted-printable": QuotedPrintableDecoder}
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
    with keeping(jobs.folder):
        job = await _kept(request, jobs, id_)
    request.app.state.worker.wake()
    response.headers["Location"] = request.scope.get("root_path", "") + f"/v1/jobs/{id_}"
    return job.to_dict()


async def _kept(request: Request, jobs: Jobs, id_: str) -> Job:
    """Write what is sent to the inbox, and queue it; what breaks off leaves nothing there."""
    inbox = jobs.inbox(id_)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    try:
        inbox.mkdir(parents=True, mode=0o700)
        if kind == "multipart/form-data":
            source, path = await _file(request, inbox)
        elif kind == "application/json":
            source, path = await _text(request, inbox)
        else:
            detail = "Send multipart/form-data with a file, or application/json."
            raise Refused(415, "unknown-body", detail)
        await asyncio.to_thread(_to_disk, path)
        what = "file" if kind == "multipart/form-data" else "text"
        return await asyncio.to_thread(jobs.add, id_, source, what, path.stat().st_size)
    except BaseException:
        shutil.rmtree(inbox, ignore_errors=True)
        raise


class FormFile:
    """Takes a form piece by piece; its first file is written, what else it holds is passed over.

    It is closed whatever happens: else a full disk stays full of what has no name any more.

    What is no form raises ValueError, what can't be written OSError.

    Args:
        boundary: that stands between the parts.
        path: where the file is written.

    Attributes:
        names: of the files that came, as they were sent.
    """

    def __init__(self, boundary: str, path: Path) -> None:
        self.names = list[bytes]()
        self._path = path
        self._out: IO[bytes] | None = None
        self._writer: Any = None
        self._headers = dict[bytes, bytes]()
        self._name = self._value = b""
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._headers.clear,
                "on_header_field": self._on_name,
                "on_header_value": self._on_value,
                "on_header_end": self._on_header,
                "on_headers_finished": self._on_headers,
                "on_part_data": self._on_data,
                "on_part_end": self._on_end,
            },
        )

    def __enter__(self) -> "FormFile":
        return self

    def __exit__(self, *exc_info: object) -> None:
        """Give the place back of what was written, once its name is gone, too."""
        if self._out is not None:
            with contextlib.suppress(OSError):  # what is still to be written has no place
                self._out.close()

    def write(self, data: bytes) -> None:
        """Take a piece."""
        self._parser.write(data)

    def finish(self) -> None:
        """Take the end."""
        self._parser.finalize()

    def _on_name(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]

    def _on_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _on_header(self) -> None:
        self._headers[self._name.lower()] = self._value.strip(b" \t")
        self._name = self._value = b""

    def _on_headers(self) -> None:
        disposition = self._headers.get(b"content-disposition")
        _, said = parse_options_header(disposition)
        if b"name" not in said:
            raise ValueError(f"a part has no name in its Content-Disposition: {disposition!r}")
        if b"filename" not in said:
            return
        self.names.append(said[b"filename"])
        if len(self.names) == 1:
            self._out = self._path.open("wb")
            encoding = self._headers.get(b"content-transfer-encoding", b"").lower()
            decoder = _DECODERS.get(encoding)
            self._writer = decoder(self._out) if decoder else self._out

    def _on_data(self, data: bytes, start: int, end: int) -> None:
        if self._writer is not None:
            self._writer.write(data[start:end])

    def _on_end(self) -> None:
        if self._writer is not None and self._out is not None:
            if self._writer is not self._out:
                self._writer.finalize()
            self._writer = None
            self._out.close()


async def _file(request: Request, inbox: Path) -> tuple[str, Path]:
    """Write the one file of a form to the inbox as it comes; its source, and where it lies.

    Raises:
        Refused: it is no such form, or of a kind that nothing reads.
    """
    _, _, rest = request.headers["content-type"].partition("boundary=")
    boundary, sent = rest.partition(";")[0].strip().strip('"'), inbox / "sent"
    try:
        with FormFile(boundary, sent) as form:
            async for part in request.stream():
                form.write(part)
            form.finish()
    except ValueError as error:
        raise Refused(400, "no-form", f"The body is no multipart form ({error}).") from None
    if len(form.names) != 1:
        raise Refused(422, "one-file", f"Send one file in a request, not {len(form.names)}.")
    source = place_of(form.names[0].decode("utf-8", "replace"))
    path = inbox / _checked(source)
    os.replace(sent, path)
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


@router.delete(
    "/documents/{id:path}", status_code=204, summary="Remove a document", response_model=None
)
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
