"""Short answers without a language model: rules, scored and judged candidates, confidence."""

from .notes import Notes
from .pages import ReaderPassage
from .reader import Parse, Reader, Reading
from .weights import Weights

__all__ = ["Notes", "Parse", "Reader", "ReaderPassage", "Reading", "Weights"]
