"""Fitting the span reader: low-rank matrices beside the packaged encoder's own, and a head.

The loss is that of BERT's readers (Devlin et al. 2019, section 4.3): the mean cross-entropy of the
answer's first and last token, both the first of all where there is no answer. Some questions are
put to another paragraph of their article, so that one which only looks alike says nothing.
"""

import math
import random
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...kg.errors import BadRequest
from ...loaders.questions.question import Question
from ...models.encoder_files import packaged_network
from ...models.span_reader import LONGEST_QUESTION, ROOM

if TYPE_CHECKING:
    import torch
    from torch import Tensor

OnStep = Callable[[int, int, float], None]
"""Told how many steps of how many are done, and the mean loss of the last ones."""
_ADAPTED = re.compile(r"^encoder\.")  # linear layers that get matrices
_LEARNED = re.compile(r"^encoder\..*LayerNorm|token_type")  # … and what learns itself
_SCALE = 2.0  # of what they add, as in LoRA: alpha over rank
_NOWHERE = -(10**9)  # of characters
_AT_ONCE = 256  # questions among which those of like length are put together


@dataclass(frozen=True, slots=True)
class Schedule:
    """How it is trained.

    Args:
        steps: altogether; the packaged adapter's.
        tokens: of a batch, padding included.
        batches: of a step, computed side by side.
        rate: AdamW's, reached after `warm` steps, falling evenly after `held` of all.
        rank: of the matrices.
        elsewhere: share of the answerable questions that are put to another paragraph.
        titled: share of the texts that are read under their title.
    """

    steps: int = 670
    tokens: int = 3600
    batches: int = 2
    rate: float = 2e-3
    warm: int = 60
    held: float = 0.3
    rank: int = 32
    elsewhere: float = 0.18
    titled: float = 0.6
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """A question with a text as tokens; the answer is from `first` to `last`, 0 where it is none.

    Args:
        asked: how many tokens are the question's, with its marks.
    """

    tokens: list[int]
    asked: int
    first: int = 0
    last: int = 0


def train(
    questions: Sequence[Question], how: Schedule, on_step: OnStep | None = None
) -> "dict[str, Tensor]":
    """Fit an adapter; what `models.span_reader` reads.

    Args:
        questions: with paragraphs; where the file does not say where an answer stands, the first
            place in a supporting one that has it is taken.

    Raises:
        BadRequest: no question's answer stands in its paragraphs.
    """
    import torch

    usable = [q for q in questions if q.paragraphs and (not q.answerable or _places(q))]
    if not any(q.answerable for q in usable):
        raise BadRequest("No question has an answer that stands in one of its paragraphs.")
    torch.manual_seed(how.seed)
    network = _Network(how.rank)
    optimiser = torch.optim.AdamW(
        network.learned.values(), lr=how.rate, weight_decay=0.01, betas=(0.9, 0.98)
    )
    batches, mean = _batches(usable, network.tokenizer, how), 0.0
    with ThreadPoolExecutor(how.batches) as pool:
        for step in range(how.steps):
            chosen = [next(batches) for _ in range(how.batches)]
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
            mean = loss if not step else 0.97 * mean + 0.03 * loss
            if on_step is not None:
                on_step(step + 1, how.steps, mean)
    return network.adapter()


class _Network:
    """The packaged encoder with an adapter that learns."""

    def __init__(self, rank: int) -> None:
        import torch

        self.tokenizer, self.model = packaged_network()
        self.learned: dict[str, Tensor] = {}
        for name, parameter in self.model.named_parameters():
            parameter.requires_grad_(bool(_LEARNED.search(name)))
        for name, module in list(self.model.named_modules()):
            if isinstance(module, torch.nn.Linear) and _ADAPTED.search(name):
                self._adapt(name, module, rank)
        self.learned |= {n: p for n, p in self.model.named_parameters() if p.requires_grad}
        self.head = torch.nn.Linear(self.model.config.hidden_size, 2)
        self.learned |= {f"head.{name}": p for name, p in self.head.named_parameters()}

    def _adapt(self, name: str, layer: "torch.nn.Linear", rank: int) -> None:
        import torch
        from torch.nn.functional import linear

        down = torch.randn(rank, layer.in_features) / math.sqrt(layer.in_features)
        up = torch.zeros(layer.out_features, rank)
        down.requires_grad_()
        up.requires_grad_()

        def more(_: object, given: "tuple[Tensor]", out: "Tensor") -> "Tensor":
            inner = linear(given[0], down.to(out.dtype))
            return out + _SCALE * linear(inner, up.to(out.dtype))

        self.learned |= {f"{name}.weight.down": down, f"{name}.weight.up": up}
        layer.register_forward_hook(more)

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
        with torch.autocast("cpu", torch.bfloat16):
            states = self.model(input_ids=ids, token_type_ids=types, attention_mask=mask)
        scores = self.head(states.last_hidden_state.float())
        scores = scores.masked_fill(~torch.from_numpy(seen)[:, :, None], -1e4)
        firsts = torch.tensor([row.first for row in rows])
        lasts = torch.tensor([row.last for row in rows])
        loss = (cross_entropy(scores[:, :, 0], firsts) + cross_entropy(scores[:, :, 1], lasts)) / 2
        return float(loss.detach()), torch.autograd.grad(loss, list(self.learned.values()))

    def adapter(self) -> "dict[str, Tensor]":
        """What was learned, in half precision."""
        return {
            name: (tensor.detach() * (_SCALE if name.endswith(".up") else 1)).half()
            for name, tensor in self.learned.items()
        }


