"""A language model behind an OpenAI-compatible server: llama-server, vLLM, Ollama, hosted APIs."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeGuard

import numpy as np

from ...kg.errors import BadRequest, ModelUnavailable
from ...kg.text.words import stable_id
from ..concurrency import IN_FLIGHT, map_concurrently
from ..language import GREEDY, Completion, Decoding, OptionScores, OutputForm
from .requests import NotServed, Requests

Count = tuple[str, Callable[[str, str], dict[str, Any]], Callable[[dict[str, Any]], int]]

CONTEXT = 8192  # tokens, where the server does not say
BYTES_A_TOKEN = 3  # where the server does not count: fewer than any tokeniser needs for English
MAX_TOP_TOKENS = 2**31  # of a request; more is an error of the server
NO_BOUND = -30.0  # log-probability of an option when the server returns none at all


@dataclass(frozen=True, slots=True)
class _Dialect:
    """What a server takes beyond OpenAI's API, known by the `owned_by` of its models.

    Args:
        grammar: the request's fields that hold generation to a grammar.
        count: path and body (of name and text) that count tokens, and the count in the reply.
        limit: the request's field for the most tokens to generate.
        top: how many log-probabilities a choice may ask for.
    """

    grammar: Callable[[str], dict[str, Any]] | None = None
    count: Count | None = None
    limit: str = "max_tokens"
    top: int = 20


OPENAI = _Dialect(limit="max_completion_tokens")  # its newer models refuse the older name
DIALECTS = {
    "system": OPENAI,
    "openai": OPENAI,
    "openai-internal": OPENAI,
    "llamacpp": _Dialect(
        lambda gbnf: {"grammar": gbnf},
        ("~/tokenize", lambda name, text: {"content": text}, lambda r: len(r["tokens"])),
        top=1000,  # it has no limit
    ),
    "vllm": _Dialect(
        lambda gbnf: {"structured_outputs": {"grammar": gbnf}},
        ("~/tokenize", lambda name, text: {"model": name, "prompt": text}, lambda r: r["count"]),
    ),
    "me": _Dialect(  # llama-cpp-python's server
        lambda gbnf: {"grammar": gbnf},
        ("~/extras/tokenize/count", lambda name, text: {"input": text}, lambda r: r["count"]),
    ),
}


@dataclass
class OpenAIServer:
    """A `LanguageModel` on a server that speaks OpenAI's API.

    Args:
        url: up to and including /v1.
        model: its name there; "" for the only one, or the first.
        key: bearer token; "" for none.
        in_flight: requests at a time.
        context: tokens, where the server does not say.
        top: log-probabilities asked for each choice; None asks for as many as the kind of server
            gives by default: 20, llama-server 1,000.
        requests: how requests are sent; None for the defaults.
    """

    url: str
    model: str = ""
    key: str = field(default="", repr=False)
    in_flight: int = IN_FLIGHT
    context: int = CONTEXT
    top: int | None = None
    requests: Requests | None = field(default=None, repr=False)
    _tells: bool = field(default=True, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.in_flight < 1:
            raise BadRequest("At least one request has to be in flight.")
        self._requests = self.requests or Requests(self.url, self.key)

    @property
    def name(self) -> str:
        """The name as given, else that of the server's first model."""
        return self.model or str(self._served["id"])

    @property
    def fingerprint(self) -> str:
        """Address and name: what weights a server holds it does not tell."""
        return stable_id("openai", self.url.rstrip("/"), self.name, str(self.top))

    @property
    def context_length(self) -> int:
        """Tokens that prompt and completion may have together, as the server says, or as set."""
        return self._context_length

    @cached_property
    def _context_length(self) -> int:
        served = self._served
        told = served.get("max_model_len") or _member(served, "meta", "n_ctx")
        if not told and served.get("owned_by") == "llamacpp":
            properties = self._requests.get("~/props")
            told = _member(properties, "default_generation_settings", "n_ctx")
        return told if _is_count(told) and told > 0 else self.context

    def count_tokens(self, text: str) -> int:
        """Ask the server; where it does not count, estimate, rather too high."""
        count, text = self._dialect.count, _sound(text)
        if count is None:
            return math.ceil(len(text.encode()) / BYTES_A_TOKEN)
        path, body, found = count
        try:
            tokens = found(self._requests.post(path, body(self.name, text)))
        except (KeyError, TypeError) as error:
            raise self._unexpected("a count of tokens") from error
        if not _is_count(tokens):
            raise self._unexpected("a count of tokens")
        return tokens

    def generate(self, prompts: Sequence[str], decoding: Decoding = GREEDY) -> list[Completion]:
        """Complete each prompt, `in_flight` at a time."""
        options: dict[str, Any] = {
            self._dialect.limit: decoding.max_tokens,
            "temperature": decoding.temperature,
            "seed": decoding.seed,
            **({"stop": list(decoding.stop)} if decoding.stop else {}),
        }
        sound = list(map(_sound, prompts))
        for prompt in sound:
            self._check_length(prompt, decoding.max_tokens)
        return map_concurrently(
            lambda prompt: self._complete(prompt, options, decoding.form), sound, self.in_flight
        )

    def choose(self, prefix: str, tails: Sequence[str], options: Sequence[str]) -> OptionScores:
        """Score options; bounded where the server's top log-probabilities lack one."""
        if not options or not all(option.strip() for option in options):
            raise BadRequest("A choice needs options, none of them empty.")
        top = self.top or self._dialect.top
        body = {"temperature": 0.0, "logprobs": True, "top_logprobs": top}
        body[self._dialect.limit] = 1

        def ask(tail: str) -> tuple[list[float], list[bool], int]:
            prompt = _sound(prefix + tail)
            self._check_length(prompt, 1)
            reply = self._chat([{"role": "user", "content": prompt}], body)
            return *_options(self._top(reply), options), _usage(reply, "prompt_tokens")

        answered = map_concurrently(ask, tails, self.in_flight)
        found = np.array([logs for logs, _, _ in answered], np.float64)
        found = found.reshape(len(tails), len(options))
        found -= np.logaddexp.reduce(found, axis=1, keepdims=True)
        missing = {
            (row, column)
            for row, (_, bounded, _) in enumerate(answered)
            for column, is_bound in enumerate(bounded)
            if is_bound
        }
        return OptionScores(found, frozenset(missing), sum(tokens for _, _, tokens in answered))

    def close(self) -> None:
        self._requests.close()

    # -- one request -------------------------------------------------------------------------------
    def _complete(
        self, prompt: str, options: dict[str, Any], form: OutputForm | None
    ) -> Completion:
        messages = [{"role": "user", "content": prompt}]
        constraint = self._constraint(form)
        said = self._completion(messages, options | constraint)
        if form is None or said.finish == "length" or re.fullmatch(form.pattern, said.text):
            return said
        messages += [
            {"role": "assistant", "content": said.text},
            {
                "role": "user",
                "content": "That is not in the form I asked for. Say it again, only "
                "in the form that my first message shows, without any other words.",
            },
        ]
        again = self._completion(messages, options | constraint)
        valid = again.finish == "length" or re.fullmatch(form.pattern, again.text)
        return Completion(
            again.text,
            again.log_probability,
            again.finish if valid else "invalid",
            said.tokens_in + again.tokens_in,
            said.tokens_out + again.tokens_out,
        )

    def _constraint(self, form: OutputForm | None) -> dict[str, Any]:
        if form is None:
            return {}
        if self._dialect.grammar is not None:
            return self._dialect.grammar(form.gbnf)
        if form.schema is None:
            return {}
        schema = {"name": "reply", "schema": dict(form.schema), "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": schema}}

    def _completion(self, messages: list[dict[str, str]], options: Mapping[str, Any]) -> Completion:
        reply = self._chat_with_probabilities(messages, options)
        choice = reply["choices"][0]
        return Completion(
            _sound(choice["message"].get("content") or ""),
            _log_probability(choice),
            "length" if choice.get("finish_reason") == "length" else "stop",
            _usage(reply, "prompt_tokens"),
            _usage(reply, "completion_tokens"),
        )

    def _chat_with_probabilities(
        self, messages: list[dict[str, str]], options: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Without them from a server that refuses to tell, as some hosted models do."""
        if self._tells:
            try:
                return self._chat(messages, {**options, "logprobs": True})
            except (BadRequest, ModelUnavailable) as error:
                if "logprobs" not in str(error):
                    raise
                self._tells = False
        return self._chat(messages, options)

    def _chat(self, messages: list[dict[str, str]], options: Mapping[str, Any]) -> dict[str, Any]:
        body = {"model": self.name, "messages": messages, **options}
        reply = self._requests.post("/chat/completions", body)
        try:
            content = reply["choices"][0]["message"].get("content")
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise self._unexpected("choices[0].message") from error
        if content is not None and not isinstance(content, str):
            raise self._unexpected("a message of text")
        return reply

    def _top(self, reply: Mapping[str, Any]) -> list[tuple[str, float]]:
        """(token, log-probability) of the likeliest first tokens."""
        try:
            first = reply["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
            top = [(str(one["token"]), float(one["logprob"])) for one in first]
            if not all(math.isfinite(log) for _, log in top):
                raise ValueError("a log-probability that is no number")
            return top
        except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
            raise self._unexpected("log-probabilities, which choosing between options needs") from (
                error
            )

    # -- the server --------------------------------------------------------------------------------
    @cached_property
    def _served(self) -> dict[str, Any]:
        """The server's entry for the model; an empty one where it keeps no list."""
        try:
            models = self._requests.get("/models")["data"]
            entries = {str(entry["id"]): dict(entry) for entry in models}
        except NotServed:
            if self.model:
                return {}
            raise
        except (KeyError, TypeError, ValueError) as error:
            raise self._unexpected("a list of models at /models") from error
        first = next(iter(entries.values()), None)
        if first is None:
            raise ModelUnavailable(f"{self.url} serves no model.")
        if not self.model or first.get("owned_by") == "llamacpp":
            return first  # llama-server has one, whatever it is called
        for name in (self.model, f"{self.model}:latest"):  # the latter is Ollama's
            if name in entries:
                return entries[name]
        served = ", ".join(sorted(entries)[:20])
        raise ModelUnavailable(f"{self.url} serves no model {self.model!r}; it has: {served}.")

    @property
    def _dialect(self) -> _Dialect:
        return DIALECTS.get(str(self._served.get("owned_by")), _Dialect())

    def _check_length(self, prompt: str, max_tokens: int) -> None:
        if len(prompt.encode()) + max_tokens <= self.context_length:  # a token is a byte at least
            return
        tokens = self.count_tokens(prompt)
        if tokens + max_tokens > self.context_length and self._dialect.count is not None:
            raise BadRequest(
                f"The prompt has {tokens:,} tokens and {max_tokens:,} are to be generated, but the "
                f"context of {self.name} is {self.context_length:,} tokens."
            )

    def _unexpected(self, wanted: str) -> ModelUnavailable:
        return ModelUnavailable(
            f"{self.url} did not answer with {wanted}. It has to speak OpenAI's chat API; "
            "see docs/models.md for servers that do."
        )


def _options(
    top: Sequence[tuple[str, float]], options: Sequence[str]
) -> tuple[list[float], list[bool]]:
    """Log-probability of each option, both spellings ("A", " A") summed, and whether it is a bound.

    What is not among the likeliest is at most as likely as the last of them.
    """
    least = min((log for _, log in top), default=NO_BOUND)
    logs, bounded = [], []
    for option in options:
        found = [log for token, log in top if token.strip() == option.strip()]
        logs.append(float(np.logaddexp.reduce(found)) if found else least)
        bounded.append(not found)
    return logs, bounded


def _log_probability(choice: Mapping[str, Any]) -> float | None:
    """Of the completion; None where the server does not say."""
    try:
        logs = [float(token["logprob"]) for token in choice["logprobs"]["content"]]
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return min(0.0, sum(logs)) if logs and all(map(math.isfinite, logs)) else None


def _member(of: Mapping[str, Any], name: str, key: str) -> Any | None:  # noqa: ANN401 - JSON
    inner = of.get(name)
    return inner.get(key) if isinstance(inner, dict) else None


def _sound(text: str) -> str:
    """Without lone surrogates, which JSON escapes can spell and UTF-8 can't."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _usage(reply: Mapping[str, Any], name: str) -> int:
    usage = reply.get("usage")
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if _is_count(value) else 0


def _is_count(value: object) -> TypeGuard[int]:
    """Tokens that a text may have: budgets and means are reckoned with them."""
    return isinstance(value, int) and 0 <= value < MAX_TOP_TOKENS
