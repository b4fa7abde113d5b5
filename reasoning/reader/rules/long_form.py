"""The rule for "What does PWM stand for?", where the words with its initials stand beside it."""

import re
from collections.abc import Mapping

from ....kg.text.words import stems
from ..asked.initials import expands, long_forms
from ..pages import Evidence, Page
from .rulings import REPLY, Ruling

_SMALL = frozenset("of and the for in on to at with by a an".split())
_WORD = re.compile(r"[^\W\d_][\w'’]*")
_BEFORE = (
    r"(?<!\w){short}[\"”’']?(?:\s*\(|\s*[:=]|\s+[–—-]|,| stands for| standing for| means|,? or)"
    r"\s*(?:the |an? )?[\"“‘']?\Z"
)
_BEHIND = (
    r"[\"”’']?(?:\s*\((?:or |the |also )?|,? or |,? (?:better )?known as )[\"“‘']?{short}s?(?!\w)"
)


def by_long_form(evidence: Evidence) -> Ruling | None:
    """Answer by the words in parentheses behind a short form, or before it in parentheses.

    Where none stand beside it, by the one name with its initials on the pages that say it.
    """
    short = evidence.asked.short
    beside: dict[tuple[str, ...], Ruling] = {}
    named: dict[tuple[str, ...], Ruling] = {}
    for page in evidence.pages if short else ():
        for start, end in sorted({*long_forms(short, page.text)}):
            text = " ".join(page.text[start:end].split())
            if not expands(short, text):
                return None  # spelt out by other letters than its initials
            told = Ruling(text, REPLY, read=(page, page.sentence_at(start)))
            if _is_beside(page.text, short, start, end):
                beside.setdefault((*stems(text),), told)
            elif _is_name(text) and _says(page, short):
                named.setdefault((*stems(text),), told)
    return _only(beside or named)


def _only(told: Mapping[tuple[str, ...], Ruling]) -> Ruling | None:
    return next(iter(told.values())) if len(told) == 1 else None


def _is_beside(text: str, short: str, start: int, end: int) -> bool:
    """Whether words stand behind a short form that they explain, or before it."""
    before, behind = (each.replace("{short}", re.escape(short)) for each in (_BEFORE, _BEHIND))
    near = text[max(0, start - len(short) - 20) : start]
    return bool(re.search(before, near) or re.match(behind, text[end:]))


def _is_name(text: str) -> bool:
    """Whether all words but the small ones begin with capitals, as those of a name do."""
    return all(word[0].isupper() for word in _WORD.findall(text) if word not in _SMALL)


def _says(page: Page, short: str) -> bool:
    said = f"{page.passage.title}\n{page.passage.heading}\n{page.text}"
    return re.search(rf"(?<!\w){re.escape(short)}(?!\w)", said) is not None
