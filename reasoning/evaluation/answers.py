"""How good short answers are by the benchmarks' own measures, and what abstaining is worth.

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


def normalise_answer(text: str) -> str:
    """Lower case, no ASCII punctuation, no articles, single blanks: `normalize_answer`."""
    return without_articles(text.lower().translate(_PUNCTUATION))


def without_articles(text: str) -> str:
    """Without a, an and the, single blanks; in lower case only."""
    return " ".join(_ARTICLE.sub(" ", text).split())


def exact_match(predicted: str, golds: Iterable[str]) -> float:
    """1 when the answer equals one of the gold answers after normalisation, else 0."""
    normal = normalise_answer(predicted)
    return float(any(normal == normalise_answer(gold) for gold in golds))


def f1(predicted: str, golds: Iterable[str], *, verdicts: bool = True) -> float:
    """The best token F1 over the gold answers, 0 to 1; two empty answers agree, as in MuSiQue's.

    Args:
        verdicts: as in HotpotQA's script, a yes or no, said or expected, has no half marks; not
            so in MuSiQue's.
    """
    found = (_f1(normalise_answer(predicted), normalise_answer(gold), verdicts) for gold in golds)
    return max(found, default=0.0)


def contains(predicted: str, golds: Iterable[str]) -> float:
    """1 when one of the gold answers stands in the answer, word for word, else 0 (accuracy).

    Both are normalised; a gold answer of which nothing is left stands nowhere.
    """
    said = f" {normalise_answer(predicted)} "
    meant = filter(None, map(normalise_answer, golds))
    return float(any(f" {gold} " in said for gold in meant))


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far what was said is what was meant; all figures 0 to 1."""

    exact: float
    f1: float
    precision: float
    recall: float


def agreement(predicted: str, golds: Iterable[str]) -> Agreement:
    """HotpotQA's answer metrics, and 2WikiMultihopQA's: the best of each over the gold answers.

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


@dataclass(frozen=True, slots=True)
class Abstention:
    """What abstaining is worth.

    Args:
        precision: share of the abstentions that were right; None without any.
        recall: share of the unanswerable questions on which it abstained; None without any.
    """

    precision: float | None
    recall: float | None


def abstention(abstained: Sequence[bool], answerable: Sequence[bool]) -> Abstention:
    """Precision and recall of abstaining, which is right on what can't be answered.

    Raises:
        ValueError: the sequences differ in length.
    """
    right = sum(a and not b for a, b in zip(abstained, answerable, strict=True))
    said, meant = sum(abstained), len(answerable) - sum(answerable)
    return Abstention(right / said if said else None, right / meant if meant else None)


@dataclass(frozen=True, slots=True)
class Selective:
    """What is left when only confident answers count.

    Args:
        coverage: share of the questions that are answered, 0 to 1.
        precision: share of the answered ones that are right; None when none is answered.
    """

    coverage: float
    precision: float | None


def selective(
    confidences: Sequence[float], right: Sequence[bool], threshold: float = 0.5
) -> Selective:
    """Coverage and precision when a question is answered from this confidence on.

    Raises:
        ValueError: the sequences differ in length.
    """
    pairs = list(zip(confidences, right, strict=True))
    answered = [good for confidence, good in pairs if confidence >= threshold]
    if not answered:
        return Selective(0.0, None)
    return Selective(len(answered) / len(pairs), sum(answered) / len(answered))


def auroc(confidences: Sequence[float], right: Sequence[bool]) -> float | None:
    """Probability that a right answer has more confidence than a wrong one (Mann and Whitney).

    Ties count half; None when all are right or none is.

    Raises:
        ValueError: the sequences differ in length.
    """
    pairs = list(zip(confidences, right, strict=True))
    good = [c for c, is_right in pairs if is_right]
    bad = [c for c, is_right in pairs if not is_right]
    if not good or not bad:
        return None
    wins = sum((g > b) + 0.5 * (g == b) for g in good for b in bad)
    return wins / (len(good) * len(bad))
