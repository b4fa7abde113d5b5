"""Joining facts as a careful reader would, who now and then takes one for another."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from .phrasing import Query
from .world import Fact, bare

UNKNOWN = "unknown"


@dataclass(frozen=True)
class Judge:
    """Errs on a share of what it looks at: on the same for the same seed and question.

    So two methods that show it the same fact for the same question meet the same error.
    """

    noise: float = 0.0
    seed: int = 0
    question: str = ""

    def errs(self, *what: object) -> bool:
        return self.lot(*what) < self.noise

    def lot(self, *what: object) -> float:
        """From 0 to 1."""
        key = repr((self.seed, self.question, *what)).encode()
        return int.from_bytes(hashlib.blake2b(key, digest_size=7).digest(), "big") / 2**56


def same(one: str, other: str, facts: Sequence[Fact]) -> bool:
    """Whether two names mean the same as far as these facts tell.

    A name without a parenthesis may be any of its homonyms.
    """
    if one == other or (bare(one) == bare(other) and not ("(" in one and "(" in other)):
        return True
    return any(
        f.relation == "alias" and {bare(f.head), f.tail} == {bare(one), bare(other)} for f in facts
    )


@dataclass(frozen=True)
class Followed:
    """How far facts lead: `end` of all relations, or the fact needed next.

    Args:
        by: the facts that led there, with those that say that two names mean the same.
    """

    end: str = ""
    needed: tuple[str, str] | None = None
    by: tuple[Fact, ...] = ()


def follow(facts: Sequence[Fact], name: str, path: Sequence[str], judge: Judge) -> Followed:
    """From a name along relations; of several facts that seem to fit one is taken by lot."""
    by: list[Fact] = []
    for hop, relation in enumerate(path):
        seeming = [
            fact
            for fact in facts
            if fact.relation == relation
            and same(fact.head, name, facts) != judge.errs("follow", hop, fact)
        ]
        if not seeming:
            return Followed(needed=(name, relation), by=tuple(by))
        taken = min(seeming, key=lambda fact: judge.lot("take", hop, fact))
        by += [*_naming(name, taken.head, facts), taken]
        name = taken.tail
    return Followed(end=name, by=tuple(by))


def _naming(name: str, head: str, facts: Sequence[Fact]) -> list[Fact]:
    """The fact that one is an alias of the other, if they are called differently."""
    if bare(name) == bare(head):
        return []
    both = {bare(name), bare(head)}
    return [f for f in facts if f.relation == "alias" and {bare(f.head), f.tail} == both][:1]


def concluded(query: Query, facts: Sequence[Fact], judge: Judge) -> str:
    """The answer these facts give, or "unknown"."""
    ends = [follow(facts, name, path, judge).end for name, path in query.branches]
    if not all(ends):
        return UNKNOWN
    if query.verdict == "claim":
        return "supported" if same(ends[0], query.told, facts) else "refuted"
    if query.verdict == "same":
        return "yes" if ends[0] == ends[1] else "no"
    if query.verdict == "shared":
        return bare(ends[0]) if ends[0] == ends[1] else UNKNOWN
    if query.verdict == "earlier":
        name, path = query.branches[ends[0] > ends[1]]
        return bare(follow(facts, name, path[:-1], judge).end)
    return bare(ends[0])
