"""What ingestion notes of passages already, for the questions that will read them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ...kg.notes import NoteKind, Noting, Progress
from ...kg.types import Passage
from .notes import Parser

if TYPE_CHECKING:
    from spacy.tokens import Doc


def notings(parser: Parser) -> dict[NoteKind, Noting]:
    """Give what `Notes` will look for: parses."""
    return {"parse": Noting(lambda: parser.maker, _Parses(parser))}


class _Parses:
    def __init__(self, parser: Parser) -> None:
        self._parser = parser

    def __call__(
        self, passages: Sequence[Passage], docs: "Sequence[Doc]", progress: Progress
    ) -> Mapping[str, bytes]:
        notes = {p.id: self._parser.pack(doc) for p, doc in zip(passages, docs, strict=True)}
        progress(len(notes))
        return notes
