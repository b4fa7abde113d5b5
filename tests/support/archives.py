"""Small .docx, .xlsx, .pptx, .epub and OpenDocument files, made for one test."""

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

import docx
import openpyxl
import pptx

OCF = "urn:oasis:names:tc:opendocument:xmlns:container"
OPF = "http://www.idpf.org/2007/opf"
_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
ODF = {
    **{
        name: f"{_OASIS}{name}:1.0" for name in ("office", "presentation", "style", "table", "text")
    },
    "draw": f"{_OASIS}drawing:1.0",
    "meta": f"{_OASIS}meta:1.0",
    "svg": f"{_OASIS}svg-compatible:1.0",
    "calcext": "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0",
    "dc": "http://purl.org/dc/elements/1.1/",
}
"""Prefix → namespace of OpenDocument's elements."""


def packed(members: Mapping[str, str | bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def word(fill: Callable[[Any], object]) -> bytes:
    """A Word file with what `fill` does to python-docx's empty document."""
    document, file = docx.Document(), io.BytesIO()
    fill(document)
    document.save(file)
    return file.getvalue()


def sheets(**filled: Sequence[Sequence[object]]) -> bytes:
    """A workbook of these sheets, by name, with rows of values."""
    workbook, file = openpyxl.Workbook(), io.BytesIO()
    workbook.remove(workbook.worksheets[0])
    for name, lines in filled.items():
        sheet = workbook.create_sheet(name)
        for line in lines:
            sheet.append(line)
    workbook.save(file)
    return file.getvalue()


def slides(fill: Callable[[Any], object]) -> bytes:
    """A presentation with what `fill` does to python-pptx's empty one."""
    presentation, file = pptx.Presentation(), io.BytesIO()
    fill(presentation)
    presentation.save(file)
    return file.getvalue()


def slide(presentation: Any, title: str, text: str = "") -> Any:
    made = presentation.slides.add_slide(presentation.slide_layouts[1])
    made.shapes.title.text = title
    made.placeholders[1].text = text
    return made


def worded(body: str) -> bytes:
    """A Word file whose body is this XML."""
    parts = members(word(lambda document: document.add_paragraph("BODY")))
    start, end = parts["word/document.xml"].split(b"<w:body>")[0], b"</w:body></w:document>"
    return packed(parts | {"word/document.xml": start + b"<w:body>" + body.encode() + end})


def opendocument(kind: str, body: str, styles: str = "", meta: str = "", **more: str) -> bytes:
    """An OpenDocument file.

    Args:
        kind: "text", "spreadsheet" or "presentation".
        body: XML of its content.
        styles: that the content defines for itself.
        meta: its properties.
        more: further members; "_" stands for "/" in their names.
    """
    spaces = " ".join(f'xmlns:{name}="{place}"' for name, place in ODF.items())
    files = {
        "mimetype": f"application/vnd.oasis.opendocument.{kind}",
        "content.xml": f"<office:document-content {spaces}><office:automatic-styles>{styles}"
        f"</office:automatic-styles><office:body><office:{kind}>{body}</office:{kind}>"
        "</office:body></office:document-content>",
        "meta.xml": f"<office:document-meta {spaces}><office:meta>{meta}</office:meta>"
        "</office:document-meta>",
    }
    return packed(files | {name.replace("_", "/"): text for name, text in more.items()})


def book(
    chapters: Mapping[str, str],
    about: str = "<dc:title>A Book</dc:title>",
    contents: str = "",
    **more: str,
) -> bytes:
    """A book of these chapters (name → XHTML of the body).

    Args:
        chapters: in reading order.
        about: its metadata.
        contents: its navigation document's body.
        more: further members; "_" stands for "/" in their names.
    """
    listed = "".join(
        f'<item id="c{n}" href="{escape(name)}" media-type="application/xhtml+xml"/>'
        for n, name in enumerate(chapters)
    )
    order = "".join(f'<itemref idref="c{n}"/>' for n in range(len(chapters)))
    nav = '<item id="n" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>'
    files = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": f'<container xmlns="{OCF}"><rootfiles>'
        '<rootfile full-path="book/book.opf"/></rootfiles></container>',
        "book/book.opf": f'<package xmlns="{OPF}"><metadata'
        f' xmlns:dc="http://purl.org/dc/elements/1.1/">{about}</metadata>'
        f'<manifest>{nav}{listed}</manifest><spine><itemref idref="n"/>{order}</spine></package>',
        "book/nav.xhtml": xhtml(contents),
    }
    files |= {f"book/{name}": xhtml(body) for name, body in chapters.items()}
    return packed(files | {name.replace("_", "/"): text for name, text in more.items()})


def xhtml(body: str) -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"'
        ' xmlns:epub="http://www.idpf.org/2007/ops"><head><title/></head>'
        f"<body>{body}</body></html>"
    )
