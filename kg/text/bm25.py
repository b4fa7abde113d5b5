"""BM25 of a few passages, by the graph's own counts of words."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from .words import stems

K1, B = 1.2, 0.75  # what Lucene and SQLite's FTS5 take
TITLE_WEIGHT = 2.0
"""A word of the title counts so often."""


def bm25(
    asked: Sequence[str],
    texts: Mapping[str, tuple[str, str]],
    frequencies: Mapping[str, int],
    passages: int,
) -> dict[str, float]:
    """Score passages that hold one of these stems, as FTS5 does; all scores are above 0.

    Their mean length is that of the passages given, for the graph's is not known without reading
    all of it: scores compare with each other, not with those of a search of the whole graph.

    Args:
        asked: distinct stems of the query.
        texts: title and text, by passage id.
        frequencies: how many passages of the graph hold each stem; absent where none does.
        passages: how many the graph holds.
    """
    held = {id_: (stems(title), stems(text)) for id_, (title, text) in texts.items()}
    lengths = {id_: len(title) + len(text) for id_, (title, text) in held.items()}
    mean = sum(lengths.values()) / max(1, len(lengths)) or 1.0
    found = {}
    for id_, (title, text) in held.items():
        in_title, in_text = Counter(title), Counter(text)
        room = K1 * (1 - B + B * lengths[id_] / mean)
        score = 0.0
        for stem in asked:
            count = TITLE_WEIGHT * in_title[stem] + in_text[stem]
            rarity = _rarity(frequencies.get(stem, 0), passages)
            score += rarity * count * (K1 + 1) / (count + room)
        if score > 0:
            found[id_] = score
    return found


def _rarity(holding: int, passages: int) -> float:
    """The inverse document frequency; next to nothing for what half of all passages hold."""
    return max(1e-6, math.log((passages - holding + 0.5) / (holding + 0.5)))
