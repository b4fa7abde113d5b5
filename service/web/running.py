"""The server around the application: one process or several, until a signal ends it."""

import logging
import os
import signal
import sys
import threading
from types import FrameType

import uvicorn
from fastapi import FastAPI

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


def run(serving: Serving, host: str, port: int, root_path: str, workers: int) -> None:
    """Serve until a signal comes; return then.

    Raises:
        BadRequest: the keys can't be read, or the settings name no graph.
    """
    log()
    how = {
        "host": host,
        "port": port,
        "root_path": root_path.rstrip("/"),
        "log_config": None,
        "access_log": False,
        "server_header": False,
        "timeout_graceful_shutdown": ENDING,
        "timeout_keep_alive": 30,
        "h11_max_incomplete_event_size": 64 << 10,
    }
    note(f"Serving {serving.settings.graph} at http://{host}:{port}{root_path}/  (Ctrl-C ends it)")
    if workers > 1:
        os.environ[VARIABLE] = serving.to_json()
        name = f"{__package__}.app:from_environment"
        uvicorn.run(name, factory=True, workers=workers, **how)
        return
    app = create(serving)
    server = _Server(uvicorn.Config(app, **how), app)
    for number in (signal.SIGINT, signal.SIGTERM):  # what uvicorn raises again when it has ended
        signal.signal(number, lambda *_: None)
    server.run()
    if not server.started:
        sys.exit(1)
    if threading.active_count() > 1:  # they were cancelled, and the graph bears a kill
        logging.shutdown()
        os._exit(0)
