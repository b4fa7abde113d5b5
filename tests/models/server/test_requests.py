"""What a server may do to a client: show its key, send without end, be busy."""

import itertools
import os
import time
from contextlib import closing

import pytest
from support.scripted_server import KEY, refuse

from hoptrail.kg.errors import BadRequest, ModelUnavailable
from hoptrail.models.server import requests as module
from hoptrail.models.server.requests import Requests


@pytest.fixture
def requests(server):
    made = Requests(
        f"http://127.0.0.1:{server.server_port}/v1", KEY, retries=0, timeout=0.4, pause=1.0
    )
    yield made
    made.close()


@pytest.fixture
def pauses(monkeypatch):
    """The pauses that were made, in seconds; none is waited for."""
    made = []
    monkeypatch.setattr(module.until, "pause", made.append)
    return made


@pytest.mark.parametrize("status", [400, 401, 404, 503])
@pytest.mark.parametrize("before", [0, 108, 112, 488, 495])  # an excerpt ends in the key, too
def test_no_part_of_the_key_is_shown(server, requests, status, before):
    words = b"x" * before + KEY.encode()
    server.replies = [lambda handler, body: handler.send(status, words)]
    with pytest.raises((BadRequest, ModelUnavailable)) as caught:
        requests.post("/chat", {})
    assert KEY[:4] not in str(caught.value)
    server.replies = [refuse(status, words.decode())]
    with pytest.raises((BadRequest, ModelUnavailable)) as caught:
        requests.post("/chat", {})
    assert KEY[:4] not in str(caught.value)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_what_the_server_finds_wrong_is_not_asked_again(server, pauses, status):
    server.replies = [refuse(status, "no")] * 9
    asking = Requests(f"http://127.0.0.1:{server.server_port}/v1", KEY, retries=3, pause=1.0)
    with closing(asking), pytest.raises((BadRequest, ModelUnavailable)):
        asking.post("/chat", {})
    assert (len(server.asked), pauses) == (1, [])


def failed(**error):
    return {"error": {"message": "Provider returned error", **error}}


@pytest.mark.parametrize("code", [502, "502", 429])
def test_an_error_in_a_reply_of_status_200_is_asked_again_by_its_code(server, pauses, code):
    server.replies = [failed(code=code), {"done": True}, *[failed(code=code)] * 2]
    asking = Requests(f"http://127.0.0.1:{server.server_port}/v1", KEY, retries=1, pause=1.0)
    with closing(asking):
        assert asking.post("/chat", {}) == {"done": True}
        with pytest.raises(ModelUnavailable, match=f"{code}: Provider returned error"):
            asking.post("/chat", {})
    assert len(pauses) == 2


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (failed(code=400), BadRequest),
        (failed(code=404), ModelUnavailable),
        (failed(code="server_error"), ModelUnavailable),
        (failed(code=None, choices=[]), ModelUnavailable),
        ({"error": "Provider returned error"}, ModelUnavailable),
    ],
)
def test_an_error_in_a_reply_of_status_200_is_shown(server, pauses, requests, reply, kind):
    requests.retries, server.replies = 3, [reply]
    with pytest.raises(kind, match="Provider returned error"):
        requests.post("/chat", {})
    assert (len(server.asked), pauses) == (1, [])


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (429, {"code": "insufficient_quota", "type": "insufficient_quota"}),
        (429, {"code": None, "type": "insufficient_quota"}),
        (402, {}),
        (200, {"code": 402}),
    ],
)
def test_an_account_without_credit_is_not_asked_again(server, pauses, requests, status, error):
    body = {"error": {"message": f"You exceeded your quota ({KEY})", **error}}
    requests.retries = 3
    server.replies = [lambda handler, _: handler.send(status, body, Retry_After="1")]
    with pytest.raises(ModelUnavailable, match=r"no credit left \(You exceeded") as caught:
        requests.post("/chat", {})
    assert (len(server.asked), pauses) == (1, [])
    assert "server runs" not in str(caught.value)
    assert KEY not in str(caught.value)


def test_a_redirect_that_repeats_the_key_is_named_without_it(server, requests):
    to = f"http://127.0.0.1:{server.server_port}/v1/models?key={KEY}"
    server.replies = [lambda handler, body: handler.send(302, b"", Location=to)]
    with pytest.raises(ModelUnavailable, match="redirects to http") as caught:
        requests.post("/chat", {})
    assert KEY not in str(caught.value)


def test_a_reply_without_end_is_given_up(server, requests, monkeypatch):
    monkeypatch.setattr(module, "MAX_REPLY", 1 << 20)
    server.replies = [lambda handler, body: handler.send(200, b" " * (3 << 20) + b"{}")]
    with pytest.raises(ModelUnavailable, match="a reply of more than 1 MiB"):
        requests.post("/chat", {})


def test_a_server_that_drips_is_timed_out(server, requests):
    def drips(handler, body):
        handler.send_response(200)
        handler.send_header("Content-Length", "42")
        handler.end_headers()
        for _ in range(40):
            handler.wfile.write(b" ")
            time.sleep(0.05)
        handler.wfile.write(b"{}")

    server.replies = [drips]
    with pytest.raises(ModelUnavailable, match=r"no whole reply within 0\.4 s"):
        requests.post("/chat", {})


def test_pauses_between_tries_grow(server, requests, pauses):
    requests.retries, server.replies = 4, [refuse(503)] * 5
    with pytest.raises(ModelUnavailable, match="busy"):
        requests.post("/chat", {})
    assert len(pauses) == 4
    for pause, most in zip(pauses, (1, 2, 4, 8), strict=True):  # each with a jitter of a half
        assert most / 2 <= pause <= most
    assert all(a < b for a, b in itertools.pairwise([*pauses[::2]]))


def test_what_the_server_asks_for_is_waited(server, requests, pauses):
    requests.retries = 1
    server.replies = [refuse(429, Retry_After="7"), {"done": True}]
    assert requests.post("/chat", {}) == {"done": True}
    assert pauses == [7.0]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_child_has_connections_of_its_own(server, requests):
    def connection(handler, body):
        handler.send(200, {"port": handler.client_address[1]})

    server.replies = [connection] * 3
    before = requests.post("/chat", {})
    child = os.fork()
    if child == 0:
        try:
            os._exit(7 if requests.post("/chat", {}) != before else 8)
        finally:
            os._exit(9)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert requests.post("/chat", {}) == before
