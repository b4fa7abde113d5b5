"""Manual pages (roff, with the macros man or mdoc), reduced to the text that a reader would see."""

import gzip
import re
import zlib
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

from ...kg.types import Document
from ..layout import Gap, Layout, cut
from ..options import Options
from ..reading import read_text, unreadable
from ..tables import Cell, rows, unmarked
from .marks.roff import INLINE, arguments, inline, shown
from .text import file_document, title_of

_BEGINS = re.compile(rb"^[.']\s*(?:TH|Dd|Dt)\s", re.M)
_HEAD = 1 << 15  # bytes in which a page says that it is one: comments stand above
_FONTS = frozenset(["B", "I", "R", "SM", "SB", "BR", "BI", "IB", "IR", "RB", "RI"])
_BULLETS = frozenset("•*-–o·")
_PARAGRAPH = frozenset(["PP", "LP", "P", "HP", "Pp", "sp", "SY"])
_VERBATIM = frozenset(["nf", "EX", "Bd"])
_TRUE = re.compile(r"n\b|\\n\(\.g|\\n\[\.g\]")


def load(path: Path, options: Options | None = None) -> Iterator[Document]:
    """Read a manual page as one document, called "name(section)"; each heading is a section.

    Raises:
        SourceError: as `reading.chunks`, or it is no manual page.
    """
    text = read_text(path, (options or Options()).encoding)
    if not _BEGINS.search(text[:_HEAD].encode()):
        raise unreadable(path, "no manual page: neither .TH nor .Dt is in it; save it as .txt")
    page = _Page()
    page.read(iter(text.split("\n")))
    body, sections = cut(page.layout.text, page.layout.sections, 0, page.layout.length)
    if body:
        yield file_document(
            path, page.title or title_of(path), body, {}, sections, page.layout.table
        )


def is_page(path: Path) -> bool:
    """Find out whether a file is one: a log has such a suffix, too, and a library."""
    try:
        with (gzip.open if path.suffix.lower() == ".gz" else open)(path, "rb") as file:
            return _BEGINS.search(file.read(_HEAD)) is not None
    except (OSError, EOFError, zlib.error):
        return False


