"""Vectors of records on their way into a file, or out of one: left out, and computed again."""

import base64
from collections.abc import Iterable, Iterator
from typing import Any

from ...kg.errors import EncoderMismatch
from ...kg.graph_info import check_encoder
from ...kg.records import checked, info_of
from ...kg.text.words import passage_reading
from ...kg.vectors import to_bytes
from ...models.encoder import Encoder

Record = dict[str, Any]

ENCODED = 256  # passages at once


def without_vectors(records: Iterable[Record], passages: bool) -> Iterator[Record]:
    """Give the same records, without vectors of triples, or of passages where so wanted."""
    for record in records:
        if record["kind"] == "triple" or (record["kind"] == "passage" and not passages):
            # A triple's is computed when a question needs it: not what was ingested.
            record["embedding"] = None
        yield record


def with_vectors(records: Iterable[Record], name: str, encoder: Encoder) -> Iterator[Record]:
    """Give the same records, vectors of passages that have none computed again.

    Raises:
        EncoderMismatch: they were of another encoder.
    """
    waiting: list[Record] = []
    info: Record | None = None
    for record in records:
        info = info or record
        if record.get("kind") == "passage" and record.get("embedding") is None:
            waiting.append(record)
            if len(waiting) < ENCODED:
                continue
            record = None
        yield from _encoded(waiting, info, name, encoder)
        waiting.clear()
        if record is not None:
            yield record
    if info is not None:
        yield from _encoded(waiting, info, name, encoder)


def _encoded(waiting: list[Record], info: Record, name: str, encoder: Encoder) -> Iterator[Record]:
    texts = [(record.get("title"), record.get("text")) for record in waiting]
    if not all(isinstance(part, str) for text in texts for part in text):
        yield from waiting  # to be refused
        return
    if texts:
        _check_encoder(info, name, encoder)
        vectors = encoder.encode_passages([passage_reading(*text) for text in texts])  # pyright: ignore[reportArgumentType]
        for record, vector in zip(waiting, vectors, strict=True):
            yield {**record, "embedding": base64.b64encode(to_bytes(vector)).decode("ascii")}


def _check_encoder(info: Record, name: str, encoder: Encoder) -> None:
    held = info_of(*next(checked([info])))
    try:
        check_encoder(name, held, encoder.fingerprint)
    except EncoderMismatch as error:
        raise EncoderMismatch(
            f"{name} holds no vectors, so its passages are encoded again, with the encoder it was "
            f"made with: name it by --encoder, --query-prefix and --passage-prefix ({error})"
        ) from error
