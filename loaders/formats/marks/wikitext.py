"""Wikitext reduced to what a reader would see, with its headings and links.

Templates, tables, files, references and categories go; a few templates that stand for plain words
leave them, so that sentences stay whole.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import mwparserfromhell
from mwparserfromhell import nodes
from mwparserfromhell.parser import ParserError

from ....kg.text.words import clean
from ....kg.types import Anchor, Section

_LINK, _ITEM = "\ue000", "\ue001"  # private characters: what follows is a link, is an item
_PRIVATE = dict.fromkeys(map(ord, (_LINK, _ITEM, "\0")))
_FILE, _CATEGORY = 6, 14
_CANONICAL = {  # every wiki knows these beside its own names
    "media": -2, "special": -1, "talk": 1, "user": 2, "project": 4, "wikipedia": 4, "file": _FILE,
    "image": _FILE, "mediawiki": 8, "template": 10, "help": 12, "category": _CATEGORY,
    "portal": 100, "draft": 118, "module": 828,
}  # fmt: skip
_OTHER_WIKI = re.compile(r"[a-z][a-z-]{1,11}:(?=\S)")
_UNREAD = frozenset(
    """chem gallery graph imagemap includeonly inputbox mapframe maplink math ref references score
    script section style table templatedata templatestyles timeline""".split()
)
_BREAKS = frozenset(["br", "hr", "li", "p", "div", "blockquote", "pre", "poem", "center"])
_RANGES = frozenset(["to", "and", "or", "by", "x", "-", "–", "to(-)"])
_SIGNS = {
    "ndash": "–", "mdash": "—", "snd": " – ", "spaced ndash": " – ", "nbsp": " ", "'": "'",
    "!": "|", "=": "=", "circa": "c. ", "c.": "c. ", "€": "€", "£": "£",
}  # fmt: skip
_WORDS = {  # which argument of a template is what it shows
    "lang": "2", "nowrap": "1", "nobr": "1", "transl": "2", "small": "1", "abbr": "1",
    "circa": "1", "c.": "1", "ill": "1", "sic": "1", "ship": "2", "as of": "1", "em": "1",
    "strong": "1", "quote": "1", "blockquote": "1", "blue": "1", "sc": "1", "smallcaps": "1",
}  # fmt: skip
_LEFT_OVER = re.compile(r"'{2,}|\[\[|\]\]|\{\{|\}\}|\{\||__[A-Z]{3,}__")
_BLANKS = re.compile(r"[^\S\n]+")
_EMPTY = re.compile(r" ?\([\s,;]*\)")
_OPENED = re.compile(r"(?<=\()[\s,;]+")
_CLOSED = re.compile(r"(?<![ ,;])[ ,;]++(?=\))|(?<! ) ++(?=[,.](?!\w))")


@dataclass(frozen=True, slots=True)
class Wiki:
    """What a dump says of its wiki.

    Args:
        name: such as "enwiki".
        namespaces: case-folded name → number, for all but the articles' own.
        capital: whether a title's first letter is always a capital.
    """

    name: str = ""
    namespaces: dict[str, int] = field(default_factory=dict)
    capital: bool = True

    def namespace(self, link: str) -> int | None:
        """Return the namespace of a link's prefix; 0 for an article, None for another wiki."""
        prefix, colon, _ = link.partition(":")
        if not colon:
            return 0
        name = " ".join(prefix.replace("_", " ").split()).casefold()
        number = self.namespaces.get(name, _CANONICAL.get(name))
        if number is not None or name.endswith(" talk"):
            return 1 if number is None else number
        return None if _OTHER_WIKI.match(link) else 0

    def article(self, link: str) -> str:
        """Return the title of the article that a link leads to, "" when it leads elsewhere."""
        if "%" in link:
            link = unquote(link)
        title = " ".join(link.partition("#")[0].replace("_", " ").split()).removeprefix(":").strip()
        if not title or self.namespace(title) != 0:
            return ""
        return title[:1].upper() + title[1:] if self.capital else title


@dataclass(slots=True)
class _Block:
    """A heading with what stands under it, still with marks."""

    level: int = 0
    heading: str = ""
    pieces: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)

    def body(self) -> str:
        return _tidy("".join(self.pieces))


def reduced(wikitext: str, wiki: Wiki) -> tuple[str, tuple[Section, ...], tuple[Anchor, ...]]:
    """Reduce wikitext to the text a reader would see, its sections, and its links to articles."""
    wikitext = _plain(wikitext)
    reduction = _Reduction(wiki)
    try:
        reduction.add(mwparserfromhell.parse(wikitext).nodes)
    except (ParserError, RecursionError):
        reduction = _Reduction(wiki)
        reduction.write(wikitext)
    return _written(reduction.blocks)


