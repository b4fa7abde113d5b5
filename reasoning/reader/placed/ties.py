"""How near the words of a passage are to each other in its parse, whatever is asked."""

from typing import TYPE_CHECKING

import numpy as np

from ..parsed import Parsed, once

if TYPE_CHECKING:
    from spacy.tokens import Span

_FAR = 6  # steps in the parse


@once
def span_at(of: Parsed, start: int, end: int) -> "Span | None":
    """The tokens that characters lie in."""
    return of.doc.char_span(start, end, alignment_mode="expand")


@once
def steps_from(of: Parsed, place: int) -> dict[int, int]:
    """Steps in the parse from a token to all within reach."""
    found, edge, ties = {place: 0}, [place], _ties(of)
    for step in range(1, _FAR):
        after = dict.fromkeys(i for one in edge for i in ties[one] if i not in found)
        found.update(dict.fromkeys(after, step))
        edge = list(after)
    return found


@once
def _ties(of: Parsed) -> list[list[int]]:
    """The tokens that each one hangs on, or that hang on it."""
    heads = (of.doc.to_array("HEAD").astype(np.int64) + np.arange(len(of.doc))).tolist()
    ties = [[head] for head in heads]
    for token, head in enumerate(heads):
        ties[head].append(token)
    return ties
