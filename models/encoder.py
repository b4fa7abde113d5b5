"""Texts to unit vectors: sentence-transformers, by default the packaged all-MiniLM-L6-v2."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ..kg import until
from ..kg.types import Fingerprint, Vector
from . import packaged
from .encoder_files import PACKAGED, bare_fingerprint, counting, load
from .kept_vectors import KeptVectors
from .packaged import Span
from .passes import few_at_a_time

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

ON_A_CORE, ON_A_GPU = 16, 64  # texts a forward pass; of more, a core's cache can't hold the layers
A_PASS = 48  # tokens that a core multiplies while it begins a pass
QUERIES = 4096  # whose vectors are kept: a question's own is wanted again and again; 6 MB


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
    """A sentence-transformers model, loaded at first use; the packaged one needs no library of it.

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
    _queries: KeptVectors = field(
        default_factory=lambda: KeptVectors(QUERIES), init=False, repr=False, compare=False
    )

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """Another process makes its own."""
        settings = self.query_prefix, self.passage_prefix, self.batch_size, self.device
        return SentenceEncoder, (self.name, *settings)

    @property
    def _model(self) -> "SentenceTransformer":
        return load(self.name, self.device)

    @property
    def _needs_no_library(self) -> bool:
        """Whether it is computed without sentence-transformers."""
        return self.name == PACKAGED and packaged.computes_on(self.device)

    @property
    def fingerprint(self) -> Fingerprint:
        """See `kg.types.Fingerprint`; the packaged encoder's needs no model loaded."""
        bare = bare_fingerprint(self.name, self.device)
        return replace(bare, query_prefix=self.query_prefix, passage_prefix=self.passage_prefix)

    def encode_queries(self, texts: Sequence[str]) -> Vector:
        prefixed = [self.query_prefix + text for text in texts]
        return self._queries.of(prefixed, self._encode_queries, self.fingerprint.dimension)

    def encode_passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Vector:
        return self._encode(
            [self.passage_prefix + text for text in texts], packaged.encode, progress
        )

    @property
    def parts_maker(self) -> str:
        """What determines the vectors of parts; "": only the packaged encoder's are known."""
        return f"{self.name} {self.passage_prefix}" if self.name == PACKAGED else ""

    def encode_parts(
        self,
        texts: Sequence[str],
        parts: Sequence[Sequence[Span]],
        progress: Callable[[int], None] | None = None,
    ) -> tuple[Vector, list[Vector]]:
        """Encode passages, and parts of each: see `packaged.encode_parts`.

        On a GPU the parts are encoded for themselves.
        """
        if not self._needs_no_library:
            every = [text[a:b] for text, own in zip(texts, parts, strict=True) for a, b in own]
            ends = np.cumsum([len(own) for own in parts])[:-1]
            vectors = self.encode_passages(texts, progress)
            return vectors, np.split(self.encode_passages(every), ends)
        own, found = len(self.passage_prefix), [np.empty((0, 0), np.float32)] * len(texts)
        texts = [self.passage_prefix + text for text in texts]

        def encode(numbers: list[int]) -> Vector:
            cuts = [[(start + own, end + own) for start, end in parts[i]] for i in numbers]
            vectors, told = packaged.encode_parts([texts[i] for i in numbers], cuts)
            for number, of_text in zip(numbers, told, strict=True):
                found[number] = of_text
            return vectors

        return self._in_passes(texts, encode, progress), found

    def count_tokens(self, text: str) -> int:
        return self._count_tokens([text])[0]

    def _count_tokens(self, texts: list[str]) -> list[int]:
        if self._needs_no_library:
            return packaged.count_tokens(texts)
        counted = counting(self.name, self.device)(texts, add_special_tokens=False, verbose=False)
        return [len(ids) for ids in counted.input_ids]

    def _encode_queries(self, texts: Sequence[str]) -> Vector:
        return self._encode(texts, packaged.encode_queries, None)

    def _encode(
        self,
        texts: Sequence[str],
        by_packaged: Callable[[Sequence[str]], Vector],
        progress: Callable[[int], None] | None,
    ) -> Vector:
        def encode(numbers: list[int]) -> Vector:
            some = [texts[i] for i in numbers]
            return by_packaged(some) if self._needs_no_library else self._by_library(some)

        return self._in_passes(texts, encode, progress)

    def _in_passes(
        self,
        texts: Sequence[str],
        encode: Callable[[list[int]], Vector],
        progress: Callable[[int], None] | None,
    ) -> Vector:
        """Encode texts by what encodes some of them, given their numbers."""
        vectors = np.empty((len(texts), self.fingerprint.dimension), np.float32)
        if not texts:
            return vectors
        on_cores = self._needs_no_library or self._model.device.type == "cpu"
        size = self.batch_size or (ON_A_CORE if on_cores else ON_A_GPU)
        # Longest first wastes least padding; slices keep the progress display moving.
        tokens = self._count_tokens(list(texts)) if len(texts) > 1 else [0]
        order = sorted(range(len(texts)), key=lambda i: -tokens[i])
        lengths = [tokens[i] for i in order] if on_cores else [0] * len(order)
        slices = [order[part] for part in into_passes(lengths, size)]

        def some(part: list[int]) -> int:
            until.check()
            vectors[part] = encode(part)
            return len(part)

        for done in few_at_a_time(some, slices) if on_cores else map(some, slices):
            if progress is not None:
                progress(done)
        return vectors

    def _by_library(self, texts: list[str]) -> Vector:
        return self._model.encode(
            texts,
            batch_size=len(texts),
            normalize_embeddings=True,
            show_progress_bar=False,
            convert_to_numpy=True,
        )


def english_only(encoder: Encoder) -> bool:
    """Tell whether an encoder is known to make nothing of other languages: the packaged one."""
    return encoder.fingerprint.name == PACKAGED


def into_passes(lengths: Sequence[int], size: int) -> list[slice]:
    """Part texts, longest first, into passes of `size` at most that cost least, padding included.

    Args:
        lengths: in tokens, descending.
    """
    costs, begins = [0], [0]  # of the first n texts: the least, and where the last pass begins
    for end in range(1, len(lengths) + 1):
        cost, begin = min(
            (costs[begin] + A_PASS + lengths[begin] * (end - begin), begin)
            for begin in range(max(0, end - size), end)
        )
        costs.append(cost)
        begins.append(begin)
    parts, end = list[slice](), len(lengths)
    while end:
        parts.append(slice(begins[end], end))
        end = begins[end]
    return parts[::-1]
