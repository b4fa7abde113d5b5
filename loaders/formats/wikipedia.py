"""Dumps of a wiki, as Wikipedia's `pages-articles`: each article a document, its links kept.

Read as a stream, packed or not: memory holds a page at a time, however large the dump is.
Redirects and pages that are no articles are passed over; disambiguation pages stay, since only
templates of each wiki's own tell them apart.
"""

import bz2
import gzip
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast
from xml.etree import ElementTree

from ...kg.errors import SourceError
from ...kg.text.words import clean, stable_id
from ...kg.types import Document
from ..options import Meter, Options
from ..reading import opened, unreadable
from .marks.wikitext import Wiki, reduced

MAX_DEPTH = 100  # elements; a dump has five, and a million take minutes
MAX_PAGE_BYTES = 16_000_000
"""Bytes of a page: a wiki allows an article 2 MB, unless the dump holds its whole history."""
_NUMBER = re.compile(r"-?[0-9]+")
_START = 4096  # bytes in which a dump says what it is


def load(
    path: Path, options: Options | None = None, meter: Meter | None = None
) -> Iterator[Document]:
    """Yield the articles of a dump, in its order.

    An article's id is made of the wiki and the page's number, so that a later dump replaces it.

    Args:
        path: of an XML file, packed by bzip2 (also multistream) or gzip, or not at all.
        options: where `place` is of use here.
        meter: counts along, in packed bytes.

    Raises:
        SourceError: it is no dump, damaged or cut off; articles before that were yielded.
    """
    source = clean((options and options.place) or str(path.resolve()))
    with opened(path) as file:
        stream = _Stream(path, file, meter)
        try:
            for page, wiki in _pages(path, stream):
                document = _document(page, wiki, source)
                if document:
                    yield document
        except (EOFError, zlib.error, ElementTree.ParseError) as error:
            raise unreadable(path, f"damaged or cut off: {clean(str(error))}") from None


def is_dump(path: Path) -> bool:
    """Tell whether a file begins as a dump does; also when that can't be seen: `load` says why."""
    try:
        with opened(path) as file:
            return b"<mediawiki" in _unpacked(file).read(_START)
    except (SourceError, EOFError, zlib.error):
        return True


class _Stream:
    """Unpacked bytes for the parser, that refuses a page without an end."""

    def __init__(self, path: Path, file: BinaryIO, meter: Meter | None) -> None:
        self._path, self._file, self._meter = path, file, meter
        self._unpacked = _unpacked(file)
        self._since = 0  # bytes since the last page

    def read(self, size: int = -1) -> bytes:
        data = self._unpacked.read(size)
        self._since += len(data)
        if self._since > MAX_PAGE_BYTES:
            raise unreadable(
                self._path,
                f"a page of more than {MAX_PAGE_BYTES / 1e6:g} MB; take a dump of current pages "
                "(pages-articles), not of their history",
            )
        if self._meter:
            self._meter.here = self._file.tell()
        return data

    def page_ends(self) -> None:
        self._since = 0


def _unpacked(file: BinaryIO) -> BinaryIO:
    start = file.read(3)
    file.seek(0)
    if start == b"BZh":
        return cast(BinaryIO, bz2.BZ2File(file))
    return cast(BinaryIO, gzip.GzipFile(fileobj=file)) if start[:2] == b"\x1f\x8b" else file


def _pages(path: Path, stream: _Stream) -> Iterator[tuple[ElementTree.Element, Wiki]]:
    events = ElementTree.iterparse(stream, ("start", "end"))  # type: ignore[arg-type]
    try:
        _, root = next(events)
    except ElementTree.ParseError as error:
        raise unreadable(path, f"not a Wikipedia dump: {clean(str(error))}") from None
    if _name(root) != "mediawiki":
        raise unreadable(path, f"not a Wikipedia dump: it begins with <{clean(_name(root))[:40]}>")
    wiki, depth = Wiki(), 1
    for event, element in events:
        depth += 1 if event == "start" else -1
        if depth > MAX_DEPTH:
            raise unreadable(path, f"elements are nested deeper than {MAX_DEPTH}: no dump's are")
        if event == "start":
            continue
        name = _name(element)
        if name == "siteinfo":
            wiki = _wiki(element)
        elif name == "page":
            stream.page_ends()
            yield element, wiki
            root.clear()


def _wiki(siteinfo: ElementTree.Element) -> Wiki:
    namespaces = {
        " ".join((element.text or "").split()).casefold(): int(element.get("key", ""))
        for element in siteinfo.iterfind("{*}namespaces/{*}namespace")
        if element.text and _NUMBER.fullmatch(element.get("key", ""))
    }
    name = _text(siteinfo, "dbname") or _text(siteinfo, "sitename")
    return Wiki(name, namespaces, _text(siteinfo, "case") != "case-sensitive")


def _document(page: ElementTree.Element, wiki: Wiki, source: str) -> Document | None:
    if _text(page, "ns") not in ("", "0") or page.find("{*}redirect") is not None:
        return None
    revision = page.find("{*}revision[last()]")
    if revision is None or _text(revision, "model") not in ("", "wikitext"):
        return None
    title, number = " ".join(clean(_text(page, "title")).split()), _text(page, "id")
    text, sections, anchors = reduced(_text(revision, "text"), wiki)
    if not text:
        return None
    metadata = {"page_id": number, "date": _text(revision, "timestamp"), "wiki": wiki.name}
    return Document(
        stable_id("wikipedia", wiki.name, number or title),
        title,
        text,
        source,
        {name: clean(value) for name, value in metadata.items() if value},
        sections=sections,
        anchors=anchors,
        wrapped=False,
    )


def _text(element: ElementTree.Element, name: str) -> str:
    found = element.find("{*}" + name)
    return (found.text or "").strip() if found is not None else ""


def _name(element: ElementTree.Element) -> str:
    return str(element.tag).rpartition("}")[2]
