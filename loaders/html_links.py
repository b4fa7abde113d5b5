"""Links of an HTML file, and blocks of nothing else."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..kg.text.titles import unnumbered

_NAVIGATION = re.compile(
    r"(?:prev(?:ious)?|next|up|home|index|contents|top|back|back to top|skip to .*|menu)?(?: page)?"
    r"|[\W_]*",
    re.I,
)
_LISTS = frozenset(["ul", "ol", "dl", "table"])
_ENTRIES = 3  # links that make a table of contents


@dataclass
class Link:
    """A link that was read, and where it leads."""

    place: str
    text: str = ""


def leads_through(tag: str, links: Sequence[Link], menu: bool) -> bool:
    """Whether a block of nothing but links is navigation, or a table of contents.

    Args:
        tag: of the block's element.
        menu: its attributes call it one.
    """
    entries = sum(
        "#" in link.place or link.text.strip() != unnumbered(link.text.strip()) for link in links
    )
    contents = tag in _LISTS and len(links) >= _ENTRIES and 2 * entries > len(links)
    through = all(_NAVIGATION.fullmatch(link.text.strip()) for link in links)
    return contents or (menu and len(links) > 1) or through
