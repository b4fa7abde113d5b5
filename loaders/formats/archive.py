"""Members of a zip archive, read by name and within bounds; nothing is ever unpacked to disk."""

import contextlib
import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote, urlsplit

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]: compiled

from ...kg.errors import SourceError
from ...kg.text.words import clean
from ..reading import opened, unreadable

MAX_MEMBERS = 10_000  # of one archive
MAX_MEMBER_BYTES = 64 << 20  # bytes of one member, unpacked
MAX_BYTES = 128 << 20  # bytes of all members read, unpacked
_MAX_DIRECTORY_BYTES = 4 << 20  # bytes of the archive's table of contents
_STEP = 1 << 16
_MAX_REASON = 300  # characters of a message
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError)


class Archive:
    """A zip archive of XML, whose members are read within bounds.

    Every method raises SourceError, whose reason says what is wrong with the file.
    """

    def __init__(self, path: Path, archive: zipfile.ZipFile) -> None:
        self._path, self._archive = path, archive
        self._left = MAX_BYTES

    def __contains__(self, name: str) -> bool:
        return name in self._archive.NameToInfo

    def error(self, reason: str) -> SourceError:
        """Make the error for contents that are not as they should be."""
        if len(reason) > _MAX_REASON:  # names in it are the file's
            reason = reason[: _MAX_REASON - 1] + "…"
        return unreadable(self._path, clean(reason))

    def read(self, name: str) -> bytes:
        """Read a member, counted as it is unpacked: the size an archive names may be a lie."""
        info = self._archive.NameToInfo.get(name)
        if info is None:
            raise self.error(f"holds no '{name}': it is incomplete; get it again")
        if info.flag_bits & 1:
            raise self.error("protected by a password; save it without one")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise self.error(f"'{name}' is packed in a way its format has not; save it anew")
        most, parts = min(MAX_MEMBER_BYTES, self._left), []
        try:
            with self._archive.open(info) as member:
                while part := member.read(_STEP):
                    self._left -= len(part)
                    most -= len(part)
                    if most < 0:
                        raise self.error(
                            f"unpacks to more than {MAX_MEMBER_BYTES >> 20} MB in '{name}' or "
                            f"{MAX_BYTES >> 20} MB altogether: refused; split it if it is no attack"
                        )
                    parts.append(part)
        except _BROKEN as error:
            raise self.error(f"damaged at '{name}' ({error}); get it again") from None
        return b"".join(parts)

    def xml(self, name: str) -> etree._Element:
        """Parse an XML member: none with entities of its own, and nothing is fetched."""
        parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True)
        data = self.read(name)
        if b"<!ENTITY" in data.replace(b"\0", b""):  # NUL: also as UTF-16
            raise self.error(f"'{name}' declares entities, as attacks do and its format never")
        try:
            return etree.fromstring(data, parser)
        except (etree.XMLSyntaxError, ValueError) as error:
            raise self.error(f"'{name}' is not valid XML ({error.args[0]}); save it anew") from None

    def place(self, href: str, beside: str = "") -> str:
        """Return the name of the member that a reference in another one means.

        Args:
            href: as written there; a fragment is dropped.
            beside: name of the member that holds it; "" for a reference from the root.
        """
        try:
            parts = urlsplit(href)
        except ValueError:
            raise self.error(f"refers to '{href}', which is no place") from None
        name = posixpath.normpath(
            posixpath.join(posixpath.dirname("/" + beside), unquote(parts.path))
        )
        inside = _depth(posixpath.dirname(beside), unquote(parts.path)) >= 0
        if parts.scheme or parts.netloc or not inside:
            raise self.error(f"refers to '{href}', which is outside of it: refused")
        return name.lstrip("/")


@contextlib.contextmanager
def unpacked(path: Path, what: str) -> Iterator[Archive]:
    """Open the archive of a file.

    Args:
        path: of the file.
        what: the format's name, for messages.

    Raises:
        SourceError: as `reading.opened`, or it is no zip archive, damaged or too large.
    """
    with opened(path) as file:
        start = file.read(8)
        if not start:
            raise unreadable(path, "the file is empty")
        if start == _OLD_OFFICE:
            reason = "an old Office file, or one with a password; save it without one as"
            raise unreadable(path, f"{reason} {what}")
        try:
            archive = zipfile.ZipFile(_Careful(file))  # pyright: ignore[reportArgumentType]
        except (*_BROKEN, OSError) as error:
            reason = f"not {what}: no zip archive, or a part of one ({error}); get it again"
            raise unreadable(path, reason) from None
        with archive:
            if len(archive.NameToInfo) > MAX_MEMBERS:
                reason = f"holds more than {MAX_MEMBERS} members: refused"
                raise unreadable(path, reason)
            yield Archive(path, archive)


class _Careful:
    """Reads no table of contents that would fill the memory."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        if size > _MAX_DIRECTORY_BYTES:
            raise zipfile.BadZipFile(f"a table of contents of {size} bytes")
        return self._file.read(size)


def _depth(folder: str, path: str) -> int:
    """How deep below the root a relative path ends up; below 0 once it leaves it."""
    depth = 0 if path.startswith("/") else len([part for part in folder.split("/") if part])
    for part in path.split("/"):
        depth += (part not in ("", ".", "..")) - (part == "..")
        if depth < 0:
            break
    return depth
