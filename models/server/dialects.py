"""What kinds of servers take beyond OpenAI's API, known by the `owned_by` of their models."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Fields = Mapping[str, Any]
"""Fields of a request."""
Count = tuple[str, Callable[[str, str], dict[str, Any]], Callable[[dict[str, Any]], int]]

EFFORTS = ("none", "minimal", "low")
"""Least thinking first: what is refused as a value is followed by the next."""
_THINK = {"enable_thinking": True, "thinking": True}  # Qwen and GLM; DeepSeek and Granite
_DO_NOT = dict.fromkeys(_THINK, False)


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a server takes beyond OpenAI's API.

    Args:
        grammar: the fields that hold generation to a grammar.
        begins_at_once: the grammar holds from the first token on, so that no thought goes before.
        count: path and body (of name and text) that count tokens, and the count in the reply.
        render: path that puts messages into the chat template; its reply has `prompt`, or as
            `count` says the tokens.
        limit: the field for the most tokens to generate.
        seed: the field for the seed.
        top: how many log-probabilities a choice may ask for.
        plain: the fields that keep it from changing what the model says of itself.
        silent: the fields that turn thinking off.
        thinking: the fields that turn it on.
    """

    grammar: Callable[[str], dict[str, Any]] | None = None
    begins_at_once: bool = False
    count: Count | None = None
    render: str = ""
    limit: str = "max_tokens"
    seed: str = "seed"
    top: int = 20
    plain: Fields = field(default_factory=dict)
    silent: Fields = field(default_factory=lambda: {"reasoning_effort": EFFORTS[0]})
    thinking: Fields = field(default_factory=lambda: {"reasoning_effort": "medium"})


ANY = Dialect()
_OPENAI = Dialect(limit="max_completion_tokens")  # its newer models refuse the older name
_DIALECTS = {
    "system": _OPENAI,
    "openai": _OPENAI,
    "openai-internal": _OPENAI,
    "mistralai": Dialect(seed="random_seed"),
    "llamacpp": Dialect(
        lambda gbnf: {"grammar": gbnf},
        begins_at_once=True,
        count=(
            "~/tokenize",
            lambda name, text: {"model": name, "content": text},  # a router asks for the model
            lambda reply: len(reply["tokens"]),
        ),
        render="~/apply-template",
        top=1000,  # it has no limit
        silent={"reasoning_effort": EFFORTS[0], "chat_template_kwargs": _DO_NOT},
        thinking={"chat_template_kwargs": _THINK},
    ),
    "vllm": Dialect(
        lambda gbnf: {"structured_outputs": {"grammar": gbnf}},
        count=(
            "~/tokenize",
            lambda name, text: {"model": name, "prompt": text},
            lambda reply: reply["count"],
        ),
        render="~/tokenize",
        silent={"chat_template_kwargs": _DO_NOT},
        thinking={"chat_template_kwargs": _THINK},
    ),
    "me": Dialect(  # llama-cpp-python's server
        lambda gbnf: {"grammar": gbnf},
        begins_at_once=True,
        count=(
            "~/extras/tokenize/count",
            lambda name, text: {"input": text},
            lambda reply: reply["count"],
        ),
        # It makes what was said before less likely, by 1.1, and cuts off what is unlikely.
        plain={"repeat_penalty": 1.0, "top_k": 0, "top_p": 1.0, "min_p": 0.0},
    ),
}


def dialect_of(entry: Mapping[str, Any]) -> Dialect:
    """Tell what the server of this entry of its models takes."""
    return _DIALECTS.get(str(entry.get("owned_by")), ANY)
