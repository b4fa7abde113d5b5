"""Cosines of the question with the sentences and relations of its pages.

Relations are encoded by the encoder itself, so that any encoder will do; they are short and come
back in every question, so their vectors are kept.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from ...models.encoder import Encoder
from .features import Similarities
from .pages import Evidence, Floats

_MAX_CACHED = 20_000  # relations; about 30 MB at 384 dimensions


class PhraseVectors:
    """Keeps vectors of short strings that come back in every question ("born on").

    Threads may share it.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._kept: OrderedDict[str, Floats] = OrderedDict()
        self._lock = threading.Lock()

    def together(self, texts: Sequence[str], phrases: Sequence[str]) -> tuple[Floats, Floats]:
        """Encode texts and distinct phrases at once: (n, d) each, unit length."""
        with self._lock:
            known = {phrase: self._kept[phrase] for phrase in phrases if phrase in self._kept}
        new = [phrase for phrase in phrases if phrase not in known]
        vectors = self._encoder.encode_passages(texts)
        # Apart from the texts: in one batch the short strings would be padded to the longest.
        known.update(zip(new, self._encoder.encode_passages(new), strict=True))
        with self._lock:
            for phrase, vector in known.items():
                self._kept[phrase] = vector
                self._kept.move_to_end(phrase)
            while len(self._kept) > _MAX_CACHED:
                self._kept.popitem(last=False)
        of_phrases = np.array([known[phrase] for phrase in phrases], dtype=np.float32)
        return vectors, of_phrases


def similarities(evidence: Evidence, encoder: Encoder, phrases: PhraseVectors) -> Similarities:
    """Compare the question with sentences and relations; see `features.Similarities`."""
    asked, rest = encoder.encode_queries([evidence.asked.text, evidence.rest])
    sentences = [sentence for page in evidence.pages for sentence in page.sentences]
    relations = sorted({s.triple.relation for p in evidence.pages for s in p.statements})
    of_sentences, of_relations = phrases.together(sentences, relations)
    by_page, by_rest, start = {}, {}, 0
    for page in evidence.pages:
        part = of_sentences[start : start + len(page.sentences)]
        start += len(page.sentences)
        by_page[page.passage.id], by_rest[page.passage.id] = part @ asked, part @ rest
    meant = of_relations @ rest if relations else np.empty(0, np.float32)
    return Similarities(by_page, by_rest, dict(zip(relations, map(float, meant), strict=True)))
