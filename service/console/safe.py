"""Texts made safe for a terminal, whoever wrote them."""

import functools
import json
import math
import os
import re

_STEERING = (
    "\\x7f-\\x9f"  # DEL and C1: U+009B begins a sequence as ESC [ does
    "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u206f"  # directions
    "\\ud800-\\udfff"  # halves of surrogate pairs: no text
)
_UNPRINTABLE = re.compile(rf"[\x00-\x08\x0b-\x1f{_STEERING}]")
_UNWRITTEN = re.compile(rf"[{_STEERING}\u2028\u2029]")


def is_dumb() -> bool:
    """Tell whether the terminal says that it can't show anything but text."""
    return os.environ.get("TERM") == "dumb"


def printable(text: str) -> str:
    """Replace what would steer a terminal: control and direction characters become "�"."""
    return _UNPRINTABLE.sub("\ufffd", text)


def in_a_line(text: str) -> str:
    """Make a text printable in one line: a document's can't pass for one of this program."""
    return printable(" ".join(text.split()))


def as_json(value: object, *, ascii_only: bool = False, indent: int | None = None) -> str:
    """Write JSON that is safe in a terminal: what would steer one stands there as an escape.

    JSON has no NaN and no infinity; these are null.
    """
    written = functools.partial(
        json.dumps, ensure_ascii=ascii_only, default=list, indent=indent, allow_nan=False
    )
    try:
        text = written(value)
    except ValueError:  # of an older graph
        text = written(_finite(value))
    if text.isascii() and "\x7f" not in text:
        return text
    return _UNWRITTEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return list(map(_finite, value)) if isinstance(value, list | tuple | set) else value
