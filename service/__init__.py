"""Composition root: `from hoptrail.service import Hoptrail`."""

from .hoptrail import Hit, Hoptrail

__all__ = ["Hit", "Hoptrail"]
