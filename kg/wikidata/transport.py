"""One request to an endpoint: within limits of time and size, never redirected, patient if told."""

import email.utils
import http.client
import queue
import re
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, TypeVar

from ..errors import EndpointUnavailable

T = TypeVar("T")

TIMEOUT = 60.0
"""Seconds for one query as a whole: what Wikidata's service gives it, too."""
MAX_BYTES = 64 << 20
IN_FLIGHT = 5
"""Queries at a time: more than five of one address Wikidata's service refuses."""
MAX_WAIT = 120.0  # seconds; an endpoint that asks for more is given up
_BUSY = frozenset({429, 502, 503})
_TIMED_OUT = re.compile(rb"TimeoutException|[Tt]imed?[ -]?out|QueryCancelled|cancelled")
_SOON = re.compile(rb"retry in (\d+) seconds", re.IGNORECASE)
_BANNED = re.compile(rb"banned until", re.IGNORECASE)
_PIECE = 1 << 16


class TooMuch(EndpointUnavailable):
    """The endpoint can't answer this much at once: out of time, cut off, too large."""


class _NotNow(Exception):
    """The endpoint is busy.

    Args:
        wait: seconds that it asks for, None where it names none.
    """

    def __init__(self, reason: str, wait: float | None) -> None:
        super().__init__(reason)
        self.wait = wait


class _Unredirected(urllib.request.HTTPRedirectHandler):
    """Leaves a redirect to the caller as an HTTPError: a query is for the address named."""

    def redirect_request(self, *args: object, **named: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        return None


OPENER = urllib.request.build_opener(_Unredirected)


@dataclass
class Transport:
    """What requests to one address share: places, a pause, limits. Thread-safe.

    Args:
        url: for messages.
        timeout: seconds for one request as a whole, however slowly the server drips.
        max_bytes: of one answer.
        in_flight: requests at a time.
        retries: after the first try, where the server says that it is busy.
        pause: seconds before a retry where the server names none; doubled each time.
    """

    url: str
    timeout: float = TIMEOUT
    max_bytes: int = MAX_BYTES
    in_flight: int = IN_FLIGHT
    retries: int = 3
    pause: float = 2.0
    _resume: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        """Make the places for requests under way."""
        self._places = threading.BoundedSemaphore(self.in_flight)

    def read(self, send: Callable[[], IO[bytes]]) -> bytes:
        """Send a request and return the body of its answer.

        Args:
            send: sends it and returns the response, by `OPENER`.

        Raises:
            TooMuch: out of time, cut off in the middle, or larger than `max_bytes`.
            EndpointUnavailable: any other failure, in words.
        """
        pause = self.pause
        for left in range(self.retries, -1, -1):
            try:
                with self._places:
                    self._wait()
                    return self._within(lambda: self._once(send))
            except _NotNow as busy:
                wait = pause if busy.wait is None else busy.wait
                if not left or wait > MAX_WAIT:
                    asks = f"; it asks to wait for {wait:.0f} s" if busy.wait else ""
                    raise EndpointUnavailable(
                        f"{self.url} does not take queries now ({busy}{asks}). Try again later."
                    ) from None
                # All threads keep to it: the limit is the address's, not the request's.
                self._resume = max(self._resume, time.monotonic() + wait)
                pause *= 2
        raise AssertionError  # the last round returns or raises

    def _wait(self) -> None:
        while (left := self._resume - time.monotonic()) > 0:
            time.sleep(min(left, 0.5))

    def _within(self, work: Callable[[], bytes]) -> bytes:
        """The result of the work, given up after `timeout`.

        In a thread of its own, since a server that drips its headers is bounded by nothing else.
        """
        box: queue.SimpleQueue[bytes | BaseException] = queue.SimpleQueue()

        def run() -> None:
            try:
                box.put(work())
            except BaseException as error:  # noqa: BLE001 - handed over to who waits
                box.put(error)

        threading.Thread(target=run, name="sparql", daemon=True).start()
        try:
            result = box.get(timeout=self.timeout)
        except queue.Empty:
            raise self._slow() from None
        if isinstance(result, BaseException):
            raise result
        return result

    def _once(self, send: Callable[[], IO[bytes]]) -> bytes:
        with self._explained(), send() as response:
            return self._body(response)

    def _body(self, response: IO[bytes]) -> bytes:
        ends, parts, size = time.monotonic() + self.timeout, [], 0
        while part := response.read1(_PIECE):  # pyright: ignore[reportAttributeAccessIssue]
            parts.append(part)
            size += len(part)
            if size > self.max_bytes:
                raise TooMuch(f"{self.url} answers with more than {self.max_bytes >> 20} MiB.")
            if time.monotonic() > ends:
                raise self._slow()
        if getattr(response, "length", None):  # as announced, less what came
            raise TooMuch(f"{self.url} breaks off in the middle of its answer.")
        return b"".join(parts)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(error) from None
        except TimeoutError:
            raise self._slow() from None
        except http.client.IncompleteRead:
            raise TooMuch(f"{self.url} breaks off in the middle of its answer.") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = getattr(error, "reason", error)
            if isinstance(reason, TimeoutError):
                raise self._slow() from None
            raise EndpointUnavailable(
                f"{self.url} can't be reached ({type(reason).__name__}: {reason}). Check the "
                "address (HOPTRAIL_SPARQL) and the network, or answer from what is kept: "
                "HOPTRAIL_OFFLINE=1."
            ) from None

    def _slow(self) -> TooMuch:
        return TooMuch(f"{self.url} does not answer within {self.timeout:g} s.")

    def _refusal(self, error: urllib.error.HTTPError) -> Exception:
        try:
            body = error.read(_PIECE)
        except (OSError, http.client.HTTPException):
            body = b""
        status, said = error.code, _excerpt(body)
        if 300 <= status < 400:
            to = error.headers.get("Location", "nowhere")[:200]
            return EndpointUnavailable(
                f"{self.url} redirects to {to!r}, which is not followed: queries are for the "
                "address that you named. Name the other one in HOPTRAIL_SPARQL if you trust it."
            )
        if _BANNED.search(body):
            return EndpointUnavailable(f"{self.url} has banned this address for a while: {said}")
        if status in _BUSY and not (status == 503 and _TIMED_OUT.search(body)):
            found = _SOON.search(body)
            wait = retry_after(error.headers.get("Retry-After"))
            return _NotNow(f"HTTP {status}", float(found[1]) if found and wait is None else wait)
        if status in (408, 504) or (status in (500, 503) and _TIMED_OUT.search(body)):
            return TooMuch(f"{self.url} gives the query up, out of time (HTTP {status}).")
        if status in (413, 414, 431):
            return TooMuch(f"{self.url} finds the query too long (HTTP {status}).")
        if status in (401, 403):
            return EndpointUnavailable(
                f"{self.url} refuses to be asked (HTTP {status}: {said}). Wikimedia's services "
                "want to know whom to write to: name a page or address in HOPTRAIL_CONTACT."
            )
        return EndpointUnavailable(f"{self.url} refuses the query (HTTP {status}: {said}).")


def retry_after(value: str | None) -> float | None:
    """Read seconds off the header, which holds seconds or a date (RFC 9110, 10.2.3)."""
    if value is None:
        return None
    if value.strip().isdigit():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, OverflowError):  # the latter: years that the system's clock has not
        return None


def _excerpt(body: bytes) -> str:
    text = re.sub(r"<[^<>]*>", " ", body[:2000].decode("utf-8", "replace"))
    return " ".join(text.split())[:200] or "an empty body"
