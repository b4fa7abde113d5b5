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
from ...kg.notes import NoteKind
from ...kg.store import Graph
from ...kg.text.words import stable_id
from ...kg.types import Passage, Vector
from ...models.encoder import Encoder

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from .pages import Page

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

    def __init__(self, graph: Graph, encoder: Encoder, parser: Parser) -> None:
        self._graph, self._encoder, self._parser = graph, encoder, parser
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

    def sentence_vectors(self, pages: "Sequence[Page]") -> dict[str, Vector]:
        """Return the vectors of each page's `sentences`, by passage id: float32 (n, d).

        Vectors are those of the encoder's passages; those that no note holds are made together.
        """
        texts = {page.passage.id: page.sentences for page in pages}
        maker = stable_id(self._parser.maker, *map(str, astuple(self._encoder.fingerprint)))

        def encode(ids: Sequence[str]) -> list[bytes]:
            every = self._encoder.encode_passages([text for id_ in ids for text in texts[id_]])
            ends = np.cumsum([len(texts[id_]) for id_ in ids])
            return [part.astype("<f4").tobytes() for part in np.split(every, ends[:-1])]

        held = self._look("sentences", maker, list(texts), encode)
        size = self._encoder.fingerprint.dimension
        return {id_: np.frombuffer(held[id_], "<f4").reshape(-1, size) for id_ in texts}

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
        with self._lock:
            keys: dict[str, Note] = {id_: (kind, maker, id_) for id_ in ids}
            held = {id_: self._held[key] for id_, key in keys.items() if key in self._held}
        held |= self._graph.noted(kind, maker, [id_ for id_ in ids if id_ not in held])
        missing = [id_ for id_ in dict.fromkeys(ids) if id_ not in held]
        new = dict(zip(missing, make(missing), strict=True)) if missing else {}
        with self._lock:
            self._new |= {keys[id_]: value for id_, value in new.items()}
            for id_, value in (held | new).items():
                self._held[keys[id_]] = value
                self._held.move_to_end(keys[id_])
            while len(self._held) > IN_MEMORY:
                self._held.popitem(last=False)
        return held | new
