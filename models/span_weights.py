"""Weights of a span reader as a file: matrices in eight bits, with a scale a row."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ..kg.errors import ModelMissing

if TYPE_CHECKING:
    from torch import Tensor

HEAD = "head."
"""What names of the head's tensors begin with; the others are called as in the encoder."""
LAYER = re.compile(r"encoder\.layer\.(\d+)\.")
"""What names of a layer's tensors begin with."""
_SCALES = ".scales"  # what names of a matrix's scales end in


def layers_of(names: Iterable[str]) -> int:
    """How many layers the network has whose tensors are named."""
    numbers = (found[1] for name in names if (found := LAYER.match(name)))
    return max(map(int, numbers), default=-1) + 1


def read_weights(path: Path) -> "dict[str, Tensor]":
    """Read what `write_weights` wrote, as float32.

    Raises:
        ModelMissing: it can't be read.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        told = {name: tensor.float() for name, tensor in load_file(path).items()}
    except (OSError, SafetensorError) as error:
        raise ModelMissing(f"The span reader {path} can't be read ({error}).") from error
    try:
        for name in [name for name in told if name.endswith(_SCALES)]:
            told[name.removesuffix(_SCALES)] *= told.pop(name)[:, None]
    except (KeyError, IndexError, RuntimeError) as error:
        raise ModelMissing(f"{path} holds no span reader.") from error
    return told


def write_weights(weights: "Mapping[str, Tensor]", path: Path, about: Mapping[str, str]) -> None:
    """Write a span reader's weights: matrices in eight bits with a scale a row.

    Args:
        about: what the file's head tells of them.
    """
    from safetensors.torch import save_file

    from .eight_bits import rounded

    held: dict[str, Tensor] = {}
    for name, tensor in weights.items():
        if tensor.ndim == 2 and not name.startswith(HEAD):
            held[name], held[name + _SCALES] = rounded(tensor)
        else:
            held[name] = tensor.half()
    part = path.with_name(path.name + ".part")
    save_file(held, part, dict(about))
    part.replace(path)
