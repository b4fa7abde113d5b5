"""Fitting α and β of GNN-Ret and RGNN-Ret to questions with known passages, by the hinge loss.

Source: GNN-Ret §3.2–3.3, appendices A and B. The gradient is the loss's own, carried forward with
the distances (there are few parameters); the appendix leaves out its factors 1/|S|.
"""

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata

import numpy as np
from numpy.typing import NDArray

from ...kg.errors import BadRequest
from ...kg.store import GraphStore
from ...kg.types import LinkKind
from ...loaders.questions import Question
from ...models.encoder import Encoder
from .gnn_ret import EDGES
from .learned import Learned
from .message_passing import Chain

Floats = NDArray[np.float64]

ROUNDS = 500  # of descent, at most; it usually ends long before


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question, the passages that support its answer, and the questions that lead there.

    Args:
        supporting: passage ids.
        subquestions: in order, to train RGNN-Ret; without any the question is asked as it is.
    """

    question: str
    supporting: frozenset[str]
    subquestions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Training:
    """How to fit; the defaults are the paper's for GNN-Ret, `RECURRENT` holds those for RGNN-Ret.

    Args:
        layers: L.
        senders: K.
        kinds: edges that messages take.
        competitors: O, how many of the nearest passages the supporting ones should beat.
        margin: r, by how much.
        alpha: where the descent starts, in every layer.
        beta: the same.
        rate: learning rate.
        flat: it ends where the steepest gradient is smaller,
        patience: or when the loss has risen so often in a row.
    """

    layers: int = 1  # §4.1
    senders: int = 5  # §4.1
    kinds: tuple[LinkKind, ...] = EDGES  # §3.1
    competitors: int = 25  # §4.1
    margin: float = 0.01  # §4.1
    alpha: float = 0.1  # appendix B
    beta: float = 1.0  # appendix B
    rate: float = 1.0  # appendix B
    flat: float = 0.001  # appendix B
    patience: int = 5  # appendix B


RECURRENT = Training(competitors=10, alpha=1.0)  # §4.1, appendix B


def labelled(graph: GraphStore, questions: Iterable[Question]) -> list[Labelled]:
    """Questions with the passages of their supporting paragraphs, where the graph has these."""
    found = []
    for question in questions:
        documents = [p.document_id for p in question.paragraphs if p.is_supporting]
        if supporting := graph.passages_of(documents):
            found.append(Labelled(question.question, frozenset(supporting)))
    return found


def train(
    graph: GraphStore,
    encoder: Encoder,
    questions: Sequence[Labelled],
    settings: Training | None = None,
    sources: Sequence[str] = (),
) -> Learned:
    """α of each layer, and β when questions have sub-questions, of the smallest loss on the way.

    Args:
        graph: holds the supporting passages and what competes with them.
        encoder: the graph's.
        questions: those whose supporting passages the graph lacks are left out.
        settings: the paper's for GNN-Ret when None.
        sources: where the questions come from, for the provenance.

    Raises:
        BadRequest: the graph has supporting passages of none of the questions.
    """
    settings = settings or Training()
    chains = []
    for question in questions:
        known = graph.passages(question.supporting)
        if known:
            vectors = encoder.encode_queries(list(question.subquestions or [question.question]))
            chains.append(Chain(graph, vectors, list(known), settings.senders, settings.kinds))
    if not chains:
        raise BadRequest(
            f"{graph.where} holds supporting passages of none of the {len(questions)} questions, "
            "so there is nothing to learn from; ingest their paragraphs first."
        )
    descent = _descend(chains, settings)
    recurrent = any(len(chain.vectors) > 1 for chain in chains)
    return Learned(
        alphas=tuple(descent.best[:-1].tolist()),
        beta=float(descent.best[-1]) if recurrent else None,
        senders=settings.senders,
        kinds=settings.kinds,
        provenance={
            "sources": list(sources),
            "questions": len(chains),
            "encoder": encoder.fingerprint.name,
            "training": asdict(settings) | {"kinds": list(settings.kinds)},
            "loss": [round(descent.losses[0], 6), round(min(descent.losses), 6)],
            "rounds": len(descent.losses),
            "made_with": f"hoptrail {metadata.version('hoptrail')}",
            "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        },
    )


@dataclass(frozen=True, slots=True)
class _Descent:
    best: Floats
    losses: list[float]


def _descend(chains: Sequence[Chain], settings: Training) -> _Descent:
    """Gradient descent over the average of all chains, parameters (layers + 1,) within 0 to 1."""
    current = np.array([settings.alpha] * settings.layers + [settings.beta])
    best, losses, rising = current, [], 0
    while len(losses) < ROUNDS:
        loss, gradient = _average(chains, current, settings)
        if not losses or loss < min(losses):
            best = current
        rising = rising + 1 if losses and loss > losses[-1] else 0
        losses.append(loss)
        moved = np.clip(current - settings.rate * gradient, 0, 1)
        # At the edge of the range the gradient stays steep, but leads nowhere.
        if np.abs(moved - current).max() < settings.rate * settings.flat:
            break
        if rising >= settings.patience:
            break
        current = moved
    return _Descent(best, losses)


def _average(
    chains: Sequence[Chain], parameters: Floats, settings: Training
) -> tuple[float, Floats]:
    found = [_hinge(chain, parameters, settings) for chain in chains]
    return float(np.mean([loss for loss, _ in found])), np.mean([g for _, g in found], axis=0)


def _hinge(chain: Chain, parameters: Floats, settings: Training) -> tuple[float, Floats]:
    """Equations 3 and 5, with the gradient (layers + 1,)."""
    total, slope = 0.0, np.zeros(len(parameters))
    for targets, (distances, slopes) in zip(chain.targets, chain.pass_on(parameters), strict=True):
        # Nearest after messages: by their own distance, what messages lift past the supporting
        # passages would not count, and a small alpha, which lifts anything, would cost nothing.
        nearest = np.argsort(distances, kind="stable")[: settings.competitors]
        others = np.setdiff1d(nearest, targets)
        if not len(others) or not len(targets):
            continue
        apart = distances[targets].mean() - distances[others].mean()
        if settings.margin + apart > 0:
            total += settings.margin + apart
            slope += slopes[:, targets].mean(axis=1) - slopes[:, others].mean(axis=1)
    steps = len(chain.targets)
    return total / steps, slope / steps
