"""The bytes of a file as text, or a SourceError that says what is wrong with them."""

import codecs
import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from ..kg.errors import SourceError
from ..kg.text.words import clean
from .encoding import codec
from .options import Meter

CHUNK = 1 << 18  # bytes
MAX_TEXT = 64_000_000
"""Characters that one text, line or record has at most: more is a mistake, and memory ends."""
_BYTEWISE = re.compile(r"cp125\d|cp4\d\d|cp8\d\d|iso8859-\d+|koi8-[ru]|mac-roman|ascii|tis-620")
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def unreadable(path: Path, reason: str) -> SourceError:
    """Make the error for a file that is not as it should be."""
    return SourceError(clean(str(path)), reason)


def read_text(path: Path, encoding: str = "utf-8") -> str:
    r"""Read all of a text file, every line ended by "\n".

    Raises:
        SourceError: as `chunks`, or it is too large for one document.
    """
    pieces, length = [], 0
    for piece in chunks(path, encoding=encoding):
        pieces.append(piece)
        length += len(piece)
        if length > MAX_TEXT:
            raise unreadable(path, f"too large for one document ({too_long()}); split it")
    return "".join(pieces).replace("\r\n", "\n").replace("\r", "\n")


def too_long() -> str:
    """Say MAX_TEXT in the words of a message."""
    return f"more than {MAX_TEXT / 1e6:g} million characters"


def chunks(path: Path, meter: Meter | None = None, encoding: str = "") -> Iterator[str]:
    """Yield the text of a file piece by piece, without its byte-order mark.

    Args:
        path: of the file.
        meter: counts along.
        encoding: that the file is in, unless it is plainly in UTF-8 or begins with the mark of
            UTF-16; "" where its format knows no other than UTF-8.

    Raises:
        SourceError: it is missing, not a regular file, not readable, empty, binary, or not in that
            encoding (the message says at which byte).
    """
    name = _encoding(path, codec(encoding or "utf-8"))
    decoder, wide = codecs.getincrementaldecoder(name)(), name.startswith(("utf-16", "utf-32"))
    before, blank = 0, True  # `before`: bytes ahead of those the decoder gets or holds back
    for data in _blocks(path):
        if b"\0" in data and not wide:
            raise unreadable(path, _binary(path, data, before + data.index(0), encoding))
        held = len(decoder.getstate()[0])
        text = _decoded(path, decoder, data, before - held, encoding)
        before += len(data)
        if meter:
            meter.here = before
        text = text.removeprefix("\ufeff") if before == len(data) else text
        blank = blank and not text.strip()
        yield text
    _decoded(path, decoder, b"", before - len(decoder.getstate()[0]), encoding)
    if blank:
        raise unreadable(
            path, "the file is empty" if before == 0 else "the file holds only white space"
        )


@contextlib.contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open the bytes of a regular file.

    Raises:
        SourceError: it is missing, not a regular file or not readable.
    """
    try:
        if path.exists() and not path.is_file():  # opening a pipe would wait for a writer
            raise unreadable(path, "not a regular file")
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise unreadable(path, _why(error)) from None


def read_bytes(path: Path, most: int) -> bytes:
    """Read all of a file of at most so many bytes.

    Raises:
        SourceError: as `opened`, or it is empty or larger.
    """
    with opened(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise unreadable(path, f"larger than {most >> 20} MB; split it into smaller files")
    if not data:
        raise unreadable(path, "the file is empty")
    return data


def _blocks(path: Path) -> Iterator[bytes]:
    with opened(path) as file:
        while data := file.read(CHUNK):
            yield data


def _decoded(
    path: Path, decoder: codecs.IncrementalDecoder, data: bytes, offset: int, encoding: str
) -> str:
    """Text of these bytes; of none, the end of the file."""
    try:
        return decoder.decode(data, not data)
    except UnicodeDecodeError as error:
        why = f"byte 0x{error.object[error.start]:02x} at position {offset + error.start}"
    except UnicodeError as error:  # of UTF-16 without its mark
        why = str(error)
    raise unreadable(path, f"not {encoding.upper() or 'UTF-8'}: {why}; {_next(path, encoding)}")


def _encoding(path: Path, said: str) -> str:
    """What a file is in: what is said of all files of a folder is not true of each."""
    bytewise = _BYTEWISE.fullmatch(said) is not None
    if bytewise and _is_utf8(path):
        return "utf-8"
    marked = next(_blocks(path), b"").startswith(_UTF16)
    return "utf-16" if marked and (bytewise or said == "utf-8") else said


def _is_utf8(path: Path) -> bool:
    """Whether the bytes of a file are UTF-8, and not only ASCII: no other text looks like it."""
    decoder, only_ascii = codecs.getincrementaldecoder("utf-8")(), True
    try:
        for data in _blocks(path):
            only_ascii = only_ascii and data.isascii()
            decoder.decode(data)
        decoder.decode(b"", True)
    except UnicodeDecodeError:
        return False
    return not only_ascii


def _binary(path: Path, data: bytes, place: int, encoding: str) -> str:
    """What is said of bytes with a NUL: in UTF-16 every second one is, where letters are Latin."""
    first, second = data[::2].count(0), data[1::2].count(0)
    if 2 * max(first, second) <= len(data) // 2 or min(first, second):
        return f"a binary file: NUL at byte {place}; save it as text, in UTF-8"
    following = _next(path, encoding, "utf-16-be" if first else "utf-16-le")
    return f"UTF-16 without a byte-order mark: NUL at byte {place}; {following}"


def _next(path: Path, encoding: str, such: str = "windows-1252") -> str:
    if not encoding:
        return "save it as UTF-8"
    pattern = f"--files '{path.name}:encoding={such}'"
    return f"save it as UTF-8, or say what it is in, such as {pattern} (--encoding: all files)"


def _why(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file; it may have been moved or deleted"
    if isinstance(error, PermissionError):
        return "no permission to read it"
    return f"can't be read: {error.strerror or error}"
