"""Answers and hits as JSON, the same from command line, HTTP and MCP."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ..kg.answers import Answer
from .hits import Hit

if TYPE_CHECKING:
    from ..reasoning.retrieval import Retriever


def answer_json(answer: Answer) -> dict[str, Any]:
    """Return the object that `ask --json` prints."""
    return {
        "id": answer.id,
        "question": answer.question,
        "method": answer.method,
        "model": answer.model or None,
        "answer": answer.text,
        "abstained": answer.abstained,
        "confidence": answer.confidence,
        "candidates": [{"text": text, "probability": p} for text, p in answer.candidates],
        "chains": [
            {
                "score": chain.score,
                "triples": [
                    {
                        "id": s.triple.id,
                        "head": s.triple.head,
                        "relation": s.triple.relation,
                        "tail": s.triple.tail,
                        "passage_ids": list(s.passage_ids),
                    }
                    for s in chain.triples
                ],
            }
            for chain in answer.chains
        ],
        "passages": [
            {
                "id": p.passage_id,
                "title": p.title,
                "heading": p.heading,
                "page": p.page,
                "text": p.text,
                "votes": p.votes,
                "score": p.score,
                "also": [asdict(copy) for copy in p.also],
            }
            for p in answer.passages
        ],
        "quote": asdict(answer.quote) if answer.quote else None,
        "missing": answer.missing or None,
        "steps": [asdict(step) for step in answer.steps],
        "usage": dict(answer.usage),
    }


def hits_json(question: str, retriever: "str | Retriever", hits: list[Hit]) -> dict[str, Any]:
    """Return the object that `search --json` prints; it names the retriever by its word."""
    if not isinstance(retriever, str):
        from ..reasoning.registry import word

        retriever = word(retriever)
    return {
        "question": question,
        "retriever": retriever,
        "passages": [
            {
                "id": hit.passage.id,
                "title": hit.passage.title,
                "heading": hit.passage.heading,
                "page": hit.passage.page,
                "text": hit.passage.text,
                "score": hit.score,
                "document_id": hit.passage.document_id,
                "position": hit.passage.position,
                "also": [asdict(copy) for copy in hit.also],
            }
            for hit in hits
        ],
    }
