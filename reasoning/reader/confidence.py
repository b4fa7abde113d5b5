"""Signs by which the calibrator tells a right answer from a wrong one."""

import numpy as np

from .names import key, same_name
from .pages import Floats
from .question import KINDS
from .rulings import RULES, Ruling

CONFIDENCE = (
    "top",  # log of the best candidate's score
    "lead",  # log of its ratio to the second
    "agrees",  # a rule's answer is the best candidate
    "tied",  # a rule rests on a triple whose relation is a guess
    *(f"rule {rule}" for rule in RULES),
    *(f"kind {kind}" for kind in KINDS),
)
NEVER_ASSERTED = frozenset({"default"})
"""Rules whose answer is a guess, whatever the calibrator says."""
_FLOOR = 1e-4


def signs(kind: str, scores: Floats, best: str, ruling: Ruling | None) -> Floats:
    """Float32 (len(CONFIDENCE),), in its order.

    Args:
        kind: of the question.
        scores: of all candidates, in any order.
        best: the best candidate's text, "" without candidates.
        ruling: what a rule decided, if any.
    """
    ordered = np.sort(scores)[::-1]
    top = np.log(_FLOOR + (ordered[0] if len(ordered) else 0.0))
    second = np.log(_FLOOR + (ordered[1] if len(ordered) > 1 else 0.0))
    rule = ruling.rule if ruling is not None else ""
    agrees = ruling is not None and same_name(key(ruling.answer), key(best))
    tied = ruling is not None and any(s.triple.tied for s in ruling.support)
    values = [top, top - second, agrees, tied]
    values += [rule == name for name in RULES]
    values += [kind == name for name in KINDS]
    return np.array(values, dtype=np.float32)
