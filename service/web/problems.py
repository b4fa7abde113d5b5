"""Errors as problem details (RFC 9457)."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi.responses import JSONResponse

from ...kg.errors import (
    BadRequest,
    Cancelled,
    DeadlinePassed,
    EmptyGraph,
    EncoderMismatch,
    HoptrailError,
    ModelMissing,
    ModelUnavailable,
    NotFound,
    SchemaMismatch,
    SourceError,
    StoreUnavailable,
    UnsupportedServer,
)

NOTHING_YET = "The graph holds no documents yet. Send some to /v1/documents."
MEDIA_TYPE = "application/problem+json"
_KINDS: tuple[tuple[type[HoptrailError], int, str], ...] = (
    (DeadlinePassed, 504, "deadline-passed"),
    (Cancelled, 503, "cancelled"),
    (BadRequest, 422, "bad-request"),
    (NotFound, 404, "not-found"),
    (EmptyGraph, 409, "empty-graph"),
    (EncoderMismatch, 409, "encoder-mismatch"),
    (SchemaMismatch, 409, "schema-mismatch"),
    (StoreUnavailable, 503, "store-unavailable"),
    (UnsupportedServer, 503, "unsupported-server"),
    (ModelMissing, 503, "model-missing"),
    (ModelUnavailable, 502, "model-unavailable"),
    (SourceError, 422, "source-error"),
)


class Refused(Exception):
    """A request that is not taken up.

    Args:
        status: of HTTP.
        kind: last part of the problem's type.
        detail: what is wrong and what to do, for people.
    """

    def __init__(
        self, status: int, kind: str, detail: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.status, self.kind, self.detail = status, kind, detail
        self.headers = dict(headers or {})


def problem(status: int, kind: str, detail: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """Make the object that says what is wrong."""
    title = HTTPStatus(status).phrase
    return {"type": f"/problems/{kind}", "title": title, "status": status, "detail": detail, **more}


def of(error: Exception, where: str = "") -> dict[str, Any]:
    """Make the problem of an error; what is no error of a client's or the graph's says nothing.

    Args:
        where: the graph's place, which clients are not told.
    """
    if isinstance(error, Refused):
        return problem(error.status, error.kind, error.detail)
    if isinstance(error, HoptrailError):
        said = NOTHING_YET if isinstance(error, EmptyGraph) else error.cause
        said = said.replace(where, "the graph") if where else said
        for kind, status, name in _KINDS:
            if isinstance(error, kind):
                return problem(status, name, said)
    return problem(500, "defect", "This is a defect in Hoptrail; its log says more.")


def response(said: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> JSONResponse:
    """Make the response of a problem."""
    more = {"Retry-After": "2"} if said["status"] == 503 else {}
    more |= {"WWW-Authenticate": "Bearer"} if said["status"] == 401 else {}
    return JSONResponse(said, said["status"], {**more, **(headers or {})}, MEDIA_TYPE)
