"""Read files as documents, lazily: one module a format."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from .options import Meter, Options

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from ..kg.types import Document, Failure

__all__ = ["FORMATS", "LOADERS", "Meter", "Options", "documents", "gathered", "measure"]

LOADERS = {
    ".txt": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".rst": "rst",
    ".adoc": "text",
    ".asciidoc": "text",
    ".docx": "docx",
    ".xlsx": "xlsx",
    ".pptx": "pptx",
    ".odt": "opendocument",
    ".ods": "opendocument",
    ".odp": "opendocument",
    ".epub": "epub",
    ".eml": "mail",
    ".mbox": "mbox",
    ".json": "json",
    ".jsonl": "json",
    ".csv": "table",
    ".tsv": "table",
    ".pdf": "pdf",
    ".xml": "wikipedia",
    ".xml.bz2": "wikipedia",
    ".xml.gz": "wikipedia",
    **dict.fromkeys((f".{section}" for section in range(1, 9)), "man"),
}
"""Suffix → module with `load(path) -> Iterator[Document]`; a new format adds a line."""
STREAMED = frozenset({"json", "mbox", "table", "wikipedia"})
"""Modules whose files hold many documents: `load(path, options, meter)`."""
ENCODED = frozenset({"text", "markdown", "rst", "man"})
"""Modules that need to be told a file's encoding: `load(path, options)`."""
FORMATS = {
    suffix.removeprefix(".") if module in {"json", "table"} else module: module
    for suffix, module in LOADERS.items()
}
"""What a format is called → its module."""


def documents(
    paths: Iterable[str | Path], options: Options | None = None, meter: Meter | None = None
) -> Iterator[Document | Failure]:
    """Yield every document of these sources, and a Failure for each file that can't be read.

    Folders are walked in sorted order, without hidden files and files of unknown formats. A file
    reached twice is read once, and a document found twice is yielded once.

    Args:
        paths: files, folders, patterns such as `docs/**/*.pdf` (a path of that very name goes
            first), and "-", standard input.
        options: how to read them.
        meter: counts along.

    Raises:
        BadRequest: a path does not exist, a pattern matches nothing, or an option does not fit
            (before anything is read).
    """
    from .sources import require
    from .walk import read

    options = options or Options()
    return read(require(paths, options), options, meter or Meter())


def gathered(
    sources: Iterable[str | Path | Document | Iterable[Document]],
    options: Options | None = None,
    meter: Meter | None = None,
) -> Iterable[Document | Failure]:
    """Put documents of one's own first, then those of the paths, as `documents` reads them."""
    from pathlib import Path

    from ..kg.types import Document

    given = [source for source in sources if isinstance(source, Document)]
    made = [source for source in sources if not isinstance(source, str | Path | Document)]
    paths = [source for source in sources if isinstance(source, str | Path)]
    return itertools.chain(given, *made, documents(paths, options, meter) if paths else ())


def measure(paths: Iterable[str | Path], options: Options | None = None) -> Meter:
    """Make a meter that knows the size of what `documents` would read; opens no file.

    Raises:
        BadRequest: as `documents`.
    """
    from .sources import require
    from .walk import size

    options = options or Options()
    return Meter(total=size(require(paths, options), options))
