"""What is computed of passages once and kept beside the graph, and can be made again."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from .types import Passage, Vector

if TYPE_CHECKING:
    from spacy.tokens import Doc

Progress = Callable[[int], None]
NoteKind = Literal["parse", "sentences"]


@dataclass(frozen=True)
class Noting:
    """How notes of a kind are made.

    Args:
        maker: what determines them, and their form in bytes.
        make: of passages with their parses, by passage id; calls back with how many more are done.
    """

    maker: Callable[[], str]
    make: "Callable[[Sequence[Passage], Sequence[Doc], Callable[[int], None]], Mapping[str, bytes]]"


@dataclass(frozen=True)
class Encoding:
    """How passages are encoded, and what of that is kept beside their vectors.

    Args:
        maker: what determines what is kept, and its form in bytes.
        encode: passages to float32 (n, d), unit length, and what is kept, by passage id; calls back
            with how many more are done.
    """

    maker: Callable[[], str]
    encode: Callable[[Sequence[Passage], Progress], tuple[Vector, Mapping[str, bytes]]]


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
