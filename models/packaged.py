"""The packaged encoder on a processor, without sentence-transformers.

What that imports takes longer than a question (benchmarks/startup.py). The span readers share its
tokenizer and its word vectors.
"""

import functools
import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..kg.types import Vector
from .encoder_files import packaged_file, packaged_folder, padded, reading_packaged

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

    from .layers import Layers

HEADS = 12
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
    import torch
    from torch.nn.functional import normalize

    network, (first, last) = _network(), marks()
    told = tokenizer().encode_batch_fast(list(texts), add_special_tokens=False)
    rows = [[first, *one.ids[: _LONGEST - 2], last] for one in told]
    length = min(_LONGEST, padded(max(map(len, rows))))
    tokens = torch.tensor([row + [0] * (length - len(row)) for row in rows])
    read = torch.arange(length) < torch.tensor([[len(row)] for row in rows])
    with torch.inference_mode():
        states = network(tokens, length, read) * read[:, :, None]
        return normalize(states.sum(1) / read.sum(1, keepdim=True)).numpy()


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


def _network() -> "Layers":
    with _LOADING:
        return _made()


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
def _made() -> "Layers":
    from .layers import Layers

    with reading_packaged():
        return Layers(weights(), HEADS).eval()
