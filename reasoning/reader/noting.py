"""What ingestion notes of passages already, for the questions that will read them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ...kg.notes import NoteKind, Noting, Progress
from ...kg.types import Passage
from ...models.encoder import Encoder, is_quick, roughly
from .notes import Parser, encoded, maker_of, packed
from .pages import Page

if TYPE_CHECKING:
    from spacy.tokens import Doc

FIRST = 4  # sentences of a passage; a question that needs others makes theirs


def notings(
    parser: Parser, encoder: Encoder, parses: bool = True, sentences: bool | None = None
) -> dict[NoteKind, Noting]:
    """Give what `Notes` will look for: parses, vectors of the sentences that begin a passage.

    Args:
        sentences: None: where the encoder is quick (`models.encoder.is_quick`).
    """
    made: dict[NoteKind, Noting] = {}
    if parses:
        made["parse"] = Noting(lambda: parser.maker, _Parses(parser))
    if sentences is not False:
        rough = roughly(encoder)
        make = _Sentences(rough, wanted=bool(sentences))
        made["sentences"] = Noting(lambda: maker_of(parser, rough), make)
    return made


class _Parses:
    def __init__(self, parser: Parser) -> None:
        self._parser = parser

    def __call__(
        self, passages: Sequence[Passage], docs: "Sequence[Doc]", progress: Progress
    ) -> Mapping[str, bytes]:
        notes = {p.id: self._parser.pack(doc) for p, doc in zip(passages, docs, strict=True)}
        progress(len(notes))
        return notes


class _Sentences:
    def __init__(self, encoder: Encoder, wanted: bool) -> None:
        self._encoder, self._wanted = encoder, wanted

    def __call__(
        self, passages: Sequence[Passage], docs: "Sequence[Doc]", progress: Progress
    ) -> Mapping[str, bytes]:
        if not (self._wanted or is_quick(self._encoder)):
            return {}
        pages = [Page(p, (), doc, 0) for p, doc in zip(passages, docs, strict=True)]
        first = {page.id: range(min(FIRST, len(page.sentences))) for page in pages}
        vectors = encoded(pages, first, {}, self._encoder, progress)
        return {id_: packed(of_page) for id_, of_page in vectors.items() if len(of_page)}
