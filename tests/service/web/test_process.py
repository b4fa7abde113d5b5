"""The service as a process: killed in the middle of a job, ended in the middle of a question."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

import httpx
from click.testing import CliRunner
from support.processes import python_path

from hoptrail import Hoptrail
from hoptrail.service.cli.app import cli
from hoptrail.service.web.running import listening

ROWS = 400


def start(graph, port):
    command = [sys.executable, "-m", "hoptrail", "--graph", str(graph), "serve"]
    with log_of(graph).open("ab") as log:  # a pipe that nobody reads would be full one day
        process = subprocess.Popen(
            [*command, "--port", str(port)],
            env={**os.environ, "PYTHONPATH": python_path(), "OMP_NUM_THREADS": "1"},
            stderr=log,
        )
    client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60)
    end = time.monotonic() + 120
    while True:
        assert time.monotonic() < end
        assert process.poll() is None, log_of(graph).read_text()
        try:
            if client.get("/ready").status_code == 200:
                return process, client
        except httpx.TransportError:
            pass
        time.sleep(0.1)


def log_of(graph):
    return graph.with_suffix(".log")


def written(client):
    return client.get("/v1/stats").json()["documents"]


def test_jobs_survive_a_kill_and_a_signal_ends_the_service_soon(tmp_path):
    graph = tmp_path / "graph.db"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process, client = start(graph, port)
    rows = (
        {"title": f"Pier {n}", "text": f"Pier {n} lies in Oslo. It was built by Ola Vik {n}."}
        for n in range(ROWS)
    )
    files = {"file": ("piers.jsonl", "\n".join(map(json.dumps, rows)).encode())}
    location = client.post("/v1/documents", files=files).headers["location"]
    while not written(client):
        time.sleep(0.05)
    process.kill()
    process.wait()
    client.close()

    process, client = start(graph, port)
    end = time.monotonic() + 300
    while (job := client.get(location).json())["state"] != "done":
        assert job["state"] in ("queued", "running")
        assert time.monotonic() < end
        time.sleep(0.1)
    assert written(client) == ROWS
    assert job["report"]["documents"] + job["report"]["unchanged"] == ROWS

    asking = threading.Thread(target=ask_on, args=(client,), daemon=True)
    asking.start()
    time.sleep(0.5)
    process.send_signal(signal.SIGTERM)
    assert process.wait(10) == 0
    assert "Traceback" not in log_of(graph).read_text()
    asking.join()
    client.close()
    assert not list(tmp_path.glob("graph.db-*"))  # whoever copies the file now has all of it
    with Hoptrail(graph) as hop:
        assert not list(hop.store.maintenance.problems())


def ask_on(client):
    asked, status = {"question": "Who built the pier that lies in Oslo?"}, 200
    while status == 200:
        try:
            status = client.post("/v1/ask", json=asked).status_code
        except httpx.TransportError:
            return


def test_a_port_that_is_taken_is_said_before_anything_else(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        for workers in ("1", "2"):
            said = CliRunner().invoke(cli, ["serve", "--port", str(port), "--workers", workers])
            assert str(said.exception) == (
                f"port {port} of 127.0.0.1 is taken; choose another with --port"
            )
            assert said.output == ""
    [free] = listening("127.0.0.1", port)
    free.close()


def test_what_serve_is_told_wrongly_is_said_before_anything_is_loaded(tmp_path):
    run = CliRunner().invoke
    exposed = run(cli, ["serve", "--host", "0.0.0.0"])
    assert "--keys" in str(exposed.exception)
    assert run(cli, ["serve", "--new-key", "a:read"]).exit_code == 2
    made = run(cli, ["serve", "--keys", str(tmp_path / "keys"), "--new-key", "a:read"])
    assert len(made.stdout.strip()) > 40
    assert made.stdout.strip() not in (tmp_path / "keys").read_text()
