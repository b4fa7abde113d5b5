"""The server around the application: one process or several, until a signal ends it."""

import errno
import logging
import os
import signal
import socket
import sys
import threading
from types import FrameType

import uvicorn
from fastapi import FastAPI

from ...kg.errors import HoptrailError
from ..console.printing import note
from .app import create
from .logs import log
from .settings import VARIABLE, Serving

ENDING = 5  # seconds that connections get when the service ends


class _Server(uvicorn.Server):
    """Ends what is under way as soon as a signal comes, not when the last client has its answer."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self._app = app

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Cancel questions and jobs, and then what the base class does."""
        if (engine := getattr(self._app.state, "engine", None)) is not None:
            engine.stop()
        super().handle_exit(sig, frame)


def listening(host: str, port: int) -> list[socket.socket]:
    """Bind the addresses of a host; port 0 takes a free one, of its first address.

    Raises:
        HoptrailError: another process listens there, or the machine has no such address.
    """
    sockets: list[socket.socket] = []
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, _, _, _, address in found[: 1 if port == 0 else None]:
            sockets.append(socket.create_server(address[:2], family=family))
    except OSError as error:
        for one in sockets:
            one.close()
        if error.errno == errno.EADDRINUSE:
            why = f"port {port} of {host} is taken; choose another with --port"
        else:
            why = (
                f"can't listen on port {port} of {host} ({error.strerror}); check --host and --port"
            )
        raise HoptrailError(why) from None
    return sockets


def run(serving: Serving, host: str, port: int, root_path: str, workers: int) -> None:
    """Serve until a signal comes; return then.

    Raises:
        BadRequest: the keys can't be read, or the settings name no graph.
        HoptrailError: it can't listen on that host and port.
    """
    log()
    how = {
        "root_path": root_path.rstrip("/"),
        "log_config": None,
        "access_log": False,
        "server_header": False,
        "timeout_graceful_shutdown": ENDING,
        "timeout_keep_alive": 30,
        "h11_max_incomplete_event_size": 64 << 10,
    }
    app = create(serving)
    sockets = listening(host, port)
    where, port = f"[{host}]" if ":" in host else host, sockets[0].getsockname()[1]
    note(f"Serving {serving.settings.graph} at http://{where}:{port}{root_path}/  (Ctrl-C ends it)")
    if workers > 1:
        os.environ[VARIABLE] = serving.to_json()
        name = f"{__package__}.app:from_environment"
        for one in sockets:  # uvicorn binds it again, for all of its processes
            one.close()
        uvicorn.run(name, factory=True, workers=workers, host=host, port=port, **how)
        return
    server = _Server(uvicorn.Config(app, **how), app)
    for number in (signal.SIGINT, signal.SIGTERM):  # what uvicorn raises again when it has ended
        signal.signal(number, lambda *_: None)
    server.run(sockets)
    if not server.started:
        sys.exit(1)
    if threading.active_count() > 1:  # they were cancelled, and the graph bears a kill
        logging.shutdown()
        os._exit(0)
