"""A made-up world with documents, questions and a symbolic reader: where methods are tested.

Nothing in it is true, so that no model can know it: what a method answers, it has found.
"""

from .documents import Page, pages
from .graph import fill
from .language import LANGUAGE, Language
from .names import NAMES, Names
from .personas import chatty, thoughtful
from .questions import KINDS, Question, questions
from .reader import SymbolicReader
from .world import Fact, World

__all__ = [
    "KINDS",
    "LANGUAGE",
    "NAMES",
    "Fact",
    "Language",
    "Names",
    "Page",
    "Question",
    "SymbolicReader",
    "World",
    "chatty",
    "fill",
    "pages",
    "questions",
    "thoughtful",
]
