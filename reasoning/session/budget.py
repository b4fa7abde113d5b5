"""What one question may cost, and a language model that counts what it does."""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ...models.concurrency import map_concurrently
from ...models.language import (
    GREEDY,
    BudgetSpent,
    Completion,
    Decoding,
    LanguageModel,
    OptionScores,
    reserved,
    thinking_tokens,
)


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that one question may cost.

    Args:
        max_calls: prompts put to the model; each tail of a choice is one. None: no limit.
        max_tokens: read and generated. None: no limit.
    """

    max_calls: int | None = None
    max_tokens: int | None = None


UNLIMITED = Budget()


@dataclass(frozen=True, slots=True)
class Reserve:
    """The part of a budget that is kept back for what comes last."""

    calls: int = 0
    tokens: int = 0


@dataclass
class MeteredModel:
    """A LanguageModel that counts, and refuses what the budget does not cover.

    Args:
        reserve: kept back until what comes last is asked; see `release`.
        bounded: options for which a server gave but an upper bound.
        named: choices in which a model named an option and gave no probabilities.
        refusals: calls that the budget did not cover.
    """

    model: LanguageModel
    budget: Budget = UNLIMITED
    reserve: Reserve = Reserve()
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    bounded: int = 0
    named: int = 0
    refusals: int = 0
    _asked: list[str] = field(default_factory=list)
    _thoughts: list[str] = field(default_factory=list)
    _told: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    @property
    def fingerprint(self) -> str:
        """The model's fingerprint."""
        return self.model.fingerprint

    @property
    def context_length(self) -> int:
        """Tokens that prompt and completion may have together."""
        return self.model.context_length

    @property
    def reserved_tokens(self) -> int:
        """Tokens of the context that neither prompt nor completion may have."""
        return reserved(self.model)

    @property
    def thought_tokens(self) -> int:
        """Tokens that a thought may take before each completion."""
        return thinking_tokens(self.model)

    def count_tokens(self, text: str) -> int:
        return self.model.count_tokens(text)

    def close(self) -> None:
        """Do nothing: the model is the caller's."""

    def generate(self, prompts: Sequence[str], decoding: Decoding = GREEDY) -> list[Completion]:
        """Complete each prompt; nothing is asked where the budget does not cover all.

        Raises:
            BudgetSpent: nothing has been asked then.
        """
        self._admit(prompts, decoding.max_tokens + self.thought_tokens)
        said = self.model.generate(prompts, decoding)
        for prompt, completion in zip(prompts, said, strict=True):
            self._heard(prompt, completion)
        return said

    def each(self, prompts: Sequence[str], decoding: Decoding = GREEDY) -> Iterator[Completion]:
        """Complete prompts side by side, as many at a time as the budget covers.

        Raises:
            BudgetSpent: after those that it covers.
        """
        return self._in_turn(prompts, decoding, lambda some: self.model.generate(some, decoding))

    def samples(self, prompt: str, count: int, decoding: Decoding = GREEDY) -> Iterator[Completion]:
        """Complete a prompt so often, with the decoding's seed and those after it.

        As many as the budget covers and the model takes at a time are asked side by side, each by
        itself: within one call of `generate` equal prompts get equal answers.

        Raises:
            BudgetSpent: after those that it covers.
        """
        at_once = getattr(self.model, "in_flight", 1)  # a server says how many it takes
        seeds = iter(range(decoding.seed, decoding.seed + count))

        def ask(seed: int) -> Completion:
            [said] = self.model.generate([prompt], replace(decoding, seed=seed))
            return said

        def some(prompts: Sequence[str]) -> list[Completion]:
            return map_concurrently(ask, [next(seeds) for _ in prompts], at_once)

        return self._in_turn([prompt] * count, decoding, some, at_once)

    def choose(self, prefix: str, tails: Sequence[str], options: Sequence[str]) -> OptionScores:
        """Score options; nothing is asked where the budget does not cover all.

        Raises:
            BudgetSpent: nothing has been asked then.
        """
        # A server reads the prefix anew for each tail: count it as often before, then as it was.
        self._admit([prefix + tail for tail in tails], self.thought_tokens)
        chosen = self.model.choose(prefix, tails, options)
        self._count([prefix, *tails], len(tails), chosen.tokens_in, chosen.tokens_out)
        with self._lock:
            self.bounded += len(chosen.bounded)
            self.named += len(chosen.named)
            self._thoughts += chosen.thoughts
        return chosen

    def release(self) -> None:
        """Open the reserve to what is asked from now on."""
        self.reserve = Reserve()

    @property
    def tokens_left(self) -> int | None:
        """The tokens that the budget still covers, None without a limit."""
        if self.budget.max_tokens is None:
            return None
        spent = self.tokens_in + self.tokens_out
        kept = self.reserve.tokens + self.reserve.calls * self.thought_tokens
        return max(0, self.budget.max_tokens - kept - spent)

    def taken(self) -> tuple[str, str, int]:
        """Give prompts, thoughts and tokens, read and generated, since this was last asked."""
        with self._lock:
            asked, self._asked = "\n\n".join(self._asked), []
            thoughts, self._thoughts = "\n\n".join(self._thoughts), []
            total = self.tokens_in + self.tokens_out
            tokens, self._told = total - self._told, total
        return asked, thoughts, tokens

    def _in_turn(
        self,
        prompts: Sequence[str],
        decoding: Decoding,
        ask: Callable[[Sequence[str]], Sequence[Completion]],
        at_once: int | None = None,
    ) -> Iterator[Completion]:
        done, most = 0, decoding.max_tokens + self.thought_tokens
        while done < len(prompts):
            self._admit(prompts[done : done + 1], most)
            covered = self._covered(prompts[done:][:at_once], most)
            some = prompts[done : done + covered]
            for prompt, said in zip(some, ask(some), strict=True):
                self._heard(prompt, said)
                yield said  # counted by now, and not those after it: a step tells its own tokens
            done += covered

    def _admit(self, texts: Sequence[str], more: int) -> None:
        """Refuse texts that would exceed the budget with `more` tokens generated for each."""
        most, calls, left, why = self.budget.max_calls, self.calls, self.tokens_left, ""
        if most is not None and calls + len(texts) > most - self.reserve.calls:
            why = f"{calls} of {most} calls are made"
        elif left is not None and sum(self.count_tokens(text) + more for text in texts) > left:
            spent = self.tokens_in + self.tokens_out
            why = f"{spent:,} of {self.budget.max_tokens:,} tokens are spent"
        if why:
            self.refusals += 1
            raise BudgetSpent(why)

    def _covered(self, prompts: Sequence[str], more: int) -> int:
        """How many of the prompts, from the first on, the budget covers."""
        count, left = len(prompts), self.tokens_left
        if self.budget.max_calls is not None:
            count = min(count, self.budget.max_calls - self.reserve.calls - self.calls)
        if left is None:
            return count
        sizes = {prompt: self.count_tokens(prompt) + more for prompt in prompts[:count]}
        for place, prompt in enumerate(prompts[:count]):
            left -= sizes[prompt]
            if left < 0:
                return place
        return count

    def _heard(self, prompt: str, said: Completion) -> None:
        self._count([prompt], 1, said.tokens_in, said.tokens_out)
        if said.thought:
            with self._lock:
                self._thoughts.append(said.thought)

    def _count(self, texts: Sequence[str], calls: int, tokens_in: int, tokens_out: int) -> None:
        with self._lock:
            self.calls += calls
            self.tokens_in += tokens_in
            self.tokens_out += tokens_out
            self._asked += texts
