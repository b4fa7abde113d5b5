"""The service under load: searches and questions a second, latencies, memory, leaving, ending.

    python benchmarks/service.py                          # the made-up world's documents, no model

A service is started as users start it, as a process of its own, over a graph of `--documents`
made-up documents, and asked by HTTP.
"""

import argparse
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx

Request = Callable[[httpx.Client, int], httpx.Response]
NAMES = ("Marta", "Ola", "Runa", "Kari", "Nils", "Signe", "Jon", "Liv", "Tor", "Ida")
FAMILIES = ("Vik", "Lund", "Eide", "Dahl", "Berg", "Moen", "Haug", "Lie", "Bakke", "Strand")
TOWNS = ("Vaagur", "Kolka", "Bergen", "Augsburg", "Skien", "Turku", "Mandal", "Odense")


def documents(count: int) -> Iterator[tuple[str, str]]:
    """Films and their directors, two documents each."""
    for n in range(count // 2):
        person = f"{NAMES[n % 10]} {FAMILIES[n // 10 % 10]} {n}"
        film, town = f"The Lantern of Year {n}", TOWNS[n % 8]
        yield film, f"{film} is a film. {film} was directed by {person}. It was shown in {town}."
        yield person, f"{person} was a director. {person} was born in {town}. She liked tea."


def question(n: int) -> str:
    """Of two hops."""
    return f"Where was the director of The Lantern of Year {n} born?"


class Running:
    """A service as a process.

    Args:
        more: further words for `hoptrail serve`.
    """

    def __init__(self, graph: Path | str, *more: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "hoptrail", "--graph", str(graph), "serve"]
        self._command = [*command, "--port", str(port), *more]
        self.start()

    def start(self) -> None:
        """Start it, also again; return when it is ready."""
        started = time.perf_counter()
        self.process = subprocess.Popen(self._command, stderr=subprocess.DEVNULL, env=os.environ)
        while True:
            try:
                if httpx.get(self.url + "/ready").status_code == 200:
                    break
            except httpx.TransportError:
                pass
            time.sleep(0.1)
        self.ready = time.perf_counter() - started

    def memory(self) -> float:
        """MiB resident."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return int(next(one for one in lines if one.startswith("VmRSS")).split()[1]) / 1024

    def cpu(self) -> float:
        """Seconds of processor time that it took so far, all its threads'."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> tuple[float, int]:
        """Seconds that SIGTERM takes, and the exit status."""
        started = time.perf_counter()
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(60)
        return time.perf_counter() - started, status


def load(service: Running, clients: int, seconds: float, request: Request) -> dict[str, Any]:
    """Have so many clients ask for so long; a second, and percentiles of milliseconds."""
    times, ends, wrong = [], time.perf_counter() + seconds, []

    def ask(client: int) -> None:
        with httpx.Client(base_url=service.url, timeout=120) as http:
            n = client * 1000
            while time.perf_counter() < ends:
                n, began = n + 1, time.perf_counter()
                answer = request(http, n)
                times.append(time.perf_counter() - began)
                if answer.status_code != 200:
                    wrong.append(answer.status_code)

    began, cpu = time.perf_counter(), service.cpu()
    with ThreadPoolExecutor(clients) as pool:
        list(pool.map(ask, range(clients)))
    spent, cpu = time.perf_counter() - began, service.cpu() - cpu
    cut = statistics.quantiles(times, n=100) if len(times) > 1 else times * 99
    return {
        "clients": clients,
        "a second": round(len(times) / spent, 1),
        "p50 ms": round(1000 * cut[49]),
        "p95 ms": round(1000 * cut[94]),
        "CPU ms each": round(1000 * cpu / len(times)),
        "not 200": len(wrong),
    }


def main() -> None:
    """Make a graph, and measure a service over it."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--documents", type=int, default=400)
    options.add_argument("--seconds", type=float, default=10)
    options.add_argument("--requests", type=int, default=10_000, help="to see the memory")
    options.add_argument("--workers", type=int, default=1, help="processes of the service")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        graph, rows = Path(folder) / "graph.db", Path(folder) / "films.jsonl"
        made = [{"title": t, "text": x} for t, x in documents(given.documents)]
        rows.write_text("\n".join(map(json.dumps, made)))
        command = [sys.executable, "-m", "hoptrail", "--graph", str(graph), "ingest", str(rows)]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        service = Running(graph, "--workers", str(given.workers))
        measure(service, given, len(made) // 2)


def say(name: str, figures: dict[str, Any]) -> None:
    """Print a line of figures."""
    print(json.dumps({"what": name, **figures}), flush=True)


def measure(service: Running, given: argparse.Namespace, films: int) -> None:
    """Load it, watch it, end it."""
    say("ready", {"seconds": round(service.ready, 1), "MiB": round(service.memory())})

    def ask(http: httpx.Client, n: int) -> httpx.Response:
        return http.post("/v1/ask", json={"question": question(n % films), "record": False})

    def search(http: httpx.Client, n: int) -> httpx.Response:
        return http.get("/v1/search", params={"q": question(n % films)})

    for clients in (1, 8):
        say("search", load(service, clients, given.seconds, search))
        say("ask", load(service, clients, given.seconds, ask))
    with httpx.Client(base_url=service.url, timeout=120) as http:
        say("memory", remembered(service, given.requests, http, ask, search))
        alone = load(service, 1, given.seconds, ask)
        more = [{"title": f"More {t}", "text": x} for t, x in documents(1200)]
        content = "\n".join(map(json.dumps, more)).encode()
        sent = http.post("/v1/documents", files={"file": ("more.jsonl", content)})
        time.sleep(1)
        meanwhile = load(service, 1, given.seconds, ask)
        job = http.get(sent.headers["location"]).json()
        say("during ingestion", {"alone": alone, "meanwhile": meanwhile, "job": job["state"]})
        http.delete(sent.headers["location"])
    asking = threading.Thread(target=lambda: load(service, 2, 3, tolerant(ask)), daemon=True)
    asking.start()
    time.sleep(1)
    seconds, status = service.end()
    say("SIGTERM while asked", {"seconds": round(seconds, 1), "status": status})


def remembered(
    service: Running, requests: int, http: httpx.Client, ask: Request, search: Request
) -> dict[str, Any]:
    """MiB before so many requests and after each fifth of them; one in ten is a question."""
    sizes = [round(service.memory())]
    for n in range(requests):
        (search if n % 10 else ask)(http, n)
        if (n + 1) % max(1, requests // 5) == 0:
            sizes.append(round(service.memory()))
    return {"requests": requests, "MiB": sizes}


def tolerant(request: Request) -> Request:
    """A request that the end of the service may break off."""

    def asked(http: httpx.Client, n: int) -> httpx.Response:
        try:
            return request(http, n)
        except httpx.TransportError:
            time.sleep(0.2)
            return httpx.Response(503)

    return asked


if __name__ == "__main__":
    main()
