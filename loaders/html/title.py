"""What an HTML page is called: by its <title>, or by a heading that says it better."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...kg.text.words import terms

_SITE_FOLLOWS = re.compile(r"\s*[-–—|·•»:]\s|$")
_PARTED = re.compile(r" [-–—|·•»:]{1,3} | ?[|»] ?|: ")  # of a text with single blanks
_SAYS_NOTHING = frozenset(
    """appendix asked chapter contact contents doc docs documentation faq frequently guide help home
    homepage index main manual menu of our overview page part questions reference section site start
    the to untitled us web website welcome wiki""".split()
)
_KIND = re.compile(r"(?:,? v?\d[\d.]*)?(?: (?:docs|documentation|manual|website|wiki))?\Z", re.I)
"""Behind a site's name: which version, and what kind of site."""
_NONE = re.compile(  # what programs write where nobody gave one
    r"(?:untitled|unnamed)(?:[ -](?:document|page))?(?:[ -]?\d+)?|unbenannt(?:es dokument)?"
    r"|(?:document )?sans[ -]titre|(?:documento )?(?:senza titolo|sin t[ií]tulo)",
    re.IGNORECASE,
)
_AUTHORS = frozenset(["author", "authors", "byline", "corpauthor"])  # classes
_LONGEST_SITE = 60  # characters


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


def names_author(attributes: Mapping[str, str]) -> bool:
    """Whether what is written as a heading says whom a page is by."""
    return not _AUTHORS.isdisjoint(attributes.get("class", "").lower().split())


def titled(
    own: str, other: str, firsts: Sequence[Heading], text: str
) -> tuple[str, tuple[int, int] | None]:
    """Return a page's title, and the place of the heading that says the same.

    Where a heading is the title, but the page's <title> also names the site or the company, which
    the text nowhere does, that follows in brackets: "Frequently asked questions (Alder Tree Care)".

    Args:
        own: its <title>, or "".
        other: what it is called where it has none, or "".
        firsts: its headings of the first level, else its first heading.
        text: of the page.
    """
    own, other = ("" if _NONE.fullmatch(said) else said for said in (own, other))
    title, place = _titled(own, other, firsts)
    site = _site(own, title) if place and own else ""
    if not _telling(site) <= _words(text):
        title = f"{title} ({site})"
    return title, place


def _titled(own: str, other: str, firsts: Sequence[Heading]) -> tuple[str, tuple[int, int] | None]:
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


def _site(own: str, title: str) -> str:
    """What a <title> names beside the page itself, "" for nothing that tells."""
    said = _words(title)
    parts = [part.strip() for part in _PARTED.split(own)]
    names = [part for part in parts if _telling(part) - said and part[:1].isupper()]
    site = _KIND.sub("", names[-1]) if names else ""
    return site if len(site) <= _LONGEST_SITE else ""


def _telling(name: str) -> set[str]:
    return {word for word in _words(name) - _SAYS_NOTHING if not word.isdigit()}


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))
