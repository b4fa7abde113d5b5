"""Fitting the span reader: the packaged encoder's layers above its word vectors, and a head.

The loss is that of BERT's readers (Devlin et al. 2019, section 4.3): the mean cross-entropy of the
answer's first and last token, both the first of all where there is no answer.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ...kg.errors import BadRequest
from ...loaders.questions.question import Question
from ...models.encoder_files import packaged_network
from ...models.precision import fastest
from ...models.span_weights import layers_of
from .span_rows import Drawing, Row, batches, places

if TYPE_CHECKING:
    from torch import Tensor

OnStep = Callable[[int, int, float], None]
"""Told how many steps of how many are done, and the mean loss of the last ones."""
_LEARNED = re.compile(r"^encoder\.|token_type|^embeddings\.LayerNorm")
"""What learns: all but the vectors of words and positions, and the pooler."""


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
) -> "dict[str, Tensor]":
    """Fit the weights that `models.span_reader` reads.

    Args:
        questions: with paragraphs; where the file does not say where an answer stands, the first
            place in a supporting one that has it is taken.
        begin: weights to go on from, which say how many layers there are.

    Raises:
        BadRequest: no question's answer stands in its paragraphs, `begin` has other tensors than
            those that learn, or the loss becomes no number.
    """
    import torch

    usable = [q for q in questions if q.paragraphs and (not q.answerable or places(q))]
    if not any(q.answerable for q in usable):
        raise BadRequest("No question has an answer that stands in one of its paragraphs.")
    torch.manual_seed(how.drawing.seed)
    network = _Network(None if begin is None else layers_of(begin))
    if begin is not None:
        network.go_on(begin)
    optimiser = torch.optim.AdamW(
        network.learned.values(), lr=how.rate, weight_decay=0.01, betas=(0.9, 0.98)
    )
    drawn, mean = batches(usable, network.tokenizer, how.drawing), 0.0
    with ThreadPoolExecutor(how.batches) as pool:
        for step in range(how.steps):
            chosen = [next(drawn) for _ in range(how.batches)]
            results = list(pool.map(network.gradients, chosen))
            for parameter, *each in zip(
                network.learned.values(), *(grads for _, grads in results), strict=True
            ):
                parameter.grad = torch.stack(each).mean(0)
            torch.nn.utils.clip_grad_norm_(network.learned.values(), 1.0)
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
    return {name: tensor.detach() for name, tensor in network.learned.items()}


class _Network:
    """The packaged encoder, whose layers learn, and a head."""

    def __init__(self, layers: int | None = None) -> None:
        import torch

        self.tokenizer, self.model = packaged_network(layers)
        self.head = torch.nn.Linear(self.model.config.hidden_size, 2)
        for name, parameter in self.model.named_parameters():
            parameter.requires_grad_(bool(_LEARNED.search(name)))
        self.learned = {n: p for n, p in self.model.named_parameters() if p.requires_grad}
        self.learned |= {f"head.{name}": p for name, p in self.head.named_parameters()}

    def go_on(self, weights: "Mapping[str, Tensor]") -> None:
        """Take what was learned before."""
        import torch

        if {n: t.shape for n, t in weights.items()} != {
            n: t.shape for n, t in self.learned.items()
        }:
            raise BadRequest(
                "What to go on from is no span reader of this encoder, or one of an older version."
            )
        with torch.no_grad():
            for name, parameter in self.learned.items():
                parameter.copy_(weights[name])

    def gradients(self, rows: Sequence[Row]) -> "tuple[float, Sequence[Tensor]]":
        """The loss of a batch, and its gradients in the order of `learned`."""
        import torch
        from torch.nn.functional import cross_entropy

        longest = max(len(row.tokens) for row in rows)
        made, seen = (
            np.zeros((3, len(rows), longest), np.int64),
            np.zeros((len(rows), longest), bool),
        )
        for number, row in enumerate(rows):
            size = len(row.tokens)
            made[0, number, :size], made[2, number, :size] = row.tokens, 1
            made[1, number, row.asked : size] = 1
            seen[number, row.asked : size - 1] = seen[number, 0] = True
        ids, types, mask = torch.from_numpy(made)
        with torch.autocast("cpu", torch.bfloat16, enabled=fastest() == torch.bfloat16):
            states = self.model(input_ids=ids, token_type_ids=types, attention_mask=mask)
        scores = self.head(states.last_hidden_state.float())
        scores = scores.masked_fill(~torch.from_numpy(seen)[:, :, None], -1e4)
        firsts = torch.tensor([row.first for row in rows])
        lasts = torch.tensor([row.last for row in rows])
        loss = (cross_entropy(scores[:, :, 0], firsts) + cross_entropy(scores[:, :, 1], lasts)) / 2
        return float(loss.detach()), torch.autograd.grad(loss, list(self.learned.values()))


def _share(step: int, how: Schedule) -> float:
    """Of the full rate."""
    left = (1 - step / how.steps) / (1 - how.held)
    return min(1.0, (step + 1) / how.warm, max(0.02, left))
