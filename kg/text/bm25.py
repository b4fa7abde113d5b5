"""BM25 of a few passages, by the graph's own counts of words."""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from .stemming import stems_in
from .words import stems

K1, B = 1.2, 0.75  # Lucene's


def bm25(
    asked: Sequence[str],
    texts: Mapping[str, tuple[str, str, str]],
    frequencies: Mapping[str, int],
    passages: int,
) -> dict[str, float]:
    """Score passages that hold one of these stems, as Lucene does; all scores are above 0.

    Title and text are one field, the title a second, so that its words count twice. The mean
    lengths are those of the passages given, for the graph's are not known without reading all of
    it, and a stem is as rare in titles as in texts: scores compare with each other, not with those
    of a search of the whole graph.

    Args:
        asked: distinct stems of the query.
        texts: title, text and language, by passage id.
        frequencies: how many passages of the graph hold each stem; absent where none does.
        passages: how many the graph holds.
    """
    titles = {id_: _stems(title, language) for id_, (title, _, language) in texts.items()}
    wholes = {id_: [*titles[id_], *_stems(text, of)] for id_, (_, text, of) in texts.items()}
    weights = {stem: _rarity(frequencies.get(stem, 0), passages) for stem in asked}
    means = _mean(wholes.values()), _mean(titles.values())
    scores = {
        id_: _score(wholes[id_], means[0], weights) + _score(titles[id_], means[1], weights)
        for id_ in texts
    }
    return {id_: score for id_, score in scores.items() if score > 0}


def _stems(text: str, language: str) -> list[str]:
    return [*stems(text), *stems_in(text, language)]


def _score(field: Sequence[str], mean: float, weights: Mapping[str, float]) -> float:
    held = Counter(field)
    room = K1 * (1 - B + B * len(field) / mean)
    return math.fsum(w * held[stem] / (held[stem] + room) for stem, w in weights.items())


def _mean(fields: Collection[Sequence[str]]) -> float:
    return sum(map(len, fields)) / max(1, len(fields)) or 1.0


def _rarity(holding: int, passages: int) -> float:
    return math.log(1 + (passages - holding + 0.5) / (holding + 0.5))
