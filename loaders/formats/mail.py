"""E-mail: one message a file (.eml), as mail programs save it."""

from collections.abc import Iterator
from pathlib import Path

from ...kg.types import Document
from ..reading import read_bytes, unreadable
from .marks.letter import letter
from .text import file_document, title_of

MAX_BYTES = 64 << 20  # of one message


def load(path: Path) -> Iterator[Document]:
    """Read a message as one document, titled by its subject; see `letter`.

    Raises:
        SourceError: as `reading.read_bytes`, or it is no message.
    """
    try:
        found = letter(read_bytes(path, MAX_BYTES))
    except ValueError as error:
        raise unreadable(path, f"{error}; save the message as text") from None
    if found is None:
        raise unreadable(path, "not an e-mail: it says neither who wrote it nor what about")
    title = found.title or title_of(path)
    if found.text:
        about = (found.metadata, found.sections, found.table)
        yield file_document(path, title, found.text, *about)
