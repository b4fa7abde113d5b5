"""Neither the password of a server nor the key of a model is ever shown, logged or written."""

import io
import json
import logging
import socket
import sys
import threading
import traceback
import warnings
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from support.neo4j_server import versions

from hoptrail.service.cli.app import main

PASSWORD = "s3cret/p@ss:wörd#1"
KEY = "sk-s3cret-key-0123456789"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys, caplog):
    """Runs `hoptrail ARGUMENTS` as HOPTRAIL_DEBUG=1 and logs of every library show it: all said."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOPTRAIL_DEBUG", "1")
    monkeypatch.setenv("HOPTRAIL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)
    monkeypatch.setattr(logging, "lastResort", logging.lastResort)
    caplog.set_level(logging.DEBUG)

    def said(*arguments: str) -> str:
        caplog.clear()
        monkeypatch.setattr(sys, "argv", ["hoptrail", *arguments])
        ended = io.StringIO()
        try:
            main()
        except BaseException as error:  # noqa: BLE001 - SystemExit with its context, or a defect
            traceback.print_exception(error, file=ended)
        return "".join([*capsys.readouterr(), ended.getvalue(), caplog.text])

    return said


def secrets(password: str) -> list[str]:
    """It, and what is left of it in other spellings."""
    return [password, repr(password)[1:-1], json.dumps(password)[1:-1], "wörd", "w%C3%B6rd"]


COMMANDS = [
    ["stats"],
    ["doctor"],
    ["doctor", "--json"],
    ["search", "Who?"],
    ["export", "-"],
    ["ingest", "a.txt"],
    ["remove", "a"],
    ["copy", "copy.db"],
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_server_that_is_not_there(run, monkeypatch, arguments):
    Path("a.txt").write_text("Ulm lies on the Danube.")
    monkeypatch.setenv("HOPTRAIL_NEO4J_PASSWORD", PASSWORD)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        where = f"bolt://127.0.0.1:{free.getsockname()[1]}"
        said = run("--graph", where, *arguments)
    assert where in said
    assert not [secret for secret in secrets(PASSWORD) if secret in said]


@pytest.mark.parametrize("form", ["neo4j://u:{}@host", "bolt://:{}@host:76x7", "http://u:{}@host"])
@pytest.mark.parametrize("arguments", [["--graph", "{}", "stats"], ["copy", "{}"]])
def test_an_address_with_a_password_is_refused_without_repeating_it(run, form, arguments):
    said = run(*(argument.format(form.format(PASSWORD)) for argument in arguments))
    assert "Error: " in said
    assert not [secret for secret in secrets(PASSWORD) if secret in said]


@pytest.mark.neo4j
def test_a_neo4j_that_takes_it(run, neo4j_servers, monkeypatch):
    address = neo4j_servers(versions()[0])
    Path("a.txt").write_text("Ulm lies on the Danube. Hans Meyer was born in Ulm.")
    monkeypatch.setenv("HOPTRAIL_NEO4J_USER", address.user)
    commands = [
        ["ingest", "a.txt"],
        ["ask", "Where was Hans Meyer born?", "--json"],
        ["export", "export.jsonl"],
        ["copy", "copy.db"],
    ]
    tried = [(address.password, command) for command in commands] + [(PASSWORD, ["stats"])]
    for password, arguments in tried:
        monkeypatch.setenv("HOPTRAIL_NEO4J_PASSWORD", password)
        said = run("--graph", address.uri, *arguments)
        assert said
        assert not [secret for secret in secrets(password) if secret in said]
    written = [path.read_bytes() for path in Path().rglob("*") if path.is_file()]
    assert len(written) >= 3
    assert not [data for data in written if address.password.encode() in data]


class _Echo(BaseHTTPRequestHandler):
    """A server that repeats what it was sent in its errors."""

    status = 401

    def do_GET(self) -> None:
        body = json.dumps({"error": {"message": "x" * 480 + str(self.headers)}}).encode()
        self.send_response(self.status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize("status", [400, 401, 404])
def test_a_model_server_that_repeats_the_key(run, monkeypatch, status):
    monkeypatch.setenv("HOPTRAIL_API_KEY", KEY)
    monkeypatch.setattr(_Echo, "status", status)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Echo)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        where = f"http://127.0.0.1:{server.server_port}/v1"
        said = run("--model", f"openai:{where}#name", "doctor")
    finally:
        server.shutdown()
        server.server_close()
    assert where in said
    assert KEY[:12] not in said
