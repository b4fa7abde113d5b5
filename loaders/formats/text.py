"""Plain text files."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ...kg.text.words import clean, stable_id
from ...kg.types import Document, Metadata, Section
from ..options import Options
from ..reading import read_text


def load(path: Path, options: Options | None = None) -> Iterator[Document]:
    """Read a text file as one document, titled by its name.

    Raises:
        SourceError: as `reading.chunks`.
    """
    text = read_text(path, (options or Options()).encoding).strip()
    yield file_document(path, title_of(path), text, {})


def file_document(
    path: Path, title: str, text: str, metadata: Metadata, sections: Sequence[Section] = ()
) -> Document:
    """Make a document of a file, known by its place: a changed file replaces itself."""
    place = str(path.resolve())
    identity, source = stable_id("file", place), clean(place)
    return Document(identity, title, text, source, metadata, sections=tuple(sections))


def title_of(path: Path) -> str:
    """Turn a file's name into a title: "grieg_in-bergen.txt" into "grieg in bergen"."""
    return re.sub(r"[\s_-]+", " ", clean(path.stem)).strip() or clean(path.name)
