"""Answers and hits as JSON, the same from command line and HTTP."""

from typing import TYPE_CHECKING, Any

from ..kg.answers import Answer
from .hits import Hit

if TYPE_CHECKING:
    from ..reasoning.retrieval import Retriever


def answer_json(answer: Answer) -> dict[str, Any]:
    """Return the object that `ask --json` prints."""
    return answer.to_dict()


def hits_json(question: str, retriever: "str | Retriever", hits: list[Hit]) -> dict[str, Any]:
    """Return the object that `search --json` prints; it names the retriever by its word."""
    if not isinstance(retriever, str):
        from ..reasoning.registry import word

        retriever = word(retriever)
    return {
        "question": question,
        "retriever": retriever,
        "passages": [hit.to_dict() for hit in hits],
    }
