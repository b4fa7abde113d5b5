"""Hoptrail: questions that no single document answers, with the chain of evidence.

`from hoptrail import Hoptrail`
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .kg.answers import Answer
    from .kg.errors import HoptrailError
    from .kg.types import Document
    from .loaders import Options
    from .service import Hit, Hoptrail

    __version__: str

__all__ = ["Answer", "Document", "Hit", "Hoptrail", "HoptrailError", "Options", "__version__"]

_ROOMS = {
    "Answer": "kg.answers",
    "Document": "kg.types",
    "Hit": "service",
    "Hoptrail": "service",
    "HoptrailError": "kg.errors",
    "Options": "loaders",
}


def __getattr__(name: str) -> object:
    """Load a name when it is asked for: importing a part of Hoptrail loads that part alone."""
    if name == "__version__":
        from importlib.metadata import version

        return version("hoptrail")
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_ROOMS[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
