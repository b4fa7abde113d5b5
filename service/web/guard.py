"""What stands before every route: hosts, origins, keys, sizes, headers; a line and counts for each.

A plain ASGI middleware around all, the routes of MCP among it: what a route forgets can't be open.
"""

import asyncio
import json
import logging
import secrets
import time
from collections.abc import MutableMapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from . import problems
from .keys import Key, Keys
from .keys import Scope as KeyScope
from .metrics import Metrics
from .problems import Refused
from .settings import Bounds

log = logging.getLogger("hoptrail.access")
UPLOADS = "/v1/documents"
OPEN = frozenset({"/", "/health", "/ready", "/favicon.ico"})
"""Paths without a key: they tell nothing of the graph. So do the page's files below /page/."""
READING = frozenset({"/v1/ask", "/v1/ask/stream", "/mcp"})
"""Paths whose POST only reads, but for answers that are recorded."""
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
UNKNOWN_KEY = "The key that came is not known here. Keys come as Authorization: Bearer KEY."
HEADERS = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; frame-ancestors 'none'; "
        "base-uri 'none'; form-action 'self'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@dataclass
class Guard:
    """Lets through what may pass, and refuses the rest with problem details.

    Args:
        app: what it stands before.
        keys: that clients have; None asks for none.
        hosts: names under which the service may be asked, without a port; "*" is any.
    """

    app: ASGIApp
    keys: Keys | None
    hosts: tuple[str, ...]
    bounds: Bounds
    metrics: Metrics = field(default_factory=Metrics)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        head = scope["method"] == "HEAD"
        if head:  # no route knows it: what GET answers, without its body
            scope = {**scope, "method": "GET"}
        request = _Request(scope, receive, send, self.bounds, head=head)
        with self.metrics.under_way():
            try:
                scope["state"] = {**scope.get("state", {}), "key": self._admit(request)}
                await self.app(scope, request.receive, request.send)
            except Refused as refused:
                await request.refuse(refused)
            except Exception:
                if request.status:  # it is half sent: the connection is all that can be ended
                    raise
                log.exception("request %s failed", request.id)
                await request.refuse(Refused(500, "defect", problems.of(Exception())["detail"]))
            finally:
                request.tell(self.metrics)

    def _admit(self, request: "_Request") -> Key | None:
        """The key that a request has.

        Raises:
            Refused: it may not pass.
        """
        headers, method = request.headers, request.scope["method"]
        if "*" not in self.hosts and _name(headers.get("host", "")) not in self.hosts:
            detail = "This service is not asked under that name; whoever runs it can allow it."
            raise Refused(421, "unknown-host", detail)
        if method not in SAFE:
            self._check_origin(headers)
        path = request.path
        if self.keys is None or path in OPEN or (path.startswith("/page/") and method in SAFE):
            return None
        key = self.keys.of(headers.get("authorization", ""))
        if key is None:
            if headers.get("authorization"):
                raise Refused(401, "unknown-key", UNKNOWN_KEY)
            raise Refused(401, "no-key", "Send a key: the header Authorization: Bearer KEY.")
        needed = scope_of(method, path)
        if not key.allows(needed):
            raise Refused(403, "key-scope", f"The key {key.name} may not {needed}.")
        return key

    def _check_origin(self, headers: Headers) -> None:
        """Refuse what a page of another site makes its reader's browser send."""
        site, origin = headers.get("sec-fetch-site", ""), headers.get("origin", "")
        if site in ("cross-site", "same-site"):
            raise Refused(403, "cross-site", "A page of another site may not ask for this.")
        if origin and _name(urlsplit(origin).netloc) != _name(headers.get("host", "")):
            raise Refused(403, "cross-site", "A page of another origin may not ask for this.")


def scope_of(method: str, path: str) -> KeyScope:
    """Tell what a key must be allowed for a request; what is not known to read, writes."""
    if path == "/v1/jobs" or path.startswith("/v1/jobs/"):
        return "write"
    reads = method in SAFE or (method == "POST" and path in READING)
    return "read" if reads else "write"


