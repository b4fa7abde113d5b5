"""Which candidate a sentence states to be what is asked for; which are other answers than it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..asked.names import inside, key
from ..asked.question import Asked
from ..pages import Floats
from .alignment import ALIGNED

_SAID = 0.5  # how far such a sentence states the answer
_SAID_AGAINST = 0.75  # … where another candidate scores best
_SAID_ALONE = 0.5  # … unless by so much no other is stated, or that one does nothing asked about
_SAID_MORE = 0.15  # … and how much further than any other answer is stated
_BESIDE = 0.8  # what is stated by what does nothing, beside one that does what is asked about
_TOGETHER = 5  # words of a phrase of two names


def stated(asked: Asked, texts: Sequence[str], features: Floats, top: int) -> int | None:
    """Find the candidate that a sentence states to be what is asked for, as it does no other.

    The sentence says the question's names and most of its words; the candidate is of the type asked
    for and plays the part of the question word: "Who designed X?", "X was designed by …".

    Args:
        texts: of the candidates.
        features: (len(texts), n), the last columns in the order of ALIGNED.
        top: the best candidate by its score; another has to be stated all the more.
    """
    if asked.kind in ("choice", "yesno"):
        return None
    if asked.kind in ("person", "other") and not asked.stems - asked.named_stems:
        return None  # "Who is X?"
    said = features[:, ALIGNED.index("stated") - len(ALIGNED)]
    first = int(np.argmax(said))
    other = others(texts, first)
    part = features[:, ALIGNED.index("part") - len(ALIGNED)]
    if asked.doing and part[first] > 0:
        said = np.where(other & (part <= 0), _BESIDE * said, said)
    if not other[top] and said[top] >= said[first] - _SAID_MORE:
        first = top
    lead = float(said[first]) - (float(said[other].max()) if other.any() else 0.0)
    sure = first == top or lead >= _SAID_ALONE or part[first] > 0 >= part[top]
    enough = _SAID if sure else _SAID_AGAINST
    if said[first] < enough or inside(key(texts[first]), asked.key):
        return None
    own = lead + float(said[~other].max() - said[first])
    return first if own >= _SAID_MORE else None


def others(texts: Sequence[str], first: int) -> NDArray[np.bool_]:
    """Which candidates are another answer than one.

    Not those with all of its words or no others, nor those that stand together with it in a third:
    "Edinburgh" and "Scotland" in "Edinburgh, Scotland".
    """
    said = [frozenset(key(text).split()) for text in texts]
    own = said[first]
    together = frozenset().union(*(w for w in said if own < w and len(w) <= _TOGETHER))
    return np.array([not (w <= together or w <= own or own <= w) for w in said])
