"""The two clients, which differ in how they wait alone."""

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Self

import httpx

from . import wire
from .wire import TIMEOUT, Call, Events

Json = dict[str, Any]
Event = tuple[str, Json]


class Client:
    """A service, asked from a thread. Errors are those of `hoptrail.kg.errors`, as in process.

    Args:
        url: of the service: "http://localhost:8321".
        key: that it asks for; "" for none.
        timeout: seconds without a word from it.
    """

    def __init__(self, url: str, key: str = "", timeout: float = TIMEOUT) -> None:
        self.url = wire.address(url)
        self._http = httpx.Client(base_url=self.url, headers=wire.headers(key), timeout=timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def ask(self, question: str, **options: Any) -> Json:  # noqa: ANN401 - the service checks them
        """Answer a question: the object of `ask --json`.

        Args:
            options: method, retriever, settings, options, within, where, sources, record,
                timeout.
        """
        return self._get(wire.ask(question, options))

    def steps(self, question: str, **options: Any) -> Iterator[Event]:  # noqa: ANN401
        """Yield what happens, as it happens: (name, data); the last is ("answer", …)."""
        yield from self._events(wire.steps(question, options))

    def search(self, query: str, **options: Any) -> Json:  # noqa: ANN401
        """Rank passages: the object of `search --json`; options are its parameters."""
        return self._get(wire.search(query, options))

    def show(self, name: str, limit: int | None = None) -> Json:
        """Show what a name may mean: the object of `show --json`.

        Args:
            name: as for `Hoptrail.show`.
            limit: as there; None for the service's own.
        """
        return self._get(wire.show(name, limit))

    def answer(self, id: str) -> Json:  # noqa: A002 - what the service calls it
        """Get a recorded answer."""
        return self._get(wire.thing("answers", id))

    def documents(self, where: str | Iterable[str] = ()) -> Iterator[Json]:
        """Yield all documents, or those that fulfil all conditions, page by page."""
        after: str | None = ""
        while after is not None:
            page = self._get(wire.documents(after, where))
            yield from page["documents"]
            after = page["next"]

    def send(self, path: str | Path) -> Json:
        """Send a file; a job ingests it, which this returns."""
        return self._get(wire.send(Path(path)))

    def send_text(
        self, title: str, text: str, source: str = "", metadata: Mapping[str, Any] | None = None
    ) -> Json:
        """Send a text; the same source again replaces it."""
        return self._get(wire.send_text(title, text, source, metadata or {}))

    def job(self, id: str) -> Iterator[Json]:  # noqa: A002
        """Yield a job whenever it has changed, until it has ended."""
        for _, job in self._events(wire.thing("jobs", id, "events")):
            yield job

    def cancel(self, id: str) -> Json:  # noqa: A002
        """Cancel a job."""
        return self._get(wire.delete("jobs", id))

    def remove(self, id: str) -> None:  # noqa: A002
        """Take a document out again, by its id."""
        self._get(wire.delete("documents", id))

    def _get(self, call: Call) -> Any:  # noqa: ANN401 - JSON
        try:
            return wire.answer(self._http.request(call.method, call.path, **call.more))
        except httpx.HTTPError as error:
            raise wire.unreached(self.url, error) from error

    def _events(self, call: Call) -> Iterator[Event]:
        try:
            with self._http.stream(call.method, call.path, **call.more) as response:
                if not response.is_success:
                    response.read()
                    wire.answer(response)
                events = Events(response)
                for line in response.iter_lines():
                    yield from events.of(line)
        except httpx.HTTPError as error:
            raise wire.unreached(self.url, error) from error


class AsyncClient:
    """The same for asyncio; see `Client`."""

    def __init__(self, url: str, key: str = "", timeout: float = TIMEOUT) -> None:
        self.url = wire.address(url)
        self._http = httpx.AsyncClient(
            base_url=self.url, headers=wire.headers(key), timeout=timeout
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def ask(self, question: str, **options: Any) -> Json:  # noqa: ANN401
        """Answer a question."""
        return await self._get(wire.ask(question, options))

    async def steps(self, question: str, **options: Any) -> AsyncIterator[Event]:  # noqa: ANN401
        """Yield what happens, as it happens."""
        async for event in self._events(wire.steps(question, options)):
            yield event

    async def search(self, query: str, **options: Any) -> Json:  # noqa: ANN401
        """Rank passages."""
        return await self._get(wire.search(query, options))

    async def show(self, name: str, limit: int | None = None) -> Json:
        """Show what a name may mean."""
        return await self._get(wire.show(name, limit))

    async def answer(self, id: str) -> Json:  # noqa: A002
        """Get a recorded answer."""
        return await self._get(wire.thing("answers", id))

    async def documents(self, where: str | Iterable[str] = ()) -> AsyncIterator[Json]:
        """Yield all documents, or those that fulfil all conditions, page by page."""
        after: str | None = ""
        while after is not None:
            page = await self._get(wire.documents(after, where))
            for one in page["documents"]:
                yield one
            after = page["next"]

    async def send(self, path: str | Path) -> Json:
        """Send a file; a job ingests it, which this returns."""
        return await self._get(wire.send(Path(path)))

    async def send_text(
        self, title: str, text: str, source: str = "", metadata: Mapping[str, Any] | None = None
    ) -> Json:
        """Send a text; the same source again replaces it."""
        return await self._get(wire.send_text(title, text, source, metadata or {}))

    async def job(self, id: str) -> AsyncIterator[Json]:  # noqa: A002
        """Yield a job whenever it has changed, until it has ended."""
        async for _, job in self._events(wire.thing("jobs", id, "events")):
            yield job

    async def cancel(self, id: str) -> Json:  # noqa: A002
        """Cancel a job."""
        return await self._get(wire.delete("jobs", id))

    async def remove(self, id: str) -> None:  # noqa: A002
        """Take a document out again, by its id."""
        await self._get(wire.delete("documents", id))

    async def _get(self, call: Call) -> Any:  # noqa: ANN401 - JSON
        try:
            return wire.answer(await self._http.request(call.method, call.path, **call.more))
        except httpx.HTTPError as error:
            raise wire.unreached(self.url, error) from error

    async def _events(self, call: Call) -> AsyncIterator[Event]:
        try:
            async with self._http.stream(call.method, call.path, **call.more) as response:
                if not response.is_success:
                    await response.aread()
                    wire.answer(response)
                events = Events(response)
                async for line in response.aiter_lines():
                    for event in events.of(line):
                        yield event
        except httpx.HTTPError as error:
            raise wire.unreached(self.url, error) from error
