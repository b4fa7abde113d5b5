"""Plain text files."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ...kg.text.lines import ROW
from ...kg.text.titles import bare, bears, may_link, numbered
from ...kg.text.words import clean, normal_title, stable_id
from ...kg.types import Document, Metadata, Section
from ..html.bars import is_bar
from ..layout import MAX_HEADING, cut
from ..options import Options
from ..parents import under_parents
from ..persons import persons
from ..reading import read_text
from ..tables import Row, located
from .marks.asciidoc import marked, without_marks
from .marks.drawn import with_rows
from .marks.headings import lines_of, structured, with_title
from .marks.letter import Letter, letter
from .marks.terms import with_definitions
from .marks.wrapped import rejoined

_FIRST_LINE = re.compile(  # before a blank line, a rule or a "Date: …", and something after it
    r"""\s*([^\W_a-z][^\n]{2,99}?)[^\S\n]*\n
    (?:[^\S\n]*\n | [^\S\n]*(?:={3,}|-{3,}|~{3,})[^\S\n]*\n | (?=\w[\w ]{0,30}:\ ))\s*(?=\S)""",
    re.VERBOSE,
)
_TITLE = re.compile(r"^(?!\w+: )(?=.*[^\W\d_]{2}).*[^.,:;!…]$")
_TWO_LINES = re.compile(  # which stay in the text: they tell more than a title does
    r"\s*([^\W_a-z][^\n]{2,79})\n[ \t]*([^\W_a-z][^\n]{2,79})\n[^\S\n]*\n\s*\S"
)
_TO_A_YEAR = re.compile(r"[^\W\d].*?\b(?:19|20)\d\d\b(?![-/.]\d)")
_MAIL = re.compile(  # a message, or a thread of them, that was saved as text
    r"\s*(?=(?:[\w-]+: [^\n]*\n){0,5}From: )(?=(?:[\w-]+: [^\n]*\n){0,5}Subject: \S)"
    r"(?:[\w-]+: [^\n]*\n(?:[ \t]+\S[^\n]*\n)*){3,}\s*\n"
)
_AROUND = re.compile(r"^[-*=~_#+\s]{3,}|[-*=~_#+\s]{3,}$")  # "---- Questions ----"
MAX_TITLE_WORDS = 14
MAX_ABOVE = 2000  # characters in which a text says whom it is by


def load(path: Path, options: Options | None = None) -> Iterator[Document]:
    """Read a text file as one document, titled by its first line if that is set apart.

    One that begins with "From: …" and "Subject: …" is read as a message; see `letter.letter`.

    Raises:
        SourceError: as `reading.chunks`.
    """
    text = read_text(path, (options or Options()).encoding)
    if _MAIL.match(text):
        found = letter(text.lstrip().encode()) or Letter("", text, (), [], {}, "")
        about = (found.metadata, found.sections, found.table)
        yield file_document(path, found.title or title_of(path), found.text, *about)
        return
    lines = lines_of(text)
    lines = [line for line in lines if not is_bar(line.strip())]
    if marked(lines):
        lines = list(without_marks(lines))
    lines, table = with_rows(with_title(lines))
    text, sections = structured(lines)
    text, sections = cut(text, sections, 0, len(text))
    title = ""
    if sections and not sections[0].start and may_link(normal_title(sections[0].heading)):
        title, rest = text.split("\n", 1)[0].strip(), text.find("\n")
        text, sections = cut(text, sections, rest, len(text))
    title, text, sections = titled(path, title, text, sections)
    text, sections = with_definitions(*rejoined(text, sections))
    yield file_document(path, title, text, {}, sections, table)


def file_document(
    path: Path,
    title: str,
    text: str,
    metadata: Metadata,
    sections: Sequence[Section] = (),
    table: Sequence[Row] = (),
) -> Document:
    """Make a document of a file, known by its place: a changed file replaces itself.

    Persons that its metadata name as authors are said in its text, unless it says so itself.

    Args:
        table: the rows of its tables, in the order of the text.
    """
    title, sections = _without_numbers(title, text, sections)
    place = str(path.resolve())
    if row := _by(title, text, str(metadata.get("author", ""))):
        rest = f"{row.text}\n\n"
        moved = (s.start + len(rest) if s.start or not s.page else 0 for s in sections)
        sections = [replace(s, start=at) for s, at in zip(sections, moved, strict=True)]
        text, table = rest + text, [row, *table]
    identity, source = stable_id("file", place), clean(place)
    return Document(
        identity,
        title,
        text,
        source,
        metadata,
        sections=tuple(sections),
        facts=located(text, table, sections, title),
        wrapped=False,
    )


def _without_numbers(
    title: str, text: str, sections: Sequence[Section]
) -> tuple[str, Sequence[Section]]:
    """The title and headings without the numbers of sections: "2 Pumps", but "3.1 Sarge".

    A heading that several share is told by what it stands under.
    """
    begun = [text[s.start : s.start + MAX_HEADING].split("\n", 1)[0].split() for s in sections]
    said = [_to(" ".join(line), s.heading) for line, s in zip(begun, sections, strict=True)]
    lines = [
        line if bears(line, section.heading) or _is_item(section) else section.heading
        for line, section in zip(said, sections, strict=True)
    ]
    marked = numbered([title, *lines])
    named = [bare(line) if at in marked else line for at, line in enumerate([title, *lines])]
    told = zip(sections, named[1:], strict=True)
    plain = [s if _is_item(s) else replace(s, heading=h) for s, h in told]
    return named[0], under_parents(plain, said)


def _is_item(section: Section) -> bool:
    """Whether a section may be an item that has a number, but no heading."""
    return section.apart and not section.heading


def _to(line: str, heading: str) -> str:
    """The beginning of a line that goes on behind its heading: "3. Lathe" of "3. Lathe – it is"."""
    return "".join(line.partition(heading)[:2]) if heading else line


def _by(title: str, text: str, author: str) -> Row | None:
    """The row that tells whom a text is by, None where it says so, or no person is named."""
    names = persons(author)
    told = rf"\b(?:by|from|authors?|creator|autor(?:in)?|von)\b[\W_]{{1,5}}{re.escape(author)}"
    if not names or re.search(told, text[:MAX_ABOVE], re.IGNORECASE):
        return None
    facts = tuple((title, "Author", name) for name in names)
    return Row(f"Author: {', '.join(names)}", facts if title else ())


def titled(
    path: Path, title: str, text: str, sections: Sequence[Section] = ()
) -> tuple[str, str, tuple[Section, ...]]:
    """Find what a file is called that may name no title: (title, text without it, sections).

    Its first line, if that is short and set apart from a text, else the file's name.

    Args:
        path: of the file.
        title: that it names, or "".
        text: of the document.
        sections: of it.
    """
    if title:
        return title, text, tuple(sections)
    found = _FIRST_LINE.match(text)
    if not found or not is_title(found[1]):
        return _first_lines(text) or title_of(path), text, tuple(sections)
    rest, inside = cut(text, sections, found.end(), len(text))
    before = [s for s in sections if s.start < found.end()]
    if before and (not inside or inside[0].start):  # the page that the first line is on goes on
        inside = (replace(before[-1], start=0), *inside)
    return " ".join(_AROUND.sub("", found[1]).split()) or title_of(path), rest, inside


def _first_lines(text: str) -> str:
    """What the two lines above all text say, or "".

    "Meeting of 3 May 2024 (Alder Tree Care)" for "Alder Tree Care" over "Meeting of 3 May 2024, …".
    """
    found = _TWO_LINES.match(text)
    return title_of_lines([" ".join(line.split()) for line in found.groups()] if found else [])


def title_of_lines(lines: Sequence[str]) -> str:
    """Make a title of a line, or of two of which the second may tell a day; "" where it is none."""
    if not lines or not all(map(is_title, lines)):
        return ""
    dated = _TO_A_YEAR.match(lines[-1])
    return f"{dated[0]} ({lines[0]})" if dated and len(lines) > 1 else ", ".join(lines)


def is_title(line: str) -> bool:
    """Whether a line may be a title: short, with letters, no sentence, no row, no "Date: …"."""
    short = len(line.split()) <= MAX_TITLE_WORDS
    return short and _TITLE.search(line) is not None and not ROW.match(line)


def title_of(path: Path) -> str:
    """Turn a file's name into a title: "grieg_in-bergen.txt" into "grieg in bergen"."""
    return re.sub(r"[\s_-]+", " ", clean(path.stem)).strip() or clean(path.name)
