"""What reading takes of a passage, computed once: its parse, and what that tells.

The parse is kept with the graph (`Graph.noted`), where it can be made again at any time: it is
neither copied nor exported, and what another parser made is not taken. The rest is kept in memory.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from ...kg.extraction.triples import tidy
from ...kg.store import Graph
from ...kg.types import Passage
from .parsed import Parsed

if TYPE_CHECKING:
    from spacy.tokens import Doc

IN_MEMORY = 1000  # passages, of some 80 kB each


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
        self._held: OrderedDict[str, Parsed] = OrderedDict()  # by passage id
        self._new: dict[str, bytes] = {}
        self._lock = threading.Lock()

    def parsed(self, passages: Sequence[Passage]) -> list[Parsed]:
        """Return passages with the parses of their tidied texts, in order."""
        of = {passage.id: passage for passage in passages}
        with self._lock:
            held = {id_: self._held[id_] for id_ in of if id_ in self._held}
        held = {id_: one for id_, one in held.items() if one.passage == of[id_]}
        lacking = [id_ for id_ in of if id_ not in held]
        kept = self._graph.noted("parse", self._parser.maker, lacking) if lacking else {}
        texts = {id_: tidy(of[id_].text) for id_ in lacking if id_ not in kept}
        made = dict(zip(texts, self._parser(texts.values()), strict=True)) if texts else {}
        docs = made | {id_: self._parser.unpack(packed) for id_, packed in kept.items()}
        every = held | {id_: Parsed(of[id_], doc) for id_, doc in docs.items()}
        self._keep(every, {id_: self._parser.pack(doc) for id_, doc in made.items()})
        return [every[id_] for id_ in of]

    def take(self) -> dict[str, bytes]:
        """Give what was made since, once: by passage id."""
        with self._lock:
            new, self._new = self._new, {}
        return new

    def _keep(self, every: Mapping[str, Parsed], new: Mapping[str, bytes]) -> None:
        with self._lock:
            self._new |= new
            for id_, value in every.items():
                self._held[id_] = value
                self._held.move_to_end(id_)
            while len(self._held) > IN_MEMORY:
                self._held.popitem(last=False)
