"""HTML and XHTML files."""

from collections.abc import Iterator
from pathlib import Path

from ...kg.types import Document, Section
from ..encoding import decoded
from ..html.around import around
from ..html.markup import page
from ..layout import CODE
from ..reading import read_bytes, unreadable
from .marks.wrapped import rejoined
from .text import file_document, titled

MAX_BYTES = 64 << 20  # of one file
MAX_NOTICE = 300  # characters of a page that only leads to another


def load(path: Path) -> Iterator[Document]:
    """Read an HTML file as one document; see `markup.page`.

    What stands around its content and tells something comes last; see `html.around`.

    Its metadata are author, date, description, url and language where the page says them.

    Raises:
        SourceError: as `reading.read_bytes`, or it is binary or nested too deeply, or says no more
            than that it is elsewhere.
    """
    html = decoded(read_bytes(path, MAX_BYTES))
    if "\0" in html:
        where = f"NUL at character {html.index(chr(0))}"
        raise unreadable(path, f"a binary file: {where}; save it as HTML, in UTF-8")
    try:
        found = page(html, xml=path.suffix.lower() == ".xhtml" or html.lstrip().startswith("<?xml"))
    except ValueError as error:
        raise unreadable(path, f"{error}; save the page from a browser, or as text") from None
    if found.leads_to and len(found.text) <= MAX_NOTICE:
        raise unreadable(path, f"no page of its own: it leads to {found.leads_to}; read that")
    text = found.text or found.title
    if text:
        title, text, sections = titled(path, found.title, text, found.sections)
        if _is_typed(text):
            text, sections = rejoined(text, sections)
        if lines := around(html, text):
            sections = (*sections, Section(len(text) + 2))
            text += "\n\n" + "\n".join(lines)
        yield file_document(path, title, text, found.metadata, sections, found.table)


def _is_typed(text: str) -> bool:
    """Whether most of a page is preformatted, as the archive of a mailing list is."""
    typed = sum(len(line) for line in text.split("\n") if line.startswith(CODE))
    return 2 * typed > len(text)
