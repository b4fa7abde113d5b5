"""What reading takes of a passage, computed once: its parse.

Kept with the graph (`Graph.noted`), where it can be made again at any time: it is neither copied
nor exported, and what another parser made is not taken.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from ...kg.extraction.triples import tidy
from ...kg.notes import NoteKind
from ...kg.store import Graph
from ...kg.types import Passage

if TYPE_CHECKING:
    from spacy.tokens import Doc

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
    """Parses of passages: from memory, the graph, or made now.

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
