"""Real SPARQL servers with the slice made for the tests: Oxigraph's wheel, Fuseki's jar."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path

from .java import CannotStart, free_ports, jars, java

SLICE = Path(__file__).parent / "slice.ttl"
FUSEKI = "org.apache.jena:jena-fuseki-server:5.6.0"
SERVERS = ("oxigraph", "fuseki")
START_SECONDS = 120


@contextlib.contextmanager
def running(kind: str, home: Path, files: Sequence[Path] = (SLICE,)) -> Iterator[str]:
    """A server with these files loaded; gives its endpoint.

    Raises:
        CannotStart: the server, or Java, can't be had.
    """
    [port] = free_ports(1)
    command, url = (_oxigraph if kind == "oxigraph" else _fuseki)(port, home, files)
    with (home / "console.log").open("wb") as log:
        process = subprocess.Popen(  # Fuseki makes its folder where it is started
            command, cwd=home, stdout=log, stderr=log, start_new_session=True
        )
    try:
        _wait(process, url, home)
        yield url
    finally:
        process.kill()
        process.wait()


def _oxigraph(port: int, home: Path, files: Sequence[Path]) -> tuple[list[str], str]:
    program = shutil.which("oxigraph", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if program is None:
        raise CannotStart("no Oxigraph: pip install oxigraph")
    store = ["--location", str(home / "store")]
    given = [part for file in files for part in ("--file", str(file))]
    subprocess.run([program, "load", *store, *given], check=True, capture_output=True)
    address = f"127.0.0.1:{port}"
    return [program, "serve-read-only", *store, "--bind", address], f"http://{address}/query"


def _fuseki(port: int, home: Path, files: Sequence[Path]) -> tuple[list[str], str]:
    main = [java(lts=True), "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
    main += ["-cp", jars(FUSEKI), "org.apache.jena.fuseki.main.cmds.FusekiServerCmd"]
    given = [f"--file={file}" for file in files]
    return (
        [*main, f"--port={port}", "--localhost", *given, "/slice"],
        f"http://127.0.0.1:{port}/slice",
    )


def _wait(process: subprocess.Popen[bytes], url: str, home: Path) -> None:
    until = time.monotonic() + START_SECONDS
    ask = f"{url}?query=ASK%7B%3Fs+%3Fp+%3Fo%7D"
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(ask, timeout=5) as reply:
            if b"true" in reply.read():
                return
        time.sleep(0.1)
    raise RuntimeError(f"{url} did not come up:\n{(home / 'console.log').read_text()[-4000:]}")


def refused_port() -> int:
    """A port at which nothing listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]
