"""Fitting α and β of GNN-Ret and RGNN-Ret to questions with known passages, by the hinge loss.

Source: GNN-Ret §3.2–3.3, appendices A and B. The gradient is the loss's own, carried forward with
the distances (there are few parameters); the appendix leaves out its factors 1/|S|.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...kg.errors import BadRequest
from ...kg.store import Graph
from ...kg.types import LinkKind
from ...loaders.questions.files import Question
from ...models.encoder import Encoder
from ..fitted import Fitted, provenance
from ..retrieval.gnn_parameters import GnnParameters
from ..retrieval.gnn_ret import EDGES, GnnRet
from ..retrieval.rgnn import Rgnn
from .message_passing import Chain

Floats = NDArray[np.float64]

MAX_ROUNDS = 500  # of descent, at most
MAX_STALE = 20  # rounds without a smaller loss that end it: it swings around the smallest
FOLDS = 5
MIN_QUESTIONS = 4 * FOLDS  # with fewer questions, what is held out says nothing
CUT = 5
DEPTH = 30  # passages; a long document is several
Recalls = NDArray[np.float64]
"""(n,), 0 to 1, of each question."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question, the passages that support its answer, and the questions that lead there.

    Args:
        supporting: passage ids.
        subquestions: in order, to train RGNN-Ret; may be empty.
    """

    question: str
    supporting: frozenset[str]
    subquestions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Training:
    """Settings of the fit, by default the paper's for GNN-Ret; RECURRENT has RGNN-Ret's.

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


def recurrent(settings: Training) -> Training:
    """Return these settings for RGNN-Ret: what the paper sets otherwise there is set so."""
    return replace(settings, competitors=RECURRENT.competitors, alpha=RECURRENT.alpha)


def labelled(graph: Graph, questions: Iterable[Question]) -> list[Labelled]:
    """Collect questions with their supporting passages, where the graph has these."""
    found = []
    for question in questions:
        documents = [p.document_id for p in question.paragraphs if p.is_supporting]
        if supporting := graph.passages_of(documents):
            found.append(Labelled(question.question, frozenset(supporting), question.subquestions))
    return found


