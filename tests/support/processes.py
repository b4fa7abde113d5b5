"""Processes that tests start."""

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Processes of one test run (pytest-xdist) fetch into the same cache."""
    lock = Path(tempfile.gettempdir()) / f"hoptrail-tests-{os.getuid()}.lock"
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def python_path(*folders: Path) -> str:
    """PYTHONPATH of a child that imports from these folders, and the package that is tested."""
    return os.pathsep.join([*map(str, folders), *filter(None, [os.environ.get("PYTHONPATH")])])
