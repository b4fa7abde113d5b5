"""What a language model must be able to do; `llama.model` and `server.model` do it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..kg.errors import ModelUnavailable

LogProbabilities = NDArray[np.float64]
TEMPLATE = 100
"""Tokens that a chat template may put around a prompt, where a model can't measure its own."""


@dataclass(frozen=True, slots=True)
class OutputForm:
    """The form that a completion has to have.

    Args:
        gbnf: grammar whose root is `root`, for engines that constrain sampling by one.
        pattern: regular expression that a whole completion matches exactly when the grammar
            derives it; what was not constrained is validated by it.
        schema: JSON schema of the same, for servers that take no grammar; None when it is not JSON.
    """

    gbnf: str
    pattern: str
    schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Decoding:
    """How prompts are completed.

    Args:
        form: that completions are held to; None leaves them free.
        stop: texts that end a completion; they are no part of it.
        max_tokens: of a completion, at least 1.
        temperature: 0 is greedy.
        seed: the same prompt, settings and seed give the same completion.
        adapter: which of the model's LoRA adapters it is completed with; none where the model has
            none of that name.
    """

    form: OutputForm | None = None
    stop: tuple[str, ...] = ()
    max_tokens: int = 256
    temperature: float = 0.0
    seed: int = 0
    adapter: str = ""


GREEDY = Decoding()


class Token(NamedTuple):
    """A token of a completion, as its text spells it.

    Args:
        log_probability: the model's own, before temperature and grammar.
    """

    text: str
    log_probability: float


@dataclass(frozen=True, slots=True)
class Completion:
    """The reply of a model to one prompt.

    Args:
        text: without prompt, stop string and special tokens.
        log_probability: sum over its tokens; None where the server does not say.
        finish: "stop" when the model or a stop string ended it, "length" when it was cut off,
            "invalid" when it lacks the form, from a server that could not be held to it.
        tokens_in: of the prompt.
        tokens_out: generated, a thought's among them.
        thought: what the model thought before, where it was let to; no part of the reply.
        tokens: that spell the text, in order; () where the server does not say how likely each is.
    """

    text: str
    log_probability: float | None
    finish: str
    tokens_in: int
    tokens_out: int
    thought: str = ""
    tokens: tuple[Token, ...] = ()

    def confidence(self, words: str = "") -> float | None:
        """Give the geometric mean of its tokens' probabilities, 0 to 1; None without any.

        Args:
            words: of these alone, where they last stand in the text; of all where they do not.
        """
        start = self.text.rfind(words) if words else -1
        end, at, logs = start + len(words), 0, list[float]()
        for token in self.tokens:
            begins, at = at, at + len(token.text)
            if start < 0 or (begins < end and at > start):
                logs.append(token.log_probability)
        return math.exp(sum(logs) / len(logs)) if logs else None


class BudgetSpent(Exception):
    """A metered model's refusal: the next call would exceed what the question may cost."""


class Declined(ModelUnavailable):
    """The model, or its server, refuses to answer a prompt.

    Args:
        prompt: that it refuses.
    """

    def __init__(self, cause: str, prompt: str = "") -> None:
        super().__init__(cause)
        self.prompt = prompt


@dataclass(frozen=True, slots=True)
class OptionScores:
    """The log-probabilities that a model gives to options.

    Args:
        log_probabilities: float64 (n_tails, n_options), normalised over the options.
        bounded: (tail, option) places whose value is an upper bound: the server did not name them.
        tokens_in: of all prompts, the shared prefix counted as often as it was read.
        tokens_out: generated, where the model had to name an option or thought first.
        named: tails of which the model named an option and gave no probabilities: the one it named
            has log-probability 0, the others -inf.
        thoughts: what the model thought before it chose.
    """

    log_probabilities: LogProbabilities
    bounded: frozenset[tuple[int, int]] = frozenset()
    tokens_in: int = 0
    tokens_out: int = 0
    named: frozenset[int] = frozenset()
    thoughts: tuple[str, ...] = ()


class LanguageModel(Protocol):
    """A language model in process or on a server.

    Constructors load nothing; the first operation does. Prompts are plain text; the model's own
    chat template, where it has one, is put around them as a user's message.
    """

    @property
    def name(self) -> str:
        """Name the model in records and messages: "qwen2.5-7b-instruct-q4_k_m.gguf"."""
        ...

    @property
    def fingerprint(self) -> str:
        """Tell weights and settings: with prompt and decoding they determine what is said."""
        ...

    @property
    def context_length(self) -> int:
        """Count the tokens that prompt and completion may have together."""
        ...

    def count_tokens(self, text: str) -> int:
        """Count the tokens that a text takes in a prompt, without the chat template's own."""
        ...

    def generate(self, prompts: Sequence[str], decoding: Decoding = GREEDY) -> list[Completion]:
        """Complete each prompt, in their order.

        Raises:
            BadRequest: the form's grammar is invalid, or a prompt and `max_tokens` exceed the
                context; the message names both lengths.
            ModelMissing: the file can't be loaded.
            Declined: the model refuses to answer.
            ModelUnavailable: the server can't be reached, or answers something else.
        """
        ...

    def choose(self, prefix: str, tails: Sequence[str], options: Sequence[str]) -> OptionScores:
        """Tell how likely each option (a letter such as "A") is the next token of prefix + tail.

        Raises:
            BadRequest: also when an option is no single token; the others as for `generate`.
        """
        ...

    def close(self) -> None:
        """Give memory and connections back; idempotent. Using it afterwards is a BadRequest."""
        ...


def reserved(model: LanguageModel) -> int:
    """Count the tokens of the context that are neither prompt nor completion.

    They are the chat template's, and a thought's where the model is let to think: the model's
    `reserved_tokens`, where it has that.
    """
    return getattr(model, "reserved_tokens", TEMPLATE)


def thinking_tokens(model: LanguageModel) -> int:
    """Count the tokens that a thought before a completion may take: 0 where there is none."""
    return getattr(model, "thought_tokens", 0)
