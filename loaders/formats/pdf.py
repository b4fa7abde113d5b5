"""PDF: the text of its pages, put together to sentences and paragraphs again."""

import logging
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pypdf

from ...kg.errors import SourceError
from ...kg.text.words import clean
from ...kg.types import Document, Metadata
from ..layout import MAX_HEADING, heading_of
from ..reading import opened, unreadable
from ..tables import Row
from .printed.fonts import Fonts
from .printed.pages import Page, joined
from .printed.placed import Placed
from .printed.tables import DRAWS, Ruled, Ruling
from .text import file_document, is_title, titled

MAX_PAGES = 20_000  # of one file; a broken one may claim any number
MAX_PAGE_BYTES = 8 << 20  # that draw one page, unpacked
MAX_FILE_BYTES = (
    512 << 20
)  # that draw all pages: one that swells may be named by thousands of pages
MAX_STEPS = 500_000  # of drawing a page, with the forms in it; pypdf takes some 10 s for them
MAX_FILE_STEPS = 20_000_000
TITLE_PAGE = 12  # lines that it has at most
SHORT = 0.7  # of a page's longest line: less is no line of running text
_NOTE_MARKS = " *∗†‡§"
MAX_HEADINGS = 5_000  # of an outline, which may lead in circles

logging.getLogger("pypdf").addHandler(logging.NullHandler())  # else it writes on the screen


def load(path: Path) -> Iterator[Document]:
    """Read a PDF as one document, each page and each heading of its outline a section.

    Raises:
        SourceError: it is no PDF, encrypted, damaged, or holds no text; where some pages can't be
            read, the others were yielded.
    """
    with opened(path) as file:
        try:
            reader = pypdf.PdfReader(file)
            pages, unread, table = _pages(path, reader)
            (title, metadata), headings = _metadata(reader), _outline(reader)
        except (SourceError, MemoryError):
            raise
        except Exception as error:  # noqa: BLE001 - a damaged file makes pypdf raise anything
            raise unreadable(path, _why(error)) from None
    text, sections = joined(pages, headings)
    if not text and not unread:
        raise unreadable(path, "holds no text; it may be a scan: recognise its text (OCR) first")
    if text:
        title = title or _whole_title(_on_title_page(pages), text)
        title, text, sections = titled(path, title, text, sections)
        yield file_document(path, title, text, metadata, sections, table)
    if unread:
        numbers = ", ".join(map(str, unread[:10])) + (" …" if len(unread) > 10 else "")
        raise unreadable(path, f"damaged, or too much: nothing could be read of page {numbers}")


def _pages(path: Path, reader: pypdf.PdfReader) -> tuple[list[Page], list[int], list[Row]]:
    """Pages that can be read, the numbers of those that can't, and the rows of their tables."""
    if reader.is_encrypted and not reader.decrypt(""):
        raise unreadable(path, "encrypted; save a copy without a password")
    if len(reader.pages) > MAX_PAGES:
        raise unreadable(path, f"{len(reader.pages)} pages, more than {MAX_PAGES}; split it")
    pages, unread, table, work = list[Page](), list[int](), list[Row](), _Work()
    with Ruled(path) as ruled:
        for number in range(1, len(reader.pages) + 1):
            try:
                text, ends = work.text_of(reader.pages[number - 1])
            except Exception:  # noqa: BLE001 - as above
                unread.append(number)
            else:
                text, rows = ruled.within(number, clean(text), work.drawn)
                lines = frozenset(line for row in rows for line in row.text.split("\n"))
                pages.append(Page(number, text, lines, ends))
                table += rows
            if work.bytes > MAX_FILE_BYTES or work.steps > MAX_FILE_STEPS:
                most = f"{MAX_FILE_BYTES >> 20} MB, or {MAX_FILE_STEPS / 1e6:g} million steps"
                raise unreadable(path, f"its pages take more than {most} of drawing; split it")
    return pages, unread, table


class _TooMuch(Exception):
    pass


