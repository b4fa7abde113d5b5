"""Answers and hits as JSON, the same from command line, HTTP and MCP."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ..kg.answers import Answer
from ..kg.text.marking import Excerpt
from .evidence import sentences
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
                        "head_id": s.triple.head_id,
                        "tail_id": s.triple.tail_id,
                        "passage_ids": list(s.passage_ids),
                        "stated": [
                            {"passage_id": found.passage.passage_id, **quote_json(found.quote)}
                            for found in sentences(s, answer)
                        ],
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
                "document_id": p.document_id,
                "position": p.position,
                "source": p.source,
                "also": [asdict(copy) for copy in p.also],
            }
            for p in answer.passages
        ],
        "quote": asdict(answer.quote) if answer.quote else None,
        "missing": answer.missing or None,
        "steps": [asdict(step) for step in answer.steps],
        "usage": dict(answer.usage),
        "created_at": answer.created_at,
    }


def quote_json(quote: Excerpt) -> dict[str, Any]:
    """Return a sentence: its characters [start, end) of the passage's text, and those to mark."""
    return {
        "sentence": quote.text,
        "start": quote.start,
        "end": quote.end,
        "marked": [list(span) for span in quote.marked],
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
                "source": hit.source,
                "sentences": [quote_json(quote) for quote in hit.sentences(question)],
                "also": [asdict(copy) for copy in hit.also],
            }
            for hit in hits
        ],
    }
