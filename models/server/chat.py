"""Chat completions: what a server refuses by its name is left out, from then on."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...kg.errors import BadRequest, ModelUnavailable
from .dialects import EFFORTS, Dialect
from .requests import Requests

OPTIONAL = (
    "temperature",
    "stop",
    "seed",
    "logprobs",
    "top_logprobs",
    "reasoning_effort",
    "chat_template_kwargs",
    "response_format",
)
"""Fields without which a request still means the same, if less exactly."""
_PROBABILITIES = frozenset({"logprobs", "top_logprobs"})
_LIMIT, _NEWER_LIMIT = "max_tokens", "max_completion_tokens"
_UNKNOWN = re.compile(
    r"unsupported param|not supported|does not support|unknown|unrecogni[sz]ed|unexpected"
    r"|not (?:permitted|allowed|accepted)|invalid (?:param|argument|field)|deprecated",
    re.I,
)
_TOO_MANY = re.compile(r"greater than|less than|at most|maximum|max allowed|between|<=", re.I)
_VALUE = re.compile(r"\bvalues?\b", re.I)

Message = dict[str, str]


@dataclass
class Chat:
    """The chat completions of one model of a server. Thread-safe.

    Args:
        model: its name there.
        dialect: how the server names fields.
        left_out: names of fields that are not sent; those that the server refuses are added.
    """

    requests: Requests
    model: str
    dialect: Dialect
    left_out: set[str] = field(default_factory=set)
    _effort: int = field(default=0, init=False)
    _limit: str = field(default="", init=False)
    _refused_limits: set[str] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        self._limit = self.dialect.limit

    def send(self, messages: Sequence[Message], body: Mapping[str, Any]) -> dict[str, Any]:
        """Send messages, and give the server's reply, whose `choices[0].message` is an object.

        Args:
            body: fields by OpenAI's names, `max_tokens` and `seed` among them.

        Raises:
            BadRequest, ModelUnavailable: as `Requests.post`, but for refusals of what can be left
                out.
        """
        while True:
            fields = self._fields(body)
            whole = {"model": self.model, "messages": list(messages), **fields}
            try:
                return self._checked(self.requests.post("/chat/completions", whole))
            except (BadRequest, ModelUnavailable) as error:
                if not self._learns(error, fields):
                    raise

    def sends(self, name: str) -> bool:
        """Tell whether a field is sent: neither left out by the user nor refused by the server."""
        return name not in self.left_out

    def _fields(self, body: Mapping[str, Any]) -> dict[str, Any]:
        fields = {name: value for name, value in body.items() if name not in self.left_out}
        if fields.get("reasoning_effort") == EFFORTS[0]:
            fields["reasoning_effort"] = EFFORTS[self._effort]
        renamed = {_LIMIT: self._limit, "seed": self.dialect.seed}
        return {renamed.get(name, name): value for name, value in fields.items()}

    def _learns(self, error: Exception, fields: Mapping[str, Any]) -> bool:
        """Whether another request can do without what this one was refused for."""
        says, names = str(error), {self.dialect.seed: "seed"}
        if self._learns_limit(says, fields):
            return True
        refused = {
            names.get(name, name)
            for name in fields
            if names.get(name, name) in OPTIONAL and re.search(rf"(?<!\w){name}(?!\w)", says)
        }
        if isinstance(error, ModelUnavailable) or not refused.isdisjoint(_PROBABILITIES):
            refused &= _PROBABILITIES
            if _TOO_MANY.search(says):
                return False  # fewer would do: that is the user's to set
            refused |= _PROBABILITIES.intersection(fields) if refused else set()
        effort = fields.get("reasoning_effort")
        if "reasoning_effort" in refused and _VALUE.search(says) and effort in EFFORTS[:-1]:
            self._effort = max(self._effort, EFFORTS.index(effort) + 1)
            refused -= {"reasoning_effort"}
            self.left_out |= refused
            return True
        self.left_out |= refused
        return bool(refused)

    def _learns_limit(self, says: str, fields: Mapping[str, Any]) -> bool:
        """Whether the limit has another name, or, where both are refused, can't be set at all.

        A value that is refused is the user's to change.
        """
        sent = next((name for name in (_LIMIT, _NEWER_LIMIT) if name in fields), None)
        if sent is None:
            return False
        unknown = re.search(rf"(?<!\w){sent}(?!\w)", says) and _UNKNOWN.search(says)
        valued = _TOO_MANY.search(says) or _VALUE.search(says)
        if not (unknown and not valued) and not (sent == _LIMIT and _NEWER_LIMIT in says):
            return False
        self._refused_limits.add(sent)
        other = _NEWER_LIMIT if sent == _LIMIT else _LIMIT
        if other in self._refused_limits:
            self.left_out.add(_LIMIT)
        else:
            self._limit = other
        return True

    def _checked(self, reply: dict[str, Any]) -> dict[str, Any]:
        try:
            message = reply["choices"][0]["message"]
            sound = isinstance(message.get("content"), str | list | None)
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise unexpected(self.requests.url, "choices[0].message") from error
        if not sound:
            raise unexpected(self.requests.url, "a message of text")
        return reply


def unexpected(url: str, wanted: str) -> ModelUnavailable:
    """Make the error of a server that answers with something else."""
    return ModelUnavailable(
        f"{url} did not answer with {wanted}. It has to speak OpenAI's chat API; "
        "see docs/models.md for servers that do."
    )
