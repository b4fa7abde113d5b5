"""What attributes of HTML say: not shown, there to lead through the pages, who wrote it when."""

import re
from collections.abc import Mapping

_UNREAD_CLASSES = frozenset(["mw-editsection", "mw-cite-backlink", "mw-jump-link"])  # a wiki's
_NAVIGATES = frozenset(  # classes and ids
    """nav navbar navigation navheader navfooter docnav page-nav site-nav sidebar-nav md-nav
    breadcrumb breadcrumbs pagination pager toc htmltoc tocinline toctree-wrapper table-of-contents
    list-of-figures list-of-tables list-of-examples list-of-equations list-of-procedures
    sphinxsidebar headerlink copiable-anchor copiable-link nav-panel skip skip-link skiplink
    skip-nav skip-to-content site-footer page-footer noprint printfooter""".split()
)
_CONSENT = re.compile(r"(?:^|\s)(?:cookie|gdpr)s?[-_]?(?:banner|bar|consent|notice|popup|law)\b")
_MENUS = frozenset(["menu", "sidebar", "sidenav"])
_ELSEWHERE = frozenset(["prev", "previous", "next", "up", "home", "start", "contents", "index"])
_NOTE_MARKS = frozenset(["doc-noteref", "doc-backlink", "noteref", "backlink"])
_REFRESH = re.compile(r"^[\d.]*[;,]?\s*(?:url=)?[\"']?|[\"']$", re.I)  # "0; url=tides.html"
_NO_DISPLAY = re.compile(r"display\s*:\s*none", re.I)

_META = {
    "author": ("author", "dc.creator", "dcterms.creator", "citation_author"),
    "date": (
        "article:published_time",
        "datepublished",
        "date",
        "dc.date",
        "dcterms.date",
        "citation_publication_date",
    ),
    "description": ("description", "og:description", "dc.description"),
    "url": ("og:url",),
}


def navigates(tag: str, attributes: Mapping[str, str]) -> bool:
    """Whether an element leads through the pages, by what its page calls it."""
    if tag == "a":
        leads = attributes.get("rel", "").lower().split()
        called = attributes.get("class", "").lower().split()
        return not (_ELSEWHERE.isdisjoint(leads) and _NAVIGATES.isdisjoint(called))
    called = f"{attributes.get('class', '')} {attributes.get('id', '')}".lower()
    return not _NAVIGATES.isdisjoint(called.split()) or _CONSENT.search(called) is not None


def is_menu(tag: str, attributes: Mapping[str, str]) -> bool:
    """Find out whether a block of links is called a menu, or stands beside the text."""
    called = f"{attributes.get('class', '')} {attributes.get('id', '')}".lower()
    return tag == "aside" or not _MENUS.isdisjoint(called.replace("-", " ").split())


def is_footer(tag: str, attributes: Mapping[str, str]) -> bool:
    """Find out whether an element is a footer, by its tag, class or id."""
    called = (attributes.get("class", ""), attributes.get("id", ""))
    return tag == "footer" or "footer" in " ".join(called).lower().split()


def hidden(attributes: Mapping[str, str]) -> bool:
    """Find out whether a reader does not see an element."""
    classes = attributes.get("class", "").split()
    style = attributes.get("style", "")
    return (
        "hidden" in attributes
        or not _UNREAD_CLASSES.isdisjoint(classes)
        or bool(style and _NO_DISPLAY.search(style))
    )


def marks_note(tag: str, attributes: Mapping[str, str], raised: bool) -> bool:
    """Find out whether an element is a note's mark, or leads back from one."""
    kind = {attributes.get("role", ""), *attributes.get("epub:type", "").split()}
    link = tag == "a" and "#" in attributes.get("href", "")
    return bool(kind & _NOTE_MARKS) or (link and raised)


def metadata(said: Mapping[str, str]) -> dict[str, str]:
    """Give what a page's head says of it under the names that Hoptrail has for it.

    Args:
        said: contents of its `meta` elements, and its language, by name.
    """
    known = {
        key: next((said[name] for name in names if said.get(name)), "")
        for key, names in _META.items()
    }
    known["language"] = said.get("language", "")
    return {key: value for key, value in known.items() if value}


def leads_to(said: Mapping[str, str]) -> str:
    """Give the page that a browser goes on to by itself, "" where it stays; argument as above."""
    return _REFRESH.sub("", said.get("refresh", ""))
