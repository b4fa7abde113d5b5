"""Fitting the span reader: the packaged encoder's layers above its word vectors, and a head.

The loss is that of BERT's readers (Devlin et al. 2019, section 4.3): the mean cross-entropy of the
answer's first and last token, both the first of all where there is no answer. A larger network that
learned first is a teacher: then most of the loss is how far the scores are from its own, over
all tokens (Hinton et al. 2015, "Distilling the Knowledge in a Neural Network", section 2).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...kg.errors import BadRequest
from ...loaders.questions.question import Question
from ...models.encoder_files import packaged_network
from .span_network import SpanNetwork
from .span_rows import UNKNOWN, Drawing, Row, batches, places

if TYPE_CHECKING:
    from torch import Tensor

OnStep = Callable[[int, int, float], None]
"""Told how many steps of how many are done, and the mean loss of the last ones."""
TAUGHT = 0.7  # of the loss is the teacher's part
LARGER_RATE = 6e-5  # of a larger network
TEMPERATURE = 1.5  # by which both scores are divided, so that what is less likely counts, too


@dataclass(frozen=True, slots=True)
class Schedule:
    """How it is trained.

    Args:
        steps: altogether.
        batches: of a step, computed side by side.
        rate: AdamW's, reached after `warm` steps, falling evenly after `held` of all.
    """

    steps: int = 1300
    batches: int = 2
    rate: float = 3e-4
    warm: int = 60
    held: float = 0.3
    drawing: Drawing = field(default_factory=Drawing)


def train(
    questions: Sequence[Question],
    how: Schedule,
    on_step: OnStep | None = None,
    begin: "Mapping[str, Tensor] | None" = None,
    teacher: SpanNetwork | None = None,
) -> "dict[str, Tensor]":
    """Fit the weights that `models.span_reader` reads.

    Args:
        questions: with paragraphs; where the file does not say where an answer stands, the first
            place in a supporting one that has it is taken.
        begin: weights to go on from, which say how many layers there are.
        teacher: what `taught` returned.

    Raises:
        BadRequest: no question's answer stands in its paragraphs, `begin` has other tensors than
            those that learn, or the loss becomes no number.
    """
    import torch

    torch.manual_seed(how.drawing.seed)
    network = SpanNetwork.packaged(begin)
    _fit(network, questions, how, on_step, teacher)
    return {name: tensor.detach().cpu() for name, tensor in network.learned.items()}


def taught(
    questions: Sequence[Question], how: Schedule, folder: Path, on_step: OnStep | None = None
) -> SpanNetwork:
    """Let a larger network learn the same, to be a teacher.

    Args:
        folder: of a network that transformers loads, with BERT's words.

    Raises:
        ModelMissing, BadRequest: see `SpanNetwork.larger`, and `train`.
    """
    import torch

    torch.manual_seed(how.drawing.seed)
    network = SpanNetwork.larger(folder)
    network.model.train()  # with dropout: it has room for what it should not learn
    _fit(network, questions, how, on_step)
    network.model.eval()
    return network


def teaching(how: Schedule) -> Schedule:
    """How a larger network is trained that is to teach one: on whole texts and sentences alike."""
    drawing = replace(how.drawing, alone=0.5, beside=0.5, anywhere=0.0)
    return replace(how, rate=LARGER_RATE, drawing=drawing)


def _fit(
    network: SpanNetwork,
    questions: Sequence[Question],
    how: Schedule,
    on_step: OnStep | None,
    teacher: SpanNetwork | None = None,
) -> None:
    import torch

    usable = [q for q in questions if q.paragraphs and (not q.answerable or places(q))]
    if not any(q.answerable for q in usable):
        raise BadRequest("No question has an answer that stands in one of its paragraphs.")
    learned = list(network.learned.values())
    optimiser = torch.optim.AdamW(learned, lr=how.rate, weight_decay=0.01, betas=(0.9, 0.98))
    drawn, mean = batches(usable, packaged_network()[0], how.drawing), 0.0

    def gradients(rows: Sequence[Row]) -> "tuple[float, Sequence[Tensor]]":
        loss = _loss(network, rows, teacher)
        return float(loss.detach()), torch.autograd.grad(loss, learned)

    with ThreadPoolExecutor(how.batches) as pool:
        for step in range(how.steps):
            chosen = [next(drawn) for _ in range(how.batches)]
            results = list(pool.map(gradients, chosen))
            for parameter, *each in zip(learned, *(grads for _, grads in results), strict=True):
                parameter.grad = torch.stack(each).mean(0)
            torch.nn.utils.clip_grad_norm_(learned, 1.0)
            for group in optimiser.param_groups:
                group["lr"] = how.rate * _share(step, how)
            optimiser.step()
            loss = sum(loss for loss, _ in results) / len(results)
            if not math.isfinite(loss):
                raise BadRequest(
                    f"The loss is no number after {step + 1} steps. Take a smaller --rate."
                )
            mean = loss if not step else 0.97 * mean + 0.03 * loss
            if on_step is not None:
                on_step(step + 1, how.steps, mean)


def _loss(network: SpanNetwork, rows: Sequence[Row], teacher: SpanNetwork | None) -> "Tensor":
    import torch
    from torch.nn.functional import cross_entropy, kl_div, log_softmax

    scores = network.scores(rows)
    told = torch.tensor([[row.first, row.last] for row in rows], device=scores.device)
    each = cross_entropy(scores, told, ignore_index=UNKNOWN, reduction="sum")
    loss = each / max(1, int((told != UNKNOWN).sum()))
    if teacher is None:
        return loss
    with torch.no_grad():
        better = log_softmax(teacher.scores(rows) / TEMPERATURE, 1)
    own = log_softmax(scores / TEMPERATURE, 1)
    apart = kl_div(own, better, log_target=True, reduction="sum") / (2 * len(rows))
    return TAUGHT * TEMPERATURE**2 * apart + (1 - TAUGHT) * loss


def _share(step: int, how: Schedule) -> float:
    """Of the full rate."""
    left = (1 - step / how.steps) / (1 - how.held)
    return min(1.0, (step + 1) / how.warm, max(0.02, left))
