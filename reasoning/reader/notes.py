"""What reading takes of a passage, computed once: its parse.

Kept with the graph (`Graph.noted`), where it can be made again at any time: it is neither copied
nor exported, and what another parser made is not taken.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from ...kg.extraction.triples import tidy
from ...kg.store import Graph
from ...kg.types import Passage

if TYPE_CHECKING:
    from spacy.tokens import Doc

IN_MEMORY = 4000  # parses, of 2 to 10 kB


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
        self._held: OrderedDict[str, bytes] = OrderedDict()  # by passage id
        self._new: dict[str, bytes] = {}
        self._lock = threading.Lock()

    def parses(self, passages: Sequence[Passage]) -> "list[Doc]":
        """Return parses of the tidied texts, in the order of the passages."""
        held = self._look([p.id for p in passages])
        texts = {p.id: tidy(p.text) for p in passages if p.id not in held}
        made = dict(zip(texts, self._parser(texts.values()), strict=True)) if texts else {}
        new = {id_: self._parser.pack(doc) for id_, doc in made.items()}
        self._keep(held | new, new)
        return [made[p.id] if p.id in made else self._parser.unpack(held[p.id]) for p in passages]

    def take(self) -> dict[str, bytes]:
        """Give what was made since, once: by passage id."""
        with self._lock:
            new, self._new = self._new, {}
        return new

    def _look(self, ids: Sequence[str]) -> dict[str, bytes]:
        """Notes from memory, else from the graph."""
        with self._lock:
            held = {id_: self._held[id_] for id_ in ids if id_ in self._held}
        lacking = [id_ for id_ in ids if id_ not in held]
        return held | self._graph.noted("parse", self._parser.maker, lacking)

    def _keep(self, every: Mapping[str, bytes], new: Mapping[str, bytes]) -> None:
        with self._lock:
            self._new |= new
            for id_, value in every.items():
                self._held[id_] = value
                self._held.move_to_end(id_)
            while len(self._held) > IN_MEMORY:
                self._held.popitem(last=False)
