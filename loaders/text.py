"""Plain text files."""

import re
from collections.abc import Iterator
from pathlib import Path

from ..kg.text import stable_id
from ..kg.types import Document, Metadata
from .reading import clean, read_text


def load(path: Path) -> Iterator[Document]:
    """The file as one document, titled by its name.

    Raises:
        SourceError: as `reading.chunks`.
    """
    yield file_document(path, title_of(path), read_text(path).strip(), {})


def file_document(path: Path, title: str, text: str, metadata: Metadata) -> Document:
    """A file as a document: its id is the file's place, so that a changed file replaces itself."""
    place = str(path.resolve())
    return Document(stable_id("file", place), title, text, clean(place), metadata)


def title_of(path: Path) -> str:
    """A file's name as a title: "grieg_in-bergen.txt" → "grieg in bergen"."""
    return re.sub(r"[\s_-]+", " ", clean(path.stem)).strip() or clean(path.name)
