"""Folders of e-mail in one file (.mbox), as mail programs and archives export them."""

import mailbox
from collections.abc import Iterator
from pathlib import Path

from ...kg.text.words import stable_id
from ...kg.types import Document
from ..fields import Fields
from ..options import Meter, Options
from ..reading import opened, unreadable
from ..tables import located
from .mail import MAX_BYTES
from .marks.letter import Letter, letter


def load(
    path: Path, options: Options | None = None, meter: Meter | None = None
) -> Iterator[Document]:
    """Yield each message as a document, each once, in the file's order; see `letter.letter`.

    One with a Message-ID is known by its file and that.

    Args:
        path: of the file.
        options: unused but for its place.
        meter: counts along.

    Raises:
        SourceError: the file can't be read, is no mailbox, or a message is too large; earlier ones
            were yielded.
    """
    with opened(path) as file:
        if file.read(5) != b"From ":
            raise unreadable(path, "not a mailbox: it does not begin with 'From '")
    source, seen = Fields(path, options or Options()).source, set[str]()
    box = mailbox.mbox(path, create=False)
    try:
        for number, key in enumerate(box.iterkeys(), 1):
            with box.get_file(key) as message:
                data = message.read(MAX_BYTES + 1)
            if len(data) > MAX_BYTES:
                raise unreadable(path, f"message {number} has more than {MAX_BYTES >> 20} MB")
            if meter:
                meter.here += len(data)
            found = _read(path, data, number)
            if found and found.text and (document := _document(found, source)).id not in seen:
                seen.add(document.id)
                yield document
    finally:
        box.close()


def _read(path: Path, data: bytes, number: int) -> Letter | None:
    try:
        return letter(data)
    except ValueError as error:
        raise unreadable(path, f"message {number}: {error}") from None


def _document(found: Letter, source: str) -> Document:
    own = (source, found.identity) if found.identity else (found.title, found.text)
    return Document(
        stable_id("message", *own),
        found.title,
        found.text,
        source,
        found.metadata,
        sections=found.sections,
        facts=located(found.text, found.table, found.sections, found.title),
        wrapped=False,
    )
