"""Models in one word: `file.gguf:context=16384:threads=8`, `openai:URL#name:top=42`."""

import re
from collections.abc import Callable
from dataclasses import fields
from typing import Any

from ..kg.spelling import add_setting, said, setting_types

GIVEN = frozenset({"path", "url", "model", "key", "requests"})
"""What a model is made of rather than set to."""
KINDS = ("file.gguf", "openai:URL#name")
_SETTING = re.compile(r"\s*(?:adapters\s*=.*|[A-Za-z_]\w*\s*=[^/\\#?]*)")  # a folder has slashes


def kind_of(form: str) -> type[Any]:
    """Import the class of a form of `KINDS`."""
    if form == KINDS[0]:
        from .llama.model import LlamaCpp

        return LlamaCpp
    from .server.model import OpenAIServer

    return OpenAIServer


def split(
    spec: str, form: str, whole: Callable[[str], bool] = lambda text: False
) -> tuple[str, dict[str, Any]]:
    """Take the settings off the end of a model's word, and give them by name.

    Paths, addresses and names of models hold colons, too: only what looks like `name=value` is a
    setting, and only behind all that does not.

    Args:
        form: of `KINDS`.
        whole: tells of a text that it is no word with settings, such as a file that is there.

    Raises:
        BadRequest: an unknown setting (the message lists those there are), one given twice, or a
            value of the wrong type.
    """
    rest, found = spec, list[str]()
    while ":" in rest and not whole(rest):
        before, _, last = rest.rpartition(":")
        if not _SETTING.fullmatch(last):
            break
        rest, found = before, [last, *found]
    values: dict[str, Any] = {}
    if found:
        types = setting_types(kind_of(form), GIVEN)
        for setting in found:
            add_setting(setting, types, values, form)
    return rest, values


def defaults(form: str) -> dict[str, str]:
    """Tell the settings of a form of `KINDS`, in their order, each with its default as spelt."""
    kind = kind_of(form)
    types = setting_types(kind, GIVEN)
    made = {field.name: field.default for field in fields(kind)}
    return {name: said(made[name]) for name in types}


def word(settings: dict[str, Any]) -> str:
    """Spell settings as they follow a model: `:context=16384:threads=8`; "" for none."""
    return "".join(f":{name}={said(value)}" for name, value in sorted(settings.items()))
