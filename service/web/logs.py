"""Where the service's log goes: standard error, a line a request."""

import logging
import sys


def log() -> None:
    """Have a line a request on standard error, and what goes wrong.

    The root logger gets its handler here, or the SDK of MCP gives it another.
    """
    shown = logging.StreamHandler(sys.stderr)
    shown.setFormatter(logging.Formatter("%(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[shown])
    for name, level in (("hoptrail", logging.INFO), ("uvicorn", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [shown], False
        logger.setLevel(level)
