"""What fitting gains on questions that were not fitted to: cross-validated recall@5."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...kg.store import GraphStore
from .gnn_ret import GnnRet
from .gnn_training import Training, descend
from .message_passing import Chain
from .rgnn_ret import RgnnRet

FOLDS = 5
FEWEST = 4 * FOLDS  # with fewer questions, what is held out says nothing
CUT = 5
DEPTH = 30  # passages; a long document is several

Recalls = NDArray[np.float64]
"""(n,), 0 to 1, of each question."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Recall@5 of documents, question by question, in the order of the chains.

    Args:
        fixed: with the paper's fixed α and β.
        fitted: with what was fitted to the other folds.
    """

    fixed: Recalls
    fitted: Recalls


def held_out(graph: GraphStore, chains: Sequence[Chain], settings: Training) -> HeldOut | None:
    """Every chain is measured once, with parameters fitted without its fold.

    Messages are passed in memory, over the passages that training sees; ranked is as GnnRet and
    RgnnRet do. None when there are too few chains.
    """
    if len(chains) < FEWEST:
        return None
    paper = np.array([GnnRet.alpha] * settings.layers + [RgnnRet.beta])
    fixed = np.array([_recall(graph, chain, paper) for chain in chains])
    fitted = np.empty(len(chains))
    for fold in range(FOLDS):
        rest = [chain for place, chain in enumerate(chains) if place % FOLDS != fold]
        best = descend(rest, settings).best
        fitted[fold::FOLDS] = [_recall(graph, chain, best) for chain in chains[fold::FOLDS]]
    return HeldOut(fixed, fitted)


def _recall(graph: GraphStore, chain: Chain, parameters: NDArray[np.float64]) -> float:
    supporting = {p.document_id for p in graph.passages(chain.supporting).values()}
    ranked = graph.passages(chain.ranked(parameters, DEPTH)).values()
    first = list(dict.fromkeys(passage.document_id for passage in ranked))[:CUT]
    return len(supporting.intersection(first)) / len(supporting)
