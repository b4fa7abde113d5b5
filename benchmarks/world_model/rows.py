"""Records as rows of token trees: what prompts have in common is read once.

All prompts of a task begin alike (instruction, worked examples), many go on alike (passages, a
question and what was asked so far). A batch holds rows of one task: its beginning once, then each
row a tree, flattened, whose tokens see the beginning and their own ancestors.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

Tokens = NDArray[np.uint16]
Told = tuple[Tokens, tuple[tuple[Tokens, float], ...]]
"""A prompt and its replies with their shares."""


@dataclass
class Row:
    """A flattened tree of what follows the beginning.

    Args:
        tokens: (n,), parents before children.
        parents: (n,), -1 for those that follow the beginning.
        learned: places whose token is a reply's, and how much each counts; the score that predicts
            a token is its parent's.
        ends: places of the replies' last tokens, of the likeliest where there are several.
    """

    tokens: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    learned: dict[int, float] = field(default_factory=dict)
    ends: list[int] = field(default_factory=list)
    _children: dict[tuple[int, int], int] = field(default_factory=dict)

    def add(self, told: Told, start: int) -> None:
        """Put a record in, whose first `start` tokens are the beginning's."""
        prompt, said = told
        at = -1
        for token in prompt[start:].tolist():
            at = self._child(at, token)
        ends = []
        for reply, share in said:
            place = at
            for token in reply.tolist():
                place = self._child(place, token)
                self.learned[place] = self.learned.get(place, 0.0) + share
            ends.append((share, place))
        self.ends.append(max(ends)[1])

    def _child(self, parent: int, token: int) -> int:
        found = self._children.get((parent, token))
        if found is None:
            found = self._children[parent, token] = len(self.tokens)
            self.tokens.append(token)
            self.parents.append(parent)
        return found

    def more(self, told: Told, start: int) -> int:
        """How many tokens the record would add."""
        prompt, said = told
        at, new = -1, 0
        for token in prompt[start:].tolist():
            at = self._children.get((at, token), -2) if new == 0 else -2
            new += at == -2
        return new + sum(len(reply) for reply, _ in said)

    def depths(self) -> NDArray[np.int64]:
        """How far each token stands from the beginning's end: (n,)."""
        made = np.zeros(len(self.tokens), np.int64)
        for place, parent in enumerate(self.parents):
            made[place] = made[parent] + 1 if parent >= 0 else 0
        return made

    def sees(self) -> NDArray[np.bool_]:
        """Which tokens each one sees, itself among them: (n, n)."""
        made = np.zeros((len(self.tokens),) * 2, bool)
        for place, parent in enumerate(self.parents):
            if parent >= 0:
                made[place, : parent + 1] = made[parent, : parent + 1]
            made[place, place] = True
        return made


@dataclass(frozen=True)
class Batch:
    """Rows of one task.

    Args:
        task: its name.
        start: tokens of the beginning: (n_start,).
    """

    task: str
    start: Tokens
    rows: tuple[Row, ...]

    @property
    def size(self) -> int:
        """Tokens that are read."""
        return len(self.start) + sum(len(row.tokens) for row in self.rows)


def common_start(told: Sequence[Told]) -> int:
    """How many tokens all prompts begin with; at most all but the shortest one's last."""
    every = [prompt.tolist() for prompt, _ in told]
    same = zip(min(every), max(every), strict=False)
    return min(
        min(map(len, every)) - 1, len(list(takewhile(lambda both: both[0] == both[1], same)))
    )


def batches(task: str, told: Sequence[Told], row: int, size: int, longest: int) -> Iterator[Batch]:
    """Put records together, those that begin alike beside each other.

    Args:
        row: tokens of a row; more where one record has more, or several share what they have.
        size: tokens of a batch, its beginning not counted.
        longest: records with more tokens after their beginning are left out.
    """
    start = common_start(told)
    told = [one for one in told if len(one[0]) - start <= longest]
    ordered = sorted(told, key=lambda one: one[0].tolist())
    rows = sorted(_rows(ordered, start, row), key=lambda one: len(one.tokens))
    beginning, made = ordered[0][0][:start], list[Row]()
    for one in rows:
        if made and (len(made) + 1) * len(one.tokens) > size:
            yield Batch(task, beginning, tuple(made))
            made = []
        made.append(one)
    if made:
        yield Batch(task, beginning, tuple(made))


def _rows(ordered: Sequence[Told], start: int, most: int) -> Iterator[Row]:
    made = Row()
    for told in ordered:
        more, have = made.more(told, start), len(made.tokens)
        long = len(told[0]) - start
        shares = more <= long // 3
        if have and have + more > (max(most, min(3 * long, 2 * most)) if shares else most):
            yield made
            made = Row()
        made.add(told, start)
    if made.tokens:
        yield made
