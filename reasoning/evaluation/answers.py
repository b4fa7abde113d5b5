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
    return " ".join(_ARTICLE.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def exact_match(predicted: str, golds: Iterable[str]) -> float:
    """1 when the answer equals one of the gold answers after normalisation, else 0."""
    normal = normalise_answer(predicted)
    return float(any(normal == normalise_answer(gold) for gold in golds))


def f1(predicted: str, golds: Iterable[str]) -> float:
    """The best token F1 over the gold answers, 0 to 1.

    As in HotpotQA's script a yes or no, said or expected, has no half marks; as in MuSiQue's, two
    empty answers agree.
    """
    return max(
        (_f1(normalise_answer(predicted), normalise_answer(gold)) for gold in golds), default=0.0
    )


def _f1(predicted: str, gold: str) -> float:
    if predicted == gold:
        return 1.0
    if predicted in _VERDICTS or gold in _VERDICTS:
        return 0.0
    said, meant = predicted.split(), gold.split()
    common = sum((Counter(said) & Counter(meant)).values())
    return 2 * common / (len(said) + len(meant)) if common else 0.0


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
