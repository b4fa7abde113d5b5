"""What is computed of passages once and kept beside the graph, and can be made again."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from .types import Passage

if TYPE_CHECKING:
    from spacy.tokens import Doc

Progress = Callable[[int], None]
NoteKind = Literal["parse"]


@dataclass(frozen=True)
class Noting:
    """How notes of a kind are made.

    Args:
        maker: what determines them, and their form in bytes.
        make: of passages with their parses, by passage id; calls back with how many more are done.
    """

    maker: Callable[[], str]
    make: "Callable[[Sequence[Passage], Sequence[Doc], Callable[[int], None]], Mapping[str, bytes]]"


class NotedPassages(Protocol):
    """A graph whose notes can be read."""

    def noted(self, kind: NoteKind, maker: str, passage_ids: Collection[str]) -> dict[str, bytes]:
        """Return what this maker computed of passages and `note` kept, by passage id."""
        ...


class KeepsNotes(Protocol):
    """A graph that keeps notes."""

    def note(self, kind: NoteKind, maker: str, values: Mapping[str, bytes]) -> None:
        """Keep what was computed of passages, by passage id, in place of what another maker made.

        It goes with its passage, and is neither copied nor exported.
        """
        ...
