"""One question under way: its steps as they happen, what its model was asked, what it may cost."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from ...kg.answers import Step
from ...models.concurrency import together
from ...models.language import Choices, Completion, Form, LanguageModel

OnStep = Callable[[Step], None]


class BudgetSpent(Exception):
    """The next call would exceed the question's budget; a method ends with what it has."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What one question may cost.

    Args:
        calls: prompts put to the model; each tail of a choice is one. None: no limit.
        tokens: read and generated. None: no limit.
    """

    calls: int | None = None
    tokens: int | None = None


@dataclass
class Metered:
    """A LanguageModel that counts, and refuses what the budget does not cover.

    Args:
        reserved: kept back for what comes last, until it is set to Budget(0, 0).
        bounded: options for which a server gave but an upper bound.
    """

    model: LanguageModel
    budget: Budget = Budget()
    reserved: Budget = Budget(0, 0)
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    bounded: int = 0
    _asked: list[str] = field(default_factory=list)
    _told: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def name(self) -> str:
        """See LanguageModel."""
        return self.model.name

    @property
    def fingerprint(self) -> str:
        """See LanguageModel."""
        return self.model.fingerprint

    @property
    def context_length(self) -> int:
        """See LanguageModel."""
        return self.model.context_length

    def count_tokens(self, text: str) -> int:
        """See LanguageModel."""
        return self.model.count_tokens(text)

    def close(self) -> None:
        """Nothing: the model is the caller's."""

    def generate(
        self,
        prompts: Sequence[str],
        *,
        form: Form | None = None,
        stop: Sequence[str] = (),
        max_tokens: int = 256,
        temperature: float = 0.0,
        seed: int = 0,
    ) -> list[Completion]:
        """See LanguageModel.

        Raises:
            BudgetSpent: nothing has been asked then.
        """
        self._admit(prompts, len(prompts), len(prompts) * max_tokens)
        said = self.model.generate(
            prompts,
            form=form,
            stop=stop,
            max_tokens=max_tokens,
            temperature=temperature,
            seed=seed,
        )
        self._count(prompts, len(prompts), sum(s.tokens_in for s in said))
        with self._lock:
            self.tokens_out += sum(s.tokens_out for s in said)
        return said

    def samples(
        self,
        prompt: str,
        count: int,
        *,
        stop: Sequence[str] = (),
        max_tokens: int = 256,
        temperature: float = 0.0,
    ) -> Iterator[Completion]:
        """What the model says to a prompt with the seeds 0, 1, …, `count` of them.

        As many as the budget covers and the model takes at a time are asked side by side, each by
        itself: within one call of `generate` equal prompts get equal answers.

        Raises:
            BudgetSpent: after those that it covers.
        """

        def ask(seed: int) -> Completion:
            [said] = self.model.generate(
                [prompt], stop=stop, max_tokens=max_tokens, temperature=temperature, seed=seed
            )
            return said

        done, at_once = 0, getattr(self.model, "in_flight", 1)  # a server says how many it takes
        while done < count:
            self._admit([prompt], 1, max_tokens)
            last = done + self._covered(prompt, max_tokens, min(at_once, count - done))
            for said in together(ask, range(done, last), at_once):
                self._count([prompt], 1, said.tokens_in)
                with self._lock:
                    self.tokens_out += said.tokens_out
                yield said  # counted by now, and not those after it: a step tells its own tokens
            done = last

    def choose(self, prefix: str, tails: Sequence[str], options: Sequence[str]) -> Choices:
        """See LanguageModel.

        Raises:
            BudgetSpent: nothing has been asked then.
        """
        # A server reads the prefix anew for each tail: count it as often before, then as it was.
        self._admit([prefix + tail for tail in tails], len(tails), 0)
        chosen = self.model.choose(prefix, tails, options)
        self._count([prefix, *tails], len(tails), chosen.tokens_in)
        with self._lock:
            self.bounded += len(chosen.bounded)
        return chosen

    @property
    def tokens_left(self) -> int | None:
        """What the budget still covers, None without a limit."""
        if self.budget.tokens is None:
            return None
        kept = self.reserved.tokens or 0
        return max(0, self.budget.tokens - kept - self.tokens_in - self.tokens_out)

    def taken(self) -> tuple[str, int]:
        """Prompts since the last time this was asked, and the tokens they took and gave."""
        with self._lock:
            asked, self._asked = "\n\n".join(self._asked), []
            total = self.tokens_in + self.tokens_out
            tokens, self._told = total - self._told, total
        return asked, tokens

    def _admit(self, texts: Sequence[str], calls: int, more: int) -> None:
        most, kept = self.budget.calls, self.reserved.calls or 0
        if most is not None and self.calls + calls > most - kept:
            raise BudgetSpent(f"{self.calls} of {most} calls are made")
        left = self.tokens_left
        if left is not None and sum(map(self.count_tokens, texts)) + more > left:
            spent = self.tokens_in + self.tokens_out
            raise BudgetSpent(f"{spent:,} of {self.budget.tokens:,} tokens are spent")

    def _covered(self, prompt: str, more: int, wanted: int) -> int:
        """How many of the wanted prompts, all the same, the budget covers."""
        limits = [wanted]
        if self.budget.calls is not None:
            limits.append(self.budget.calls - (self.reserved.calls or 0) - self.calls)
        if self.tokens_left is not None:
            limits.append(self.tokens_left // (self.count_tokens(prompt) + more))
        return min(limits)

    def _count(self, texts: Sequence[str], calls: int, tokens_in: int) -> None:
        with self._lock:
            self.calls += calls
            self.tokens_in += tokens_in
            self._asked += texts


@dataclass
class Run:
    """The steps of one question, handed on as they happen.

    Args:
        model: metered; None without a language model.
        on_step: called after every step.
    """

    model: Metered | None = None
    on_step: OnStep = lambda step: None
    steps: list[Step] = field(default_factory=list)
    started: float = field(default_factory=time.perf_counter)

    def step(
        self, name: str, asked: str, output: str, evidence: Sequence[str], started: float
    ) -> None:
        """Record what was done since `started`; what the model was asked stands for `asked`."""
        prompts, tokens = self.model.taken() if self.model else ("", 0)
        seconds = time.perf_counter() - started
        step = Step(name, prompts or asked, output, tuple(evidence), tokens, seconds)
        self.steps.append(step)
        self.on_step(step)

    @property
    def usage(self) -> dict[str, float]:
        """For `Answer.usage`; "options_bounded" only where there were any."""
        model = self.model
        counts: dict[str, float] = {
            "calls": model.calls if model else 0,
            "tokens_in": model.tokens_in if model else 0,
            "tokens_out": model.tokens_out if model else 0,
            "seconds": round(time.perf_counter() - self.started, 3),
        }
        if model and model.bounded:
            counts["options_bounded"] = model.bounded
        return counts
