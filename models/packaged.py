"""The packaged encoder on a processor, without sentence-transformers.

What that imports takes longer than a question (benchmarks/startup.py). The span readers share its
tokenizer and its word vectors.
"""

import functools
import os
import threading
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..kg.types import Vector
from .encoder_files import packaged_file, packaged_folder, padded, reading_packaged

if TYPE_CHECKING:
    import torch
    from tokenizers import Tokenizer
    from torch import Tensor

    from .layers import Layers

HEADS = 12
Span = tuple[int, int]
"""Characters [start, end)."""
_LONGEST = 256  # tokens that it reads of a text, with the marks around it
_LOADING = threading.RLock()


@functools.cache
def computes_on(device: str | None) -> bool:
    """Whether a device, as torch calls it, is the processor; None: whether there is no other."""
    import torch

    if device is None:
        return not getattr(torch, "accelerator", torch.cuda).is_available()
    return device == "cpu"


def encode(texts: Sequence[str]) -> Vector:
    """Encode texts in one pass: float32 (len(texts), 384), unit length.

    Raises:
        ModelMissing: its package is not there, or damaged.
    """
    return _units(_states(_tokens(texts)).sum(1))


def encode_queries(texts: Sequence[str]) -> Vector:
    """Encode texts as `encode` does, but in the numbers that the processor multiplies fastest.

    Cosines between the two are 0.9999 or more; what is kept of passages is of the other.
    """
    from .precision import fastest

    return _units(_states(_tokens(texts), fastest()).sum(1))


def encode_parts(
    texts: Sequence[str], parts: Sequence[Sequence[Span]]
) -> tuple[Vector, list[Vector]]:
    """Encode texts as `encode` does, and of each text those of its parts that it reads.

    A part's vector is the mean of its tokens' states, in view of the whole text.

    Args:
        parts: characters [start, end) of each text, in order, not overlapping.

    Returns:
        float32 (len(texts), 384), and of each text (parts, 384); unit length.
    """
    told = tokenizer().encode_batch(list(texts), add_special_tokens=False)
    states = _states([one.ids[: _LONGEST - 2] for one in told])
    whole, found = _units(states.sum(1)), list[Vector]()
    for number, (one, of_text) in enumerate(zip(told, parts, strict=True)):
        ends = list(accumulate((end for _, end in one.offsets[: _LONGEST - 2]), max))
        own = states[number, 1 : len(ends) + 1]
        cuts = [(bisect_right(ends, start), bisect_left(ends, end) + 1) for start, end in of_text]
        sums = [own[a:b].sum(0) for a, b in cuts if a < min(b, len(ends))]
        found.append(_units(np.stack(sums)) if sums else whole[number : number + 1])
    return whole, found


def _tokens(texts: Sequence[str]) -> list[list[int]]:
    told = tokenizer().encode_batch_fast(list(texts), add_special_tokens=False)
    return [one.ids[: _LONGEST - 2] for one in told]


def _states(rows: list[list[int]], kind: "torch.dtype | None" = None) -> NDArray[np.float32]:
    """States of tokens between their marks: (len(rows), n, 384); of padding they are 0.

    Args:
        kind: the numbers that are multiplied; None: float32.
    """
    import torch

    network, (first, last) = _network(kind), marks()
    rows = [[first, *row, last] for row in rows]
    length = min(_LONGEST, padded(max(map(len, rows))))
    tokens = torch.tensor([row + [0] * (length - len(row)) for row in rows])
    read = torch.arange(length) < torch.tensor([[len(row)] for row in rows])
    with torch.inference_mode():
        if read.all():
            return network(tokens, length).numpy()
        return (network(tokens, length, read) * read[:, :, None]).numpy()


def _units(vectors: NDArray[np.float32]) -> Vector:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def count_tokens(texts: Sequence[str]) -> list[int]:
    """Count each text's tokens, without the marks around it."""
    told = tokenizer().encode_batch_fast(list(texts), add_special_tokens=False)
    return [len(one.ids) for one in told]


def tokenizer() -> "Tokenizer":
    """Texts to tokens, as many as there are; nothing sets it, so that threads may share it."""
    with _LOADING:
        return _tokenizer()


def marks() -> tuple[int, int]:
    """The token that stands before a text, and the one behind each."""
    first, last = tokenizer().encode("").ids
    return first, last


def weights() -> "dict[str, Tensor]":
    """Its tensors, named as in transformers' BertModel; not to be changed.

    Raises:
        ModelMissing: see `encode`.
    """
    with _LOADING:
        return _weights()


def _network(kind: "torch.dtype | None") -> "Layers":
    import torch

    from .layers import packs

    with _LOADING:
        return _made(kind if kind and packs(kind) else torch.float32)


@functools.cache
def _tokenizer() -> "Tokenizer":
    from tokenizers import Tokenizer

    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # passes are side by side already
    with reading_packaged():
        found = Tokenizer.from_file(str(packaged_folder() / "tokenizer.json"))
    found.no_truncation()
    found.no_padding()
    return found


@functools.cache
def _weights() -> "dict[str, Tensor]":
    from safetensors.torch import load_file

    with reading_packaged():
        return load_file(packaged_file())


@functools.cache
def _made(kind: "torch.dtype") -> "Layers":
    from .layers import Layers, Packed, packs

    packed = [functools.partial(Packed, kind=kind)] if packs(kind) else []
    with reading_packaged():
        return Layers(weights(), HEADS, *packed).eval()
