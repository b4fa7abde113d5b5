"""Which option or label an answer's text means: QuALITY's four options, FEVER's three labels."""

import re
from collections.abc import Sequence

from ...loaders.questions.fever import OPEN
from .answers import f1, normalise_answer

_MARK = re.compile(
    r"\s*(?:(?:the )?(?:answer|option|choice)\b[\s:]*(?:is\b)?\s*)?"
    r"[(\[]?([a-z]|\d{1,2})(?:[)\].:](?=\s|$)|\s*$)",
    re.IGNORECASE,
)
_WORDS = (  # of two that begin at the same place the earlier one counts
    (OPEN, r"not[ _]enough[ _]info(?:rmation)?|nei|unknown|insufficient|unverifiable"),
    (OPEN, r"not verifiable|no (?:evidence|information)|not (?:support|supported|refute|refuted)"),
    ("SUPPORTS", r"supports?|supported|true|yes|correct"),
    ("REFUTES", r"refutes?|refuted|false|no|not true|not correct|incorrect"),
)
_LABEL = re.compile("|".join(rf"\b({words})\b" for _, words in _WORDS), re.IGNORECASE)


def chosen(text: str, options: Sequence[str]) -> int | None:
    """The option that a text means, counted from 0; None when it means none or several alike.

    An option said in full counts, else its letter or number ("B", "(2)", "answer: c."), else the
    option that shares most words with the text.
    """
    if text in options:
        return options.index(text)  # though another may differ by its articles alone
    normal = normalise_answer(text)
    same = [n for n, option in enumerate(options) if normalise_answer(option) == normal]
    if len(same) == 1:
        return same[0]
    if (marked := _marked(text, len(options))) is not None:
        return marked
    shares = [f1(text, [option], verdicts=False) for option in options]
    best = max(shares, default=0.0)
    return shares.index(best) if best > 0 and shares.count(best) == 1 else None


def label(text: str, abstained: bool = False) -> str:
    """FEVER's label that a text means; "NOT ENOUGH INFO" for an abstention, "" for none of them."""
    if abstained:
        return OPEN
    found = _LABEL.search(text)
    return _WORDS[(found.lastindex or 1) - 1][0] if found else ""


def _marked(text: str, count: int) -> int | None:
    found = _MARK.match(text)
    if not found:
        return None
    mark = found[1].lower()
    number = int(mark) - 1 if mark.isdigit() else ord(mark) - ord("a")
    return number if 0 <= number < count else None
