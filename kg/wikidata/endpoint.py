"""A SPARQL endpoint with Wikidata's statements: asked politely, answers kept on disk."""

import hashlib
import importlib.metadata
import json
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import IO, Any, Protocol, cast

from ..errors import BadRequest, EndpointUnavailable, ModelMissing
from .queries import query
from .transport import OPENER, TIMEOUT, TooMuch, Transport
from .values import Row, Value

WIKIDATA = "https://query.wikidata.org/sparql"
WIKIDATA_API = "https://www.wikidata.org/w/api.php"
"""Where names are searched, for `WIKIDATA` alone."""
BATCH = 200
"""Values of one query."""
MAX_AGE = 30 * 86400.0
"""Seconds for which an answer is taken as it is."""


class Kept(Protocol):
    """Keeps JSON values under keys, on disk (`models.cache.Responses`)."""

    def get(self, key: str) -> Any | None:  # noqa: ANN401 - JSON
        """Give what was put under this key, None where nothing was."""
        ...

    def put(self, key: str, value: object) -> None:
        """Keep a JSON value."""
        ...


@dataclass(frozen=True)
class Answered:
    """The rows of an answer, and when the endpoint gave it (seconds since 1970)."""

    rows: list[Row]
    at: float


@dataclass
class Endpoint:
    """Asks one endpoint. Connects at the first query; thread-safe.

    Args:
        url: of the endpoint.
        kept: answers on disk, by endpoint and query; None keeps none.
        api: MediaWiki's action API, for search by name; "" where none is offered.
        offline: answer from what is kept alone, however old.
        max_age: seconds; an older answer is asked for anew.
        contact: a page or mail address, which Wikimedia's policy wants in the User-Agent.
        batch: values of one query.
        timeout: seconds for one query.
    """

    url: str = WIKIDATA
    kept: Kept | None = None
    api: str = ""
    offline: bool = False
    max_age: float = MAX_AGE
    contact: str = ""
    batch: int = BATCH
    timeout: float = TIMEOUT
    transport: Transport = field(init=False)
    asked: int = field(default=0, init=False)
    """Requests sent so far; what was kept is none."""

    def __post_init__(self) -> None:
        """Check the address.

        Raises:
            BadRequest: it is no URL of a web server.
        """
        for url in (self.url, self.api or self.url):
            parts = urllib.parse.urlsplit(url)
            if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
                raise BadRequest(
                    f"{parts._replace(netloc=parts.netloc.rpartition('@')[2]).geturl()} is no "
                    f"address of a SPARQL endpoint; one looks like {WIKIDATA}, without a password."
                )
        if self.url == WIKIDATA and not self.api:
            self.api = WIKIDATA_API
        self.transport = Transport(self.url, self.timeout)
        self._counting = threading.Lock()

    def ask(self, name: str, **values: str) -> Answered:
        """Ask one query of `queries/`.

        Args:
            name: of the query's file.
            values: its parameters, as `kg.wikidata.values` writes them.

        Raises:
            TooMuch: the endpoint can't answer that much at once.
            EndpointUnavailable: it does not answer, or not with rows; offline: nothing is kept.
        """
        text = query(name, **values)
        rows, at = self._remembered(
            f"{self.url}\n{text}", lambda: _rows(self.url, self.transport.read(self._post(text)))
        )
        return Answered([_row(self.url, row) for row in rows], at)

    def ask_each(
        self,
        name: str,
        parameter: str,
        values: Collection[str],
        write: Callable[[Sequence[str]], str],
        **others: str,
    ) -> Answered:
        """Ask one query for many values: in batches, several at a time, halved where it's too much.

        Args:
            name: of the query's file.
            parameter: that takes the values.
            values: each once, in whatever order: batches are of sorted values.
            write: writes them as SPARQL terms.
            others: the query's other parameters.

        Returns:
            All rows, in the order of the batches, and the time of the oldest answer.

        Raises:
            EndpointUnavailable: as `ask`; also where it can't answer for a single value.
        """
        ordered = sorted(set(values))
        batches = [ordered[at : at + self.batch] for at in range(0, len(ordered), self.batch)]

        def answer(batch: list[str]) -> list[Answered]:
            try:
                return [self.ask(name, **{parameter: write(batch)}, **others)]
            except TooMuch:
                if len(batch) == 1:
                    raise
            half = len(batch) // 2  # never the same again: it would cost as much
            return answer(batch[:half]) + answer(batch[half:])

        if len(batches) < 2:
            answers = [one for batch in batches for one in answer(batch)]
        else:
            answers = [one for several in self._concurrently(answer, batches) for one in several]
        oldest = min((one.at for one in answers), default=time.time())
        return Answered([row for one in answers for row in one.rows], oldest)

    def search(self, name: str, limit: int = 10) -> list[str]:
        """Search items whose label or alias begins with a name, by the API, best first.

        Args:
            name: as it is written; typing errors are not mended.
            limit: items, at most 50.

        Returns:
            QIDs; none where the endpoint comes without an API.

        Raises:
            EndpointUnavailable: as `ask`.
        """
        if not self.api or not name.strip():
            return []
        asked = {
            "action": "wbsearchentities",
            "search": name,
            "language": "en",
            "type": "item",
            "limit": str(limit),
            "format": "json",
        }
        url = f"{self.api}?{urllib.parse.urlencode(asked, errors='replace')}"
        request = urllib.request.Request(url, headers={"User-Agent": self._agent()})
        found, _ = self._remembered(
            url,
            lambda: _hits(self.api, self.transport.read(lambda: self._open(request))),
        )
        return [str(one) for one in found]

    def _remembered(self, request: str, ask: Callable[[], list[Any]]) -> tuple[list[Any], float]:
        key = hashlib.sha256(request.encode("utf-8", "surrogatepass")).hexdigest()
        known = self.kept.get(key) if self.kept else None
        if known and (self.offline or time.time() - known["at"] < self.max_age):
            return known["rows"], known["at"]
        if self.offline:
            raise EndpointUnavailable(
                f"HOPTRAIL_OFFLINE answers from what is kept alone, and nothing that {self.url} "
                "said to this is. Ask once without it."
            )
        with self._counting:
            self.asked += 1
        found, at = ask(), time.time()
        if self.kept:
            self.kept.put(key, {"endpoint": self.url, "at": at, "rows": found})
        return found, at

    def _concurrently(
        self, work: Callable[[list[str]], list[Answered]], batches: list[list[str]]
    ) -> list[list[Answered]]:
        pool, patient = ThreadPoolExecutor(self.transport.in_flight, "sparql"), True
        try:
            return list(pool.map(work, batches))
        except KeyboardInterrupt:
            patient = False
            raise
        finally:
            pool.shutdown(wait=patient, cancel_futures=True)

    def _post(self, text: str) -> Callable[[], IO[bytes]]:
        try:
            from SPARQLWrapper import JSON, POST, URLENCODED, SPARQLWrapper
        except ImportError:
            raise ModelMissing(
                'Asking a SPARQL endpoint needs SPARQLWrapper: pip install "hoptrail[wikidata]"'
            ) from None

        send = self._open

        class Wrapper(SPARQLWrapper):
            """Sends by our opener: it leaves redirects alone, and each status is an HTTPError."""

            def _query(self) -> tuple[Any, str]:
                return send(self._createRequest()), self.returnFormat

        wrapper = Wrapper(self.url, agent=self._agent())
        wrapper.setMethod(POST)
        wrapper.setRequestMethod(URLENCODED)
        wrapper.setReturnFormat(JSON)
        wrapper.setQuery(text)
        return lambda: cast(IO[bytes], wrapper.query().response)

    def _open(self, request: urllib.request.Request) -> IO[bytes]:
        return OPENER.open(request, timeout=self.timeout)

    def _agent(self) -> str:
        contact = "".join(c for c in self.contact if c.isprintable() and c.isascii())
        version = importlib.metadata.version("SPARQLWrapper")
        return f"Hoptrail/{_version()} ({contact or 'question answering'}) SPARQLWrapper/{version}"


