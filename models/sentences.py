"""Vectors of the sentences of passages, which say more of a passage on many things than its own.

A sentence's vector is the mean of its tokens' states in the pass over its passage (Günther et al.
2024, "Late Chunking"): with the passage's own it costs nothing. They are kept with the graph
(`Graph.noted`), where they can be made again at any time.
"""

from collections.abc import Callable, Collection, Sequence
from typing import TypeGuard

import numpy as np

from ..kg.notes import Encoding
from ..kg.store import Graph
from ..kg.text.splitting import sentence_spans
from ..kg.text.words import passage_reading
from ..kg.types import Passage, Vector
from .encoder import Encoder, SentenceEncoder
from .packaged import Span

FORM = 1  # of the bytes, and of what counts as a sentence
SHORTEST = 40  # characters; what is shorter counts with what follows: a column of numbers
_STEPS = 127


def encodes_parts(encoder: Encoder) -> TypeGuard[SentenceEncoder]:
    """Whether an encoder gives vectors of parts of a text."""
    return isinstance(encoder, SentenceEncoder) and bool(encoder.parts_maker)


def maker(encoder: SentenceEncoder) -> str:
    """What determines the bytes that are kept."""
    return f"{encoder.parts_maker} {FORM}"


def encode(
    encoder: SentenceEncoder,
    passages: Sequence[Passage],
    progress: Callable[[int], None] | None = None,
) -> tuple[Vector, dict[str, bytes]]:
    """Encode passages, and their sentences into what is kept of them, by id."""
    texts = [passage_reading(p.title, p.text) for p in passages]
    before = [len(text) - len(p.text) for text, p in zip(texts, passages, strict=True)]
    parts = [
        [(start + own, end + own) for start, end in _stretches(p.text)]
        for own, p in zip(before, passages, strict=True)
    ]
    vectors, found = encoder.encode_parts(texts, parts, progress)
    return vectors, {p.id: _pack(of) for p, of in zip(passages, found, strict=True)}


def encoding(encoder: Encoder) -> Encoding | None:
    """How ingestion encodes passages, and what it keeps of their sentences."""
    if not encodes_parts(encoder):
        return None
    return Encoding(lambda: maker(encoder), lambda *given: encode(encoder, *given))


def likeness(
    graph: Graph,
    encoder: SentenceEncoder,
    vector: Vector,
    ids: Collection[str],
    made: dict[str, bytes],
) -> dict[str, float]:
    """Compare a question's vector (d,) with the sentences of passages: the best's cosine, by id.

    Args:
        made: what the graph has not kept, by id; what it lacks else is added.
    """
    every = graph.noted("sentences", maker(encoder), [id_ for id_ in ids if id_ not in made])
    if lacking := [id_ for id_ in ids if id_ not in every and id_ not in made]:
        made |= encode(encoder, list(graph.passages(lacking).values()))[1]
    every |= {id_: made[id_] for id_ in ids if id_ in made}
    return {id_: _best(every[id_], vector) for id_ in ids if every.get(id_)}


def _best(packed: bytes, vector: Vector) -> float:
    steps = np.frombuffer(packed, np.int8).reshape(-1, len(vector)).astype(np.float32)
    return float((steps @ vector / np.linalg.norm(steps, axis=1)).max())


def _pack(vectors: Vector) -> bytes:
    """Whole numbers of eight bits; the length, which is 1, need not be kept."""
    return (
        np.rint(vectors * (_STEPS / np.abs(vectors).max(1, keepdims=True)))
        .astype(np.int8)
        .tobytes()
    )


def _stretches(text: str) -> list[Span]:
    """Its sentences, short ones together with what follows."""
    found, first = list[Span](), -1
    for start, end in sentence_spans(text):
        first = start if first < 0 else first
        if end - first >= SHORTEST:
            found.append((first, end))
            first = -1
    if first >= 0:
        found.append((first, len(text)))
    return found
