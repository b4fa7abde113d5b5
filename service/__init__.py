"""Composition root: `from hoptrail.service import Hoptrail`."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .hits import Hit
    from .hoptrail import Hoptrail

__all__ = ["Hit", "Hoptrail"]


def __getattr__(name: str) -> object:
    """Load the class when it is asked for: the program listens for Ctrl-C before it loads numpy."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import hoptrail

    return getattr(hoptrail, name)
