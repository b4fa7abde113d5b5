"""What a server says of the model behind it: name, kind, context, tokens."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from ...kg.errors import BadRequest, HoptrailError, ModelUnavailable
from ..language import TEMPLATE
from .chat import unexpected
from .dialects import Dialect, dialect_of
from .replies import is_count, member
from .requests import NotServed, Requests

BYTES_A_TOKEN = 3  # where the server does not count: fewer than any tokeniser needs for English
_NO_MODEL = re.compile(  # what servers say of a name that they do not know
    r"\bmodels?\b[^\n]{0,100}?\bnot (?:found|exist|available|served|loaded)\b"
    r"|\b(?:invalid|unknown|no such|not a valid) model\b"
    r"|model_not_found",
    re.I,
)
_CONTEXT = ("max_model_len", "context_length", "max_context_length")  # vLLM; hosted ones


@dataclass
class Served:
    """One model of a server; the server is asked when something is.

    Args:
        model: its name; "" for the only one, or the first.
        context: tokens, where the server does not say.
        rendering: fields that change how prompts are rendered; None for those that turn thinking
            off.
    """

    requests: Requests
    model: str
    context: int
    rendering: Mapping[str, Any] | None = None
    _counts: bool = field(default=True, init=False)

    @property
    def name(self) -> str:
        """The name as given, else that of the server's first model."""
        return self.model or str(self._entry["id"])

    @cached_property
    def dialect(self) -> Dialect:
        """What the server takes beyond OpenAI's API."""
        return dialect_of(self._entry)

    @property
    def counts(self) -> bool:
        """Whether the server counts tokens, as far as is known by now."""
        return self._counts and self.dialect.count is not None

    @cached_property
    def context_length(self) -> int:
        """Tokens that prompt and completion may have together, as the server says, or as set."""
        entry = self._entry
        told = next((tokens for name in _CONTEXT if (tokens := entry.get(name))), None)
        told = told or member(entry, "meta", "n_ctx")
        if not told and entry.get("owned_by") == "llamacpp":
            properties = self.requests.get(f"~/props{self._query}")
            told = member(properties, "default_generation_settings", "n_ctx")
        return told if is_count(told) and told > 0 else self.context

    @cached_property
    def template_tokens(self) -> int:
        """Tokens that the chat template puts around a prompt, measured by rendering one.

        Where the server does not render or count: `TEMPLATE`.
        """
        dialect, probe = self.dialect, "probe"
        if dialect.count is None or not dialect.render:
            return TEMPLATE
        fields = dialect.silent if self.rendering is None else self.rendering
        messages = [{"role": "user", "content": probe}]
        try:
            body = {"model": self.name, "messages": messages, **fields}
            reply = self.requests.post(dialect.render, body)
            text = reply.get("prompt")
            whole = (
                self.count_tokens(text)
                if isinstance(text, str)
                else self._counted(dialect.count[2], reply)
            )
        except (ModelUnavailable, BadRequest):
            return TEMPLATE
        return max(whole - self.count_tokens(probe), 0) + 1  # a beginning that is not counted

    def count_tokens(self, text: str) -> int:
        """Ask the server; where it does not count, estimate, rather too high."""
        count = self.dialect.count
        if count is not None and self._counts:
            path, body, found = count
            try:
                return self._counted(found, self.requests.post(path, body(self.name, text)))
            except NotServed:  # a proxy before it passes only /v1 on
                self._counts = False
        return math.ceil(len(text.encode()) / BYTES_A_TOKEN)

    def _counted(self, found: Callable[[dict[str, Any]], int], reply: dict[str, Any]) -> int:
        try:
            tokens = found(reply)
        except (KeyError, TypeError) as error:
            raise unexpected(self.requests.url, "a count of tokens") from error
        if not is_count(tokens):
            raise unexpected(self.requests.url, "a count of tokens")
        return tokens

    @cached_property
    def _entries(self) -> dict[str, dict[str, Any]] | None:
        """The server's models by name; None where it keeps no list."""
        try:
            models = self.requests.get("/models")["data"]
            return {str(entry["id"]): dict(entry) for entry in models}
        except NotServed:
            if self.model:
                return None
            raise
        except (KeyError, TypeError, ValueError) as error:
            raise unexpected(self.requests.url, "a list of models at /models") from error

    @cached_property
    def _entry(self) -> dict[str, Any]:
        """The server's entry for the model; an empty one where it lists no such model."""
        entries, url = self._entries, self.requests.url
        if entries is None:
            return {}
        first = next(iter(entries.values()), None)
        if first is None and not self.model:
            raise ModelUnavailable(f"{url} serves no model.")
        alone = first is not None and len(entries) == 1 and first.get("owned_by") == "llamacpp"
        if first is not None and (not self.model or alone):
            return first  # a llama-server that has one takes any name for it
        for name in (self.model, f"{self.model}:latest"):  # the latter is Ollama's
            if name in entries:
                return entries[name]
        for entry in entries.values():
            aliases = entry.get("aliases")
            if isinstance(aliases, list) and self.model in aliases:
                return entry
        return {}

    def unserved(self, error: HoptrailError) -> ModelUnavailable | None:
        """Make the error of a model that the server neither lists nor has; None for another one.

        Many servers have more than they list: only when asked they tell.

        Args:
            error: what a chat ended with.
        """
        if self._entry or not self._entries:
            return None
        if not isinstance(error, NotServed) and not _NO_MODEL.search(str(error)):
            return None
        served = ", ".join(sorted(self._entries)[:20])
        return ModelUnavailable(
            f"{self.requests.url} serves no model {self.model!r}; it has: {served}. ({error})"
        )

    @property
    def _query(self) -> str:
        """What tells a router, a llama-server that starts several, which model is meant."""
        several = self._entries is not None and len(self._entries) > 1
        return f"?{urlencode({'model': self.name})}" if several else ""