def _share(step: int, how: Schedule) -> float:
    """Of the full rate."""
    left = (1 - step / how.steps) / (1 - how.held)
    return min(1.0, (step + 1) / how.warm, max(0.02, left))


def _places(question: Question) -> list[tuple[int, int, int]]:
    """(paragraph, first character, one past the last) of the answers."""
    if question.places:
        return list(question.places)
    found = (
        (number, paragraph.text.find(said), len(said))
        for said in (question.answer, *question.aliases)
        for number, paragraph in enumerate(question.paragraphs)
        if said and paragraph.is_supporting
    )
    return [(number, start, start + size) for number, start, size in found if start >= 0]


def _batches(
    questions: Sequence[Question],
    tokenizer: Any,  # noqa: ANN401 - of transformers
    how: Schedule,
) -> Iterator[list[Row]]:
    """Batches without end: questions in random order, those of like length together."""
    draw = random.Random(how.seed)
    while True:
        order = draw.sample(questions, len(questions))
        for at in range(0, len(order), _AT_ONCE):
            rows = [_row(q, tokenizer, how, draw) for q in order[at : at + _AT_ONCE]]
            made = list(_packed(sorted(rows, key=lambda row: len(row.tokens)), how.tokens))
            yield from draw.sample(made, len(made))


def _packed(rows: Sequence[Row], most: int) -> Iterator[list[Row]]:
    batch: list[Row] = []
    for row in rows:
        if batch and (len(batch) + 1) * len(row.tokens) > most:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def _row(question: Question, tokenizer: Any, how: Schedule, draw: random.Random) -> Row:  # noqa: ANN401
    """A question over one of its paragraphs: one with an answer, or now and then one without."""
    number, start, end = _drawn(question, how, draw)
    paragraph = question.paragraphs[number]
    above = f"{paragraph.title}: " if paragraph.title and draw.random() < how.titled else ""
    told = tokenizer(
        [question.question, above + paragraph.text],
        add_special_tokens=False,
        return_offsets_mapping=True,
        verbose=False,
    )
    (asked, ids), offsets = told["input_ids"], told["offset_mapping"][1]
    start, end = start + len(above), end + len(above)
    own = [n for n, (a, b) in enumerate(offsets) if a < end and b > start]
    head = [tokenizer.cls_token_id, *asked[:LONGEST_QUESTION], tokenizer.sep_token_id]
    room = ROOM - len(head) - 1
    begin = draw.randint(own[-1] - room + 1, own[0]) if own and own[-1] - own[0] < room else 0
    begin = max(0, min(len(ids) - room, begin))
    row = Row([*head, *ids[begin : begin + room], tokenizer.sep_token_id], len(head))
    if not own or own[0] < begin or own[-1] >= begin + room:
        return row
    return replace(row, first=own[0] - begin + len(head), last=own[-1] - begin + len(head))


def _drawn(question: Question, how: Schedule, draw: random.Random) -> tuple[int, int, int]:
    """A paragraph and the answer's place in it; an empty place where nothing there answers."""
    places = _places(question) if question.answerable else []
    told = {number for number, _, _ in places}
    without = [n for n in range(len(question.paragraphs)) if n not in told]
    if places and not (without and draw.random() < how.elsewhere):
        return draw.choice(places)
    near = [n for n in without if question.paragraphs[n].is_supporting and not places]
    return draw.choice(near or without), _NOWHERE, _NOWHERE
