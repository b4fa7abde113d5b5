"""Moves a graph to another encoder: new vectors of all that has one, then the switch."""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

from ...kg.errors import EmptyGraph, EncoderMismatch
from ...kg.maintenance import Reembedding, Unembedded
from ...kg.store import Graph, GraphStore
from ...kg.types import Fingerprint, Vector
from ...models.encoder import Encoder
from ..settings import TRAINED

CHUNK = 128  # texts a transaction: what a kill loses at most


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
    moving = store.maintenance.reembedding(fingerprint) if move.moved else None
    if moving:
        move.texts = moving.count()
    if triples:
        counts = store.statistics()
        move.texts += counts["triples"] - counts["embedded_triples"]
    progress(move)
    if moving:
        _put_in_place(store, moving, encoder, move, progress)
    store.expect(fingerprint)
    if triples:
        for given in store.maintenance.not_embedded(CHUNK):
            vectors = _encoded(given, encoder, move)
            store.set_triple_embeddings(dict(zip(given.texts, vectors, strict=True)))
            progress(move)
    move.unfit = tuple(_unfit(store, fingerprint))
    move.seconds = time.perf_counter() - started
    return move


def _put_in_place(
    store: GraphStore,
    moving: Reembedding,
    encoder: Encoder,
    move: Move,
    progress: Callable[[Move], None],
) -> None:
    """Encode until nothing lacks its vector, whatever is written meanwhile."""
    try:
        while not moving.finish():
            for given in moving.lacking(CHUNK):
                moving.keep(given, _encoded(given, encoder, move))
                progress(move)
    except EncoderMismatch:
        info = store.info()
        if info is None or info.fingerprint != move.encoder:
            raise  # else another process was faster


def _encoded(given: Unembedded, encoder: Encoder, move: Move) -> Vector:
    vectors = encoder.encode_passages(list(given.texts.values()))
    if given.kind == "passage":
        move.passages += len(given.texts)
    else:
        move.triples += len(given.texts)
    move.texts = max(move.texts, move.done)  # some may have been written meanwhile
    return vectors


def _unfit(store: Graph, fingerprint: Fingerprint) -> Iterator[str]:
    """Kinds of fitted parameters that are refused with this encoder."""
    for kind in TRAINED:
        text = store.parameters(kind)
        if text and json.loads(text).get("encoder") not in (None, asdict(fingerprint)):
            yield kind
