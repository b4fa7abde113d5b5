"""HTML and XHTML reduced to the text a reader would see, with what the page says about itself.

Read with lxml's HTML parser, event by event: no tree is kept, no entity of a file's own is
expanded, nothing is fetched.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]: compiled

from ...kg.types import Section
from ..layout import Gap, Layout, Mark, cut
from ..tables import Row, labelled, record, rows
from .attributes import hidden, is_footer, is_menu, leads_to, marks_note, metadata, navigates
from .bars import LONGEST_BAR, end_of, is_bar, is_through
from .bold import BoldLines
from .elements import BLOCKS, BOLD, BOXES, HEADINGS, ITEMS, MADE_OF_LINKS, UNREAD, WHOLE
from .links import Block, Entries, Link, is_label, marks_place
from .lists import LISTS, LONGEST_DATE, OpenList, is_date
from .pictures import Pictures
from .tables import OpenTable, pairs
from .title import Heading, names_author, titled

TEASER = 0.2  # of a page's text: an <article> with less is not what the page is about
MAX_DEPTH = 1000  # elements; unmatched end tags cost libxml2 the depth each
_AROUND = frozenset(["navigation", "contentinfo", "search"])  # roles
_INVISIBLE = dict.fromkeys(map(ord, "\xad\u200b\ufeff"))  # hyphens and breaks that may be
_CLOSED = re.compile(r"<([A-Za-z][\w:-]*)((?:\s[^<>]*)?)/>")
_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp)$", re.I)
_START = (0, 0, 0, 0, Gap.NONE)


@dataclass(frozen=True)
class Page:
    """The content of an HTML file.

    Args:
        title: "" where it has none.
        sections: one a heading, but for the title's.
        table: the rows of its tables.
        leads_to: the page that a browser goes on to, "" where it stays.
    """

    title: str
    text: str
    sections: tuple[Section, ...]
    metadata: dict[str, str] = field(default_factory=dict)
    table: list[Row] = field(default_factory=list)
    leads_to: str = ""


def page(html: str, xml: bool = False, chapter: bool = False) -> Page:
    """Reduce a page to what a reader would see.

    Blocks are paragraphs; list items and table rows have a line each; images leave their
    alternative text. The content is the one <main>, else the one outermost <article>, if it has a
    good part of the text, else the body; navigation goes, and so does a footer outside of the
    content. Where nothing is left, they stay. Scripts, forms' choices, hidden elements and note
    marks go always.

    The title is <title>, without the site's name when an h1 (or the first heading, without any)
    says what the page's is, or the only h1 where <title> is the site's; else og:title, else that
    heading. A title that begins the text is not repeated.

    Args:
        html: decoded.
        xml: elements may be closed as in XML: `<a id="x"/>`.
        chapter: of a book: its title is said in the text, as a section.

    Raises:
        ValueError: elements are nested deeper than MAX_DEPTH.
    """
    if xml:
        html = html.replace("<![CDATA[", "").replace("]]>", "")
        html = _CLOSED.sub(r"<\1\2></\1>", html)
    data = html.encode("utf-8", "replace")
    reducer = _Reducer(everything=chapter, chapter=chapter)
    found = _reduced(data, reducer)
    if found.text or not reducer.left_out:
        return found
    return _reduced(data, _Reducer(everything=True))


def _reduced(data: bytes, reducer: "_Reducer") -> Page:
    parser = etree.HTMLParser(target=reducer, encoding="utf-8", huge_tree=True)
    for start in range(0, len(data), 1 << 16):
        parser.feed(data[start : start + (1 << 16)])
    return parser.close() if data else reducer.close()


class _Reducer:
    """Target of lxml's parser: every start has its end, whatever the file's tags say."""

    def __init__(self, everything: bool, chapter: bool = False) -> None:
        self._everything, self._chapter = everything, chapter
        self.left_out = False  # whether navigation or a footer was
        self._layout = Layout()
        self._pictures, self._bold_lines = Pictures(self._layout), BoldLines(self._layout)
        self._meta: dict[str, str] = {}
        self._titles: list[list[str]] = []  # in pieces; the first with text counts
        self._in_title = False
        self._depth = 0
        self._unread = 0  # depth of the outermost element that is not read
        self._items = self._verbatim = self._raised = self._bold = 0  # depth of such elements
        self._heading: int | None = None  # where one begins that is open
        self._headings: list[tuple[str, int, int]] = []  # tag, start, end
        self._regions: list[tuple[str, int, int]] = []  # open <main>, <article>: depth, start
        self._found: dict[str, list[tuple[int, int]]] = {"main": [], "article": []}
        self._blocks: list[Block] = []
        self._tables: list[OpenTable] = []
        self._list: OpenList | None = None  # the outermost
        self._links: list[Link] = []
        self._entries = Entries()
        self._linking = False
        self._label = ""  # the last text outside of links
        self._said = 0  # such texts
        self._thin = 0  # texts that are not bold
        self._item = ""  # how the innermost list item begins

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ValueError(f"elements are nested deeper than {MAX_DEPTH}")
        tag = name.rpartition(":")[2]
        if self._unread:
            return
        if self._goes(tag, attributes):
            self._unread = self._depth
            self._gap(tag)
            if tag == "math":
                self._layout.add(attributes.get("alttext") or "")
        elif tag in ("main", "article") or attributes.get("role") == "main":
            kind = "article" if tag == "article" else "main"
            self._layout.block()
            self._regions.append((kind, self._depth, self._layout.length))
        elif not self._head(tag, attributes):
            self._body(tag, attributes)

    def end(self, name: str) -> None:
        """An element ends."""
        tag = name.rpartition(":")[2]
        self._depth -= 1
        if self._unread:
            if self._unread > self._depth:
                self._unread = 0
        elif self._regions and self._regions[-1][1] > self._depth:
            kind, _, start = self._regions.pop()
            self._layout.block()
            if all(kind != other for other, _, _ in self._regions):
                self._found[kind].append((start, self._layout.length))
        elif tag == "title":
            self._in_title = False
        else:
            self._end_body(tag)

    def data(self, text: str) -> None:
        """Characters; a long text comes in pieces."""
        if self._unread:
            return
        text = text.translate(_INVISIBLE)
        self._thin += not self._bold and not text.isspace()
        if self._in_title:
            self._titles[-1].append(text)
            return
        if not self._linking:
            self._said += not is_label(text)
            self._label = text.strip() or self._label
        elif self._links:
            if marks_place(self._links[-1], text):
                return
            self._links[-1].text += text
        if self._tables and (cell := self._tables[-1].open):
            cell[3].append(text)
        if self._list:
            self._list.data(text)
        if len(self._item) < LONGEST_DATE:
            self._item += text
        if self._verbatim:
            self._layout.verbatim(text)
        else:
            self._layout.add(text)

    def close(self) -> Page:
        """The file ends."""
        text = self._layout.text
        start, end = self._content(text)
        headings = [heading for heading in self._headings if start <= heading[1] < end]
        firsts = [heading for heading in headings if heading[0] == "h1"] or headings[:1]
        links = {link.text.strip() for link in self._links}
        said = ((tag, " ".join(text[s:e].split()), (s, e)) for tag, s, e in firsts)
        called = [Heading(tag, name, place, name in links) for tag, name, place in said]
        own = (" ".join("".join(pieces).split()) for pieces in self._titles)
        other = self._meta.get("og:title", "")
        title, place = titled(next(filter(None, own), ""), other, called, text)
        begins = place and not text[start : place[0]].strip() and text[place[1] : end].strip()
        if place and begins and not self._chapter:
            start = place[1]
        text, sections = cut(text, self._bold_lines.with_headings(text), start, end)
        about = metadata(self._meta), self._layout.table, leads_to(self._meta)
        return Page(title, text, sections, *about)

    def _goes(self, tag: str, attributes: Mapping[str, str]) -> bool:
        """Whether a reader would not see it, or it is not what the page is about."""
        if tag in UNREAD or (tag == "math" and attributes.get("alttext")):
            return True
        if attributes and (hidden(attributes) or marks_note(tag, attributes, self._raised > 0)):
            return True
        around = attributes.get("role", "")
        if self._everything and not self._chapter:
            return False
        goes = tag not in WHOLE and navigates(tag, attributes)
        if not self._everything:
            outside = not self._regions and is_footer(tag, attributes)
            goes = goes or tag == "nav" or outside or around in _AROUND
        if goes and tag == "a":
            self._links.append(Link(""))
        self.left_out = self.left_out or goes
        return goes

    def _head(self, tag: str, attributes: Mapping[str, str]) -> bool:
        if tag == "meta":
            names = (attributes.get(key) for key in ("name", "property", "itemprop"))
            name = next((name for name in names if name), "").lower()
            name = "refresh" if attributes.get("http-equiv", "").lower() == "refresh" else name
            self._meta.setdefault(name, " ".join(attributes.get("content", "").split()))
        elif tag == "html":
            self._meta["language"] = attributes.get("lang") or attributes.get("xml:lang", "")
        elif tag == "title":
            self._in_title = True
            self._titles.append([])
        else:
            return False
        return True

    def _body(self, tag: str, attributes: Mapping[str, str]) -> None:
        layout = self._layout
        tag = "p" if tag in HEADINGS and names_author(attributes) else tag
        if tag in MADE_OF_LINKS:
            so_far = self._said, self._thin, len(self._links)
            self._blocks.append(Block(tag, layout.mark(), *so_far, is_menu(tag, attributes)))
        elif tag == "a" and "href" in attributes:
            self._linking = True
            labelled = self._label.endswith(":") and is_label(self._label)
            self._links.append(Link(attributes["href"], labelled=labelled))
        self._in_table(tag, attributes)
        self._in_list(tag)
        if tag in HEADINGS:
            if not self._said:  # but for links to elsewhere nothing stands above the first
                self._back(_START)
            self._said += 1
            self._heading = layout.heading()
        elif tag in ITEMS:
            self._items += 1
            self._item = ""
            layout.item()
        elif tag in ("td", "th"):
            layout.cell()
        elif tag == "tr":
            layout.row()
        elif tag == "img":
            self._picture(attributes.get("alt") or "")
        elif tag == "br":
            self._end_line(tag)
            layout.gap(Gap.LINE)
        else:
            self._raised += tag == "sup"
            self._bold += tag in BOLD
            self._verbatim += tag == "pre"
            self._gap(tag)

    def _in_table(self, tag: str, attributes: Mapping[str, str]) -> None:
        """What an element is to the innermost table."""
        if tag in ("table", "dl"):
            for outer in self._tables:
                outer.plain = False
            self._tables.append(OpenTable(self._layout.mark()))
            self._tables[-1].named = tag == "dl"
        elif self._tables:
            self._tables[-1].element(tag, attributes)

    def _end_table(self) -> None:
        """Write the rows of a table of data in the place of its cells."""
        table = self._tables.pop()
        table.end_cell()
        above = self._layout.sections[-1].heading if self._layout.sections else ""
        written = None
        if table.plain and not self._everything and is_through(table.rows()):
            written, self.left_out = [], True
        elif table.plain and table.named:
            written = record(named, above) if (named := pairs(table)) else None
        elif table.plain:
            written = rows(table.rows(), about=above) or labelled(table.rows(), above)
        if written is not None:
            self._back(table.mark)
            self._layout.rows(written)

    def _in_list(self, tag: str) -> None:
        """What an element is to the outermost list."""
        if tag in LISTS and not self._list and not self._tables:
            under = self._headings and self._headings[-1][2] == self._layout.length
            about = self._layout.sections[-1].heading if under else ""
            self._list = OpenList(self._layout.mark(), about)
        if self._list:
            self._list.element(tag)

    def _end_of_lists(self, tag: str) -> None:
        """What the end of an element is to menus and lists."""
        if tag in MADE_OF_LINKS and self._blocks:
            self._end_block(self._blocks.pop())
        if self._list and self._list.end(tag):
            self._end_list(self._list)

    def _end_list(self, read: OpenList) -> None:
        """Write rows of a list in the place of its items, unless it was taken back."""
        self._list = None
        written = read.rows() if self._layout.length > read.mark[1] else None
        if written is not None:
            self._back(read.mark)
            self._layout.rows(written)

    def _picture(self, alternative: str) -> None:
        """A picture's text, but for a button that leads elsewhere."""
        if not self._linking or _PICTURE.search(self._links[-1].place):
            self._said += bool(alternative)
            self._pictures.add(alternative, bool(self._tables))

    def _end_body(self, tag: str) -> None:
        if tag in ("table", "dl") and self._tables and self._tables[-1].named == (tag == "dl"):
            self._end_table()
        elif tag == "caption" and self._tables:
            self._layout.block()
            self._tables[-1].mark = self._layout.mark()
        elif self._tables:
            self._tables[-1].end(tag)
        self._end_of_lists(tag)
        if tag == "a":
            self._linking = False
        elif tag in HEADINGS and self._heading is not None:
            place, self._heading = self._layout.end_heading(self._heading, BOXES), None
            if place[0] < place[1]:
                self._headings.append((tag, *place))
        elif tag in ITEMS:
            self._items -= 1
            self._layout.block(Gap.LINE)
        elif tag == "tr":
            self._layout.end_row()
        else:
            self._raised -= tag == "sup"
            self._bold -= tag in BOLD
            self._verbatim -= tag == "pre"
            if tag in BLOCKS and (again := self._pictures.caption()):
                self._back(again[0])
                self._layout.add(again[1])
            self._gap(tag)

    def _end_block(self, block: "Block") -> None:
        """Take back a block of nothing but links that lead through the pages; see a heading."""
        if block.tag == "p" and self._thin == block.thin and not self._tables:
            self._layout.end_question(block.mark)
        links, begun = self._links[block.links :], None
        if links and self._said == block.said:
            begun = self._entries.begin_of(block, links)
        elif self._layout.length - block.mark[1] <= LONGEST_BAR and not self._verbatim:
            begun = block.mark if is_bar(self._layout.since(block.mark)) else None
        if begun is not None and (self._chapter or not self._everything):
            self._back(begun)
            self.left_out = True

    def _back(self, mark: Mark) -> None:
        """Take back what was written since; regions begin and end in what is left."""
        self._layout.back(mark)
        end = self._layout.length
        self._regions = [(kind, depth, min(start, end)) for kind, depth, start in self._regions]
        for kind, found in self._found.items():
            self._found[kind] = [place for place in found if place[1] <= end]

    def _end_line(self, tag: str) -> None:
        inside = bool(self._tables or self._heading is not None or self._verbatim)
        self._bold_lines.end(self._thin, self._said, inside, self._items > 0, tag == "br")

    def _gap(self, tag: str) -> None:
        if tag in BLOCKS and not self._items:
            self._end_line(tag)
        if tag == "p" and self._items and is_date(self._item):
            self._layout.gap(Gap.SPACE)  # the date belongs to what it dates
        elif tag in BLOCKS:
            self._layout.gap(Gap.LINE if self._items else Gap.PARAGRAPH)

    def _content(self, text: str) -> tuple[int, int]:
        """Where the page's own text lies."""
        if not self._everything:
            for kind, found in self._found.items():
                if len(found) != 1 or not (said := text[slice(*found[0])].strip()):
                    continue
                if kind == "main" or len(said) > TEASER * len(text):
                    return found[0]
        return 0, len(text) if self._everything else end_of(text)
