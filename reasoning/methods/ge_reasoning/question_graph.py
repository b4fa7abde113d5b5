"""A question as a graph: triples whose ends may be variables (GE-Reasoning §3.1, §3.5)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ....kg.text.words import normal_form
from ...replies.triples import Slots

_VARIABLE = re.compile(r"[\[({<]?(?:([^\W\d_][^#:=]{0,40}?)\s*[:=]?\s*)?#\s?(\d{1,2})[\])}>]?")
_MARK = re.compile(r"#\s?\d")
_TYPE_WORDS = 3


class Variable(NamedTuple):
    """What is not known yet, as "person: #1" says it.

    Args:
        type: "person"; "" where the model names none.
    """

    number: int
    type: str = ""

    def __str__(self) -> str:
        return f"{self.type}: #{self.number}" if self.type else f"#{self.number}"


End = str | Variable


@dataclass(eq=False, slots=True)
class Edge:
    """A triple of a question's graph, and what became of it.

    Args:
        asked: it was answered, and that answer bound a variable.
        tries: how often it was asked.
    """

    head: End
    relation: str
    tail: End
    asked: bool = False
    tries: int = 0

    @property
    def variables(self) -> list[Variable]:
        """Its variables, one or two."""
        return [end for end in (self.head, self.tail) if isinstance(end, Variable)]

    def __str__(self) -> str:
        return f"⟨{self.head}; {self.relation}; {self.tail}⟩"


@dataclass
class QuestionGraph:
    """The triples of a question, and what its variables are bound to.

    Attributes:
        values: of the variables that are bound, by number.
        dropped: triples that are none, hold no variable, or stand there twice.
    """

    edges: list[Edge] = field(default_factory=list)
    values: dict[int, str] = field(default_factory=dict)
    dropped: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, told: Sequence[Slots], malformed: int = 0) -> "QuestionGraph":
        """Make the graph of triples as they were told (§3.1).

        Args:
            malformed: lines beside them that were no triples.
        """
        graph, seen = cls(), set[tuple[object, ...]]()
        lost = dict.fromkeys(("malformed", "without a variable", "repeated"), 0)
        lost["malformed"] = malformed
        for slots in told:
            head, tail = _end(slots.head), _end(slots.tail)
            if head is None or tail is None or _MARK.search(slots.relation) or _same(head, tail):
                lost["malformed"] += 1
                continue
            edge = Edge(head, slots.relation, tail)
            key = (_key(head), normal_form(slots.relation), _key(tail))
            if not edge.variables:
                lost["without a variable"] += 1
            elif key in seen:
                lost["repeated"] += 1
            else:
                seen.add(key)
                graph.edges.append(edge)
        graph.dropped = {why: count for why, count in lost.items() if count}
        graph._name_types()
        return graph

    @property
    def usable(self) -> bool:
        """Whether a triple has exactly one variable, with which the loop can begin."""
        return any(len(edge.variables) == 1 for edge in self.edges)

    def open(self, meeting: bool) -> Iterator[tuple[Edge, Variable]]:
        """Give triples that may be asked, each with the variable that is asked for (C_x).

        That is the only one which is not bound.

        Args:
            meeting: also triples that were never answered and whose variables others have bound
                all: there two ways meet. It is asked for the tail then, as relations are worded.
        """
        for edge in self.edges:
            free = [one for one in edge.variables if one.number not in self.values]
            if len(free) == 1:
                yield edge, free[0]
            elif not free and meeting and not edge.asked:
                yield edge, edge.variables[-1]

    def shown(self, edge: Edge, asked: Variable) -> Edge:
        """Give a triple with what its other variable is bound to in its place."""
        ends = (
            end if end == asked or isinstance(end, str) else self.values[end.number]
            for end in (edge.head, edge.tail)
        )
        head, tail = ends
        return Edge(head, edge.relation, tail)

    def value(self, end: End) -> str:
        """Give what a variable is bound to, "" for nothing; a name is itself."""
        return end if isinstance(end, str) else self.values.get(end.number, "")

    def _name_types(self) -> None:
        """Let a variable have the same type everywhere: the first that is named."""
        types: dict[int, str] = {}
        for edge in self.edges:
            for one in edge.variables:
                types[one.number] = types.get(one.number) or one.type
        for edge in self.edges:
            edge.head, edge.tail = (
                end._replace(type=types[end.number]) if isinstance(end, Variable) else end
                for end in (edge.head, edge.tail)
            )


def _end(text: str) -> End | None:
    """A variable or a name; None for a name with a variable inside."""
    if found := _VARIABLE.fullmatch(text.strip()):
        kind = (found[1] or "").strip()
        return Variable(int(found[2]), kind) if len(kind.split()) <= _TYPE_WORDS else None
    return None if _MARK.search(text) or not normal_form(text) else text.strip()


def _key(end: End) -> object:
    return end.number if isinstance(end, Variable) else normal_form(end)


def _same(head: End, tail: End) -> bool:
    return _key(head) == _key(tail)
