"""Blanks of all widths in documents made ordinary ones: a name is the same with a no-break space.

Each is one character before and after, so that every place in the text stays what it is.
"""

import re
from dataclasses import replace

from ..types import Document

_ODD = re.compile("[\u00a0\u2000-\u200a\u202f\u205f]")


def spaced(document: Document) -> Document:
    """Write ordinary blanks in a document's title, text, headings, anchors and facts."""
    written = [document.title, document.text, *(s.heading for s in document.sections)]
    written += [a.title for a in document.anchors]
    written += [f"{f.head} {f.relation} {f.tail}" for f in document.facts]
    if not any(map(_ODD.search, written)):
        return document
    return replace(
        document,
        title=_plain(document.title),
        text=_plain(document.text),
        sections=tuple(replace(s, heading=_plain(s.heading)) for s in document.sections),
        anchors=tuple(replace(a, title=_plain(a.title)) for a in document.anchors),
        facts=tuple(
            replace(f, head=_plain(f.head), relation=_plain(f.relation), tail=_plain(f.tail))
            for f in document.facts
        ),
    )


def _plain(text: str) -> str:
    return _ODD.sub(" ", text)
