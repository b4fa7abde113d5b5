"""IIRC: a passage with links, and questions that it answers only together with linked articles.

pid, title, text, links [{target, indices}], questions [{qid, question, context [{passage, text}],
answer {type, answer_spans [{text}], answer_value, answer_unit}}]; a context's passage is "main" or
the title of an article. The articles are in context_articles.json: {title: text}.
"""

import html
import re
from collections.abc import Iterator

from ..records import Record, quoted
from . import parts
from .question import Paragraph, Question

ARTICLES = "context_articles.json"
_TAG = re.compile(r"<[^<>]*>")


def questions(record: Record) -> Iterator[Question]:
    """Read the questions of a passage, without those of type "bad", as the official scripts do.

    Raises:
        SourceError: a field is missing or of the wrong kind.
    """
    title, text = record.text("title", ""), plain(record.text("text"))
    links = tuple(dict.fromkeys(link.text("target") for link in record.inner("links")))
    for asked in record.inner("questions"):
        answer = parts.inner(asked, "answer") if "answer" in asked.data else None
        kind = answer.text("type") if answer else ""
        if kind == "bad":
            continue
        spans = tuple(_spans(answer)) if answer else ()
        places = [piece.text("passage") for piece in asked.inner("context")]
        sources = dict.fromkeys(place for place in places if place != "main")
        yield Question(
            id=asked.text("qid", "") or asked.place,
            question=asked.text("question"),
            answer=", ".join(spans),
            aliases=_bare(answer) if answer and kind == "value" else (),
            type=kind,
            hops=0,
            paragraphs=(Paragraph(title, text, "main" in places),),
            evidences=(),
            answerable=kind != "none",
            dataset="iirc",
            spans=spans if len(spans) > 1 else (),
            documents=links,
            sources=tuple(sources),
        )


def plain(text: str) -> str:
    """Strip an article's text of its tags (links, mostly); line breaks stay."""
    return html.unescape(_TAG.sub("", text)).strip()


def _spans(answer: Record) -> Iterator[str]:
    """One, but for an answer of several spans; none where there is no answer."""
    kind = answer.text("type")
    if kind == "span":
        yield from (span.text("text") for span in answer.inner("answer_spans"))
    elif kind in ("value", "binary"):
        unit = answer.text("answer_unit", "") if kind == "value" else ""
        yield f"{answer.text('answer_value')} {unit}".strip()
    elif kind != "none":
        expected = "span, value, binary or none"
        raise answer.error(f"field 'type' must be {expected}, not {quoted(kind)}")


def _bare(answer: Record) -> tuple[str, ...]:
    """The number alone, which is all that the official script wants."""
    return (answer.text("answer_value"),) if answer.text("answer_unit", "") else ()