class _Page:
    def __init__(self) -> None:
        self.layout = Layout()
        self.title = self.name = ""
        self._strings = {"lq": "“", "rq": "”", "R": "®", "Tm": "™", "Aq": "'"}
        self._lines: Iterator[str] = iter(())
        self._wanted = ""  # what the next text is: a heading, or an item's tag
        self._verbatim = False
        self._bullets = list[bool]()  # of mdoc's open lists
        self._was = False  # whether the last condition held

    def read(self, lines: Iterator[str]) -> None:
        self._lines = lines
        for line in lines:
            self._line(line)

    def _line(self, line: str) -> None:
        if line[:1] in (".", "'"):
            name, _, rest = line[1:].strip().partition(" ")
            name, tab, more = name.partition("\t")
            self._macro(name, f"{more} {rest}" if tab else rest)
        elif line.strip() or self._verbatim:
            self._say(shown(line, self._strings))
        else:
            self.layout.block()

    def _say(self, text: str) -> None:
        """Write text: running, a heading, an item's tag, or as it stands."""
        wanted, self._wanted = self._wanted, ""
        if wanted == "heading":
            begun = self.layout.heading()
            self.layout.add(text)
            self.layout.end_heading(begun)
        elif wanted == "tag":
            self.layout.item()
            self.layout.add(text)
            self.layout.block(Gap.LINE)
        elif self._verbatim:
            self.layout.verbatim(f"{text}\n")
        else:
            self.layout.add(f"{text} ")

    def _macro(self, name: str, rest: str) -> None:
        words = [shown(word, self._strings) for word in arguments(rest)]
        if name in ("de", "de1", "ig", "am"):
            for _ in takewhile(lambda line: not line.startswith(".."), self._lines):
                pass
        elif name in ("if", "ie", "el"):
            self._condition(name, rest)
        elif name == "ds":
            string, _, said = rest.partition(" ")
            self._strings[string] = shown(said.strip().removeprefix('"'), self._strings)
        elif name == "TS":
            self._table()
        elif name in ("TH", "Dt") and len(words) > 1:
            called = words[0].lower() if words[0].isupper() else words[0]
            self.title = f"{called}({words[1]})"
        elif name in _FONTS:
            self._say(("" if len(name) == 2 and name not in ("SM", "SB") else " ").join(words))
        elif name in INLINE:
            if name == "Nm" and words and not self.name:
                self.name = words[0]
            self._say(inline([name, *words], self.name))
        else:
            self._block(name, words)

    def _block(self, name: str, words: list[str]) -> None:
        """What parts the text."""
        layout = self.layout
        if name in ("SH", "SS", "Sh", "Ss"):
            self._verbatim, self._wanted = False, "heading"
            if words:
                self._say(" ".join(words))
        elif name in ("TP", "TQ"):
            self._wanted = "tag"
        elif name == "IP" and words and (words[0] in _BULLETS or words[0][:1].isdigit()):
            layout.item()
            layout.add("" if words[0] in _BULLETS else f"{words[0]} ")
        elif name == "IP" and words:
            self._wanted = "tag"
            self._say(words[0])
        elif name in ("Bl", "It", "El"):
            self._list(name, words)
        elif name in ("OP", "UR", "MT") and words:
            self._say(f"[{' '.join(words)}]" if name == "OP" else words[0])
        else:
            self._space(name)

    def _list(self, name: str, words: list[str]) -> None:
        """A list of mdoc."""
        said = inline(words, self.name) if words and name == "It" else ""
        if name == "Bl":
            self._bullets.append("-tag" not in words and "-column" not in words)
        elif name == "El":
            self._bullets = self._bullets[:-1]
            self.layout.block()
        elif self._bullets[-1:] == [False] and said:
            self._wanted = "tag"
            self._say(said)
        else:
            self.layout.item()

    def _space(self, name: str) -> None:
        if name in _VERBATIM:
            self.layout.block()
            self._verbatim = True
        elif name in ("fi", "EE", "Ed"):
            self.layout.block()
            self._verbatim = False
        elif name in _PARAGRAPH or name == "IP":
            self.layout.block()
        elif name in ("br", "RS", "RE"):
            self.layout.block(Gap.LINE)

    def _condition(self, name: str, rest: str) -> None:
        """Follow what holds for a terminal; pass over what does not."""
        if name == "el":
            holds, body = not self._was, rest.strip()
        else:
            said, _, body = rest.strip().partition(" ")
            holds = (_TRUE.match(said.removeprefix("!")) is not None) != said.startswith("!")
            body = body.strip()
        self._was = holds
        if holds and (line := body.removeprefix("\\{").removesuffix("\\").strip()):
            self._line(line)
        elif not holds and (depth := body.count("\\{") - body.count("\\}")) > 0:
            for line in self._lines:
                depth += line.count("\\{") - line.count("\\}")
                if depth <= 0:
                    break

    def _table(self) -> None:
        """Write a table of tbl: options, the columns' forms up to a ".", then lines of cells."""
        lines = list(takewhile(lambda line: not line.startswith(".TE"), self._lines))
        form = next((n for n, line in enumerate(lines) if line.rstrip().endswith(".")), 0)
        parted = re.search(r"tab\s*\((.)\)", " ".join(lines[:form]))
        text = re.sub(r"T\{\n?|\n?T\}", "\0", "\n".join(lines[form + 1 :]))
        whole = text.split("\0")
        text = "".join(s.replace("\n", " ") if n % 2 else s for n, s in enumerate(whole))
        table = [
            [
                Cell(shown(cell, self._strings).strip())
                for cell in line.split(parted[1] if parted else "\t")
            ]
            for line in text.split("\n")
            if line.strip() and line[0] not in "._="
        ]
        named = "b" in "".join(lines[: 1 + form]).split(";")[-1].split("\n")[0].lower()
        written = (rows(table, header=True) if named else unmarked(table)) if table else None
        self.layout.block()
        if written:
            self.layout.rows(written)
        else:
            for cells in table:
                self.layout.block(Gap.LINE)
                self.layout.add(", ".join(cell.text for cell in cells if cell.text))
        self.layout.block()
