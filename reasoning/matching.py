"""Answers as text: normalised, compared, matched with options, put to the vote.

Sources: `hotpot_evaluate_v1.py` (HotpotQA), `2wikimultihop_evaluate_v1.1.py` (2WikiMultihopQA, the
same functions) and `metrics/answer.py` (MuSiQue; takes the best over the answer and its aliases).
"""

import re
import string
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_VERDICTS = frozenset({"yes", "no", "noanswer"})
_MARK = re.compile(
    r"\s*+(?:(?:the )?(?:answer|option|choice)\b[\s:]*+(?:is\b\s*+)?)?"
    r"[(\[]?([a-z]|\d{1,2})(?:[)\].:](?=\s|$)|\s*$)",
    re.IGNORECASE,
)


def normalise_answer(text: str) -> str:
    """Lower the case, drop ASCII punctuation and articles, join by single blanks."""
    return without_articles(text.lower().translate(_PUNCTUATION))


def without_articles(text: str) -> str:
    """Drop a, an and the, and join by single blanks; in lower case only."""
    return " ".join(_ARTICLE.sub(" ", text).split())


def exact_match(predicted: str, golds: Iterable[str]) -> float:
    """Return 1 when the answer equals one of the gold answers after normalisation, else 0."""
    normal = normalise_answer(predicted)
    return float(any(normal == normalise_answer(gold) for gold in golds))


def f1(predicted: str, golds: Iterable[str], *, verdicts: bool = True) -> float:
    """Return the best token F1 over the gold answers, 0 to 1; two empty answers agree (MuSiQue).

    Args:
        verdicts: as in HotpotQA's script, a yes or no, said or expected, has no half marks; not
            so in MuSiQue's.
    """
    found = (_f1(normalise_answer(predicted), normalise_answer(gold), verdicts) for gold in golds)
    return max(found, default=0.0)


def contains(predicted: str, golds: Iterable[str]) -> float:
    """Return 1 when a gold answer stands in the answer, word for word, else 0 (accuracy).

    Both are normalised; a gold answer of which nothing is left stands nowhere.
    """
    said = f" {normalise_answer(predicted)} "
    meant = filter(None, map(normalise_answer, golds))
    return float(any(f" {gold} " in said for gold in meant))


@dataclass(frozen=True, slots=True)
class Agreement:
    """Measures of how far what was said is what was meant; all 0 to 1."""

    exact: float
    f1: float
    precision: float
    recall: float


def agreement(predicted: str, golds: Iterable[str]) -> Agreement:
    """Compare as HotpotQA and 2WikiMultihopQA do: the best of each over the gold answers.

    Unlike `f1`, what is nothing after normalisation has no F1, though it may match exactly.
    """
    golds = list(golds)
    said = normalise_answer(predicted)
    found = [_overlap(said, normalise_answer(gold)) for gold in golds]
    best = (max((figures[n] for figures in found), default=0.0) for n in range(3))
    return Agreement(exact_match(predicted, golds), *best)


def _f1(predicted: str, gold: str, verdicts: bool) -> float:
    return 1.0 if predicted == gold else _overlap(predicted, gold, verdicts)[0]


def _overlap(predicted: str, gold: str, verdicts: bool = True) -> tuple[float, float, float]:
    """F1, precision and recall of the words."""
    if verdicts and predicted != gold and not _VERDICTS.isdisjoint((predicted, gold)):
        return 0.0, 0.0, 0.0
    said, meant = predicted.split(), gold.split()
    common = sum((Counter(said) & Counter(meant)).values())
    if not common:
        return 0.0, 0.0, 0.0
    return 2 * common / (len(said) + len(meant)), common / len(said), common / len(meant)


def chosen(text: str, options: Sequence[str]) -> int | None:
    """Find the option that a text means, from 0; None when it means none or several alike.

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


def _marked(text: str, count: int) -> int | None:
    found = _MARK.match(text)
    if not found:
        return None
    mark = found[1].lower()
    number = int(mark) - 1 if mark.isdigit() else ord(mark) - ord("a")
    return number if 0 <= number < count else None


def vote(answers: Sequence[str]) -> list[tuple[str, float]]:
    """Count votes: answers with their share, most first, ties by who was first.

    Spellings with one normal form (lower case, no articles, no punctuation) are one answer, as the
    first attempt spelled it. "" votes like any other: most attempts may find that nothing tells.
    """
    cast: dict[str, list[str]] = {}
    for answer in answers:
        cast.setdefault(normalise_answer(answer), []).append(answer)
    ranked = sorted(cast.values(), key=len, reverse=True)  # stable: the first stays first
    return [(votes[0], len(votes) / len(answers)) for votes in ranked]
