"""Links of an HTML file, and blocks of nothing else."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...kg.text.titles import unnumbered
from ..layout import Gap, Mark

_NAVIGATION = re.compile(
    r"[\W_]*+(?:(?:prev(?:ious)?|next|up|home|index|contents|top|back|back to top|menu)?(?: page)?"
    r"|(?:prev(?:ious)?|next)(?: page)?:.{1,80}|skip to .*"
    r"|(?:edit|improve) this page(?: (?:on|in|at) \w+)?|back to .{1,40})[\W_]*",
    re.I,
)
_SKIPS = re.compile(r"skip (?:to|over) .{1,40}|skip \w{1,20}", re.I)
_LABELS = re.compile(r"(?:(?:next|prev(?:ious)?|up)\s?:|[\W_])*+", re.I)  # of Texinfo
_PLACES = frozenset("¶#§🔗")  # of a heading or an entry, to be copied
_LISTS = frozenset(["ul", "ol", "dl", "table"])
_ENTRIES = 3  # links that make a table of contents


@dataclass
class Link:
    """A link that was read, and where it leads."""

    place: str
    text: str = ""
    labelled: bool = False  # "Next: Tides"


@dataclass(frozen=True)
class Block:
    """An open block: where it began, and what had come: texts outside of links, links, ….

    Args:
        thin: texts that are not bold.
    """

    tag: str
    mark: Mark
    said: int
    thin: int
    links: int
    menu: bool


@dataclass
class Entries:
    """Blocks one after the other that only lead to places of the same page.

    From the third on they are a table of contents whose entries are blocks; one alone may be a
    heading that leads to itself.
    """

    mark: Mark = (0, 0, 0, 0, Gap.NONE)
    said: int = -1  # texts outside of links that had come
    count: int = 0

    def begin_of(self, block: Block, links: Sequence[Link]) -> Mark | None:
        """Where what leads through the pages begins, which ends with this block of links.

        That is the block itself, or the table of contents that it ends; None for neither.
        """
        if all(link.place[:1] == "#" and link.place[1:] for link in links):
            if block.said != self.said:
                self.mark, self.said, self.count = block.mark, block.said, 0
            self.mark = min(self.mark, block.mark, key=lambda mark: mark[1])  # lists within lists
            self.count += 1
            if self.count >= _ENTRIES:
                return self.mark
        return block.mark if _leads_through(block.tag, links, block.menu) else None


def marks_place(link: Link, text: str) -> bool:
    """Whether this text of a link is a sign that only gives the address of where it stands."""
    sign = text.strip() in _PLACES or (link.place[:1] == "#" and _SKIPS.fullmatch(text.strip()))
    return bool(sign) and "#" in link.place and not link.text.strip()


def leads_on(link: str) -> bool:
    """Whether a link's text says no more than where in other pages it leads."""
    return _NAVIGATION.fullmatch(link.strip()) is not None


def is_label(text: str) -> bool:
    """Whether a text outside of links says no more than where the next one leads, if that much."""
    return _LABELS.fullmatch(text) is not None


def _leads_through(tag: str, links: Sequence[Link], menu: bool) -> bool:
    """Whether a block of nothing but links is navigation, or a table of contents.

    Args:
        tag: of the block's element.
        menu: its attributes call it one.
    """
    entries = sum(
        "#" in link.place or link.text.strip() != unnumbered(link.text.strip()) for link in links
    )
    contents = tag in _LISTS and len(links) >= _ENTRIES and 2 * entries > len(links)
    through = all(link.labelled or leads_on(link.text) for link in links)
    return contents or (menu and len(links) > 1) or through
