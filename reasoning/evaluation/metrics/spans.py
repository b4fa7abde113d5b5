"""Answers of several spans, numbers and units: DROP's metrics, which IIRC takes.

Source: `drop_eval.py` as in IIRC's baseline, where no answer is the text "none".
"""

import re
import string
from collections.abc import Sequence

from ...matching import without_articles

NONE = "none"
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_PARTS = re.compile(r"\s*(?:[,;\n]|\band\b)\s*")


def span_agreement(predicted: Sequence[str], gold: Sequence[str]) -> tuple[float, float]:
    """Return exact match and F1, 0 to 1; F1 in hundredths, as the script rounds it.

    Spans are paired so that the words they share make the most; a gold span with numbers takes
    only one that has such a number. Spans without a partner count 0.

    Args:
        predicted: n ≥ 1 spans.
        gold: m ≥ 1 spans.
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    said, meant = list(map(_normal, predicted)), list(map(_normal, gold))
    exact = float(set(said) == set(meant) and len(said) == len(meant))
    scores = np.array([[_score(set(s.split()), set(m.split())) for s in said] for m in meant])
    best = scores[linear_sum_assignment(scores, maximize=True)].sum()
    return exact, round(float(best) / max(len(said), len(meant)), 2)


def parts(text: str) -> list[str]:
    """Cut an answer's text into what it lists: at commas, semicolons, line ends and "and"."""
    return [part for part in _PARTS.split(text.strip()) if part] or [text]


def _normal(text: str) -> str:
    """Words, cut at blanks and hyphens, without articles and punctuation; numbers as floats."""
    words = (_word(word) for word in re.split("[ -]", text.lower()))
    return " ".join(" ".join(words).split())


def _word(word: str) -> str:
    number = _number(word)
    if number is None:
        word = word.translate(_PUNCTUATION)
        number = _number(word)
    return without_articles(word) if number is None else str(number)


def _number(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None


def _score(said: set[str], meant: set[str]) -> float:
    numbers = {word for word in meant if _number(word) is not None}
    if numbers and not numbers & said:
        return 0.0
    common = len(said & meant)
    precision = common / len(said) if said else 1.0
    recall = common / len(meant) if meant else 1.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
