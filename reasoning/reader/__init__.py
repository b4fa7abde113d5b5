"""Short answers without a language model: rules, scored and judged candidates, confidence."""

from .judging.weights import Weights
from .notes import Notes
from .pages import ReaderPassage
from .reader import Parse, Reader, Reading

__all__ = ["Notes", "Parse", "Reader", "ReaderPassage", "Reading", "Weights"]
