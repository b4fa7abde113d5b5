"""Files and folders → the loader of each file → documents and failures."""

import importlib
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ..kg.errors import BadRequest, SourceError
from ..kg.types import Document, Failure
from .reading import clean


def require(paths: Iterable[Path]) -> list[Path]:
    """The paths as a list.

    Raises:
        BadRequest: one of them does not exist.
    """
    found = [Path(path) for path in paths]
    missing = [clean(str(path)) for path in found if not os.path.lexists(path)]
    if missing:
        raise BadRequest(f"no such file or folder: {', '.join(missing)}; check the spelling")
    return found


def read(paths: Iterable[Path], loaders: Mapping[str, str]) -> Iterator[Document | Failure]:
    """Documents and failures of these files and folders, in order, each document id once.

    Args:
        paths: existing ones.
        loaders: suffix → module of this package.
    """
    seen: set[str] = set()
    for item in _files(paths, loaders):
        for result in [item] if isinstance(item, Failure) else _load(item, loaders):
            if isinstance(result, Failure):
                yield result
            elif result.id not in seen:
                seen.add(result.id)
                yield result


def _files(paths: Iterable[Path], loaders: Mapping[str, str]) -> Iterator[Path | Failure]:
    done: set[Path] = set()
    for path in paths:
        for item in _walk(path, loaders) if os.path.isdir(path) else [path]:
            if isinstance(item, Failure):
                yield item
                continue
            try:
                place = item.resolve()
            except (OSError, RuntimeError):  # RuntimeError: a loop of symbolic links, before 3.13
                yield _failure(item, "a symbolic link that leads nowhere")
                continue
            if place not in done:
                done.add(place)
                yield item


def _walk(folder: Path, loaders: Mapping[str, str]) -> Iterator[Path | Failure]:
    """Files below a folder that have a loader, by name; each folder once (symlink loops)."""
    waiting, entered = [folder], set[tuple[int, int]]()
    while waiting:
        path = waiting.pop()
        if not os.path.isdir(path):
            if path.suffix.lower() in loaders:
                yield path
            continue
        try:
            status = path.stat()
            names = sorted(entry for entry in os.listdir(path) if not entry.startswith("."))
        except OSError as error:
            reason = "no permission to read" if isinstance(error, PermissionError) else "can't read"
            yield _failure(path, f"{reason} this folder")
            continue
        if (status.st_dev, status.st_ino) not in entered:
            entered.add((status.st_dev, status.st_ino))
            waiting += [path / name for name in reversed(names)]


def _load(path: Path, loaders: Mapping[str, str]) -> Iterator[Document | Failure]:
    name = loaders.get(path.suffix.lower())
    if name is None:
        wanted = path.suffix or "files without a suffix"
        yield _failure(path, f"no loader for {clean(wanted)}; known: {', '.join(loaders)}")
        return
    count = 0
    try:
        for document in importlib.import_module(f".{name}", __package__).load(path):
            count += 1
            yield document
    except SourceError as error:
        kept = f" (the {count} documents before it are kept)" if count else ""
        yield _failure(path, error.reason + kept)
    else:
        if not count:
            yield _failure(path, "holds no text")


def _failure(path: Path, reason: str) -> Failure:
    # Named as the file's documents are, so that a later success clears the failure.
    try:
        place = str(path.resolve())
    except (OSError, RuntimeError):
        place = os.path.abspath(path)
    return Failure(clean(place), reason)
