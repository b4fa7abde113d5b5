"""An encoder that need not encode questions while the clock runs."""

from collections.abc import Callable, Sequence

import numpy as np

from hoptrail.kg.types import Fingerprint, Vector
from hoptrail.loaders.questions.files import Question
from hoptrail.models.encoder import Encoder


class Asked:
    """The encoder with all questions encoded beforehand: what a question takes is then retrieval.

    Args:
        encoder: the one behind.
        questions: whose vectors are kept.
    """

    def __init__(self, encoder: Encoder, questions: Sequence[Question]) -> None:
        texts = sorted({question.question for question in questions})
        self._encoder = encoder
        self._vectors = dict(zip(texts, encoder.encode_queries(texts), strict=True))

    @property
    def fingerprint(self) -> Fingerprint:
        """See Encoder."""
        return self._encoder.fingerprint

    def encode_queries(self, texts: Sequence[str]) -> Vector:
        """See Encoder; of these questions only."""
        return np.array([self._vectors[text] for text in texts])

    def encode_passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Vector:
        """See Encoder."""
        return self._encoder.encode_passages(texts, progress)

    def count_tokens(self, text: str) -> int:
        """See Encoder."""
        return self._encoder.count_tokens(text)