class _Reduction:
    """Walks the nodes of a page."""

    def __init__(self, wiki: Wiki) -> None:
        self.blocks = [_Block()]
        self._wiki = wiki
        self._by_kind: dict[type, Callable[[Any], None]] = {
            nodes.Text: lambda node: self.write(node.value),
            nodes.Wikilink: self._link,
            nodes.ExternalLink: lambda node: node.title and self.add(node.title.nodes),
            nodes.Heading: self._heading,
            nodes.HTMLEntity: lambda node: self.write(_plain(node.normalize())),
            nodes.Tag: self._tag,
            nodes.Template: self._template,
        }

    def add(self, found: Iterable[Any]) -> None:
        for node in found:
            kind = self._by_kind.get(type(node))
            if kind:
                kind(node)

    def write(self, text: str) -> None:
        self.blocks[-1].pieces.append(text)

    def _link(self, node: nodes.Wikilink) -> None:
        link = str(node.title).strip()
        namespace = self._wiki.namespace(link)
        if namespace in (_FILE, _CATEGORY) or (namespace is None and node.text is None):
            return
        if title := self._wiki.article(link):
            self.write(_LINK)
            self.blocks[-1].targets.append(title)
        if node.text is None:
            self.write(link.removeprefix(":"))
        else:
            self.add(node.text.nodes)

    def _heading(self, node: nodes.Heading) -> None:
        self.blocks.append(_Block())
        self.add(node.title.nodes)
        heading = " ".join(self.blocks.pop().body().replace(_LINK, "").split())
        self.blocks.append(_Block(node.level, heading))

    def _tag(self, node: nodes.Tag) -> None:
        name = str(node.tag).strip().lower()
        if name in _UNREAD:
            return
        if node.wiki_markup in ("*", "#", ":", ";"):
            before = self.blocks[-1].pieces[-1:]
            begun = not before or before[0].endswith(("\n", _ITEM))
            self.write(_ITEM if begun else "\n" + _ITEM)
            return
        around = "\n\n" if name in _BREAKS else ""
        self.write(around)
        if node.contents is not None:
            self.add(node.contents.nodes)
            self.write(around)

    def _template(self, node: nodes.Template) -> None:
        name = " ".join(str(node.name).replace("_", " ").split()).lower()
        self.write(_SIGNS.get(name, ""))
        if name in ("convert", "cvt"):
            self._measure([str(p.value).strip() for p in node.params if not p.showkey])
        elif name.startswith("lang-") or name in _WORDS:
            number = _WORDS.get(name, "1")
            if node.has(number):
                self.add(node.get(number).value.nodes)

    def _measure(self, values: list[str]) -> None:
        """{{convert|5|to|7|km|mi}} → "5 to 7 km"."""
        wanted = 4 if len(values) > 3 and values[1] in _RANGES else 2
        self.write(" ".join(values[:wanted]))


def _plain(text: str) -> str:
    """Without the characters that are marks here."""
    return clean(text).translate(_PRIVATE)


def _tidy(text: str) -> str:
    """Paragraphs on a line each, without what is left of markup."""
    text = _BLANKS.sub(" ", _LEFT_OVER.sub("", text))
    text = _CLOSED.sub("", _OPENED.sub("", _EMPTY.sub("", text)))
    lines: list[str] = []
    goes_on = False
    for raw in text.split("\n"):
        line = raw.replace(_ITEM, "").strip()
        item = _ITEM in raw
        if line and goes_on and not item:
            lines[-1] += " " + line
        elif line or (lines and lines[-1]):
            lines.append(line)
        goes_on = bool(line) and not item
    return "\n".join(lines).strip()


def _written(blocks: list[_Block]) -> tuple[str, tuple[Section, ...], tuple[Anchor, ...]]:
    bodies = [(block, block.body()) for block in blocks]
    kept: list[tuple[_Block, str]] = []
    for block, body in reversed(bodies):  # a heading with nothing under it goes
        if body.replace(_LINK, "").strip() or (kept and kept[-1][0].level > block.level):
            kept.append((block, body))
    text: list[str] = []
    sections, anchors, length = list[Section](), list[Anchor](), 0
    for block, body in reversed(kept):
        sections.append(Section(length, block.heading))
        for piece in filter(None, (block.heading, body)):
            first, *linked = piece.split(_LINK)
            length += len(first)
            for part, target in zip(linked, block.targets, strict=bool(linked)):
                anchors.append(Anchor(length, target))
                length += len(part)
            text += [first, *linked, "\n\n"]
            length += 2
    return "".join(text).rstrip("\n"), tuple(sections), tuple(anchors)
