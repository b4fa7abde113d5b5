"""Training: batches of one task each, one a thread; it goes on where it stopped."""

import itertools
import random
import time
from collections.abc import Iterator, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from muon import Muon
from naming import PROMPTS
from network import Network, Packed, packed
from rows import Batch
from torch import Tensor
from torch.nn import functional

FOREMOST = "trace knowtrace ge_reasoning semi_structured self_ask react rgnn_ret shared".split()
MORE_OFTEN = 3
"""How many times as often as others the tasks of these prompts are learned, and the exercises."""


@dataclass(frozen=True)
class Schedule:
    """How it is trained.

    Args:
        steps: altogether.
        batches: of a step.
        copying: of the first steps, which see exercises only.
        easy: of those after them, which see short rows only.
        longest: tokens of such a row.
        warm: steps until the rate is reached; over the last `decay` of them it falls to nothing.
        matrix_rate: Muon's, of the matrices of layers, in AdamW's scale.
        other_rate: AdamW's, of embeddings and norms.
        reading: weight of the loss on what prompts say beside that on replies. Pages name things
            again and again, so most of what a reader has to copy is learned from them.
    """

    steps: int = 1800
    batches: int = 2
    copying: int = 40
    easy: int = 80
    longest: int = 320
    warm: int = 20
    decay: float = 0.4
    matrix_rate: float = 0.002
    other_rate: float = 0.003
    reading: float = 0.5
    seed: int = 0


def train(
    network: Network,
    batches: Mapping[str, Sequence[Batch]],
    exercises: Mapping[str, Sequence[Batch]],
    how: Schedule,
    folder: Path,
    threads: int = 2,
) -> None:
    """Train a network, or go on from the last checkpoint of the folder.

    Args:
        batches: by task.
        exercises: in copying, which come first and go on beside the tasks.
    """
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.set_num_threads(1)  # an operation on two busy cores waits for the slower one
    network.to(device)
    checkpoint = folder / "checkpoint.pt"
    optimisers, at = _optimisers(network, how), 0
    if checkpoint.exists():
        kept = torch.load(checkpoint, map_location=device)
        if kept["shape"] != asdict(network.shape):
            raise SystemExit(f"{checkpoint} is of another size: name another folder with --out.")
        network.load_state_dict(kept["network"])
        for optimiser, state in zip(optimisers, kept["optimisers"], strict=True):
            optimiser.load_state_dict(state)
        at = kept["step"]
    drawn = itertools.islice(_drawn(batches, exercises, how), at, None)
    losses, started, read = dict[str, float](), time.time(), 0
    with ThreadPoolExecutor(threads) as pool:
        for step in range(at, how.steps):
            chosen = next(drawn)
            rate = _rate(step, how)
            results = list(pool.map(lambda batch: _gradients(network, batch, how.reading), chosen))
            torch.set_num_threads(threads)  # nothing else runs now
            _update(network, optimisers, [grads for _, grads in results], rate)
            torch.set_num_threads(1)
            for batch, (loss, _) in zip(chosen, results, strict=True):
                before = losses.get(batch.task, loss)
                losses[batch.task] = 0.8 * before + 0.2 * loss
                read += batch.size
            if (step + 1) % 20 == 0:
                mean = sum(losses.values()) / len(losses)
                seconds = time.time() - started
                print(
                    f"step {step + 1}/{how.steps}  loss {mean:.3f}  {read / seconds:.0f} tokens/s"
                    f"  {seconds:.0f} s",
                    flush=True,
                )
            if (step + 1) % 100 == 0:
                print(
                    "  ".join(f"{task[:34]} {loss:.2f}" for task, loss in losses.items()),
                    flush=True,
                )
            if (step + 1) % 50 == 0 or step + 1 == how.steps:
                _keep(network, optimisers, step + 1, losses, checkpoint)


def _drawn(
    batches: Mapping[str, Sequence[Batch]],
    exercises: Mapping[str, Sequence[Batch]],
    how: Schedule,
) -> Iterator[list[Batch]]:
    """Batches step by step: tasks by the fourth root of how much there is of them."""
    draw = random.Random(how.seed)
    short = {
        task: [batch for batch in of if len(batch.rows[-1].tokens) <= how.longest]
        for task, of in batches.items()
    }
    short = {task: of for task, of in short.items() if of}
    often = _foremost() | set(exercises)
    alone, easy, every = (
        _Queues(of, often, draw) for of in (exercises, exercises | short, exercises | batches)
    )
    for step in itertools.count():
        after = step - how.copying
        queue = alone if after < 0 else easy if after < how.easy else every
        yield [queue.next() for _ in range(how.batches)]