def train(
    graph: Graph,
    encoder: Encoder,
    questions: Sequence[Labelled],
    settings: Training | None = None,
    sources: Sequence[Mapping[str, str]] = (),
) -> Fitted[GnnParameters]:
    """Fit α of each layer, and with sub-questions α and β of the steps of RGNN-Ret.

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
    whole = chains(graph, encoder, questions, settings)
    steps = chains(graph, encoder, [q for q in questions if q.subquestions], settings, steps=True)
    return learn(whole, steps, settings, encoder, sources)


def chains(
    graph: Graph,
    encoder: Encoder,
    questions: Iterable[Labelled],
    settings: Training,
    *,
    steps: bool = False,
    progress: Callable[[], None] = lambda: None,
) -> list[Chain]:
    """Look up what the questions see of the graph, without those that it can't support.

    Args:
        steps: ask the sub-questions one after the other, instead of the question.
        progress: called after every question.
    """
    if not (questions := list(questions)):
        return []
    listed = [(q.supporting, q.subquestions if steps else (q.question,)) for q in questions]
    vectors = encoder.encode_queries([text for _, asked in listed for text in asked])
    found, start = [], 0
    for supporting, asked in listed:
        own, start = vectors[start : start + len(asked)], start + len(asked)
        if known := graph.passages(supporting):
            found.append(Chain(graph, own, list(known), settings.senders, settings.kinds))
        progress()
    return found


def learn(
    whole: Sequence[Chain],
    steps: Sequence[Chain],
    settings: Training,
    encoder: Encoder,
    sources: Sequence[Mapping[str, str]] = (),
) -> Fitted[GnnParameters]:
    """Fit parameters to these chains, and say where they come from.

    Args:
        whole: of the questions, for GNN-Ret.
        steps: of sub-questions, for RGNN-Ret; may be empty.

    Raises:
        BadRequest: there are no chains.
    """
    if not whole:
        raise BadRequest(
            "The graph holds supporting passages of none of the questions, so there is nothing to "
            "learn from; mark them in the file (is_supporting), and ingest their paragraphs first."
        )
    alone = descend(whole, settings)
    about = provenance(
        sources,
        len(whole),
        loss=alone.summary,
        training=asdict(settings) | {"kinds": list(settings.kinds)},
    )
    step_alphas, beta = (), None
    if steps:
        together = descend(steps, recurrent(settings))
        step_alphas, beta = together.alphas, together.beta
        about |= {"step_questions": len(steps), "step_loss": together.summary}
    found = GnnParameters(alone.alphas, beta, step_alphas, settings.senders, settings.kinds)
    return Fitted(found, encoder.fingerprint, about)


@dataclass(frozen=True, slots=True)
class Descent:
    """The course of a descent: parameters (layers + 1,) of the smallest loss, and every loss."""

    best: Floats
    losses: Sequence[float]

    @property
    def alphas(self) -> tuple[float, ...]:
        """The α of each layer."""
        return tuple(self.best[:-1].tolist())

    @property
    def beta(self) -> float:
        """The β; where it started, when no chain has a second step."""
        return float(self.best[-1])

    @property
    def summary(self) -> list[float]:
        """The loss before and after."""
        return [round(self.losses[0], 6), round(min(self.losses), 6)]


def descend(chains: Sequence[Chain], settings: Training) -> Descent:
    """Descend the gradient averaged over all chains, parameters (layers + 1,) within 0 to 1."""
    current = np.array([settings.alpha] * settings.layers + [settings.beta])
    best, smallest_at, losses, rising = current, 0, [], 0
    while len(losses) < MAX_ROUNDS:
        loss, gradient = _average(chains, current, settings)
        if not losses or loss < min(losses):
            best, smallest_at = current, len(losses)
        rising = rising + 1 if losses and loss > losses[-1] else 0
        losses.append(loss)
        moved = np.clip(current - settings.rate * gradient, 0, 1)
        # At the edge of the range the gradient stays steep, but leads nowhere.
        if np.abs(moved - current).max() < settings.rate * settings.flat:
            break
        if rising >= settings.patience or len(losses) - smallest_at > MAX_STALE:
            break
        current = moved
    return Descent(best, losses)


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


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Recall@5 of documents, question by question, in the order of the chains.

    Args:
        fixed: with the paper's fixed α and β.
        fitted: with what was fitted to the other folds.
    """

    fixed: Recalls
    fitted: Recalls


def held_out(graph: Graph, chains: Sequence[Chain], settings: Training) -> HeldOut | None:
    """Measure every chain once, with parameters fitted without its fold.

    Messages are passed in memory, over the passages that training sees; ranked as GnnRet
    and Rgnn do, the steps of a question in turn. None when there are too few chains.
    """
    if len(chains) < MIN_QUESTIONS:
        return None
    paper = np.array([GnnRet.alpha] * settings.layers + [Rgnn.beta])
    fixed = np.array([_recall(graph, chain, paper) for chain in chains])
    fitted = np.empty(len(chains))
    for fold in range(FOLDS):
        rest = [chain for place, chain in enumerate(chains) if place % FOLDS != fold]
        best = descend(rest, settings).best
        fitted[fold::FOLDS] = [_recall(graph, chain, best) for chain in chains[fold::FOLDS]]
    return HeldOut(fixed, fitted)


def _recall(graph: Graph, chain: Chain, parameters: NDArray[np.float64]) -> float:
    supporting = {p.document_id for p in graph.passages(chain.supporting).values()}
    ranked = graph.passages(chain.ranked(parameters, DEPTH)).values()
    first = list(dict.fromkeys(passage.document_id for passage in ranked))[:CUT]
    return len(supporting.intersection(first)) / len(supporting)
