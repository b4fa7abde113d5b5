"""Short answers without a language model: rules, scored candidates, calibrated confidence."""

from .pages import ReaderPassage
from .reader import Reader, Reading
from .weights import Weights

__all__ = ["Reader", "ReaderPassage", "Reading", "Weights"]