def _foremost() -> set[str]:
    """Names of the foremost tasks: their prompts' first lines."""
    return {
        path.read_text(encoding="utf-8").partition("\n")[0]
        for folder in FOREMOST
        for path in (PROMPTS / folder).glob("*.txt")
    }


class _Queues:
    """Each task's batches in turn, shuffled anew when all were there."""

    def __init__(
        self, batches: Mapping[str, Sequence[Batch]], often: Set[str], draw: random.Random
    ) -> None:
        self.batches, self.draw = batches, draw
        self.tasks = list(batches)
        self.weights = [
            sum(b.size for b in of) ** 0.25 * (MORE_OFTEN if task in often else 1)
            for task, of in batches.items()
        ]
        self.left: dict[str, list[Batch]] = {task: [] for task in batches}

    def next(self) -> Batch:
        [task] = self.draw.choices(self.tasks, self.weights)
        if not self.left[task]:
            self.left[task] = self.draw.sample(self.batches[task], len(self.batches[task]))
        return self.left[task].pop()


def losses_of(network: Network, batch: Packed) -> tuple[Tensor, Tensor]:
    """Cross-entropy of the replies' tokens, and of the prompts'."""
    each = functional.cross_entropy(network(batch), batch.target, reduction="none")
    said = (each * batch.share).sum() / batch.share.sum()
    return said, (each * batch.read).sum() / batch.read.sum().clamp(1)


def _gradients(network: Network, batch: Batch, reading: float) -> tuple[float, Sequence[Tensor]]:
    said, read = losses_of(
        network, packed(batch, network.kind, prompts=reading > 0).to(network.device)
    )
    whole = said + reading * read
    return float(said.detach()), torch.autograd.grad(whole, list(network.parameters()))


def _optimisers(network: Network, how: Schedule) -> list[torch.optim.Optimizer]:
    matrices = [p for p in network.layers.parameters() if p.ndim == 2]
    others = [p for p in network.parameters() if all(p is not m for m in matrices)]
    return [
        Muon(matrices, how.matrix_rate, 0.01),
        torch.optim.AdamW(others, lr=how.other_rate, betas=(0.9, 0.98), weight_decay=0.0),
    ]


def _update(
    network: Network,
    optimisers: Sequence[torch.optim.Optimizer],
    gradients: Sequence[Sequence[Tensor]],
    rate: float,
) -> None:
    for parameter, *each in zip(network.parameters(), *gradients, strict=True):
        parameter.grad = torch.stack(each).mean(0)
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    for optimiser in optimisers:
        for group in optimiser.param_groups:
            group["lr"] = group.setdefault("most", group["lr"]) * rate
        optimiser.step()


def _rate(step: int, how: Schedule) -> float:
    left = (how.steps - step) / (how.decay * how.steps)
    return min(1.0, (step + 1) / how.warm, left)


def _keep(
    network: Network,
    optimisers: Sequence[torch.optim.Optimizer],
    step: int,
    losses: Mapping[str, float],
    checkpoint: Path,
) -> None:
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    part = checkpoint.with_suffix(".part")
    states = [optimiser.state_dict() for optimiser in optimisers]
    kept = {
        "shape": asdict(network.shape),
        "network": network.state_dict(),
        "optimisers": states,
        "step": step,
        "losses": losses,
    }
    torch.save(kept, part)
    part.replace(checkpoint)


def held_out(
    network: Network, batches: Mapping[str, Sequence[Batch]], most: int = 12
) -> dict[str, tuple[float, float, int]]:
    """Loss, share of replies that greedy decoding gives exactly, and their number, by task."""
    found = {}
    with torch.no_grad():
        for task, of in batches.items():
            losses, right = [], list[bool]()
            for batch in of[:most]:
                made = packed(batch, network.kind).to(network.device)
                scores = network(made)
                each = functional.cross_entropy(scores, made.target, reduction="none") * made.share
                losses.append(float(each.sum() / made.share.sum()))
                right += _exact(batch, (scores.argmax(-1) == made.target).cpu().numpy())
            found[task] = (sum(losses) / len(losses), sum(right) / len(right), len(right))
    return found


def _exact(batch: Batch, hits: np.ndarray) -> Iterator[bool]:
    """Whether every token of a reply is the likeliest after those before it."""
    at = 0
    for row in batch.rows:
        hit = dict(zip(row.learned, hits[at : at + len(row.learned)], strict=True))
        at += len(row.learned)
        for end in row.ends:
            place, good = end, True
            while place in hit:
                good, place = good and bool(hit[place]), row.parents[place]
            yield good
