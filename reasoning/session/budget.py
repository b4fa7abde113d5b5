"""What one question may cost, and a language model that counts what it does."""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from ...kg.errors import BadRequest
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
from ..replies.sentences import begins

ROOM = 2048
"""Tokens for a model that thinks before it speaks, as far as context and budget have them."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that one question may cost.

    Args:
        max_calls: prompts put to the model; each tail of a choice is one. None: no limit.
        max_tokens: read and generated. None: no limit.

    Raises:
        BadRequest: a limit below 0.
    """

    max_calls: int | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        for name in ("max_calls", "max_tokens"):
            if (getattr(self, name) or 0) < 0:
                raise BadRequest(f"{name} is at least 0, not {getattr(self, name)}.")


UNLIMITED = Budget()


@dataclass(frozen=True, slots=True)
class Reserve:
    """The part of a budget that is kept back for what comes last."""

    calls: int = 0
    tokens: int = 0


@dataclass
class MeteredModel:
    """A LanguageModel that counts, and refuses what the budget does not cover.

    Where a reply is cut off before it says anything, as of a model that thinks aloud first or
    greets, the prompt is put again with more room, and so are all after it.

    Args:
        reserve: kept back until what comes last is asked; see `release`.
        bounded: options for which a server gave but an upper bound.
        named: choices in which a model named an option and gave no probabilities.
        roomy: whose replies get more room from now on: those that a form is asked of (True), for a
            model that no form holds, and those without one (False).
    """

    model: LanguageModel
    budget: Budget = UNLIMITED
    reserve: Reserve = Reserve()
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    bounded: int = 0
    named: int = 0
    roomy: set[bool] = field(default_factory=set)
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
        self._admit(prompts, self._roomed(prompts, decoding).max_tokens + self.thought_tokens)
        return list(self.each(prompts, decoding))

    def each(self, prompts: Sequence[str], decoding: Decoding = GREEDY) -> Iterator[Completion]:
        """Complete prompts side by side, as many at a time as the budget covers.

        Raises:
            BudgetSpent: after those that it covers.
        """

        def ask(places: Sequence[int], held: Decoding) -> Sequence[Completion]:
            return self.model.generate([prompts[place] for place in places], held)

        return self._in_turn(prompts, decoding, ask)

    def samples(self, prompt: str, count: int, decoding: Decoding = GREEDY) -> Iterator[Completion]:
        """Complete a prompt so often, with the decoding's seed and those after it.

        As many as the budget covers and the model takes at a time are asked side by side, each by
        itself: within one call of `generate` equal prompts get equal answers. The first is asked
        alone, which tells whether they need more room.

        Raises:
            BudgetSpent: after those that it covers.
        """
        at_once = getattr(self.model, "in_flight", 1)  # a server says how many it takes

        def ask(first: int, places: Sequence[int], held: Decoding) -> Sequence[Completion]:
            def one(place: int) -> Completion:
                seed = held.seed + first + place
                [said] = self.model.generate([prompt], replace(held, seed=seed))
                return said

            return map_concurrently(one, places, at_once)

        yield from self._in_turn([prompt][:count], decoding, partial(ask, 0))
        yield from self._in_turn([prompt] * (count - 1), decoding, partial(ask, 1), at_once)

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
        ask: Callable[[Sequence[int], Decoding], Sequence[Completion]],
        at_once: int | None = None,
    ) -> Iterator[Completion]:
        done = 0
        while done < len(prompts):
            roomy = bool(decoding.form) in self.roomy
            held = self._roomed(prompts[done:], decoding)
            most = held.max_tokens + self.thought_tokens
            self._admit(prompts[done : done + 1], most)
            places = range(done, done + self._covered(prompts[done:][:at_once], most))
            for place, said in zip(places, ask(places, held), strict=True):
                self._heard([prompts[place]], said)
                if roomy or not _is_unsaid(said, held):
                    yield said  # counted by now, and not those after it: a step tells its own
                else:
                    yield self._again(prompts[place], place, decoding, ask)
            done = places.stop

    def _again(
        self,
        prompt: str,
        place: int,
        decoding: Decoding,
        ask: Callable[[Sequence[int], Decoding], Sequence[Completion]],
    ) -> Completion:
        """What the model says with room."""
        self.roomy.add(bool(decoding.form))
        held = self._roomed([prompt], decoding)
        self._admit([prompt], held.max_tokens + self.thought_tokens)
        [said] = ask([place], held)
        self._heard([], said)
        return said

    def _roomed(self, prompts: Sequence[str], decoding: Decoding) -> Decoding:
        """The decoding with room, where it is needed and free; lines do not end it then."""
        if bool(decoding.form) not in self.roomy:
            return decoding
        longest = max(map(self.count_tokens, set(prompts)), default=0)
        left = self.context_length - self.reserved_tokens
        left = left if self.tokens_left is None else min(left, self.tokens_left)
        room = max(decoding.max_tokens, min(ROOM, left - longest))
        stop = tuple(text for text in decoding.stop if text.strip())
        return replace(decoding, stop=stop, max_tokens=room)

    def _admit(self, texts: Sequence[str], more: int) -> None:
        """Refuse texts that would exceed the budget with `more` tokens generated for each."""
        most, calls, left, why = self.budget.max_calls, self.calls, self.tokens_left, ""
        if most is not None and calls + len(texts) > most - self.reserve.calls:
            why = f"{calls} of {most} calls are made"
        elif left is not None and sum(self.count_tokens(text) + more for text in texts) > left:
            spent = self.tokens_in + self.tokens_out
            why = f"{spent:,} of {self.budget.max_tokens:,} tokens are spent"
        if why:
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

    def _heard(self, prompts: Sequence[str], said: Completion) -> None:
        self._count(prompts, 1, said.tokens_in, said.tokens_out)
        if said.thought:
            with self._lock:
                self._thoughts.append(said.thought)

    def _count(self, texts: Sequence[str], calls: int, tokens_in: int, tokens_out: int) -> None:
        with self._lock:
            self.calls += calls
            self.tokens_in += tokens_in
            self.tokens_out += tokens_out
            self._asked += texts


def _is_unsaid(said: Completion, held: Decoding) -> bool:
    """Whether a completion ended before it said anything, and might go on."""
    cut = said.finish == "length" or any(not text.strip() for text in held.stop)
    return cut and not begins(said.text)
