"""What the rules yield, and which of it is fit to be a triple."""

import re
from typing import NamedTuple

from .mentions import ASIDE
from .reading import Argument

LONGEST_HEAD, LONGEST_TAIL, LONGEST_RELATION = 90, 120, 80  # characters
_MEANT = re.compile(r"[^\W_]")
_LETTER = re.compile(r"[^\W\d_]")


class Fact(NamedTuple):
    """⟨head; relation; tail⟩ with where it stands.

    Args:
        tied: the relation is a guess from the words between.
    """

    head: Argument
    relation: str
    tail: Argument
    tied: bool = False

    @property
    def tokens(self) -> tuple[int, int]:
        """Return the tokens [start, end) from the first to the last word of its arguments."""
        return min(self.head.start, self.tail.start), max(self.head.end, self.tail.end)


def fact(head: Argument | None, relation: str, tail: Argument | None) -> Fact | None:
    """Make a fact, unless a part is missing, empty or overlong, or its ends are the same."""
    relation = " ".join(relation.split()).strip(" ,-")
    if head is None or tail is None or not relation or head.text.lower() == tail.text.lower():
        return None
    if (
        len(head.text) > LONGEST_HEAD
        or len(tail.text) > LONGEST_TAIL
        or len(relation) > LONGEST_RELATION
    ):
        return None
    if not _LETTER.search(head.text) or not _MEANT.search(tail.text):
        return None
    if ASIDE.fullmatch(head.text) or ASIDE.fullmatch(tail.text):
        return None
    return Fact(head, relation, tail)
