"""A scripted server, and the model behind it."""

import threading

import pytest
from support.scripted_server import KEY, Script, Server

from hoptrail.models.server.model import OpenAIServer
from hoptrail.models.server.requests import Requests


@pytest.fixture
def server():
    server = Server(("127.0.0.1", 0), Script)
    server.asked, server.replies, server.lock = [], [], threading.Lock()
    server.owner, server.entry, server.busy, server.busiest = "somebody", {}, 0, 0
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def open_model(server):
    """A model of the server; others when a URL or settings are given."""
    opened = []

    def open_(url=f"http://127.0.0.1:{server.server_port}/v1", name="m", **settings):
        requests = Requests(url, KEY, retries=3, timeout=1.0, pause=0.01)
        opened.append(OpenAIServer(url, name, KEY, requests=requests, **settings))
        return opened[-1]

    yield open_
    for model in opened:
        model.close()


@pytest.fixture
def model(open_model):
    return open_model()
