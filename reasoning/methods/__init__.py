"""Methods of answering, one module each."""

from collections.abc import Collection
from typing import Protocol

from ...kg.answers import Answer
from ..registry import METHODS, parse
from ..session.budget import OnStep
from ..session.parts import Parts

__all__ = ["METHODS", "Method", "method"]


class Method(Protocol):
    """A frozen dataclass: `parts` first, then hyperparameters, the paper's values by default."""

    def answer(
        self,
        question: str,
        within: Collection[str] | None = None,
        on_step: OnStep = lambda step: None,
    ) -> Answer:
        """Answer from the whole graph, or `within` passages.

        Args:
            on_step: called after every step, as it happens.

        Raises:
            As `Parts.retrieve` and, with a language model, `LanguageModel`.
        """
        ...


def method(spec: str, parts: Parts) -> Method:
    """The method of that name, with the settings the spec gives: "trace:reads=passages:beams=1".

    Raises:
        BadRequest: no such name or setting (the message lists those there are), a value that the
            setting does not take, or a method that takes a language model where there is none.
    """
    kind, settings = parse(spec, METHODS, "method")
    return kind(parts, **settings)
