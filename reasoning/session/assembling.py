"""A prompt as long as context and budget allow."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from ...models.language import LanguageModel, reserved, thinking_tokens
from ..prompts import Demonstration
from ..prompts.showing import examples
from .budget import MeteredModel

T = TypeVar("T")


def assemble(
    model: MeteredModel,
    evidence: Sequence[T],
    prompt: Callable[[Sequence[T]], str],
    max_tokens: int,
    among: int = 1,
) -> tuple[str, int]:
    """Render a prompt with as much evidence as fits, left out from its end; and say how much.

    One piece stays, whatever its length: then it is the model or the budget that refuses.

    Args:
        prompt: renders the evidence that is shown.
        max_tokens: of the completion.
        among: prompts that share what the budget still covers.
    """
    left, room = model.tokens_left, model.context_length - reserved(model)
    room = room if left is None else min(room, left // among - thinking_tokens(model))
    count = len(evidence)
    text = prompt(evidence)
    while count > 1 and model.count_tokens(text) + max_tokens > room:
        count -= max(1, count // 10)
        text = prompt(evidence[:count])
    return text, count


def examples_within(
    model: LanguageModel,
    demonstrations: Sequence[Demonstration],
    prompt: Callable[[str], str],
) -> Sequence[Demonstration]:
    """Leave demonstrations out, the first ones, while they and the rest take half of the context.

    Args:
        prompt: renders them, as `showing.examples` puts them, with all that has to be shown.
    """
    while demonstrations:
        if model.count_tokens(prompt(examples(demonstrations))) <= model.context_length // 2:
            break
        demonstrations = demonstrations[1:]
    return demonstrations
