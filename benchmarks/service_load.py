"""Mixed load with kills: no acknowledged write lost, no wrong answer, no 500.

    python benchmarks/service_load.py --minutes 30
    python benchmarks/service_load.py --graph bolt://127.0.0.1:7687 --pid 4711 --start "…"   # Neo4j

The graph has to be empty. Clients ask questions whose answers are known, search, send documents and
take some out again, while the service is killed (SIGKILL) every `--kill` seconds and started again,
and on Neo4j, whose process and the command that starts it are named, the server, too; that command
prints the new process's id when it has started it. What is refused while either is down is counted,
nothing else may happen. In the end every document that was accepted and not taken out has to be
there, and every one that was taken out has to be gone; of those whose removal was asked for but not
acknowledged, because the connection broke, either is right.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx

from service import Running, documents, question, say

DOWN = (502, 503, 504)
PEOPLE = 100  # films of the graph, whose directors' towns are asked for
TOWNS = ("Vaagur", "Kolka", "Bergen", "Augsburg", "Skien", "Turku", "Mandal", "Odense")


class Load:
    """What clients do, and what came of it.

    Args:
        graph: a file or a URI.
        folder: of jobs.
    """

    def __init__(self, graph: str, folder: Path) -> None:
        self.graph, self.folder = graph, folder
        self.counts, self.wrong = Counter[str](), list[str]()
        self.accepted, self.gone, self.unsure = dict[str, str](), set[str](), set[str]()
        self.over, self._lock, self._number = threading.Event(), threading.Lock(), 0
        self.service = Running(graph, "--jobs", str(folder))

    def request(self, what: str, method: str, path: str, **more: Any) -> httpx.Response | None:  # noqa: ANN401
        """Send one; None where the service or its graph is down."""
        try:
            said = httpx.request(method, self.service.url + path, timeout=150, **more)
        except httpx.TransportError:
            self._count(f"{what}: down")
            return None
        if said.status_code in DOWN:
            self._count(f"{what}: {said.status_code}")
            return None
        self._count(what)
        if said.status_code >= 500:
            self._blame(f"{what} {path}: {said.status_code} {said.text[:200]}")
            return None
        return said

    def ask(self, rng: random.Random) -> None:
        """Ask what is known; an abstention is counted, another answer is wrong."""
        n = rng.randrange(PEOPLE)
        asked = {"question": question(n), "record": rng.random() < 0.3}
        said = self.request("ask", "POST", "/v1/ask", json=asked)
        if said is None:
            return
        if said.status_code != 200:
            self._blame(f"ask: {said.status_code} {said.text[:200]}")
        elif said.json()["abstained"]:
            self._count("ask: abstained")
        elif said.json()["answer"] != TOWNS[n % 8]:
            self._blame(f"{question(n)} {said.json()['answer']}, not {TOWNS[n % 8]}")

    def search(self, rng: random.Random) -> None:
        """Search what is there."""
        n = rng.randrange(PEOPLE)
        said = self.request("search", "GET", "/v1/search", params={"q": f"Lantern of Year {n}"})
        if said is not None and not said.json().get("passages"):
            self._blame(f"nothing found of film {n}: {said.text[:200]}")

    def send(self, rng: random.Random) -> None:
        """Send a document."""
        with self._lock:
            self._number += 1
            name = f"Boat {self._number}"
        text = f"{name} was built in Turku. {name} sails to Kolka. It carries salt."
        sent = self.request("send", "POST", "/v1/documents", json={"title": name, "text": text})
        if sent is not None:
            if sent.status_code == 202:
                self.accepted[name] = sent.headers["location"]
            else:
                self._blame(f"send: {sent.status_code} {sent.text[:200]}")

    def remove(self, rng: random.Random) -> None:
        """Take one out again whose job has ended."""
        left = [name for name in list(self.accepted) if name not in self.gone | self.unsure]
        if not left:
            return
        name = rng.choice(left)
        job = self.request("job", "GET", self.accepted[name])
        if job is None or job.status_code != 200 or job.json()["state"] != "done":
            return
        found = self.request("show", "GET", "/v1/things", params={"name": name})
        if found is None or found.status_code != 200:
            return
        for one in found.json()["found"]:
            if one["kind"] == "document":
                self.unsure.add(name)
                said = self.request("remove", "DELETE", f"/v1/documents/{one['id']}")
                if said is not None and said.status_code == 204:
                    self.gone.add(name)

    def client(self, seed: int) -> None:
        """Do one of these after the other."""
        rng = random.Random(seed)
        doing = [self.search] * 5 + [self.ask] * 4 + [self.send] * 2 + [self.remove]
        while not self.over.is_set():
            try:
                rng.choice(doing)(rng)
            except Exception as error:  # noqa: BLE001 - it is what is looked for
                self._blame(f"{type(error).__name__}: {error}")
            time.sleep(0.02)

    def kill(self) -> None:
        """Kill the service, and start it again on its port."""
        self._count("service killed")
        self.service.process.send_signal(signal.SIGKILL)
        self.service.process.wait()
        self.service.start()

    def check(self) -> dict[str, int]:
        """Wait for the jobs, and compare what is there with what was acknowledged."""
        for name, location in self.accepted.items():
            while (job := self.patiently(location)) and job["state"] in ("queued", "running"):
                time.sleep(0.5)
            if job and job["state"] != "done":
                self._blame(f"{name}: {job['state']} {job['problem']}")
        there, after = set[str](), ""
        while after is not None:
            page = self.patiently(f"/v1/documents?limit=200&after={after}")
            there |= {one["title"] for one in page["documents"]}
            after = page["next"]
        lost = sorted(set(self.accepted) - self.gone - self.unsure - there)
        self.wrong += [f"{name} was accepted and is not there" for name in lost]
        self.wrong += [f"{name} was taken out and is there" for name in self.gone & there]
        return {
            "accepted": len(self.accepted),
            "taken out": len(self.gone),
            "either": len(self.unsure - self.gone),
            "lost": len(lost),
        }

    def patiently(self, path: str) -> dict[str, Any]:
        """Get, again and again until it is there; nothing of a job that is kept no more."""
        while True:
            try:
                said = httpx.get(self.service.url + path, timeout=150)
            except httpx.TransportError:
                time.sleep(0.5)
                continue
            if said.status_code in (200, 404):
                return said.json() if said.status_code == 200 else {}
            time.sleep(0.5)

    def _count(self, what: str) -> None:
        with self._lock:
            self.counts[what] += 1

    def _blame(self, what: str) -> None:
        with self._lock:
            self.wrong.append(what)


def main() -> None:
    """Load a service for a while, kill it meanwhile, and count."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--minutes", type=float, default=30)
    options.add_argument("--clients", type=int, default=4)
    options.add_argument("--kill", type=float, default=90, help="seconds from kill to kill")
    options.add_argument("--graph", default="", help="an empty one; default a temporary file")
    options.add_argument("--pid", type=int, default=0, help="of Neo4j's process, to be killed")
    options.add_argument("--start", default="", help="shell command that starts Neo4j again")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        graph, rows = given.graph or f"{folder}/graph.db", Path(folder) / "films.jsonl"
        made = [{"title": t, "text": x} for t, x in documents(2 * PEOPLE)]
        rows.write_text("\n".join(map(json.dumps, made)))
        command = [sys.executable, "-m", "hoptrail", "--graph", graph, "ingest", str(rows)]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        run(Load(graph, Path(folder) / "jobs"), given)


def run(load: Load, given: argparse.Namespace) -> None:
    """Have clients at work, kill, check."""
    began = time.monotonic()
    clients = [threading.Thread(target=load.client, args=(n,)) for n in range(given.clients)]
    for client in clients:
        client.start()
    ends, pid, turn = began + 60 * given.minutes, given.pid, 0
    while time.monotonic() + given.kill < ends:
        time.sleep(given.kill)
        turn += 1
        if pid and turn % 2:
            load.counts["Neo4j killed"] += 1
            os.kill(pid, signal.SIGKILL)
            pid = int(subprocess.check_output(given.start, shell=True, text=True))
        else:
            load.kill()
    time.sleep(max(0, ends - time.monotonic()))
    load.over.set()
    for client in clients:
        client.join()
    minutes = (time.monotonic() - began) / 60
    say("load", {"minutes": round(minutes, 1), **dict(sorted(load.counts.items()))})
    say("writes", load.check())
    say("wrong", {"count": len(load.wrong), "first": load.wrong[:10]})
    load.service.end()


if __name__ == "__main__":
    main()
