"""Hits as JSON, the same from command line, HTTP and MCP."""

from typing import TYPE_CHECKING, Any

from .hits import Hit

if TYPE_CHECKING:
    from ..reasoning.retrieval import Retriever


def hits_json(question: str, retriever: "str | Retriever", hits: list[Hit]) -> dict[str, Any]:
    """Return the object that `search --json` prints; it names the retriever by its word."""
    if not isinstance(retriever, str):
        from ..reasoning.registry import word

        retriever = word(retriever)
    return {
        "question": question,
        "retriever": retriever,
        "passages": [
            {**hit.to_dict(), "sentences": [one.to_dict() for one in hit.sentences(question)]}
            for hit in hits
        ],
    }
