"""Option letters as tokens: which tokens say "A" depends on the prompt that comes before."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ...kg.errors import BadRequest
from ..language import LogProbabilities


def option_tokens(
    tokenise: Callable[[str], list[int]], prompt: str, options: Sequence[str]
) -> list[list[int]]:
    """Find the tokens that say each option after a prompt: "A" and " A", where each is one.

    A spelling counts when it adds exactly one token and leaves the prompt's own as they were.

    Raises:
        BadRequest: there are no options, an option has no such token, or two have the same.
    """
    if not options:
        raise BadRequest("There are no options to choose among.")
    before = tokenise(prompt)
    owner: dict[int, int] = {}
    for number, option in enumerate(options):
        spelt = [tokenise(prompt + spelling) for spelling in (option, f" {option}")]
        tokens = {after[-1] for after in spelt if after[:-1] == before}
        if not tokens or not option.strip():
            raise BadRequest(
                f"The option {option!r} is no single token after this prompt. Name options by "
                "single letters, and let the prompt not end in a blank."
            )
        for token in tokens:
            if token in owner:
                raise BadRequest(
                    f"The options {options[owner[token]]!r} and {option!r} are the same token."
                )
        owner |= dict.fromkeys(tokens, number)
    return [[token for token, of in owner.items() if of == n] for n in range(len(options))]


def over_options(logits: NDArray[np.float32], tokens: Sequence[Sequence[int]]) -> LogProbabilities:
    """Score the options alone, the spellings of each summed: float64 (n_options,).

    Args:
        logits: (n_vocabulary,).
        tokens: of each option, from `option_tokens`.
    """
    wide = logits.astype(np.float64)
    sums = np.array([np.logaddexp.reduce(wide[list(of)]) for of in tokens])
    return sums - np.logaddexp.reduce(sums)
