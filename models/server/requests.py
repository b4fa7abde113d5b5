"""Requests to an OpenAI-compatible server: retried, within a time limit, with errors that help."""

import email.utils
import json
import math
import os
import random
import re
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from ...kg import until
from ...kg.errors import BadRequest, ModelUnavailable

BUSY = frozenset({408, 409, 429, 500, 502, 503, 504})
NO_STATUS = 599  # an error in a reply that says neither by its status nor by a code what it is
NO_CREDIT, BUSY_OR_SPENT, SPENT = 402, 429, "insufficient_quota"
MAX_WAIT = 60.0  # seconds; a server that asks for more is given up
MAX_REPLY = 64 * 2**20  # bytes of a reply
TIMEOUT = 120.0  # seconds for one try
CONNECTIONS = 256  # at a time, all kept open; httpx alone would have 100 and close all but 20
KEY_VARIABLE = "HOPTRAIL_API_KEY"


class NotServed(ModelUnavailable):
    """The server knows no such path or model."""


@dataclass
class Requests:
    """One server's address, key and patience; connects at the first request. Thread-safe.

    Args:
        url: up to and including /v1.
        key: sent as a bearer token; never part of a message.
        retries: after the first try, where the server is busy or the connection fails.
        timeout: seconds for one try as a whole, however slowly the server drips.
        pause: seconds before the first retry where the server names none; doubled each time.
    """

    url: str
    key: str = field(default="", repr=False)
    retries: int = 4
    timeout: float = TIMEOUT
    pause: float = 1.0
    _client: httpx.Client | None = field(default=None, init=False, repr=False)
    _process: int = field(default=0, init=False, repr=False)
    _closed: bool = field(default=False, init=False, repr=False)
    _lock: threading.Lock = field(
        default_factory=threading.Lock, init=False, repr=False, compare=False
    )

    def get(self, path: str) -> dict[str, Any]:
        """Get the object at `path`, relative to `url`; "~/…" to what stands before /v1.

        An array that stands alone, as some put it, is the object's `data`.
        """
        return self._send("GET", path, None)

    def post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Post a body, and give the object that the server answers with.

        Raises:
            BadRequest: the server finds the request wrong (400, 413, 422); its words are quoted.
            ModelUnavailable: anything else that is not an answer, after the retries.
        """
        return self._send("POST", path, body)

    def close(self) -> None:
        """Close the connections; idempotent. A request afterwards is a BadRequest."""
        self._closed = True
        if self._client is not None:
            self._client.close()

    def _send(self, method: str, path: str, body: Mapping[str, Any] | None) -> dict[str, Any]:
        if self._closed:
            raise BadRequest("This model is closed; open it again.")
        pause, failure = self.pause, _NoAnswer("")
        for left in range(self.retries, -1, -1):
            try:
                return self._answer(method, path, body)
            except _NoAnswer as error:
                failure = error
            if not left or (failure.wait or 0.0) > MAX_WAIT:
                break
            # Jitter: those that were refused together do not come back together.
            jittered = pause * random.uniform(0.5, 1.0)
            until.pause(jittered if failure.wait is None else failure.wait)
            pause = min(2 * pause, MAX_WAIT)
        raise ModelUnavailable(
            f"{self.url} gives no answer ({self._without_key(str(failure))}). "
            "Check that the server runs and serves this model, or try again later."
        )

    def _answer(self, method: str, path: str, body: Mapping[str, Any] | None) -> dict[str, Any]:
        """One try."""
        try:
            status, headers, content = until.or_leave(lambda: self._exchange(method, path, body))
        except (httpx.RequestError, TimeoutError) as error:
            raise _NoAnswer(f"{type(error).__name__}: {error}".rstrip(": ")) from error
        parsed = _parsed(content)
        status = _status(status, parsed)
        if status >= 400 and self.key:  # before anything is cut off in the middle of it
            content = content.replace(self.key.encode(), "…".encode())
        if status >= 400:
            raise self._failure(status, path, _reason(content), headers, parsed)
        if 300 <= status < 400:
            raise self._redirected(headers.get("location", ""))
        if isinstance(parsed, list) and method == "GET":
            parsed = {"data": parsed}
        if not isinstance(parsed, dict):
            raise _NoAnswer(f"no JSON object but {_excerpt(content)}")
        return parsed

    def _failure(
        self, status: int, path: str, reason: str, headers: httpx.Headers, parsed: object
    ) -> Exception:
        if status == NO_CREDIT or (status == BUSY_OR_SPENT and SPENT in _kinds(parsed)):
            return ModelUnavailable(
                f"{self.url}: the account has no credit left ({self._without_key(reason)}). Add "
                f"some where the key in {KEY_VARIABLE} is from, or take another key or server."
            )
        if status in BUSY:
            return _NoAnswer(f"HTTP {status}: {reason}", _retry_after(headers.get("retry-after")))
        return self._refusal(status, path, reason)

    def _exchange(
        self, method: str, path: str, body: Mapping[str, Any] | None
    ) -> tuple[int, httpx.Headers, bytes]:
        """One try; the limit holds for all of it, where httpx's own is for each piece of it."""
        ends = time.monotonic() + self.timeout
        parts, size = [], 0
        with self._connected().stream(method, self._address(path), json=body) as reply:
            for part in reply.iter_bytes():
                parts.append(part)
                size += len(part)
                if time.monotonic() > ends:
                    raise TimeoutError(f"no whole reply within {self.timeout:g} s")
                if size > MAX_REPLY:
                    raise TimeoutError(f"a reply of more than {MAX_REPLY >> 20} MiB")
        return reply.status_code, reply.headers, b"".join(parts)

    def _address(self, path: str) -> str:
        base = self.url.rstrip("/")
        return base.removesuffix("/v1") + path[1:] if path.startswith("~") else base + path

    def _connected(self) -> httpx.Client:
        with self._lock:
            if self._client is None or self._process != os.getpid():
                # A forked child would read on its parent's connections what that is answered.
                self._client, self._process = self._connect(), os.getpid()
            return self._client

    def _connect(self) -> httpx.Client:
        if not (self.key.isascii() and self.key.isprintable()):  # httpx's error would show it
            raise BadRequest(
                f"The key in {KEY_VARIABLE} can't be sent: it holds characters that no HTTP header "
                "may have."
            )
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        return httpx.Client(
            headers=headers,
            follow_redirects=False,
            # To wait for one of our own connections is no failure of the server.
            timeout=httpx.Timeout(self.timeout, pool=None),
            limits=httpx.Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS),
        )

    def _refusal(self, status: int, path: str, reason: str) -> Exception:
        reason = self._without_key(reason)
        if status in (401, 403):
            given = "was refused" if self.key else "is missing"
            return ModelUnavailable(f"{self.url}: the key in {KEY_VARIABLE} {given} ({reason}).")
        if status == NO_STATUS:
            return ModelUnavailable(f"{self.url}{path.lstrip('~')} gives an error: {reason}")
        if status in (404, 405, 501):
            return NotServed(
                f"{self.url}{path.lstrip('~')}: not found ({reason}). Check the address and the "
                "model's name: openai:http://localhost:8080/v1#name"
            )
        return BadRequest(f"{self.url} refuses the request (HTTP {status}): {reason}")

    def _redirected(self, to: str) -> ModelUnavailable:
        """Never followed: the key is for this address alone, and prompts may be, too."""
        where = self._without_key(to)[:200] or "nowhere"
        return ModelUnavailable(
            f"{self.url} redirects to {where}, which is not followed: the key and the prompts are "
            "for the address that you named. Name the other one if you trust it."
        )

    def _without_key(self, text: str) -> str:
        return text.replace(self.key, "…") if self.key else text


