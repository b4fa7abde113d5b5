"""What reading takes of a passage, computed once: its parse, and the vectors of its sentences.

Kept with the graph (`Graph.noted`), where it can be made again at any time: it is neither copied
nor exported, and what another parser or encoder made is not taken.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ...kg.extraction.triples import tidy
from ...kg.notes import NoteKind, Progress
from ...kg.store import Graph
from ...kg.text.words import stable_id
from ...kg.types import Passage, Vector
from ...models.encoder import Encoder

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from .pages import Page

_PACKED, _KEPT = "some halves", "<f2"  # the form of notes of vectors; another is not read
IN_MEMORY = 4000  # notes, of 2 to 10 kB
Note = tuple[NoteKind, str, str]  # kind, maker, passage id


class Parser(Protocol):
    """A parser whose parses can be kept."""

    @property
    def maker(self) -> str:
        """What determines the parses, and their form in bytes."""
        ...

    def __call__(self, texts: Iterable[str]) -> "Iterator[Doc]":
        """Parse texts, in order."""
        ...

    def pack(self, doc: "Doc") -> bytes:
        """Put a parse into bytes."""
        ...

    def unpack(self, packed: bytes) -> "Doc":
        """Make a parse of them again."""
        ...


class Notes:
    """Parses of passages and vectors of their sentences: from memory, the graph, or made now.

    Threads may share it. It only reads the graph; `take` gives what was made, for the caller to
    store.
    """

    def __init__(self, graph: Graph, parser: Parser) -> None:
        self._graph, self._parser = graph, parser
        self._held: OrderedDict[Note, bytes] = OrderedDict()
        self._new: dict[Note, bytes] = {}
        self._lock = threading.Lock()

    def parses(self, passages: Sequence[Passage]) -> "list[Doc]":
        """Return parses of the tidied texts, in the order of the passages."""
        made: dict[str, Doc] = {}

        def parse(ids: Sequence[str]) -> list[bytes]:
            texts = {p.id: tidy(p.text) for p in passages}
            made.update(zip(ids, self._parser([texts[id_] for id_ in ids]), strict=True))
            return [self._parser.pack(made[id_]) for id_ in ids]

        held = self._look("parse", self._parser.maker, [p.id for p in passages], parse)
        return [made[p.id] if p.id in made else self._parser.unpack(held[p.id]) for p in passages]

    def sentence_vectors(
        self, pages: "Sequence[Page]", wanted: Mapping[str, Sequence[int]], encoder: Encoder
    ) -> dict[str, Vector]:
        """Return the vectors of each page's `sentences`, by passage id: float32 (n, d).

        Vectors are those of the encoder's passages; those wanted that no note holds are made
        together, and the note then holds them, too. What is neither is NaN.
        """
        ids, size = [page.id for page in pages], encoder.fingerprint.dimension
        maker = maker_of(self._parser, encoder)
        held = self._held_notes("sentences", maker, ids)
        known = {
            page.id: _unpacked(held[page.id], len(page.sentences), size)
            for page in pages
            if page.id in held
        }
        every = encoded(pages, wanted, known, encoder)
        new = {
            id_: packed(vectors)
            for id_, vectors in every.items()
            if wanted[id_] and (id_ not in known or np.isnan(known[id_][wanted[id_], 0]).any())
        }
        self._keep("sentences", maker, held | new, new)
        return every

    def take(self) -> dict[tuple[NoteKind, str], dict[str, bytes]]:
        """Give what was made since, once: by kind and maker, then by passage id."""
        with self._lock:
            new, self._new = self._new, {}
        taken: dict[tuple[NoteKind, str], dict[str, bytes]] = {}
        for (kind, maker, id_), value in new.items():
            taken.setdefault((kind, maker), {})[id_] = value
        return taken

    def _look(
        self,
        kind: NoteKind,
        maker: str,
        ids: Sequence[str],
        make: Callable[[Sequence[str]], list[bytes]],
    ) -> Mapping[str, bytes]:
        held = self._held_notes(kind, maker, ids)
        missing = [id_ for id_ in dict.fromkeys(ids) if id_ not in held]
        new = dict(zip(missing, make(missing), strict=True)) if missing else {}
        self._keep(kind, maker, held | new, new)
        return held | new

    def _held_notes(self, kind: NoteKind, maker: str, ids: Sequence[str]) -> dict[str, bytes]:
        """Notes from memory, else from the graph."""
        with self._lock:
            keys: dict[str, Note] = {id_: (kind, maker, id_) for id_ in ids}
            held = {id_: self._held[key] for id_, key in keys.items() if key in self._held}
        return held | self._graph.noted(kind, maker, [id_ for id_ in ids if id_ not in held])

    def _keep(
        self, kind: NoteKind, maker: str, every: Mapping[str, bytes], new: Mapping[str, bytes]
    ) -> None:
        with self._lock:
            self._new |= {(kind, maker, id_): value for id_, value in new.items()}
            for id_, value in every.items():
                self._held[kind, maker, id_] = value
                self._held.move_to_end((kind, maker, id_))
            while len(self._held) > IN_MEMORY:
                self._held.popitem(last=False)


def encoded(
    pages: "Sequence[Page]",
    wanted: Mapping[str, Sequence[int]],
    known: Mapping[str, Vector],
    encoder: Encoder,
    progress: Progress | None = None,
) -> dict[str, Vector]:
    """Encode the wanted sentences that are not known: float32 (n, d) by passage id, else NaN.

    To the precision that notes keep, so that an answer does not depend on what is kept.
    """
    size = encoder.fingerprint.dimension
    every: dict[str, Vector] = {}
    missing: list[tuple[str, int, str]] = []
    for page in pages:
        id_ = page.id
        blank = np.full((len(page.sentences), size), np.nan, np.float32)
        every[id_] = known[id_].copy() if id_ in known else blank
        lacking = (n for n in wanted[id_] if np.isnan(every[id_][n, 0]))
        missing += [(id_, n, page.sentences[n]) for n in lacking]
    if missing:
        vectors = encoder.encode_passages([text for *_, text in missing], progress)
        vectors = vectors.astype(_KEPT).astype(np.float32)
        for (id_, n, _), vector in zip(missing, vectors, strict=True):
            every[id_][n] = vector
    return every


def maker_of(parser: Parser, encoder: Encoder) -> str:
    """What notes of vectors go by."""
    return stable_id(_PACKED, parser.maker, *map(str, astuple(encoder.fingerprint)))


def packed(vectors: Vector) -> bytes:
    """Which rows are known, a bit each, and these."""
    known = ~np.isnan(vectors[:, 0])
    return np.packbits(known).tobytes() + vectors[known].astype(_KEPT).tobytes()


def _unpacked(note: bytes, rows: int, size: int) -> Vector:
    bits = (rows + 7) // 8
    known = np.unpackbits(np.frombuffer(note[:bits], np.uint8), count=rows).astype(bool)
    vectors = np.full((rows, size), np.nan, np.float32)
    vectors[known] = np.frombuffer(note[bits:], _KEPT).reshape(-1, size)
    return vectors
