"""Processes that tests start."""

import os
from pathlib import Path


def python_path(*folders: Path) -> str:
    """PYTHONPATH of a child that imports from these folders, and the package that is tested."""
    return os.pathsep.join([*map(str, folders), *filter(None, [os.environ.get("PYTHONPATH")])])
