"""A question's own graph in the Neo4j graph: the nodes under an answer, and back."""

from collections.abc import Iterable
from typing import Any

from ..question_triples import QuestionTriple
from ..text.words import stable_id
from . import rows
from .server import Row, Statements

LINKS = {
    "triple": "answers/asked_triples",
    "passage": "answers/asked_passages",
    "head": "answers/asked_entities",
    "tail": "answers/asked_entities",
}
"""Statements that tie a triple of a question's own graph, by the kind of its link."""


def write_asked(
    run: Statements, answer_id: str, asked: Iterable[Iterable[Any]], links: Iterable[Iterable[Any]]
) -> None:
    """Write a question's own graph, of what records have of it."""
    run.chunked("answers/asked", _nodes(answer_id, asked), id=answer_id)
    for statement, listed in _links(answer_id, links).items():
        run.chunked(statement, listed)


def _nodes(answer_id: str, asked: Iterable[Iterable[Any]]) -> list[Row]:
    """Make the properties of the nodes of a question's own graph, of what records have."""
    found = []
    for order, *slots in asked:
        held: Row = dict(zip(rows.ASKED, slots, strict=True))
        one = QuestionTriple(**held)
        properties = {"id": _id(answer_id, order), **rows.called(one.text), **held}
        found.append({"order": order, "properties": properties})
    return found


def _id(answer_id: str, order: int) -> str:
    """Make the id of a triple of the question's own graph, by its place."""
    return stable_id("question triple", answer_id, str(order))


def _links(answer_id: str, links: Iterable[Iterable[Any]]) -> dict[str, list[Row]]:
    """Make the rows of the statements that tie these nodes, by statement, of what records have."""
    found: dict[str, list[Row]] = {name: [] for name in LINKS.values()}
    for order, kind, rank, id_ in links:
        row = {"kind": kind, "rank": rank, "id": id_}
        own = {"question_triple_id": _id(answer_id, order)}
        found[LINKS[kind]].append(row | own)
    return found
