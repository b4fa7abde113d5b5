"""Methods of answering, one module or folder each."""

from collections.abc import Collection
from dataclasses import asdict, fields, replace
from typing import ClassVar, Protocol

from ...kg.answers import Answer
from ...kg.errors import BadRequest
from ...models.language import LanguageModel
from ..registry import METHODS, parse, settings_of, validate, word
from ..retrieval import AnyRetriever
from ..session.budget import UNLIMITED, Budget
from ..session.copies import cited_once
from ..session.parts import Parts
from ..session.session import Session
from ..session.steps import OnStep

__all__ = ["METHODS", "Method", "answer", "check", "configured", "retriever_of", "settings"]


class Method(Protocol):
    """A frozen dataclass whose fields are hyperparameters, the paper's values by default.

    One that does without a language model says so: its `needs_model` is False. One that takes a
    retriever of its own where no other is chosen names it: `retriever = "rgnn"`. One that asks for
    Wikidata's statements itself says `asks_claims = True`: to it they are no passages.
    """

    name: ClassVar[str]
    """The word by which the registry knows it."""

    def answer(self, session: Session) -> Answer:
        """Answer the session's question.

        Raises:
            BadRequest, EmptyGraph: as `Session.retrieve`.
            ModelMissing, ModelUnavailable: as `LanguageModel.generate`.
        """
        ...


def configured(
    method: "str | Method | type[Method]", budget: Budget = UNLIMITED
) -> tuple[Method, Budget]:
    """Make the method of a word such as "trace:reads=passages:max_calls=9", and its budget.

    Args:
        method: or the method itself, or its class, which stands for its defaults.
        budget: what the word does not limit.

    Raises:
        BadRequest: no such name or setting (the message lists those there are), or a value that the
            setting does not take.
    """
    if isinstance(method, type):
        method = method()
    if not isinstance(method, str):
        if not callable(getattr(method, "answer", None)):
            raise BadRequest(f"{method!r} is no method; give its name, or one such as Rag().")
        return method, budget
    kind, given = parse(method, METHODS, "method", also=Budget)
    limits = {f.name: given.pop(f.name) for f in fields(Budget) if f.name in given}
    return kind(**given), Budget(**(asdict(budget) | limits))


def retriever_of(method: Method, chosen: AnyRetriever | None, default: str) -> AnyRetriever:
    """Tell which retriever a method runs on: the one chosen, else its own, else the default."""
    return chosen or getattr(method, "retriever", default)


def check(method: Method, model: LanguageModel | None) -> None:
    """Refuse a method that could not answer.

    Raises:
        BadRequest: a hyperparameter is out of its range, or it takes a language model and there is
            none.
    """
    validate(method)
    if model is None and getattr(method, "needs_model", True):
        raise BadRequest(
            f"{word(method)} takes a language model: set --model (or HOPTRAIL_MODEL), or choose a "
            "method that does without: trace or semi_structured."
        )


def answer(
    method: str | Method | type[Method],
    parts: Parts,
    question: str,
    *,
    within: Collection[str] | None = None,
    options: tuple[str, ...] = (),
    budget: Budget = UNLIMITED,
    on_step: OnStep = lambda step: None,
) -> Answer:
    """Answer a question by a method; see `configured` and `Session` for the arguments.

    Raises:
        BadRequest: as `configured`, `check` and `Method.answer`.
        EmptyGraph, ModelMissing, ModelUnavailable: as `Method.answer`.
    """
    made, budget = configured(method, budget)
    check(made, parts.model)
    asks_claims = getattr(made, "asks_claims", False)
    session = Session(parts, question, made.name, within, options, budget, on_step, asks_claims)
    answered = made.answer(session)
    cited = cited_once(parts.graph, answered.passages, session.near, within)
    return replace(answered, passages=cited)


def settings(method: Method, budget: Budget) -> dict[str, object]:
    """Tell what a method and its budget are set to, by name, for manifests."""
    return settings_of(method) | asdict(budget)
