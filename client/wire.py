"""What goes over the wire: requests, the errors that answers mean, events of a stream."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx

from ..kg.errors import (
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
    StoreUnavailable,
    UnsupportedServer,
)

TIMEOUT = 150.0  # seconds; the service's own limit for a question is 120
_ERRORS: dict[str, type[HoptrailError]] = {
    "bad-request": BadRequest,
    "invalid": BadRequest,
    "cancelled": Cancelled,
    "deadline-passed": DeadlinePassed,
    "not-found": NotFound,
    "empty-graph": EmptyGraph,
    "encoder-mismatch": EncoderMismatch,
    "schema-mismatch": SchemaMismatch,
    "store-unavailable": StoreUnavailable,
    "unsupported-server": UnsupportedServer,
    "model-missing": ModelMissing,
    "model-unavailable": ModelUnavailable,
}
_STEPS = {
    "no-key": "Give it to the client, or in HOPTRAIL_KEY on the command line.",
    "unknown-key": "Check what the client was given, or HOPTRAIL_KEY on the command line.",
}


@dataclass(frozen=True, slots=True)
class Call:
    """A request: method, path below the service's address, and what httpx is told besides."""

    method: str
    path: str
    more: Mapping[str, Any] = field(default_factory=dict)


def ask(question: str, options: Mapping[str, Any]) -> Call:
    """Ask a question."""
    return Call("POST", "v1/ask", {"json": {"question": question, **options}})


def steps(question: str, options: Mapping[str, Any]) -> Call:
    """Ask a question step by step."""
    return Call("POST", "v1/ask/stream", {"json": {"question": question, **options}})


def search(query: str, options: Mapping[str, Any]) -> Call:
    """Rank passages."""
    return Call("GET", "v1/search", {"params": {"q": query, **options}})


def show(name: str, limit: int | None) -> Call:
    """Show what a name may mean."""
    wanted = {"name": name} if limit is None else {"name": name, "limit": limit}
    return Call("GET", "v1/things", {"params": wanted})


def thing(kind: str, id_: str, *rest: str) -> Call:
    """Get a thing of a kind by its id."""
    return Call("GET", "/".join(["v1", kind, quote(id_, safe=""), *rest]))


def delete(kind: str, id_: str) -> Call:
    """Remove a document, or cancel a job."""
    return Call("DELETE", f"v1/{kind}/{quote(id_, safe='')}")


def documents(after: str, where: str | Iterable[str]) -> Call:
    """List a page of documents."""
    given = [where] if isinstance(where, str) else list(where)
    return Call("GET", "v1/documents", {"params": {"after": after, "limit": 200, "where": given}})


def send(path: Path) -> Call:
    """Send a file, read whole."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadRequest(f"{path} can't be read ({error}).") from None
    return Call("POST", "v1/documents", {"files": {"file": (path.name, content)}})


def send_text(title: str, text: str, source: str, metadata: Mapping[str, Any]) -> Call:
    """Send a text."""
    body = {"title": title, "text": text, "source": source, "metadata": dict(metadata)}
    return Call("POST", "v1/documents", {"json": body})


def headers(key: str) -> dict[str, str]:
    """Make the headers of every request."""
    return {"Authorization": f"Bearer {key}"} if key else {}


def address(url: str) -> str:
    """Check the service's address, and end it with a slash, so that paths are below it.

    Raises:
        BadRequest: it is none.
    """
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise BadRequest(f"{url!r} is no address of a service ({error}).") from None
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise BadRequest(f"{url!r} is no address of a service; it looks like http://host:8321")
    return url.rstrip("/") + "/"


def answer(response: httpx.Response) -> Any:  # noqa: ANN401 - JSON
    """Give what a response holds.

    Raises:
        HoptrailError: the problem that it tells of, as the error that the service met.
    """
    if response.status_code == 204:
        return None
    try:
        said = response.json()
    except ValueError:
        said = None
    if response.is_success and said is not None:
        return said
    raise error(said if isinstance(said, dict) else {}, response)


def error(said: Mapping[str, Any], response: httpx.Response) -> HoptrailError:
    """Make the error of a problem."""
    kind = str(said.get("type", "")).rpartition("/")[2]
    where = f"{response.url.host}: HTTP {response.status_code}"
    detail = said.get("detail") or f"{where}, which is no answer of Hoptrail's service."
    return _ERRORS.get(kind, StoreUnavailable)(str(detail), _STEPS.get(kind, ""))


def unreached(url: str, cause: httpx.HTTPError) -> StoreUnavailable:
    """Make the error of a service that does not answer."""
    why = str(cause) or type(cause).__name__
    return StoreUnavailable(f"The service at {url} does not answer ({why}). Check that it runs.")


class Events:
    """Takes the lines of a stream, and gives its events: name and data."""

    def __init__(self, response: httpx.Response) -> None:
        self._response, self._name = response, "message"

    def of(self, line: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Give the event that a line completes.

        Raises:
            HoptrailError: the stream says what went wrong.
        """
        name, _, value = line.partition(":")
        if name == "event":
            self._name = value.strip()
        elif name == "data":
            data = json.loads(value)
            if self._name == "error":
                raise error(data, self._response)
            yield self._name, data