def _version() -> str:
    try:
        return importlib.metadata.version("hoptrail")
    except importlib.metadata.PackageNotFoundError:
        return "0"


def _rows(url: str, body: bytes) -> list[dict[str, Any]]:
    """The bindings of a SELECT's answer (SPARQL 1.1 Query Results JSON)."""
    try:
        parsed = json.loads(body)
    except (ValueError, RecursionError) as error:
        if body.lstrip()[:1] == b"{":  # an answer that had begun, and broke off or went wrong
            raise TooMuch(f"{url} breaks off in the middle of its answer ({error}).") from None
        raise _no_rows(url, body) from None
    results = parsed.get("results") if isinstance(parsed, dict) else None
    found = results.get("bindings") if isinstance(results, dict) else None
    if not isinstance(found, list):
        raise _no_rows(url, body)
    for binding in found:
        _row(url, binding)  # what can't be read is not kept
    return found


def _row(url: str, binding: object) -> Row:
    """Blazegraph's and Fuseki's "typed-literal" is a literal."""
    if not isinstance(binding, dict):
        raise _no_rows(url, repr(binding).encode())
    row: Row = {}
    for name, node in binding.items():
        kind, text = (node.get("type"), node.get("value")) if isinstance(node, dict) else (0, 0)
        kind = "literal" if kind == "typed-literal" else kind
        if kind not in ("uri", "literal", "bnode") or not isinstance(text, str):
            raise _no_rows(url, repr(node).encode())
        language, datatype = node.get("xml:lang", ""), node.get("datatype", "")
        row[name] = Value(kind, text, str(language), str(datatype))
    return row


def _hits(url: str, body: bytes) -> list[str]:
    try:
        found = json.loads(body)["search"]
        return [one["id"] for one in found]
    except (ValueError, RecursionError, KeyError, TypeError):
        raise _no_rows(url, body) from None


def _no_rows(url: str, body: bytes) -> EndpointUnavailable:
    said = " ".join(body[:120].decode("utf-8", "replace").split()) or "nothing"
    return EndpointUnavailable(
        f"{url} does not answer as a SPARQL endpoint does, but with {said!r}. Check the address "
        "in HOPTRAIL_SPARQL."
    )
