"""How likely each of the best candidates is right, beside the others: the answer, and how sure.

A linear scorer finds the few that come into question. Which of them is right hangs on several
things at once (a stretch that the span reader is sure of, though its sentence lacks a name), which
trees tell apart: they choose better, and know better when they are right, than another logistic
regression does (figures in benchmarks/README.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..asked.question import Asked
from ..pages import Floats
from ..placed.features import FEATURES
from ..placed.stated import others, stated
from .confidence import CIRCUMSTANCES
from .trees import Trees

SHORTLIST = 6
JUDGED = (
    *FEATURES,
    "score",  # of the linear scorer, a logit
    "behind",  # the first one
    "share",  # log of its probability among all candidates
    "order",  # in the shortlist
    "stated lead",  # how much better a sentence states it than any other
    "said",  # one sentence states it, see `stated`
    "candidates",  # how many there are
    *(f"question {name}" for name in CIRCUMSTANCES),
)
_STATED = FEATURES.index("stated")
_LEAST_SHARE = 1e-9
_SUREST = 0.95  # of what is left where another one is ruled out


@dataclass(frozen=True)
class Judgement:
    """Of a question's candidates.

    Args:
        chances: that it is right, by its number among the candidates; the answer first, then by
            chance.
        said: number of the one that a sentence states to be what is asked for, if any does.
    """

    chances: dict[int, float]
    said: int | None

    @property
    def best(self) -> int:
        """Number of the one that is the answer."""
        return next(iter(self.chances))

    def preferring(self, one: int) -> "Judgement":
        """The same with another one for the answer, as likely as it is judged to be."""
        return Judgement({one: self.chances.get(one, 0.0)} | self.chances, self.said)

    def swapping(self, one: int) -> "Judgement":
        """The same with another one for the answer, and each as likely as the other was."""
        sure, less = self.chances[self.best], self.chances.get(one, 0.0)
        others = {n: chance for n, chance in self.chances.items() if n not in (self.best, one)}
        return Judgement({one: sure, self.best: less} | others, self.said)

    def ruling_out(self, one: int) -> "Judgement":
        """The same without another one: as likely as that was, the answer is the more."""
        mine = self.chances[self.best]
        both = max(mine, min(_SUREST, mine + self.chances[one]))
        return Judgement(self.chances | {self.best: both, one: 0.0}, self.said)


def shortlist(logits: Floats, said: int | None) -> list[int]:
    """Numbers of the candidates to judge: what a sentence states, then as they score."""
    order = [int(i) for i in np.argsort(-logits, kind="stable")]
    first = [] if said is None else [said]
    return [*first, *(i for i in order if i != said)][:SHORTLIST]


def described(
    asked: Asked, texts: Sequence[str], logits: Floats, features: Floats, around: Floats
) -> tuple[list[int], int | None, Floats]:
    """Describe the candidates that come into question.

    Args:
        texts: of all candidates, in any order, at least one; logits and features are in the same.
        features: (len(texts), len(FEATURES)).
        around: see `confidence.circumstances`.

    Returns:
        Their numbers, the number of the one that a sentence states, and a row of JUDGED for each.
    """
    said = stated(asked, texts, features, int(np.argmax(logits)))
    short = shortlist(logits, said)
    scores = logits[short]
    raised = np.exp(logits - logits.max())
    shares = np.log(raised[short] / raised.sum() + _LEAST_SHARE)
    order = np.arange(len(short))
    leads = [_lead(texts, features[:, _STATED], i) for i in short]
    own = scores, scores - scores[0], shares, order, leads, [i == said for i in short]
    alike = np.tile([len(logits), *around], (len(short), 1))
    return short, said, np.column_stack([features[short], *own, alike]).astype(np.float32)


def _lead(texts: Sequence[str], how_far: Floats, one: int) -> float:
    """How much better a candidate is stated than any other answer than it."""
    other = others(texts, one)
    return float(how_far[one] - how_far[other].max()) if other.any() else float(how_far[one])


def judge(
    trees: Trees,
    asked: Asked,
    texts: Sequence[str],
    logits: Floats,
    features: Floats,
    around: Floats,
) -> Judgement:
    """Judge a question's best candidates; the arguments are those of `described`."""
    short, said, rows = described(asked, texts, logits, features, around)
    judged = trees.logits(rows)
    chances = 0.5 * (1 + np.tanh(0.5 * judged))  # the logistic function, without overflow
    order = np.argsort(-judged, kind="stable")
    return Judgement({short[i]: float(chances[i]) for i in order}, said)


def as_scored(logits: Floats) -> Judgement:
    """Judge a question's candidates by their scores alone, as is done where a rule answers."""
    raised = np.exp(logits - logits.max())
    shares = raised / raised.sum()
    return Judgement({i: float(shares[i]) for i in shortlist(logits, None)}, None)
