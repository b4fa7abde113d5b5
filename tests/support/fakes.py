"""Stand-ins for what needs weights: few, strict, deterministic."""

import hashlib
from collections.abc import Callable, Sequence

import numpy as np

from hoptrail.kg.text.words import terms
from hoptrail.kg.types import Fingerprint, Vector
from hoptrail.models.language import GREEDY, Completion, Decoding


class WordEncoder:
    """Unit vectors from hashed word stems: texts that share words are similar; no model."""

    def __init__(self, dimension: int = 64, name: str = "words") -> None:
        self.fingerprint = Fingerprint(name, dimension, "sum", True, "", "", "none")

    def encode_queries(self, texts: Sequence[str]) -> Vector:
        return np.stack([self._vector(text) for text in texts])

    def encode_passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Vector:
        if progress:
            progress(len(texts))
        if not texts:
            return np.empty((0, self.fingerprint.dimension), np.float32)
        return np.stack([self._vector(text) for text in texts])

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def _vector(self, text: str) -> Vector:
        total = np.full(self.fingerprint.dimension, 1e-3, np.float64)
        for word in terms(text) or ["∅"]:
            seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=4).digest(), "big")
            total += np.random.default_rng(seed).standard_normal(self.fingerprint.dimension)
        return (total / np.linalg.norm(total)).astype(np.float32)


class SilentModel:
    """A language model that has nothing to say, and is never given a choice."""

    name = fingerprint = "silent"
    context_length = 4096

    def generate(self, prompts: Sequence[str], decoding: Decoding = GREEDY) -> list[Completion]:
        return [Completion("", None, "stop", 1, 0) for _ in prompts]

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def close(self) -> None:
        pass
