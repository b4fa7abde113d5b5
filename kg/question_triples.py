"""The graph of a question as it was asked: triples with variables, and what these were bound to."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any

from .text.words import normal_form

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class QuestionTriple:
    """A triple of a question's graph (GE-Reasoning §3.1), with what was asked for it.

    Args:
        head: as the model wrote it; a variable reads "person: #1".
        relation: as the model wrote it.
        tail: as head.
        head_value: what the variable there was bound to, "" for a name and for nothing.
        tail_value: as head_value.
        sub_question: that was put last, "" where it was not asked.
        sub_answer: that was given to it, "" for none.
        confidence: of that, 0 to 1; None where nothing was answered.
        kept: the answer was taken, and bound a variable.
        tries: how often it was asked.
        triples: ids of those that the answer was read from.
        passages: ids of those that state these, or that it was read from.
    """

    head: str
    relation: str
    tail: str
    head_value: str = ""
    tail_value: str = ""
    sub_question: str = ""
    sub_answer: str = ""
    confidence: float | None = None
    kept: bool = False
    tries: int = 0
    triples: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The triple with its variables."""
        return f"⟨{self.head}; {self.relation}; {self.tail}⟩"


def asked_rows(asked: Iterable[QuestionTriple]) -> list[Row]:
    """Give question triples as records have them: (order, head, …, tries)."""
    return [(place, *astuple(one)[:-2]) for place, one in enumerate(asked)]


def link_rows(asked: Iterable[QuestionTriple]) -> list[tuple[int, str, int, str]]:
    """Give what they lead to: (order, "triple", "passage", "head" or "tail", rank, id).

    The last two lead to the entity that the variable there was bound to.
    """
    found: list[tuple[int, str, int, str]] = []
    for place, one in enumerate(asked):
        ends = {"head": one.head_value, "tail": one.tail_value}
        found += [(place, end, 0, normal_form(value)) for end, value in ends.items() if value]
        for kind, ids in (("passage", one.passages), ("triple", one.triples)):
            found += [(place, kind, rank, id_) for rank, id_ in enumerate(ids)]
    return sorted(found)


def of_rows(
    asked: Iterable[Sequence[Any]], links: Iterable[Sequence[Any]]
) -> tuple[QuestionTriple, ...]:
    """Make question triples of what a store holds, in its order."""
    led: dict[tuple[int, str], list[str]] = defaultdict(list)
    for place, kind, _, id_ in links:
        led[place, kind].append(id_)
    return tuple(
        replace(
            QuestionTriple(*row[1:]),
            triples=tuple(led[row[0], "triple"]),
            passages=tuple(led[row[0], "passage"]),
        )
        for row in asked
    )
