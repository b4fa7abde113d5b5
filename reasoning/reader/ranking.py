"""The order of a question's own paragraphs, for training and measuring, without encoder or graph.

In use a retriever over the graph picks what the reader gets. Training needs about the same order,
and fast: full text, titles in the question, one hop along titles in texts.
"""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...kg.text.titles import named_titles
from ...kg.text.words import normal_title, terms

_NAMED = 0.5  # added where the question names the paragraph's title
_HOP = 0.7  # of its seed a paragraph passes on to one that it names
_BACK = 0.28  # … and to one that names it
_MEAN_WEIGHT = 1.2  # k1 of BM25; a word counts once, so that k1 and b only weigh lengths
_LENGTH = 0.75  # b of BM25


def rank(question: str, paragraphs: Sequence[tuple[str, str]]) -> list[tuple[int, float]]:
    """(index, score) of (title, text) pairs, best first, ties in the given order."""
    if not paragraphs:
        return []
    titles = [normal_title(title) for title, _ in paragraphs]
    texts = [question, *(text for _, text in paragraphs)]
    asked, *naming = named_titles(texts, lambda grams: set(titles).intersection(grams))
    stems = [frozenset(terms(f"{title} {text}")) for title, text in paragraphs]
    weights = _idf(terms(question), stems)
    seeds = _full_text(weights, stems) + _NAMED * np.array([t in asked for t in titles])
    scores = seeds.copy()
    for i, names in enumerate(naming):
        for j in (j for j, title in enumerate(titles) if title in names and title != titles[i]):
            gain = sum(weights.get(stem, 0.0) for stem in stems[j] - stems[i])
            scores[j] = max(scores[j], seeds[j] + _HOP * seeds[i] * (1 + gain))
            scores[i] = max(scores[i], seeds[i] + _BACK * seeds[j])
    order = np.argsort(-scores, kind="stable")
    return [(int(i), float(scores[i])) for i in order]


def _idf(wanted: Sequence[str], stems: Sequence[frozenset[str]]) -> dict[str, float]:
    """Inverse document frequencies of the question's stems, scaled to a sum of 1."""
    counts = Counter(stem for of_one in stems for stem in of_one)
    raw = {s: math.log(1 + (len(stems) - counts[s] + 0.5) / (counts[s] + 0.5)) for s in wanted}
    total = sum(raw.values()) or 1.0
    return {stem: value / total for stem, value in raw.items()}


def _full_text(weights: dict[str, float], stems: Sequence[frozenset[str]]) -> NDArray[np.float64]:
    """BM25 with every word counted once, scaled so that the best paragraph has 1."""
    lengths = np.array([len(s) for s in stems], dtype=np.float64)
    damping = 1 - _LENGTH + _LENGTH * lengths / max(1.0, lengths.mean())
    overlap = np.array([sum(weights.get(stem, 0.0) for stem in of_one) for of_one in stems])
    scores = overlap * (1 + _MEAN_WEIGHT) / (1 + _MEAN_WEIGHT * damping)
    return scores / (scores.max() or 1.0)
