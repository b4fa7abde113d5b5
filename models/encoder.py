"""Texts to unit vectors: sentence-transformers, by default the packaged all-MiniLM-L6-v2."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from ..kg.types import Fingerprint, Vector
from .encoder_files import PACKAGED, bare_fingerprint, counting, load, quiet

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

T = TypeVar("T")

ON_A_CORE, ON_A_GPU = 16, 64  # texts a forward pass; of more, a core's cache can't hold the layers


class Encoder(Protocol):
    """What the code asks of an encoder; queries and passages apart, for asymmetric ones (E5)."""

    @property
    def fingerprint(self) -> Fingerprint:
        """What determines the vectors."""
        ...

    def encode_queries(self, texts: Sequence[str]) -> Vector:
        """Encode queries to float32 (len(texts), d), unit length."""
        ...

    def encode_passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Vector:
        """Encode passages likewise; `progress` hears how many more are done."""
        ...

    def count_tokens(self, text: str) -> int:
        """Count the tokens of a text, without the special ones."""
        ...


@dataclass(frozen=True)
class SentenceEncoder:
    """A sentence-transformers model, loaded at first use.

    Args:
        name: the packaged model, a folder, or a model name that sentence-transformers can find.
        query_prefix: put before every query ("query: " for E5).
        passage_prefix: put before every passage.
        batch_size: texts a forward pass; None picks what suits the device.
        device: as in torch; None picks a GPU where there is one.
    """

    name: str = PACKAGED
    query_prefix: str = ""
    passage_prefix: str = ""
    batch_size: int | None = None
    device: str | None = None

    @property
    def _model(self) -> "SentenceTransformer":
        return load(self.name, self.device)

    @property
    def fingerprint(self) -> Fingerprint:
        """See `kg.types.Fingerprint`; the packaged encoder's needs no model loaded."""
        return replace(
            bare_fingerprint(self.name, self.device),
            query_prefix=self.query_prefix,
            passage_prefix=self.passage_prefix,
        )

    def encode_queries(self, texts: Sequence[str]) -> Vector:
        return self._encode([self.query_prefix + text for text in texts])

    def encode_passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Vector:
        vectors = np.empty((len(texts), self.fingerprint.dimension), np.float32)
        if not texts:
            return vectors
        prefixed = [self.passage_prefix + text for text in texts]
        # Longest first wastes least padding; slices keep the progress display moving.
        tokens = self._count_tokens(prefixed)
        order = sorted(range(len(prefixed)), key=lambda i: -tokens[i])
        size = self._batch_size
        slices = [order[start : start + size] for start in range(0, len(order), size)]

        def encode(part: list[int]) -> int:
            vectors[part] = self._encode([prefixed[i] for i in part])
            return len(part)

        # The shortest alone: it sets the tokenizer's padding, as no thread may while others use it.
        first, rest = slices[-1:], slices[:-1]
        everywhere = _on_all_cores if self._model.device.type == "cpu" else map
        for done in itertools.chain(map(encode, first), everywhere(encode, rest)):
            if progress is not None:
                progress(done)
        return vectors

    def count_tokens(self, text: str) -> int:
        return self._count_tokens([text])[0]

    def _count_tokens(self, texts: list[str]) -> list[int]:
        with quiet():
            counted = counting(self.name, self.device)(texts, add_special_tokens=False)
        return [len(ids) for ids in counted.input_ids]

    @property
    def _batch_size(self) -> int:
        return self.batch_size or (ON_A_CORE if self._model.device.type == "cpu" else ON_A_GPU)

    def _encode(self, texts: list[str]) -> Vector:
        if not texts:
            return np.empty((0, self.fingerprint.dimension), np.float32)
        vectors = self._model.encode(
            texts,
            batch_size=self._batch_size,
            normalize_embeddings=True,
            show_progress_bar=False,
            convert_to_numpy=True,
        )
        return np.asarray(vectors, dtype=np.float32)


def _on_all_cores(work: Callable[[T], int], parts: Sequence[T]) -> Iterator[int]:
    """`map`, lazily, with a part in each of as many threads as torch would put on a single one.

    While the parser has a core, threads on one part would wait for each other.
    """
    import torch

    threads = torch.get_num_threads()
    pool = ThreadPoolExecutor(threads, "encode", torch.set_num_threads, (1,))
    try:
        yield from pool.map(work, parts)
    finally:
        pool.shutdown(cancel_futures=True)
        torch.set_num_threads(threads)
