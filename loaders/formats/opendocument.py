"""OpenDocument files (.odt, .ods, .odp), as LibreOffice writes them, read with lxml.

Not with odfdo: it unpacks every part whatever it grows to.
"""

from collections.abc import Iterator
from pathlib import Path

from ...kg.types import Document, Section
from ..layout import Layout, cut
from .archive import Archive, unpacked
from .office.odf_blocks import Writer
from .office.odf_sheets import write_sheets
from .office.odf_slides import write_slides
from .office.odf_styles import Styles
from .office.parts import inside, joined, tag_of
from .text import file_document, title_of, titled

_MANIFEST = "META-INF/manifest.xml"
_PROPERTIES = {
    "initial-creator": "author", "creation-date": "date", "date": "modified", "subject": "subject",
    "description": "description", "language": "language",
}  # fmt: skip


def load(path: Path) -> Iterator[Document]:
    """Read a text, a workbook or a presentation as one document.

    Of a text headings begin sections, list items and table rows have a line each, notes follow it;
    a workbook has a section for each sheet, a presentation one for each slide, as those of Word,
    Excel and PowerPoint have. Comments, deleted text, indexes and what is hidden stay out.

    Raises:
        SourceError: as `archive.unpacked`, or it is none of these.
    """
    with unpacked(path, "an OpenDocument file") as archive:
        _require_readable(archive)
        root = archive.xml("content.xml")
        body = next((part for child in inside(root, "body") for part in child), None)
        kind = "" if body is None else tag_of(body)
        layout, styles = Layout(), Styles(archive, root)
        about = _about_file(archive)
        title = about.pop("title", "")
        if kind == "text" and body is not None:
            writer = Writer(styles, layout)
            writer.blocks(body)
            writer.notes()
            title, text, sections = writer.finished(title)
            title, text, sections = titled(path, title, text or title, sections)
        elif kind == "spreadsheet" and body is not None:
            write_sheets(layout, styles, body, archive)
            text, sections = cut(layout.text, layout.sections, 0, layout.length)
            title = title or title_of(path)
        elif kind == "presentation" and body is not None:
            write_slides(layout, styles, body)
            text, sections = cut(layout.text, layout.sections, 0, layout.length)
            title = title or _first(sections) or title_of(path)
        else:
            raise archive.error("not a text, workbook or presentation; save it as one")
    if text:
        yield file_document(path, title, text, about, sections, layout.table)


def _require_readable(archive: Archive) -> None:
    if "content.xml" not in archive:
        raise archive.error("not an OpenDocument file: it holds no 'content.xml'")
    if _MANIFEST not in archive:
        return
    if any(tag_of(element) == "encryption-data" for element in archive.xml(_MANIFEST).iter()):
        raise archive.error("protected by a password; save it without one")


def _about_file(archive: Archive) -> dict[str, str]:
    """Title and metadata of the file's properties."""
    if "meta.xml" not in archive:
        return {}
    said: dict[str, str] = {}
    keywords: list[str] = []
    for child in (child for part in archive.xml("meta.xml") for child in part):
        text = joined(child.text or "")
        if tag_of(child) == "keyword":
            keywords.append(text)
        else:
            said[tag_of(child)] = text
    known = {"title": said.get("title", "")}
    known |= {key: said.get(name, "") for name, key in _PROPERTIES.items()}
    known["author"] = known["author"] or said.get("creator", "")
    known["keywords"] = ", ".join(filter(None, keywords))
    return {key: value for key, value in known.items() if value}


def _first(sections: tuple[Section, ...]) -> str:
    return next((section.heading for section in sections if section.heading), "")
