"""Books (.epub), read with lxml: a package document that orders chapters of XHTML."""

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]: compiled

from ...kg.errors import SourceError
from ...kg.types import Document, Section
from ..encoding import decoded
from ..html.markup import page
from ..layout import heading_of
from ..tables import Row
from .archive import Archive, unpacked
from .text import file_document, title_of

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")  # no protection
_CHAPTERS = ("application/xhtml+xml", "text/html", "application/xml", "text/xml")
_METADATA = {
    "creator": "author", "date": "date", "language": "language", "publisher": "publisher",
    "description": "description",
}  # fmt: skip


def load(path: Path) -> Iterator[Document]:
    """Read a book as one document, its chapters in reading order.

    Sections begin with headings, and with chapters that only the table of contents names; that
    table itself and pictures stay out. Title, author, date, language, publisher and description
    are those of the package.

    Raises:
        SourceError: as `archive.unpacked`, or it is no book, incomplete or protected.
    """
    with unpacked(path, "an .epub file") as archive:
        book = _package(archive)
        package = archive.xml(book)
        chapters = _chapters(archive, book, package)
        _require_readable(archive, chapters)
        labels = _labels(archive, book, package)
        text, sections, table = _text(archive, chapters, labels)
        about = _about(package)
    title = about.pop("title", "") or title_of(path)
    if text:
        yield file_document(path, title, text, about, sections, table)


def _text(
    archive: Archive, chapters: list[str], labels: dict[str, str]
) -> tuple[str, list[Section], list[Row]]:
    parts, sections, table, length = list[str](), list[Section](), list[Row](), 0
    for name in chapters:
        try:
            chapter = page(decoded(archive.read(name)), xml=True, chapter=True)
        except ValueError as error:
            raise archive.error(f"'{name}': {error}; save the book anew") from None
        if not chapter.text:
            continue
        begins_with_heading = chapter.sections and chapter.sections[0].start == 0
        if name in labels and not begins_with_heading:
            sections.append(Section(length, heading_of(labels[name])))
        sections += (replace(s, start=s.start + length) for s in chapter.sections)
        parts.append(chapter.text)
        table += chapter.table
        length += len(chapter.text) + 2
    return "\n\n".join(parts), sections, table


def _package(archive: Archive) -> str:
    """The member that says what the book is made of."""
    if _CONTAINER not in archive:
        raise archive.error(f"not a book: it holds no {_CONTAINER}; get it again as .epub")
    for root in _all(archive.xml(_CONTAINER), "rootfile"):
        if name := root.get("full-path"):
            return archive.place(name)
    raise archive.error(f"not a book: {_CONTAINER} names no package; get it again as .epub")


def _chapters(archive: Archive, book: str, package: etree._Element) -> list[str]:
    """Members in reading order, each once."""
    items = {item.get("id"): item for item in _all(package, "item")}
    chapters = dict[str, None]()
    for reference in _all(package, "itemref"):
        item = items.get(reference.get("idref"))
        if item is None:
            raise archive.error("incomplete: its reading order names what it does not hold")
        contents = "nav" in (item.get("properties") or "").split()
        if item.get("media-type") in _CHAPTERS and not contents:
            chapters[archive.place(item.get("href") or "", beside=book)] = None
    return list(chapters)


def _require_readable(archive: Archive, chapters: list[str]) -> None:
    if _ENCRYPTION not in archive:
        return
    for data in _all(archive.xml(_ENCRYPTION), "EncryptedData"):
        methods = {method.get("Algorithm") for method in _all(data, "EncryptionMethod")}
        names = {archive.place(part.get("URI") or "") for part in _all(data, "CipherReference")}
        if not methods.issubset(_FONTS) and not names.isdisjoint(chapters):
            raise archive.error("protected against copying (DRM); a copy without it can be read")


def _labels(archive: Archive, book: str, package: etree._Element) -> dict[str, str]:
    """Member → what the table of contents calls it, from EPUB 2's NCX or EPUB 3's nav."""
    labels = dict[str, str]()
    for item in _all(package, "item"):
        contents = "nav" in (item.get("properties") or "").split()
        if not contents and item.get("media-type") != "application/x-dtbncx+xml":
            continue
        with contextlib.suppress(SourceError):  # the chapters can be read without it
            name = archive.place(item.get("href") or "", beside=book)
            for label, href in _entries(archive.xml(name)):
                labels.setdefault(archive.place(href, beside=name), label)
    return {name: label for name, label in labels.items() if label}


def _entries(contents: etree._Element) -> Iterator[tuple[str, str]]:
    """(label, reference) for each entry, in order."""
    for point in _all(contents, "navPoint"):
        source = next((child.get("src") or "" for child in _all(point, "content")), "")
        yield next((_said(child) for child in _all(point, "navLabel")), ""), source
    for nav in _all(contents, "nav"):
        for link in _all(nav, "a"):
            yield _said(link), link.get("href") or ""


def _about(package: etree._Element) -> dict[str, str]:
    """Title and metadata; several authors are one text."""
    about = dict[str, str]()
    for metadata in _all(package, "metadata"):
        for child in metadata.iter("{*}*"):
            name = etree.QName(child).localname
            key, said = _METADATA.get(name, str(name)), _said(child)
            if key == "author" and key in about:
                about[key] += f", {said}"
            elif said and (key == "title" or key in _METADATA.values()):
                about.setdefault(key, said)
    return about


def _all(element: etree._Element, name: str) -> Iterator[etree._Element]:
    """The elements of that name below it, in any namespace."""
    return element.iter(f"{{*}}{name}")


def _said(element: etree._Element) -> str:
    return " ".join("".join(element.itertext(etree.Element)).split())
