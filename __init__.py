"""Hoptrail: questions that no single document answers, with the chain of evidence.

`from hoptrail import Hoptrail`
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .service import Hit, Hoptrail

__all__ = ["Hit", "Hoptrail"]


def __getattr__(name: str) -> object:
    """Load the class when it is asked for: importing a part of Hoptrail loads that part alone."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import service

    return getattr(service, name)