class _Work:
    """What has been taken to read pages, each within its limits."""

    def __init__(self) -> None:
        self.bytes = self.steps = 0
        self.drawn = Ruling()  # of the last page
        self._fonts = Fonts()

    def text_of(self, page: pypdf.PageObject) -> tuple[str, frozenset[tuple[str, str]]]:
        contents = page.get_contents()
        size = 0 if contents is None else len(contents.get_data())
        self.bytes += size
        if size > MAX_PAGE_BYTES:
            raise _TooMuch
        most, self.drawn = self.steps + MAX_STEPS, Ruling()
        draw = self.drawn.draw

        def step(operator: bytes, operands: list[float], matrix: list[float], *_: object) -> None:
            self.steps += 1
            if operator in DRAWS:
                draw(operator, operands, matrix)
            if self.steps > most:
                raise _TooMuch

        self._fonts.mend(page)
        placed = Placed()
        told = page.extract_text(visitor_operand_before=step, visitor_text=placed.add)
        return placed.text(told), placed.ends()


def _metadata(reader: pypdf.PdfReader) -> tuple[str, Metadata]:
    """(title or "", metadata); what is damaged is left out."""
    told = {name: _told(reader, name) for name in ("title", "author", "creation_date")}
    date = told["creation_date"]
    metadata: dict[str, str | int] = {"pages": len(reader.pages)}
    if isinstance(told["author"], str) and (author := _line(told["author"])):
        metadata["author"] = author
    if isinstance(date, datetime):
        metadata["date"] = date.date().isoformat()
    title = _line(told["title"]) if isinstance(told["title"], str) else ""
    return ("" if _made_by_a_program(title) else title), metadata


def _on_title_page(pages: list[Page]) -> str:
    """The first line of a first page that begins with a title, else "".

    It has few lines and no sentence, or its first line is short and no part of what follows.
    """
    lines = [_line(line) for line in pages[0].text.split("\n") if line.strip()]
    lines[:1] = [line.rstrip(_NOTE_MARKS) for line in lines[:1]]
    if not lines or len(lines[0]) > MAX_HEADING:
        return ""
    if len(lines) <= TITLE_PAGE and not any(line.endswith(".") for line in lines):
        return lines[0]
    again = any(_line(page.text[: 2 * MAX_HEADING]).startswith(lines[0]) for page in pages[1:])
    short = len(lines[0]) < SHORT * max(map(len, lines)) and not lines[1][:1].islower()
    return lines[0] if short and not again and is_title(lines[0]) else ""


def _whole_title(line: str, text: str) -> str:
    """The first paragraph of a text that begins with a title's line, where it is one in full."""
    whole = _line(text.split("\n\n", 1)[0])
    longer = line and whole.startswith(f"{line} ") and len(whole) <= MAX_HEADING
    return whole if longer and is_title(whole) else line


def _told(reader: pypdf.PdfReader, name: str) -> object:
    try:
        return getattr(reader.metadata, name, None)
    except Exception:  # noqa: BLE001 - as above
        return None


def _line(text: str) -> str:
    return " ".join(clean(text).replace("\0", "").split())


def _made_by_a_program(title: str) -> bool:
    """Whether a program called it after a file: "Microsoft Word - draft3.doc", "untitled"."""
    lower = title.lower()
    file = lower.endswith((".doc", ".docx", ".indd", ".tex", ".dvi", ".pdf", ".qxd", ".rtf"))
    return file or lower.startswith(("microsoft word -", "untitled"))


def _outline(reader: pypdf.PdfReader) -> list[tuple[int, str]]:
    """(page number, heading) in the file's order; empty when it can't be read."""
    try:
        return sorted(_headings(reader), key=lambda found: found[0])
    except Exception:  # noqa: BLE001 - as above
        return []


def _headings(reader: pypdf.PdfReader) -> Iterator[tuple[int, str]]:
    waiting: list[Any] = [reader.outline]
    for _ in range(MAX_HEADINGS):
        if not waiting:
            return
        item = waiting.pop()
        if isinstance(item, list):
            waiting += reversed(item)
            continue
        number, title = (
            reader.get_destination_page_number(item),
            heading_of(_line(str(item.title or ""))),
        )
        if number is not None and title:
            yield number + 1, title


def _why(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "damaged: its parts contain each other"
    return f"not a PDF, or damaged: {clean(str(error)) or type(error).__name__}"
