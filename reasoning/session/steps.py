"""What was done for a question, step by step, as it happens."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ...kg.answers import Step
from .budget import MeteredModel

OnStep = Callable[[Step], None]


@dataclass
class Steps:
    """The steps of one question, handed on as they happen.

    Args:
        model: metered; None without a language model.
        on_step: called after every step.
        done: so far, in order.
    """

    model: MeteredModel | None = None
    on_step: OnStep = lambda step: None
    done: list[Step] = field(default_factory=list)
    started: float = field(default_factory=time.perf_counter)

    def add(
        self, name: str, asked: str, output: str, evidence: Sequence[str], started: float
    ) -> None:
        """Record what was done since `started`; what the model was asked stands for `asked`.

        What it thought stands before the output, between tags.
        """
        prompts, thoughts, tokens = self.model.taken() if self.model else ("", "", 0)
        seconds = time.perf_counter() - started
        output = f"<think>\n{thoughts}\n</think>\n{output}" if thoughts else output
        step = Step(name, prompts or asked, output, tuple(evidence), tokens, seconds)
        self.done.append(step)
        self.on_step(step)

    @property
    def usage(self) -> dict[str, float]:
        """Costs for `Answer.usage`; those of options only where there were any."""
        model = self.model
        counts: dict[str, float] = {
            "calls": model.calls if model else 0,
            "tokens_in": model.tokens_in if model else 0,
            "tokens_out": model.tokens_out if model else 0,
            "seconds": round(time.perf_counter() - self.started, 3),
        }
        if model and model.bounded:
            counts["options_bounded"] = model.bounded
        if model and model.named:
            counts["options_named"] = model.named
        return counts
