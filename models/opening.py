"""A language model from what --model and HOPTRAIL_MODEL say."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ..kg.errors import BadRequest
from .cache import Cached, default_responses
from .concurrency import IN_FLIGHT
from .language import LanguageModel
from .spelling import KINDS, split, word

if TYPE_CHECKING:
    from .llama.model import LlamaCpp

FORMS = "file.gguf, openai:http://localhost:8080/v1#name, or none"
OFF = ("", "none")


def open_model(spec: str | None) -> LanguageModel | None:
    """Make the model that a word names, not loaded yet; None for none.

    Settings follow it after colons: `file.gguf:context=16384`, `openai:URL#name:thinking=on`.
    Its responses are cached in HOPTRAIL_CACHE (a folder; "none" for no cache). With HOPTRAIL_REPLAY
    set it answers from there alone. The key of a server comes from HOPTRAIL_API_KEY.

    Raises:
        BadRequest: nothing of these, a setting that there is not or a value that it does not take,
            or HOPTRAIL_REPLAY without a cache.
    """
    spec = (spec or "").strip()
    if spec.lower() in OFF:
        return None
    served = spec.startswith("openai:")
    model, settings = _server(spec) if served else _file(spec)
    replay = os.environ.get("HOPTRAIL_REPLAY", "") not in ("", "0")
    responses = default_responses()
    if responses is None:
        if replay:
            raise BadRequest(
                "HOPTRAIL_REPLAY answers from the cache, which HOPTRAIL_CACHE=none is not."
            )
        return model
    if served:
        at_once = settings.get("in_flight", IN_FLIGHT)
        return Cached(model, responses, replay, spec, at_once)
    # Known by its name and settings: the file may lie elsewhere.
    return Cached(model, responses, replay, f"{model.name}{word(settings)}" if settings else "")


def with_adapters(model: LanguageModel, folder: Path | None) -> LanguageModel:
    """Make the same model with the LoRA adapters of a folder, or without, not loaded yet.

    Raises:
        BadRequest: it is no GGUF file in this process.
    """
    if isinstance(model, Cached):
        spec = f"{model.spec or model.name}:adapters={folder}" if folder else model.spec
        return replace(model, model=with_adapters(model.model, folder), spec=spec)
    return replace(require_file(model), adapters=str(folder) if folder else None)


def require_file(model: LanguageModel | None) -> "LlamaCpp":
    """Give the GGUF file that a model is, beneath its cache.

    Raises:
        BadRequest: it is none.
    """
    from .llama.model import LlamaCpp

    bare = model.model if isinstance(model, Cached) else model
    if not isinstance(bare, LlamaCpp):
        raise BadRequest("Fine-tuning takes a GGUF file that runs here: --model file.gguf.")
    return bare


def _server(spec: str) -> tuple[LanguageModel, dict[str, Any]]:
    from .server.model import OpenAIServer
    from .server.requests import KEY_VARIABLE

    address, settings = split(spec.removeprefix("openai:"), KINDS[1])
    url, _, name = address.partition("#")
    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("http", "https") and parts.hostname
        parts.port  # noqa: B018 - reading it checks it
    except ValueError:
        sound, parts = False, urlsplit("")
    if not sound and "@" not in spec:
        raise BadRequest(f"No server in {spec!r}; --model takes {FORMS}.")
    if not sound or parts.password is not None or parts.username is not None:
        raise BadRequest(
            "The model's URL carries a user or password, which process lists and logs would show. "
            f"Put the key into {KEY_VARIABLE} and leave it out of the URL."
        )
    key = os.environ.get(KEY_VARIABLE, "").strip()
    return OpenAIServer(url, name, key, **settings), settings


def _file(spec: str) -> tuple[LanguageModel, dict[str, Any]]:
    name, settings = split(spec, KINDS[0], lambda text: _path(text).is_file())
    path = _path(name)
    if path.suffix.lower() != ".gguf" and not path.is_file():
        raise BadRequest(f"No language model {spec!r}; --model takes {FORMS}.")
    from .llama.model import LlamaCpp

    return LlamaCpp(path, **settings), settings


def _path(text: str) -> Path:
    return Path(os.path.expanduser(text))  # unlike Path.expanduser it knows no failure
