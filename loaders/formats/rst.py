"""reStructuredText (.rst), turned into HTML by docutils, and that into text."""

import html
import re
from collections.abc import Iterator
from pathlib import Path

from ...kg.types import Document
from ..html.markup import page
from ..options import Options
from ..reading import read_text, unreadable
from .text import file_document, titled

MAX_CHARACTERS = 4_000_000  # of one file; docutils takes a second for 100,000
_ROLE = re.compile(
    r"(?<![\w.+:-]):[a-zA-Z][\w.+-]*+(?::[a-zA-Z][\w.+-]*+)*+:`~?!?([^`<]*[^`<\s])\s*+(?:<[^`<>]*>)?`"
)
_UNKNOWN = re.compile(  # Sphinx's, which docutils does not know; their bodies are text
    r"^( *)\.\. (versionadded|versionchanged|deprecated|seealso|glossary|describe"
    r"|(?:[a-z]+:)?(?:function|class|method|attribute|data|module|exception|option))::[ \t]*(.*)$",
    re.MULTILINE,
)
_ASIDE = re.compile(r"(?<=<)aside\b|(?<=</)aside\b")  # an admonition is text
_UNNAMED = re.compile(r'<img alt="([^"]*)" src="\1"')  # its file's name stands for what it shows
_TAG = re.compile(r"<[^<>]*>")
_SETTINGS = {
    "file_insertion_enabled": False,  # nothing is included from other files
    "raw_enabled": False,
    "_disable_config": True,
    "report_level": 5,
    "halt_level": 5,
    "input_encoding": "unicode",
    "output_encoding": "unicode",
    "embed_stylesheet": False,
    "stylesheet_path": None,
    "syntax_highlight": "none",
    "doctitle_xform": True,
    "smart_quotes": False,
    "line_length_limit": 1_000_000,
}


def load(path: Path, options: Options | None = None) -> Iterator[Document]:
    """Read a reStructuredText file as one document; its title is the first heading, if alone.

    The fields under it are its metadata, and a row of the text.

    Roles of Sphinx give their text, its admonitions theirs; other directives that docutils does not
    know go, and nothing is included from other files.

    Raises:
        SourceError: as `reading.chunks`, or it is too large or nested too deeply.
    """
    from docutils.core import publish_parts

    text = read_text(path, (options or Options()).encoding)
    if len(text) > MAX_CHARACTERS:
        raise unreadable(path, f"more than {MAX_CHARACTERS / 1e6:g} million characters; split it")
    text = _UNKNOWN.sub(_admonition, _ROLE.sub(r"\1", text))
    try:
        parts = publish_parts(text, writer="html5", settings_overrides=_SETTINGS)
        title, body = parts.get("title", ""), _ASIDE.sub("div", parts.get("body", ""))
        body = _UNNAMED.sub('<img alt="" src=""', body)
        if alone := parts.get("subtitle", ""):  # the only section is taken for one
            body = f"<h2>{alone}</h2>{body}"
        told = parts.get("docinfo", "")
        above = f"<h1>{title}</h1><table>{_rows(told)}</table>" if told else ""
        found = page(f"<title>{title}</title>{above}{body}")
    except (ValueError, RecursionError) as error:
        raise unreadable(path, f"nested too deeply ({error}); save it as text") from None
    body = found.text or found.title
    if body:
        title, body, sections = titled(path, found.title, body, found.sections)
        yield file_document(path, title, body, _metadata(told), sections, found.table)


def _rows(told: str) -> str:
    """The fields under a title as rows of a table: a list of one field would be none."""
    for listed, row in (("dt", "<tr><th>"), ("dd", "<td>")):
        told = re.sub(rf"<{listed}\b[^<>]*>", row, told).replace(f"</{listed}>", "")
    return re.sub(r"</?dl\b[^<>]*>", "", told)


def _metadata(told: str) -> dict[str, str]:
    """The fields under a title, as docutils writes them: ":Author: Ann Lee"."""
    fields = dict[str, str]()
    for field in told.split("</dd>")[:-1]:
        name, _, said = field.rpartition('<dd class="')[2].partition('">')
        said = html.unescape(_TAG.sub("", said)).strip()
        if said and "\n" not in said:
            fields[name] = said
    return fields


def _admonition(found: re.Match[str]) -> str:
    indent, name, said = found.groups()
    return f"{indent}.. admonition:: {said or name}\n"
