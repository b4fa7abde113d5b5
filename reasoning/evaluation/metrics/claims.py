"""Claims with evidence: FEVER's scores.

Source: `fever-scorer` (Thorne et al., FEVER, section 3.3).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ....loaders.questions.fever import OPEN
from ....loaders.questions.files import Fact, Question

MAX_EVIDENCE = 5
"""Sentences of predicted evidence that count, the first ones."""


@dataclass(frozen=True, slots=True)
class ClaimScore:
    """FEVER's figures of one claim; all 0 or 1, but for the precision.

    Args:
        strict: the label is right and the evidence holds one whole set, which an open claim does
            not need.
        precision: share of the predicted sentences that are in any set; None for open claims, and
            where the file keeps labels back.
        recall: one whole set was found; None likewise.
    """

    strict: float
    precision: float | None
    recall: float | None


def claim_score(question: Question, label: str, evidence: Sequence[Fact]) -> ClaimScore:
    """Score a label and its evidence as FEVER does.

    Args:
        question: the claim.
        label: one of `fever.LABELS`; see `labels.label`.
        evidence: sentences, best first.
    """
    right = float(bool(question.answer) and label.upper() == question.answer)
    if question.answer in (OPEN, ""):
        return ClaimScore(right, None, None)
    said = evidence[:MAX_EVIDENCE]
    gold = {fact for group in question.evidence_sets for fact in group}
    whole = float(any(set(group) <= set(said) for group in question.evidence_sets))
    precision = sum(fact in gold for fact in said) / len(said) if said else 1.0
    recall = whole if question.evidence_sets else 1.0
    return ClaimScore(right * whole, precision, recall)
