"""Which sentences state something: no caption, code, question or line of symbols does."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Span as Sentence

_CAPTION = re.compile(
    r"(?:fig(?:ure|\.)?|table|listing|example|photo|image|diagram|chart|plate|box)\s+"
    r"(?:\d+|[A-Z]\b)(?:[.-]\d+)*\s*(?:[.:–—-]|[A-Z])",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"^\s*(?:[$#>%]\s|[$#]!|>>>|//|/\*|--?\w+\b|[\w./-]+\s*[:=]=?\s*\S+$|</?\w)"
    r"|[;{}\\]\s*$|&&|\|\||<<|\w\(\)|\S=\S.*\S=\S|\s\|\s"
)
_SYMBOL = re.compile(r"[^\w\s.,;:'’\"“”()!?–—-]")
_WORD = re.compile(r"\b[^\W\d_]{2,}\b")
SYMBOLS = 0.08  # of the characters of prose at most


def states(sentence: "Sentence") -> bool:
    """Find out whether a sentence is one that can state something."""
    text = sentence.text.strip()
    if text.endswith("?") or _CAPTION.match(text) or not _WORD.search(text):
        return False
    return not is_code(text)


def is_code(text: str) -> bool:
    """Find out whether a line looks like a command or a program's text."""
    return len(_SYMBOL.findall(text)) > SYMBOLS * len(text) or _CODE.search(text) is not None