def _name(host: str) -> str:
    """A host without its port."""
    head, _, port = host.lower().rpartition(":")
    return head if head and port.isdigit() and (":" not in head or head.endswith("]")) else host


class _Request:
    """One request on its way: its body counted, its response completed with headers.

    Args:
        head: of the response only the head is wanted.
    """

    def __init__(
        self, scope: Scope, receive: Receive, send: Send, bounds: Bounds, *, head: bool = False
    ) -> None:
        self._head, self.method = head, "HEAD" if head else scope["method"]
        self.scope, self._receive, self._send = scope, receive, send
        self.headers = Headers(scope=scope)
        self.path = scope["path"].removeprefix(scope.get("root_path", "").rstrip("/")) or "/"
        self.id = secrets.token_hex(8)
        self.status, self._begun, self._read, self._whole = 0, time.perf_counter(), 0, False
        uploads = self.path == UPLOADS and scope["method"] == "POST"
        self._most, self._slow = bounds.upload if uploads else bounds.body, bounds.slow
        self._refused: Refused | None = None
        self._told = False

    async def receive(self) -> Message:
        """Give the next part of the body, while it is not too long and comes."""
        if not self._whole:
            length = self.headers.get("content-length", "0")
            if length.isdigit() and int(length) > self._most:
                raise self._refusing(self._too_large())
        try:
            message = await asyncio.wait_for(self._receive(), None if self._whole else self._slow)
        except TimeoutError:
            slow = Refused(408, "too-slow", "The body of the request did not come.")
            raise self._refusing(slow) from None
        if message["type"] == "http.request":
            self._whole = not message.get("more_body", False)
            self._read += len(message.get("body", b""))
            if self._read > self._most:
                raise self._refusing(self._too_large())
        return message

    def _refusing(self, refused: Refused) -> Refused:
        """Keep it: whatever a route makes of the exception, this is what the client is told."""
        self._refused = refused
        return refused

    def _too_large(self) -> Refused:
        most = f"{self._most >> 20} MiB" if self._most >= 1 << 20 else f"{self._most:,} bytes"
        return Refused(413, "too-large", f"The body is longer than {most}.")

    async def send(self, message: MutableMapping[str, Any]) -> None:
        """Send a part of the response."""
        if self._refused is not None:
            refused, self._refused, self._told = self._refused, None, True
            await self.refuse(refused)
            return
        if self._told:
            return
        await self._pass(message)

    async def _pass(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            there = {name for name, _ in message.get("headers", ())}
            more = {**HEADERS, "x-request-id": self.id, "cache-control": "no-cache"}
            extra = [(n.encode(), v.encode()) for n, v in more.items() if n.encode() not in there]
            message = {**message, "headers": [*message.get("headers", ()), *extra]}
            await self._send(message)
            if self._head:  # a stream's body could take long
                await self._send({"type": "http.response.body"})
        elif not self._head:
            await self._send(message)

    async def refuse(self, refused: Refused) -> None:
        """Answer with a problem, and close the connection if its body was not read."""
        said = problems.problem(refused.status, refused.kind, refused.detail)
        close = {} if self._whole or self.scope["method"] in SAFE else {"Connection": "close"}
        answer = problems.response(said, {**refused.headers, **close})
        if not self.status:
            await answer(self.scope, self._receive, self._pass)

    def tell(self, metrics: Metrics) -> None:
        """Count the request and write its line: never its query, which may be a question."""
        seconds = time.perf_counter() - self._begun
        route = getattr(self.scope.get("route"), "path", "other").replace(":path}", "}")
        key = (self.scope.get("state") or {}).get("key")
        metrics.request(self.method, route, self.status, seconds)
        line = {
            "id": self.id,
            "method": self.method,
            "route": route,
            "status": self.status,
            "seconds": round(seconds, 4),
            "bytes_in": self._read,
            "key": key.name if key else None,
            "client": (self.scope.get("client") or ["-"])[0],
        }
        log.info("%s", json.dumps(line))
