"""A language model behind an OpenAI-compatible server: llama-server, vLLM, Ollama, hosted APIs."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from ...kg.errors import BadRequest, ModelUnavailable
from ...kg.text.words import stable_id
from ..concurrency import IN_FLIGHT, map_concurrently
from ..language import GREEDY, Completion, Declined, Decoding, OptionScores, OutputForm
from ..tokens import spelt
from .chat import Chat, Message, unexpected
from .naming import named, naming
from .replies import (
    log_probability,
    of_options,
    pieces,
    refusal,
    sound,
    text_and_thought,
    thought_tokens,
    top_of,
    unwrapped,
    usage,
)
from .requests import TIMEOUT, Requests
from .served import Served

CONTEXT = 8192  # tokens, where the server does not say
NAMING = 16  # tokens for an option and the JSON around it
_SHOWN = 5  # of the likeliest tokens, in a message
_AGAIN = (
    "That is not in the form I asked for. Say it again, only in the form that my first message "
    "shows, without any other words."
)

LeaveOut = Literal[
    "temperature",
    "stop",
    "seed",
    "logprobs",
    "response_format",
    "reasoning_effort",
    "chat_template_kwargs",
]


@dataclass
class OpenAIServer:
    """A `LanguageModel` on a server that speaks OpenAI's API.

    What a server refuses by name (a temperature, a seed, log-probabilities, …) is left out from
    then on. Texts that end a completion are cut off here where they are not sent.

    Args:
        url: up to and including /v1.
        model: its name there; "" for the only one, or the first.
        key: bearer token; "" for none.
        in_flight: requests at a time.
        context: tokens, where the server does not say.
        top: log-probabilities asked for each choice; None asks for as many as the kind of server
            gives by default: 20, llama-server 1,000.
        timeout: seconds for one request.
        thinking: off, or on: the model thinks before it answers, as far as it can.
        thinking_tokens: that a thought may take, besides those of the answer.
        leave_out: fields that are not sent, because the server refuses them without naming them:
            temperature, stop, seed, logprobs, response_format, reasoning_effort or
            chat_template_kwargs; several joined by +.
        requests: how requests are sent; None for the defaults.
    """

    url: str
    model: str = ""
    key: str = field(default="", repr=False)
    in_flight: int = IN_FLIGHT
    context: int = CONTEXT
    top: int | None = None
    timeout: float = TIMEOUT
    thinking: Literal["off", "on"] = "off"
    thinking_tokens: int = 2048
    leave_out: tuple[LeaveOut, ...] = ()
    requests: Requests | None = field(default=None, repr=False)
    _scores: bool | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.in_flight < 1:
            raise BadRequest("At least one request has to be in flight.")
        least = {"context": self.context, "thinking_tokens": self.thinking_tokens}
        for name, value in {**least, "top": 1 if self.top is None else self.top}.items():
            if value < 1:
                raise BadRequest(f"{name} of a server is at least 1, not {value}.")
        if not self.timeout > 0:
            raise BadRequest(f"timeout of a server is more than 0 seconds, not {self.timeout:g}.")
        self._requests = self.requests or Requests(self.url, self.key, timeout=self.timeout)

    @property
    def name(self) -> str:
        """The name as given, else that of the server's first model."""
        return self.model or self._served.name

    @property
    def fingerprint(self) -> str:
        """Address, name and settings: what weights a server holds it does not tell."""
        thinks = f"on {self.thinking_tokens}" if self.thinks else "off"
        settings = (str(self.top), f"thinking={thinks}", *sorted(self.leave_out))
        return stable_id("openai", self.url.rstrip("/"), self.name, *settings)

    @property
    def thinks(self) -> bool:
        """Whether the model is let to think."""
        return self.thinking == "on"

    @property
    def thought_tokens(self) -> int:
        """Tokens that a thought may take before each completion."""
        return self.thinking_tokens if self.thinks else 0

    @property
    def scores_options(self) -> bool:
        """Whether `choose` gets log-probabilities, as far as is known by now."""
        return self._scores is not False and not self.thinks and self._chat.sends("logprobs")

    @property
    def left_out(self) -> tuple[str, ...]:
        """Names of fields that are not sent, as set or as the server turned out to refuse them."""
        return tuple(sorted(self._chat.left_out))

    @property
    def context_length(self) -> int:
        """Tokens that prompt and completion may have together, as the server says, or as set."""
        return self._served.context_length

    @property
    def reserved_tokens(self) -> int:
        """Tokens of the context that neither prompt nor completion may have; see `reserved`.

        One short prompt is rendered to measure them, where the server does that and counts.
        """
        return self._served.template_tokens + self.thought_tokens

    def count_tokens(self, text: str) -> int:
        """Ask the server; where it does not count, estimate, rather too high."""
        return self._served.count_tokens(sound(text))

    def generate(self, prompts: Sequence[str], decoding: Decoding = GREEDY) -> list[Completion]:
        """Complete each prompt, `in_flight` at a time."""
        whole = list(map(sound, prompts))
        for prompt in whole:
            self._check_length(prompt, decoding.max_tokens)
        return map_concurrently(
            lambda prompt: self._complete(prompt, decoding), whole, self.in_flight
        )

    def choose(self, prefix: str, tails: Sequence[str], options: Sequence[str]) -> OptionScores:
        """Score options; bounded where the server's top log-probabilities lack one.

        Where it gives none, or the model thinks first, it has to name an option; see `named`.

        Raises:
            ModelUnavailable: also when none of a tail's options is among the likeliest tokens, or
                the model names none.
        """
        if not options or not all(option.strip() for option in options):
            raise BadRequest("A choice needs options, none of them empty.")
        chosen = map_concurrently(
            lambda tail: self._choice(sound(prefix + tail), options), tails, self.in_flight
        )
        found = np.array([one.logs for one in chosen], np.float64)
        found = found.reshape(len(tails), len(options))
        found -= np.logaddexp.reduce(found, axis=1, keepdims=True)
        return OptionScores(
            found,
            frozenset((row, column) for row, one in enumerate(chosen) for column in one.bounded),
            sum(one.tokens_in for one in chosen),
            sum(one.tokens_out for one in chosen),
            frozenset(row for row, one in enumerate(chosen) if one.named),
            tuple(one.thought for one in chosen if one.thought),
        )

    def close(self) -> None:
        self._requests.close()

    # -- one prompt --------------------------------------------------------------------------------
    def _choice(self, prompt: str, options: Sequence[str]) -> "_Choice":
        self._check_length(prompt, 1)
        if not self.scores_options:
            return self._named(prompt, options)
        body = {
            "max_tokens": 1,
            "temperature": 0.0,
            "logprobs": True,
            **self._served.dialect.plain,
            **self._served.dialect.silent,
        }
        body["top_logprobs"] = self.top or self._served.dialect.top
        reply = self._sent([_user(prompt)], body)
        wanted = "log-probabilities, which choosing between options needs"
        try:
            top = top_of(reply)
        except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
            raise unexpected(self.url, wanted) from error
        if top is None:
            if self._scores:  # it gave them before: one answer is not to be had in two ways
                raise unexpected(self.url, wanted)
            self._scores = False
            return self._named(prompt, options)
        self._scores = True
        logs, bounded = of_options(top, options)
        if all(bounded):
            raise self._none_of(options, [token for token, _ in top])
        places = tuple(place for place, is_bound in enumerate(bounded) if is_bound)
        return _Choice(logs, places, usage(reply, "prompt_tokens"))

    def _named(self, prompt: str, options: Sequence[str]) -> "_Choice":
        """The option that the model names in so many words, as if it were certain."""
        names = [option.strip() for option in options]
        asked = Decoding(form=naming(names), max_tokens=NAMING)
        said = self._complete(prompt, asked, cut_is_done=False)
        found = named(said.text, names)
        if found is None:
            raise ModelUnavailable(
                f"{self.name} says {said.text[:80]!r} where it has to name one of the options "
                f"{', '.join(names)}. Take a model that follows instructions, or a server that "
                "gives log-probabilities (docs/models.md)."
            )
        logs = [0.0 if at == found else -math.inf for at in range(len(names))]
        return _Choice(logs, (), said.tokens_in, said.tokens_out, True, said.thought)

    def _complete(self, prompt: str, decoding: Decoding, cut_is_done: bool = True) -> Completion:
        messages, form = [_user(prompt)], decoding.form
        said = self._completion(messages, decoding)
        cut = said.finish == "length" and cut_is_done
        if form is None or cut or re.fullmatch(form.pattern, said.text):
            return said
        messages += [{"role": "assistant", "content": said.text}, _user(_AGAIN)]
        again = self._completion(messages, decoding)
        valid = again.finish == "length" or re.fullmatch(form.pattern, again.text)
        return Completion(
            again.text,
            again.log_probability,
            again.finish if valid else "invalid",
            said.tokens_in + again.tokens_in,
            said.tokens_out + again.tokens_out,
            again.thought or said.thought,
            again.tokens,
        )

    def _completion(self, messages: list[Message], decoding: Decoding) -> Completion:
        constraint, wrapped = self._constraint(decoding.form)
        body: dict[str, Any] = {
            "max_tokens": decoding.max_tokens + self.thought_tokens + wrapped * NAMING,
            "temperature": decoding.temperature,
            "seed": decoding.seed,
            "logprobs": True,
            **self._served.dialect.plain,
            **(self._served.dialect.thinking if self.thinks else self._served.dialect.silent),
            **constraint,
        }
        if decoding.stop and not self.thinks:  # they would end the thought
            body["stop"] = list(decoding.stop)
        reply = self._sent(messages, body)
        choice = reply["choices"][0]
        text, thought = text_and_thought(choice["message"])
        spent, cut = usage(reply, "completion_tokens"), choice.get("finish_reason") == "length"
        hidden = thought_tokens(reply) or (cut and not text and spent)  # not every API shows it
        if not text.strip() and (thought or hidden):
            raise self._only_thought(thought, spent)
        text = unwrapped(text) if wrapped else text
        ends = min((at for stop in decoding.stop if (at := text.find(stop)) >= 0), default=None)
        return Completion(
            text[:ends],
            None if thought or wrapped else log_probability(choice, ends),
            "length" if cut and ends is None else "stop",
            usage(reply, "prompt_tokens"),
            spent,
            thought,
            () if wrapped else spelt(pieces(choice), text, text[:ends]),
        )

    def _constraint(self, form: OutputForm | None) -> tuple[dict[str, Any], bool]:
        """The fields that hold a reply to a form, and whether they make it a JSON object."""
        if form is None:
            return {}, False
        dialect = self._served.dialect
        if dialect.grammar is not None:
            early = self.thinks and dialect.begins_at_once
            return ({} if early else dialect.grammar(form.gbnf)), False
        if form.schema is None or not self._chat.sends("response_format"):
            return {}, False
        schema = {"name": "reply", "schema": _wrapped(form.schema), "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": schema}}, True

    def _sent(self, messages: list[Message], body: Mapping[str, Any]) -> dict[str, Any]:
        try:
            reply = self._chat.send(messages, body)
        except (BadRequest, ModelUnavailable) as error:
            if (unserved := self._served.unserved(error)) is None:
                raise
            raise unserved from error
        refused = refusal(reply["choices"][0])
        if refused is None:
            return reply
        said = f"refuses to answer: {refused[:200]!r}" if refused else "was stopped by a filter"
        raise Declined(
            f"{self.name} {said}. Word it differently, or take another model or, where it is "
            "yours, a server that filters less.",
            messages[0]["content"],
        )

    # -- the server --------------------------------------------------------------------------------
    @cached_property
    def _chat(self) -> Chat:
        left_out: set[str] = set(self.leave_out)
        return Chat(self._requests, self.name, self._served.dialect, left_out)

    @cached_property
    def _served(self) -> Served:
        silent = {} if self.thinks else None
        return Served(self._requests, self.model, self.context, silent)

    def _check_length(self, prompt: str, max_tokens: int) -> None:
        max_tokens += self.thought_tokens
        if len(prompt.encode()) + max_tokens <= self.context_length:  # a token is a byte at least
            return
        tokens = self.count_tokens(prompt)
        if tokens + max_tokens > self.context_length and self._served.counts:
            raise BadRequest(
                f"The prompt has {tokens:,} tokens and {max_tokens:,} are to be generated, but the "
                f"context of {self.name} is {self.context_length:,} tokens."
            )

    def _only_thought(self, thought: str, tokens: int) -> ModelUnavailable:
        begins = f": {thought[:60]!r} …" if thought else ""
        more = (
            f"Let it think longer: :thinking_tokens={2 * self.thinking_tokens}."
            if self.thinks
            else "Thinking is not turned off by what was asked. Turn it off on the server, or let "
            "the model think: :thinking=on (docs/models.md)."
        )
        return ModelUnavailable(
            f"{self.name} thought ({tokens} tokens{begins}) and gave no answer. {more}"
        )

    def _none_of(self, options: Sequence[str], likeliest: Sequence[str]) -> ModelUnavailable:
        shown = ", ".join(map(repr, likeliest[:_SHOWN]))
        return ModelUnavailable(
            f"None of the options {options[0]} to {options[-1]} is among the {len(likeliest)} "
            f"likeliest tokens that {self.name} begins with ({shown}): this is no choice. If it "
            "thinks first, turn that off on the server or let it: :thinking=on; else take a model "
            "that follows instructions, or more log-probabilities: :top=42 (docs/models.md)."
        )


@dataclass(frozen=True, slots=True)
class _Choice:
    """What one prompt says of its options: log-probabilities, and which of them are bounds."""

    logs: list[float]
    bounded: tuple[int, ...]
    tokens_in: int
    tokens_out: int = 0
    named: bool = False
    thought: str = ""


def _user(text: str) -> Message:
    return {"role": "user", "content": text}


def _wrapped(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema whose root is an object, as OpenAI wants it, with a type."""
    inner = {"type": "string", **schema}
    return {
        "type": "object",
        "properties": {"reply": inner},
        "required": ["reply"],
        "additionalProperties": False,
    }
