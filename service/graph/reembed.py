"""Moves a graph to another encoder: new vectors of all that has one, then the switch."""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

from ...kg.errors import EmptyGraph, EncoderMismatch
from ...kg.maintenance import Embedded
from ...kg.store import GraphStore
from ...kg.types import Fingerprint, Vector
from ...models.encoder import Encoder
from ..settings import TRAINED

CHUNK = 128  # texts a transaction: what a kill loses at most

Texts = dict[str, str]


@dataclass
class Move:
    """The progress of a move; handed to `progress` after every chunk.

    Args:
        before: encoder that the graph had.
        encoder: that it has when the move is done.
        moved: whether these are two.
        texts: how many there are to encode.
        passages: encoded so far.
        triples: encoded so far.
        unfit: kinds of fitted parameters that hold for another encoder alone; they are kept.
        seconds: all in all.
    """

    before: Fingerprint
    encoder: Fingerprint
    moved: bool
    texts: int = 0
    passages: int = 0
    triples: int = 0
    unfit: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def done(self) -> int:
        """How many of `texts` are encoded."""
        return self.passages + self.triples


def reembed(
    store: GraphStore, encoder: Encoder, triples: bool, progress: Callable[[Move], None]
) -> Move:
    """Move a graph to an encoder; see `Hoptrail.reembed`."""
    started, info, fingerprint = time.perf_counter(), store.info(), encoder.fingerprint
    if info is None:
        raise EmptyGraph(f"{store.where} holds no graph yet. Make one: hoptrail ingest PATH")
    move = Move(info.fingerprint, fingerprint, info.fingerprint != fingerprint)
    work = _Work(store, encoder, move, progress)
    if move.moved:
        store.begin_reembedding(fingerprint)
        move.texts = store.count_not_reembedded()
    if triples:
        counts = store.statistics()
        move.texts += counts["triples"] - counts["embedded_triples"]
    progress(move)
    if move.moved:
        work.move()
    store.expect(fingerprint)
    if triples:
        work.embed_triples()
    move.unfit = tuple(_unfit(store, fingerprint))
    move.seconds = time.perf_counter() - started
    return move


@dataclass(frozen=True)
class _Work:
    store: GraphStore
    encoder: Encoder
    progress_of: Move
    progress: Callable[[Move], None]

    def move(self) -> None:
        """Encode until nothing lacks its vector, whatever is written meanwhile."""
        fingerprint = self.progress_of.encoder
        try:
            while not self.store.finish_reembedding(fingerprint):
                for kind in ("passage", "triple"):
                    self._reembed(kind, fingerprint)
        except EncoderMismatch:
            info = self.store.info()
            if info is None or info.fingerprint != fingerprint:
                raise  # else another process was faster

    def embed_triples(self) -> None:
        """Encode the triples without a vector."""
        for texts in _pages(lambda after: self.store.not_embedded(CHUNK, after)):
            vectors = self._encode("triple", texts)
            self.store.set_triple_embeddings(dict(zip(texts, vectors, strict=True)))
            self.progress(self.progress_of)

    def _reembed(self, kind: Embedded, fingerprint: Fingerprint) -> None:
        for texts in _pages(lambda after: self.store.not_reembedded(kind, CHUNK, after)):
            vectors = self._encode(kind, texts)
            self.store.keep_reembedded(fingerprint, kind, texts, vectors)
            self.progress(self.progress_of)

    def _encode(self, kind: Embedded, texts: Texts) -> Vector:
        vectors, move = self.encoder.encode_passages(list(texts.values())), self.progress_of
        if kind == "passage":
            move.passages += len(texts)
        else:
            move.triples += len(texts)
        move.texts = max(move.texts, move.done)  # some may have been written meanwhile
        return vectors


def _pages(page: Callable[[str], Texts]) -> Iterator[Texts]:
    texts = page("")
    while texts:
        yield texts
        texts = page(list(texts)[-1])


def _unfit(store: GraphStore, fingerprint: Fingerprint) -> Iterator[str]:
    """Kinds of fitted parameters that are refused with this encoder."""
    for kind in TRAINED:
        text = store.parameters(kind)
        if text and json.loads(text).get("encoder") not in (None, asdict(fingerprint)):
            yield kind
