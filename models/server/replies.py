"""What the replies of a server hold: text, thought, log-probabilities, counts."""

import json
import math
import string
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

import numpy as np

from ..thoughts import split
from ..tokens import Piece

MAX_COUNT = 2**31  # tokens of a request; more is an error of the server
_HELD_BACK = ("content_filter", "refusal")  # how a completion ends; OpenAI's, Anthropic's
_THOUGHT = ("reasoning_content", "reasoning", "thinking")


def text_and_thought(message: Mapping[str, Any]) -> tuple[str, str]:
    """Split a message into what it says and what was thought before.

    The thought stands in a field of its own, in parts of the content, or between tags in it.
    """
    content = message.get("content") or ""
    thought = next((t for name in _THOUGHT if isinstance(t := message.get(name), str) and t), "")
    if not isinstance(content, str):
        parts = [part for part in content if isinstance(part, dict)]
        thought = thought or _joined(part.get("thinking") for part in parts)
        content = _joined(part.get("text") for part in parts)
    content, inside = split(content)
    return sound(content), sound(thought or inside).strip()


def refusal(choice: Mapping[str, Any]) -> str | None:
    """What a model says where it refuses to answer; None where it does not.

    It is "" where the server holds back what was said. A model says it in a field of its own, or in
    a part of the content.
    """
    message = choice["message"]
    content = message.get("content")
    parts = content if isinstance(content, list) else ()
    inside = _joined(part.get("refusal") for part in parts if isinstance(part, dict))
    told = message.get("refusal") or inside
    if told:
        return sound(str(told)).strip()
    return "" if choice.get("finish_reason") in _HELD_BACK else None


def unwrapped(text: str) -> str:
    """The reply of a JSON object that holds one, or of a JSON string; else the text.

    Some models put it into a code fence.
    """
    inner, fence = text.strip(), "```"
    if len(inner) >= 2 * len(fence) and inner.startswith(fence) and inner.endswith(fence):
        inner = inner[len(fence) : -len(fence)].lstrip(string.ascii_letters)
    try:
        parsed = json.loads(inner)
    except (ValueError, RecursionError):
        return text
    value = parsed.get("reply") if isinstance(parsed, dict) else parsed
    return value if isinstance(value, str) else text


def _joined(parts: Any) -> str:  # noqa: ANN401 - strings, or lists of {"text": …}, or nothing
    found = []
    for part in parts:
        if isinstance(part, list):
            found += [str(inner.get("text", "")) for inner in part if isinstance(inner, dict)]
        elif part:
            found.append(str(part))
    return "".join(found)


def top_of(reply: Mapping[str, Any]) -> list[tuple[str, float]] | None:
    """List (token, log-probability) of the likeliest first tokens; None where there are none.

    Raises:
        KeyError, IndexError, TypeError, ValueError, OverflowError: they are no such thing.
    """
    told = reply["choices"][0].get("logprobs")
    if not told or ("content" in told and not told["content"]):
        return None
    top = [(str(t["token"]), float(t["logprob"])) for t in told["content"][0]["top_logprobs"]]
    if not all(math.isfinite(log) for _, log in top):
        raise ValueError("a log-probability that is no number")
    return top or None


def of_options(
    top: Sequence[tuple[str, float]], options: Sequence[str]
) -> tuple[list[float], list[bool]]:
    """Log-probability of each option, both spellings ("A", " A") summed, and whether it is a bound.

    What is not among the likeliest is at most as likely as the last of them.
    """
    least = min(log for _, log in top)
    logs, bounded = [], []
    for option in options:
        found = [log for token, log in top if token.strip() == option.strip()]
        logs.append(float(np.logaddexp.reduce(found)) if found else least)
        bounded.append(not found)
    return logs, bounded


def log_probability(choice: Mapping[str, Any], cut: int | None = None) -> float | None:
    """Sum those of a completion's tokens; None where the server does not say.

    Args:
        cut: characters after which the completion was cut off; None where it was not.
    """
    try:
        tokens = choice["logprobs"]["content"]
        logs = [float(token["logprob"]) for token in tokens]
        spelt = [str(token.get("token", "")) for token in tokens]
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        return None
    if not logs or not all(map(math.isfinite, logs)):
        return None
    if cut is not None:
        ends = np.cumsum([len(part) for part in spelt])
        logs = logs[: int(np.searchsorted(ends, cut)) + 1] if cut else []
    return min(0.0, sum(logs))


def pieces(choice: Mapping[str, Any]) -> list[Piece]:
    """List the tokens that a completion says it is made of; [] where it does not."""
    try:
        told = choice["logprobs"]["content"]
        found = [(_spelling(token), min(0.0, float(token["logprob"]))) for token in told]
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        return []
    return found if all(math.isfinite(log) for _, log in found) else []


def _spelling(token: Mapping[str, Any]) -> bytes:
    """The bytes where the server tells them: a token may be half a character."""
    told = token.get("bytes")
    return bytes(told) if isinstance(told, list) else sound(str(token["token"])).encode()


def usage(reply: Mapping[str, Any], name: str) -> int:
    """Read a count of tokens from the reply's `usage`; 0 where it has none."""
    value = member(reply, "usage", name)
    return value if is_count(value) else 0


def thought_tokens(reply: Mapping[str, Any]) -> int:
    """Read how many tokens were thought; 0 where the server does not say."""
    details = member(reply, "usage", "completion_tokens_details")
    value = details.get("reasoning_tokens") if isinstance(details, dict) else None
    return value if is_count(value) else 0


def member(of: Mapping[str, Any], name: str, key: str) -> Any | None:  # noqa: ANN401 - JSON
    """Get a member of a member; None where either is missing."""
    inner = of.get(name)
    return inner.get(key) if isinstance(inner, dict) else None


def sound(text: str) -> str:
    """Drop lone surrogates, which JSON escapes can spell and UTF-8 can't."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def is_count(value: object) -> TypeGuard[int]:
    """Tell whether a text may have so many tokens: budgets and means are reckoned with them."""
    return isinstance(value, int) and 0 <= value < MAX_COUNT
