"""What stands before every route: keys, hosts, origins, sizes."""

import json
import logging
import socket

import pytest

from hoptrail.kg.errors import BadRequest
from hoptrail.service.web.keys import Keys, add
from hoptrail.service.web.settings import check_exposure

from .conftest import served

READS = [
    "/v1/search?q=a",
    "/v1/stats",
    "/v1/about",
    "/v1/documents",
    "/metrics",
    "/openapi.json",
    "/v1/answers/x",
    "/v1/passages/x",
    "/v1/entities/x",
    "/v1/things?name=x",
    "/nothing",
]
WRITES = [
    ("POST", "/v1/documents"),
    ("DELETE", "/v1/documents/x"),
    ("GET", "/v1/jobs"),
    ("GET", "/v1/jobs/x"),
    ("GET", "/v1/jobs/x/events"),
    ("DELETE", "/v1/jobs/x"),
    ("PUT", "/nothing"),
]


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("guarded")
    made = {scope: add(folder / "keys", f"{scope}er:{scope}") for scope in ("read", "write")}
    with served(folder, keys=str(folder / "keys")) as client:
        yield client, {scope: {"authorization": f"Bearer {key}"} for scope, key in made.items()}


def every_route(client):
    said = client.app.openapi()["paths"]
    return [(method.upper(), path) for path, methods in said.items() for method in methods]


def test_no_route_but_those_that_tell_nothing_is_open(guarded):
    client, keys = guarded
    openly = {
        path
        for method, path in every_route(client)
        if client.request(method, path).status_code != 401
    }
    assert openly == {"/health", "/ready"}
    assert client.post("/mcp").status_code == 401
    for path in READS:
        assert client.get(path).status_code == 401
        assert client.get(path, headers={"authorization": "Bearer no"}).status_code == 401
        assert client.get(path, headers=keys["read"]).status_code in (200, 404)


def test_a_key_that_is_not_known_is_told_from_none(guarded, monkeypatch, run):
    client, _ = guarded
    none, wrong = client.get("/v1/stats"), client.get("/v1/stats", headers={"authorization": "x"})
    assert none.json()["detail"].startswith("Send a key: the header Authorization: Bearer KEY")
    assert wrong.json()["detail"].startswith("The key that came is not known here")
    for said in (none, wrong):
        assert (said.status_code, said.headers["www-authenticate"]) == (401, "Bearer")
    asked = ("search", "salt", "--graph", str(client.base_url))
    for key, says in (("", "Send a key"), ("no such key", "The key that came is not known here")):
        monkeypatch.setenv("HOPTRAIL_KEY", key)
        status, _, err = run(*asked)
        assert status == 1
        assert says in err
        assert "HOPTRAIL_KEY" in err


def test_openapi_says_which_routes_take_a_key(guarded, service):
    client, keys = guarded
    said = client.get("/openapi.json", headers=keys["read"]).json()
    [name] = said["components"]["securitySchemes"]
    assert said["components"]["securitySchemes"][name] == {"type": "http", "scheme": "bearer"}
    for path, ways in said["paths"].items():
        secured = None if path in ("/health", "/ready") else [{name: []}]
        assert {str(way.get("security")) for way in ways.values()} == {str(secured)}
    assert "securitySchemes" not in service.get("/openapi.json").json()["components"]


def test_to_change_the_graph_takes_a_key_that_may_write(guarded):
    client, keys = guarded
    for method, path in WRITES:
        assert client.request(method, path, headers=keys["read"]).status_code == 403
        assert client.request(method, path, headers=keys["write"]).status_code not in (401, 403)


def test_keys_are_in_no_log(guarded, caplog):
    client, keys = guarded
    secret = keys["read"]["authorization"].removeprefix("Bearer ")
    with caplog.at_level(logging.DEBUG, "hoptrail"):
        client.get("/v1/search?q=my+question%0aforged", headers=keys["read"])
        client.get("/v1/stats%0d%0aforged", headers={"authorization": f"Basic {secret}"})
    lines = [r.getMessage() for r in caplog.records if r.name == "hoptrail.access"]
    keyed = {said["route"]: said["key"] for said in map(json.loads, lines)}
    assert keyed["/v1/search"] == "reader"
    assert secret not in caplog.text
    assert "question" not in caplog.text
    assert all("\n" not in line for line in lines)


def test_keys_lie_as_hashes_in_a_file_of_their_own(tmp_path):
    path = tmp_path / "keys"
    key = add(path, "laptop:write")
    assert path.stat().st_mode & 0o077 == 0
    assert key not in path.read_text()
    assert Keys.load(path).of(f"bearer {key}").allows("read")
    assert Keys.load(path).of(f"Bearer {key}x") is None
    for said in ("laptop:read", "two words:read", "a:admin", ":read"):
        with pytest.raises(BadRequest):
            add(path, said)
    path.write_text("laptop read 1234")
    with pytest.raises(BadRequest, match="line 1"):
        Keys.load(path)


def test_nothing_is_served_to_others_without_keys():
    with pytest.raises(BadRequest, match="--keys"):
        check_exposure("0.0.0.0", None, insecure=False)
    check_exposure("0.0.0.0", "keys", insecure=False)
    check_exposure("127.0.0.1", None, insecure=False)


@pytest.mark.parametrize("name", ["evil.example", "127.0.0.1.evil.example", "localhost.evil", ""])
def test_another_name_is_not_answered(service, name):
    answer = service.get("/v1/stats", headers={"host": name})
    assert answer.status_code in (400, 421)


def test_other_sites_can_change_nothing(service):
    for headers in (
        {"sec-fetch-site": "cross-site"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
    ):
        sent = service.post("/v1/documents", files={"file": ("a.txt", b"a")}, headers=headers)
        assert (sent.status_code, sent.json()["type"]) == (403, "/problems/cross-site")
    own = {"sec-fetch-site": "same-origin", "origin": str(service.base_url).rstrip("/")}
    assert service.post("/v1/ask", json={"question": "Salt?"}, headers=own).status_code == 200


def test_every_answer_has_its_headers(service):
    for path in ("/health", "/v1/stats", "/nothing"):
        headers = service.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_long_bodies_are_refused_whether_or_not_they_say_so(service):
    assert service.post("/v1/ask", content=b"x" * (2 << 20)).status_code == 413

    def parts():
        for _ in range(40):
            yield b"x" * (64 << 10)

    assert service.post("/v1/ask", content=parts()).status_code == 413


def test_a_body_that_does_not_come_is_given_up(service):
    with socket.create_connection(("127.0.0.1", service.base_url.port), timeout=20) as slow:
        slow.sendall(
            b"POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n"
            b"Content-Type: application/json\r\n\r\n{"
        )
        assert b" 408 " in slow.recv(4096).splitlines()[0]
