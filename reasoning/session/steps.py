"""What was done for a question, step by step, as it happens."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ...kg import until
from ...kg.answers import Chain, Step, StepKind
from ...kg.types import Passage, Triple
from .budget import MeteredModel

OnStep = Callable[[Step], None]

_KINDS: dict[str, StepKind] = {
    "retrieve": "retrieve",
    "neighbours": "retrieve",
    "chain": "choose",
    "triples": "choose",
    "read": "read",
    "budget": "budget",
}
"""By the first word of a step's name."""


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
        self,
        name: str,
        asked: str,
        output: str,
        evidence: Sequence[str | Passage | Triple],
        started: float,
        beams: Sequence[Chain] = (),
    ) -> None:
        """Record what was done since `started`; what the model was asked stands for `asked`.

        What it thought stands before the output, between tags. The step's kind is that of its name,
        or "read" where a model was asked.
        """
        prompts, thoughts, tokens = self.model.taken() if self.model else ("", "", 0)
        seconds = time.perf_counter() - started
        output = f"<think>\n{thoughts}\n</think>\n{output}" if thoughts else output
        ids = tuple(one if isinstance(one, str) else one.id for one in evidence)
        passages = tuple(one.id for one in evidence if isinstance(one, Passage))
        triples = tuple(one.id for one in evidence if isinstance(one, Triple))
        kind = _KINDS.get(name.partition(" ")[0], "read" if prompts else "note")
        told = (name, prompts or asked, output, ids, tokens, seconds, kind, passages, triples)
        step = Step(*told, tuple(beams))
        self.done.append(step)
        self.on_step(step)
        until.check()

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
