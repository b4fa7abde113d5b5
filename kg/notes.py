"""What is computed of passages once and kept beside the graph, and can be made again."""

from collections.abc import Collection, Mapping
from typing import Literal, Protocol

NoteKind = Literal["parse", "sentences"]
"""A passage's parse; the vectors of its sentences."""


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
