"""A prompt as long as context and budget allow."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from ...models.language import TEMPLATE, LanguageModel
from ..prompts import Demonstration
from ..prompts.showing import examples
from .running import Metered

T = TypeVar("T")


def assemble(
    model: Metered, evidence: Sequence[T], prompt: Callable[[Sequence[T]], str], tokens: int
) -> tuple[str, int]:
    """The prompt with as much evidence as fits, left out from its end, and how much that is.

    One piece stays, whatever its length: then it is the model or the budget that refuses.

    Args:
        prompt: renders the evidence that is shown.
        tokens: the completion's.
    """
    left, room = model.tokens_left, model.context_length - TEMPLATE
    room = room if left is None else min(room, left)
    count = len(evidence)
    text = prompt(evidence)
    while count > 1 and model.count_tokens(text) + tokens > room:
        count -= max(1, count // 10)
        text = prompt(evidence[:count])
    return text, count


def examples_within(
    model: LanguageModel,
    demonstrations: Sequence[Demonstration],
    prompt: Callable[[str], str],
) -> Sequence[Demonstration]:
    """Demonstrations, the first ones left out while they and the rest take half of the context.

    Args:
        prompt: renders them, as `showing.examples` puts them, with all that has to be shown.
    """
    while demonstrations:
        if model.count_tokens(prompt(examples(demonstrations))) <= model.context_length // 2:
            break
        demonstrations = demonstrations[1:]
    return demonstrations
