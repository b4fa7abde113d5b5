"""What stands around the content of an HTML page and tells something: hours, contacts, editors.

Only what does: sentences, and lines with a label, a number to call, an address of mail, or hours.
Menus, links to elsewhere, notices of rights and what made the page are no text.
"""

import re
from collections.abc import Mapping

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]: compiled

from ...kg.text.splitting import sentences
from .attributes import hidden, is_footer, navigates

_AROUND = frozenset(["header", "aside", "footer"])
_CONTENT = frozenset(["main", "article"])
_UNREAD = frozenset(
    "nav menu form script style noscript template select button svg iframe textarea title".split()
)
_RUNNING = frozenset("a abbr b bdi bdo cite code em font i mark q small span strong time u".split())
_LABELLED = re.compile(r"[^\W\d_][^:.;?!]{1,38}: \S")  # "Editor: Fiona Baikie"
_REACHED = re.compile(
    r"(?<!\d)[+0][\d ()/-]{6,30}\d|\(\d{3}\) ?\d{3}-\d{4}|[\w.+-]{1,64}@[\w-]{1,63}\.\w"
    r"|\b(?:mon|tue|wed|thu|fri|sat|sun|daily)[a-z]{0,6}\b[^\n]{0,30}\d ?(?:am|pm)?"
    r"(?: ?[-–] ?| to )\d",
    re.I,
)
"""A number to call, an address of mail, hours."""
_OF_THE_SITE = re.compile(
    r"©|\(c\) |copyright|cookie|all rights|licen[cs]e|powered by|updated|modified|generated"
    r"|created (?:by|with|using)|built with|version|follow us|share|subscribe|search",
    re.I,
)
_LONGEST = 200  # characters of a line
_WORDS = 5  # of a sentence
_MOST = 12  # lines


def around(html: str, text: str) -> list[str]:
    """Find the lines around a page's content that tell something the content does not say."""
    parser = etree.HTMLParser(target=_Around(), encoding="utf-8", huge_tree=True)
    data, lines = html.encode("utf-8", "replace"), list[str]()
    for start in range(0, len(data), 1 << 16):
        parser.feed(data[start : start + (1 << 16)])
    for line in parser.close() if data else ():
        told = " ".join(one for one in sentences(line[:_LONGEST]) if _tells(one))
        if told and told not in lines and told not in text:
            lines.append(told)
    return lines[:_MOST]


def _tells(sentence: str) -> bool:
    said = sentence.endswith(".") and len(sentence.split()) >= _WORDS
    said = said or _LABELLED.match(sentence) or _REACHED.search(sentence)
    return bool(said) and not _OF_THE_SITE.search(sentence)


class _Around:
    """Target of lxml's parser: the lines outside of the content that are not only links."""

    def __init__(self) -> None:
        self._lines = list[str]()
        self._line, self._said = "", False  # and whether anything of it is no link
        self._depth = self._outside = self._unread = self._link = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        self._depth += 1
        inside = tag in _CONTENT or attributes.get("role") == "main"
        stands_around = tag in _AROUND or is_footer(tag, attributes)
        if self._unread:
            return
        if inside or tag in _UNREAD or hidden(attributes) or self._leads(tag, attributes):
            self._unread = self._depth
        elif stands_around and not self._outside:
            self._outside = self._depth
        elif tag == "a" and not attributes.get("href", "").startswith(("tel:", "mailto:")):
            after = self._line.rstrip()[-1:] in (".", "|", "·")  # "Editor: Ann Lee. Unsubscribe"
            self._link, self._unread = self._depth, self._depth * after
        self._end_line(tag)

    def end(self, tag: str) -> None:
        """An element ends."""
        self._end_line(tag)
        self._unread, self._outside, self._link = (
            0 if begun == self._depth else begun
            for begun in (self._unread, self._outside, self._link)
        )
        self._depth -= 1

    def data(self, text: str) -> None:
        """Characters; a long text comes in pieces."""
        if self._outside and not self._unread:
            self._line += text
            self._said = self._said or (not self._link and any(map(str.isalnum, text)))

    def close(self) -> list[str]:
        """The file ends."""
        return self._lines

    def _leads(self, tag: str, attributes: Mapping[str, str]) -> bool:
        """Whether it leads through the pages; of a footer that is only what is called so in it."""
        return tag not in (*_AROUND, "a", "html", "body") and navigates(tag, attributes)

    def _end_line(self, tag: str) -> None:
        if tag not in _RUNNING and not self._unread:
            line = " ".join(self._line.split())
            self._lines += [line] if line and self._said else []
            self._line, self._said = "", False
