"""Names that have words in common with one that the question says, and are of another thing."""

import re

from ..asked.forms import LONG
from ..asked.names import key
from ..pages import Page
from .aligned_page import AlignedPage

_GOES_ON = r"\b{}\b(?: ([A-Z]\w*))?"  # a name, and what makes a longer one of it
_SAME_NAME = frozenset(
    "ag association co company corp corporation foundation gmbh group inc llc ltd organisation"
    " organization plc project team".split()
)
"""Words behind a name that make no other one of it."""


def of_half_a_name(page: AlignedPage) -> bool:
    """Whether a page, and those that name it, say but a part of a name: another such thing.

    "Alder Song" says nothing of the Poplar Song. What has figures is written in many ways.
    """
    asked, said = page.of.asked, page.words_in_chain
    names = zip(asked.called, asked.names, strict=True)
    words = (name for called, name in names if not any(map(str.isdigit, called)))
    return any(name & said and not name <= said for name in words)


def of_longer_name(page: AlignedPage, sentence: int, answer: str) -> bool:
    """Whether a sentence first says a name of the question as the beginning of another one.

    "The Debian Long Term Support project started in 2014" says nothing of Debian's start. What
    is nobody's whole name is another one if the page also says the shorter one alone.
    """
    asked, text = page.of.asked, page.page.texts[sentence]
    if asked.form == LONG:  # "DXF Format - Abbreviation of Data Exchange File"
        return False
    known = _SAME_NAME.union(key(f"{asked.text} {answer}").split())
    for name in asked.called:
        first = re.search(_GOES_ON.format(re.escape(name)), text)
        if first is None or first[1] is None or first[1].casefold() in known:
            continue
        begin = page.page.starts[sentence]
        whole = _is_somebody(page.page, begin + first.start(), begin + first.end())
        if not whole and _stands_alone(page.page, name):
            return True
    return False


def _stands_alone(page: Page, name: str) -> bool:
    """Whether a page says a name anywhere without another word of a name behind it."""
    passage = page.passage
    said = re.finditer(_GOES_ON.format(re.escape(name)), f"{passage.title}\n{passage.text}")
    return any(found[1] is None for found in said)


def _is_somebody(page: Page, start: int, end: int) -> bool:
    """Whether characters lie in somebody's whole name."""
    return any(
        label == "PERSON" and begins <= start and end <= ends
        for (begins, ends), label in page.recognised.items()
    )