class _NoAnswer(Exception):
    """This try failed, the next may not.

    Args:
        wait: seconds the server asks for.
    """

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


def _parsed(content: bytes) -> object:
    """The JSON of a body; None where it is none."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _status(status: int, parsed: object) -> int:
    """The status, or the code of an error in a reply of 200, as some proxies pass it on."""
    error = _error(parsed)
    if status >= 300 or not error or (isinstance(parsed, dict) and parsed.get("choices")):
        return status
    code = str(error.get("code")) if isinstance(error, dict) else ""
    return int(code) if re.fullmatch("[45][0-9]{2}", code) else NO_STATUS


def _error(parsed: object) -> object:
    """What stands as `error` in a body; None where nothing does."""
    return parsed.get("error") if isinstance(parsed, dict) else None


def _kinds(parsed: object) -> tuple[object, ...]:
    """How an error in a body is classed."""
    error = _error(parsed)
    return (error.get("code"), error.get("type")) if isinstance(error, dict) else ()


def _reason(content: bytes) -> str:
    """The message in an error's body, as OpenAI, vLLM and llama-server put it."""
    parsed = _parsed(content)
    error = parsed.get("error", parsed) if isinstance(parsed, dict) else None
    message = error.get("message", error.get("detail")) if isinstance(error, dict) else error
    return str(message)[:500] if message else _excerpt(content)


def _excerpt(content: bytes) -> str:
    return repr(content[:120].decode("utf-8", "replace")) if content.strip() else "an empty body"


def _retry_after(value: str | None) -> float | None:
    """Seconds; the header holds seconds or a date (RFC 9110, 10.2.3)."""
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(value).timestamp() - time.time()
        except (ValueError, OverflowError):  # the latter: years that the system's clock has not
            return None
    return None if math.isnan(seconds) else max(seconds, 0.0)
