"""One service for all tests of a module: a real server on a port of its own, over a small graph."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import uvicorn
from support.fakes import WordEncoder
from support.scripted_server import Script, Server

from hoptrail import Hoptrail
from hoptrail.kg.types import Document
from hoptrail.service.settings import Settings
from hoptrail.service.web.app import create
from hoptrail.service.web.settings import Bounds, Serving

TEXTS = {
    "The Salt Lantern": "The Salt Lantern is a film. The Salt Lantern was directed by Runa Eide.",
    "Runa Eide": "Runa Eide was a Norwegian director. Runa Eide was born in Vaagur.",
    "Vaagur": "Vaagur is a town on an island. The town has a theatre.",
    "Salt": "Salt is mined in Wieliczka.",
}
QUESTION = "Where was the director of The Salt Lantern born?"
BOUNDS = Bounds(upload=1 << 20, threads=2, waiting=2, slow=1.0, niceness=0)


class Service(httpx.Client):
    """A client of the running service.

    Attributes:
        hop: what it serves.
        app: that serves it.
    """

    hop: Hoptrail
    app: object

    def done(self, location: str) -> dict:
        """The job, once it has ended."""
        end = time.monotonic() + 300
        while (job := self.get(location).json())["state"] in ("queued", "running"):
            assert time.monotonic() < end, job
            time.sleep(0.05)
        return job

    def kept(self) -> list[Path]:
        """What was sent and is still there, a moment after the job that it was for has ended."""
        end = time.monotonic() + 10
        inbox = self.app.state.jobs.folder / "inbox"
        while (left := list(inbox.iterdir())) and time.monotonic() < end:
            time.sleep(0.05)
        return left

    def free(self, within: float) -> bool:
        """Whether no question is answered any more."""
        end = time.monotonic() + within
        while self.app.state.engine._under_way:
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
        return True


def prefixed(app, prefix):
    """The application behind a proxy that takes a prefix off, and knows nothing else."""

    async def proxy(scope, receive, send):
        if scope["type"] == "http":
            assert scope["path"].startswith(prefix), scope["path"]
            path = scope["path"].removeprefix(prefix)
            scope = {**scope, "path": path, "raw_path": path.encode()}
        await app(scope, receive, send)

    return proxy


@contextmanager
def served(
    folder: Path, *, model: object = None, prefix: str = "", graph: str = "", **settings: object
) -> Iterator[Service]:
    """A service over the four documents, until the block ends."""
    graph = graph or str(folder / "graph.db")
    hop = Hoptrail(graph, encoder=WordEncoder(), model=model)
    documents = [Document(f"id {t}", t, text, f"/srv/notes/{t}.txt") for t, text in TEXTS.items()]
    hop.ingest(*documents)
    settings = {"bounds": BOUNDS, "folder": str(folder / "jobs"), **settings}
    serving = Serving(Settings(graph), **settings)
    app = create(serving, hop)
    config = uvicorn.Config(
        prefixed(app, prefix), port=0, log_config=None, timeout_graceful_shutdown=2
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    with Service(base_url=f"http://127.0.0.1:{port}{prefix}", timeout=60) as client:
        client.hop, client.app = hop, app
        end = time.monotonic() + 60
        while client.get("/ready").status_code != 200:
            assert time.monotonic() < end
            time.sleep(0.05)
        yield client
    server.should_exit = True
    thread.join(30)
    assert not thread.is_alive()
    hop.close()


@pytest.fixture(scope="module")
def service(tmp_path_factory) -> Iterator[Service]:
    with served(tmp_path_factory.mktemp("service")) as client:
        yield client


@pytest.fixture(scope="module")
def waiting(tmp_path_factory) -> Iterator[Service]:
    """A service whose language model never answers."""
    server, over = Server(("127.0.0.1", 0), Script), threading.Event()
    server.asked, server.lock, server.owner, server.entry = [], threading.Lock(), "somebody", {}
    server.busy = server.busiest = 0
    server.replies = [lambda *_: over.wait()] * 1000
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    url = f"openai:http://127.0.0.1:{server.server_port}/v1#m"
    with served(tmp_path_factory.mktemp("waiting"), model=url) as client:
        yield client
    over.set()
    server.shutdown()
    thread.join()
    server.server_close()


def events(response: httpx.Response) -> Iterator[tuple[str, dict]]:
    """The events of a stream, as they come."""
    import json

    name = ""
    for line in response.iter_lines():
        field, _, value = line.partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield name, json.loads(value)
