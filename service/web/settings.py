"""What `hoptrail serve` is told, and the bounds of what clients may ask for."""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ...kg.errors import BadRequest, ModelMissing
from ..settings import Settings

VARIABLE = "HOPTRAIL_SERVE"
"""Environment variable that hands the settings to further processes."""
LOCAL = ("127.0.0.1", "localhost", "[::1]")
"""Host names that a service on this machine is asked under."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most that one request, or all of them together, may take.

    Args:
        body: bytes of a request's body.
        upload: bytes of a document's.
        deadline: seconds that a question may take; a client may ask for less.
        threads: questions answered at a time; None is one for each core.
        waiting: questions that wait for a thread; the next is refused.
        patience: seconds that a graph's server which is away is waited for.
        slow: seconds without any of a body's bytes.
        niceness: by which what ingests gives way to what answers.
    """

    body: int = 1 << 20
    upload: int = 100 << 20
    deadline: float = 120.0
    threads: int | None = None
    waiting: int = 16
    patience: float = 5.0
    slow: float = 30.0
    niceness: int = 10

    @property
    def at_once(self) -> int:
        """Questions answered at a time."""
        return self.threads or os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Serving:
    """How a graph is served.

    Args:
        settings: of the graph, its encoder and its model.
        keys: file of keys; None asks for none.
        hosts: names under which the service may be asked.
        folder: of jobs and uploads; "" is beside the graph.
        browser: address of Neo4j Browser, for links; "" for none.
        bounds: see `Bounds`.
    """

    settings: Settings = field(default_factory=Settings)
    keys: str | None = None
    hosts: tuple[str, ...] = LOCAL
    folder: str = ""
    browser: str = ""
    bounds: Bounds = field(default_factory=Bounds)

    @property
    def jobs(self) -> Path:
        """The folder of jobs and uploads."""
        if self.folder:
            return Path(self.folder)
        graph = self.settings.graph
        return Path("hoptrail.jobs" if "://" in graph else f"{graph}.jobs")

    def to_json(self) -> str:
        """Say it as text; `from_environment` reads that."""
        return json.dumps(asdict(self))

    @classmethod
    def from_environment(cls) -> "Serving":
        """Read what the process that started this one was told."""
        told = json.loads(os.environ[VARIABLE])
        settings, bounds = Settings(**told.pop("settings")), Bounds(**told.pop("bounds"))
        told["hosts"] = tuple(told["hosts"])
        return cls(settings=settings, bounds=bounds, **told)


def require(*modules: str) -> None:
    """Refuse to go on without the extra.

    Raises:
        ModelMissing: a package of it is not installed.
    """
    from importlib.util import find_spec

    missing = [name for name in modules if find_spec(name) is None]
    if missing:
        raise ModelMissing(
            f"The service needs {', '.join(missing)}, which came with none of what is installed: "
            'pip install "hoptrail[service]"'
        )


def check_exposure(host: str, keys: str | None, insecure: bool) -> None:
    """Refuse to serve other machines without keys, unless that is meant.

    Raises:
        BadRequest: says what to do.
    """
    if host not in ("127.0.0.1", "localhost", "::1") and not keys and not insecure:
        raise BadRequest(
            f"--host {host} serves other machines, and there are no keys: whoever reaches it could "
            "read and change the graph. Give --keys FILE, or --insecure if a proxy before it asks "
            "who they are."
        )


def allowed_hosts(host: str, named: Sequence[str]) -> tuple[str, ...]:
    """Tell the names under which a service bound to `host` may be asked."""
    own = f"[{host}]" if ":" in host else host
    bound = () if host in ("0.0.0.0", "::") else (own,)
    return tuple(dict.fromkeys([*LOCAL, *bound, *named]))
