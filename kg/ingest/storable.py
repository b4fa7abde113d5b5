"""Documents that no graph can hold, told as a source that could not be read; the others go on."""

import json
from collections.abc import Mapping
from typing import Any

from ..text.words import clean, encodable
from ..types import Document, Failure
from .spaced import spaced

MOST_SHOWN = 60  # characters of a value


def storable(item: Document | Failure) -> Document | Failure:
    """Return a document that a graph can hold, with ordinary blanks, else why none can."""
    if isinstance(item, Failure):
        return item
    if not (reason := _wrong(item)):
        return spaced(item)
    source = item.source if isinstance(item.source, str) and item.source else str(item.id)
    return Failure(clean(source), clean(f"document {item.id!r}: {reason}"))


def _wrong(document: Document) -> str:
    """Say what is wrong with a document, "" for nothing."""
    for name in ("id", "title", "text", "source"):
        value: object = getattr(document, name)
        if not isinstance(value, str):
            return f"its {name} is {_shown(value)}, not a text"
        if not encodable(value):
            return f"its {name} holds half of a surrogate pair, which no graph can keep; replace it"
    if not document.id:
        return "its id is empty"
    metadata: object = document.metadata
    if not isinstance(metadata, Mapping):
        return f"its metadata are {_shown(metadata)}, not a mapping"
    if _is_json(metadata):
        return ""
    for name, value in metadata.items():
        if not isinstance(name, str):
            return f"a name in its metadata is {_shown(name)}, not a text"
        if not _is_json({name: value}):
            return (
                f"its metadata {name!r} is {_shown(value)}, which JSON has not; give a text, a "
                "number, true or false, or a list of these"
            )
    return "its metadata are no JSON"


def _is_json(value: Mapping[Any, object]) -> bool:
    """Whether JSON in UTF-8 holds it: no date, no NaN, no half of a surrogate pair."""
    try:
        text = json.dumps(dict(value), allow_nan=False, ensure_ascii=False, sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        return False
    return encodable(text) and all(isinstance(name, str) for name in value)


def _shown(value: object) -> str:
    try:
        said = repr(value)
    except Exception:  # noqa: BLE001 - whatever it is, it is another's
        said = ""
    return said if 0 < len(said) <= MOST_SHOWN else f"of type {type(value).__name__}"
