"""Methods of answering, one module each."""

from ..parts import Parts
from ..spec import parse
from .trace import Trace

METHODS: dict[str, type[Trace]] = {"trace": Trace}
"""By name; adding a method is one line."""


def method(spec: str, parts: Parts) -> Trace:
    """The method of that name, with the settings the spec gives: "trace:reads=passages:beams=1".

    Raises:
        BadRequest: no such name or setting (the message lists those there are), or a value that the
            setting does not take.
    """
    kind, settings = parse(spec, METHODS, "method")
    return kind(parts, **settings)
