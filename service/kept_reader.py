"""The reader of a Hoptrail object, kept for its life with what it needs again."""

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from ..kg.store import GraphStore
from ..models.parser import Pipeline

if TYPE_CHECKING:
    from ..reasoning.reader import Notes, Reader
    from ..reasoning.retrieval import Retriever


class KeptReader:
    """One reader for all questions and threads, made at first use.

    Args:
        weights: a file of them; None takes the packaged ones.
    """

    def __init__(self, store: GraphStore, parser: Pipeline, weights: str | Path | None) -> None:
        self._store, self._parser, self._weights = store, parser, weights
        self._made: tuple[Reader, Notes] | None = None
        self._making = threading.Lock()

    @property
    def reader(self) -> "Reader":
        """The reader."""
        return self._get()[0]

    def warm(self) -> None:
        """Load its models now."""
        self.reader.load()

    def keep_new(self, retriever: "Retriever") -> None:
        """Store what was computed of passages since with the graph, also what a hop computed."""
        from ..models.sentences import encodes_parts, maker
        from ..reasoning.retrieval import Hop

        if new := self._get()[1].take():
            self._store.note("parse", self._parser.maker, new)
        if isinstance(retriever, Hop) and retriever.made and encodes_parts(retriever.encoder):
            self._store.note("sentences", maker(retriever.encoder), dict(retriever.made))
            retriever.made.clear()

    def _get(self) -> "tuple[Reader, Notes]":
        from ..reasoning.reader import Notes, Reader, Weights

        with self._making:
            if self._made is None:
                weights = Weights.load(Path(self._weights)) if self._weights else None
                notes = Notes(self._store, self._parser)
                self._made = Reader(self._parser, weights, notes), notes
            return self._made
