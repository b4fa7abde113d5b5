"""What an HTML page is called: by its <title>, or by a heading that says it better."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ...kg.text.words import terms

_SITE_FOLLOWS = re.compile(r"\s*[-–—|·•»:]\s|$")


class Heading(NamedTuple):
    """A heading that may be the page's title.

    Args:
        place: its characters in the page's text.
        links: whether it leads elsewhere, as a site's own name does.
    """

    tag: str
    text: str
    place: tuple[int, int]
    links: bool


def titled(own: str, other: str, firsts: Sequence[Heading]) -> tuple[str, tuple[int, int] | None]:
    """Return a page's title, and the place of the heading that says the same.

    Args:
        own: its <title>, or "".
        other: what it is called where it has none, or "".
        firsts: its headings of the first level, else its first heading.
    """
    title = own or other
    for one in firsts:
        if title.startswith(one.text) and _SITE_FOLLOWS.match(title[len(one.text) :]):
            return one.text, one.place
    if firsts and (not title or (own and len(firsts) == 1 and _says_more(firsts[0], own))):
        return firsts[0].text, firsts[0].place
    return title, None


def _says_more(heading: Heading, title: str) -> bool:
    """Whether a title is the site's, on all its pages: it has no word of the page's own heading."""
    apart = set(terms(heading.text)).isdisjoint(terms(title))
    return heading.tag == "h1" and apart and not heading.links
