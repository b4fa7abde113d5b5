"""A language model from what --model and HOPTRAIL_MODEL say."""

import os
from pathlib import Path
from urllib.parse import urlsplit

from ..kg.errors import BadRequest
from .cache import Cached, Responses, default_folder
from .concurrency import IN_FLIGHT
from .language import LanguageModel

FORMS = "file.gguf, openai:http://localhost:8080/v1#name, or none"
OFF = ("", "none")


def open_model(spec: str | None) -> LanguageModel | None:
    """Make the model that a word names, not loaded yet; None for none.

    Its responses are cached in HOPTRAIL_CACHE (a folder; "none" for no cache). With HOPTRAIL_REPLAY
    set it answers from there alone. The key of a server comes from HOPTRAIL_API_KEY.

    Raises:
        BadRequest: nothing of these, or HOPTRAIL_REPLAY without a cache.
    """
    spec = (spec or "").strip()
    if spec.lower() in OFF:
        return None
    served = spec.startswith("openai:")
    model = _server(spec) if served else _file(spec)
    replay = os.environ.get("HOPTRAIL_REPLAY", "") not in ("", "0")
    if os.environ.get("HOPTRAIL_CACHE", "").lower() == "none":
        if replay:
            raise BadRequest(
                "HOPTRAIL_REPLAY answers from the cache, which HOPTRAIL_CACHE=none is not."
            )
        return model
    responses = Responses(default_folder() / "responses.db")
    if served:
        return Cached(model, responses, replay, spec, IN_FLIGHT)
    return Cached(model, responses, replay)  # known by its name: the file may lie elsewhere


def _server(spec: str) -> LanguageModel:
    from .server.model import OpenAIServer
    from .server.requests import KEY_VARIABLE

    url, _, name = spec.removeprefix("openai:").partition("#")
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
    return OpenAIServer(url, name, os.environ.get(KEY_VARIABLE, "").strip())


def _file(spec: str) -> LanguageModel:
    path = Path(os.path.expanduser(spec))  # unlike Path.expanduser it knows no failure
    if path.suffix.lower() != ".gguf" and not path.is_file():
        raise BadRequest(f"No language model {spec!r}; --model takes {FORMS}.")
    from .llama.model import LlamaCpp

    return LlamaCpp(path)
