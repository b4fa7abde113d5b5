"""Files to documents, lazily: one module a format."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from ..kg.types import Document, Failure

LOADERS = {
    ".txt": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".json": "benchmark",
    ".jsonl": "benchmark",
}
"""Suffix → module with `load(path) -> Iterator[Document]`; a new format adds a line."""


def documents(paths: Iterable[Path]) -> Iterator[Document | Failure]:
    """Every document under these files and folders, and a Failure for each file that can't be read.

    Folders are walked in sorted order, without hidden files and files of unknown formats. A file
    reached twice is read once, and a document found twice is yielded once.

    Raises:
        BadRequest: a path does not exist (before anything is read).
    """
    from .walk import read, require

    return read(require(paths), LOADERS)
