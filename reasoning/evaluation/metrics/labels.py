"""FEVER's three labels in an answer's text."""

import re

from ....loaders.questions.fever import OPEN

_WORDS = (  # of two that begin at the same place the earlier one counts
    (OPEN, r"not[ _]enough[ _]info(?:rmation)?|nei|unknown|insufficient|unverifiable"),
    (OPEN, r"not verifiable|no (?:evidence|information)|not (?:support|supported|refute|refuted)"),
    ("SUPPORTS", r"supports?|supported|true|yes|correct"),
    ("REFUTES", r"refutes?|refuted|false|no|not true|not correct|incorrect"),
)
_LABEL = re.compile("|".join(rf"\b({words})\b" for _, words in _WORDS), re.IGNORECASE)


def label(text: str, abstained: bool = False) -> str:
    """Return FEVER's label that a text means: OPEN for an abstention, "" for none of them."""
    if abstained:
        return OPEN
    found = _LABEL.search(text)
    return _WORDS[(found.lastindex or 1) - 1][0] if found else ""
