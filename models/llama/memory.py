"""How many layers of a file the memory of the GPUs holds.

It is reckoned from the file's header as llama.cpp lays layers out: the last ones first, the output
before all, over several GPUs in proportion to what each has free.
"""

import ctypes
import itertools
import warnings
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from .context import Setup
from .header import Header
from .vocabulary import library

ALL = -1
_GPU, _INTEGRATED = 1, 2  # ggml_backend_dev_type
_KEPT_FREE = 1 << 30  # bytes of each GPU, for what is computed; llama.cpp's own tools keep as much
_GIB = 1 << 30


class Device(NamedTuple):
    """A GPU, and how much of its memory is free, in bytes."""

    name: str
    free: int


def gpu_layers(setup: Setup) -> int:
    """Count the layers of a file to put on the GPU: all, or those that fit, which is said."""
    found = devices()
    if not found:
        return ALL
    header = Header(Path(setup.path))
    sizes = layer_sizes(header, setup.length, 4 if setup.exact_memory else 2)
    count = fitting(sizes, [device.free for device in found])
    if count == len(sizes):
        return ALL
    free = " and ".join(f"{device.free / _GIB:.1f} GiB of {device.name}" for device in found)
    warnings.warn(
        f"{count} of {len(sizes)} layers of {setup.path} fit into what is free: {free}. The others "
        "run on the processor, which is slower. A shorter context or fewer bits a weight let more "
        "fit; gpu_layers=… sets how many.",
        stacklevel=2,
    )
    return count


def layer_sizes(header: Header, length: int, value: int) -> list[int]:
    """Reckon the bytes of each layer with its keys and values, in order; the output is the last.

    Args:
        length: tokens of the context.
        value: bytes of a key's or value's number. Layers that keep fewer of them, or a state
            instead, count as if they kept all.
    """

    def number(name: str, default: int) -> int:
        return next((n for key, n in header.numbers.items() if key.endswith(f".{name}")), default)

    heads = max(1, number("attention.head_count", 1))  # models without attention say 0
    size = number("embedding_length", 0) // heads
    kept = number("attention.key_length", size) + number("attention.value_length", size)
    kept *= number("attention.head_count_kv", heads) * value
    kept *= min(length, number("context_length", length))
    weights = [kept] * number("block_count", 0)
    output = 0
    for name, _, bytes_ in header.tensors:
        kind, _, rest = name.partition(".")
        place = rest.partition(".")[0]
        if kind == "blk" and place.isdecimal() and int(place) < len(weights):
            weights[int(place)] += bytes_
        elif kind.startswith("output"):
            output += bytes_
    if all(name != "output.weight" for name, _, _ in header.tensors):
        output += sum(t.size for t in header.tensors if t.name == "token_embd.weight")
    return [*weights, output]


def fitting(sizes: Sequence[int], free: Sequence[int]) -> int:
    """Count how many layers fit, from the last one on.

    Args:
        sizes: bytes of each layer, in order.
        free: bytes of each GPU.
    """
    shares = [share / sum(free) for share in itertools.accumulate(free)] if sum(free) else []

    def fits(count: int) -> bool:
        left = [bytes_ - _KEPT_FREE for bytes_ in free]
        for place, size in enumerate(sizes[len(sizes) - count :]):
            left[min(bisect_right(shares, place / count), len(left) - 1)] -= size
        return min(left) >= 0

    return next((count for count in range(len(sizes), 0, -1) if shares and fits(count)), 0)


def devices() -> list[Device]:
    """List the GPUs that llama.cpp takes: integrated ones only where there is no other."""
    ggml: ctypes.CDLL = library().llama_cpp._lib
    ggml.ggml_backend_dev_count.restype = ctypes.c_size_t
    ggml.ggml_backend_dev_get.restype = ctypes.c_void_p
    ggml.ggml_backend_dev_name.restype = ctypes.c_char_p
    ggml.ggml_backend_dev_memory.restype = None
    found: dict[int, list[Device]] = {_GPU: [], _INTEGRATED: []}
    for number in range(ggml.ggml_backend_dev_count()):
        device = ctypes.c_void_p(ggml.ggml_backend_dev_get(ctypes.c_size_t(number)))
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        ggml.ggml_backend_dev_memory(device, ctypes.byref(free), ctypes.byref(total))
        kind = ggml.ggml_backend_dev_type(device)
        if kind in found and total.value:  # one that does not tell its memory is taken as it is
            name = ggml.ggml_backend_dev_name(device).decode("utf-8", "replace")
            found[kind].append(Device(name, free.value))
    return found[_GPU] or found[_INTEGRATED]
