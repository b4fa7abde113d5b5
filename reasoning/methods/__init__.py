"""Methods of answering, one module each."""

from collections.abc import Collection
from typing import Protocol

from ...kg.types import Answer
from ..parts import Parts
from ..spec import parse
from .cot import ChainOfThought
from .direct import Direct
from .era_cot import EraCoT
from .flare import Flare
from .ircot import IRCoT
from .iter_retgen import IterRetGen
from .kgp import Kgp
from .rag import Rag
from .react import ReAct
from .running import OnStep
from .self_ask import SelfAsk
from .self_consistency import SelfConsistency
from .top_triples import TopTriples
from .trace import Trace


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


METHODS: dict[str, type[Method]] = {
    "trace": Trace,
    "direct": Direct,
    "rag": Rag,
    "cot": ChainOfThought,
    "self_consistency": SelfConsistency,
    "self_ask": SelfAsk,
    "ircot": IRCoT,
    "iter_retgen": IterRetGen,
    "react": ReAct,
    "flare": Flare,
    "top_triples": TopTriples,
    "era_cot": EraCoT,
    "kgp": Kgp,
}
"""By name; adding a method is one line."""


def method(spec: str, parts: Parts) -> Method:
    """The method of that name, with the settings the spec gives: "trace:reads=passages:beams=1".

    Raises:
        BadRequest: no such name or setting (the message lists those there are), a value that the
            setting does not take, or a method that takes a language model where there is none.
    """
    kind, settings = parse(spec, METHODS, "method")
    return kind(parts, **settings)
