"""An ingestion that takes a tenth of a second: few words, parsed beforehand, no encoder.

Imported by the scripts of this folder, which fork; so nothing here starts a thread or loads torch.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from support.building import content
from support.danube import document
from support.fakes import WordEncoder

from hoptrail.kg.extraction.triples import tidy
from hoptrail.kg.ingest.pipeline import Ingestion, Tools
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.types import Document, Failure
from hoptrail.models.parser import Pipeline

Source = Document | Failure
ENCODER = WordEncoder()


BEFORE: list[Source] = [*map(document, range(30)), Failure("towns/40.txt", "holds no text")]
SOURCES: list[Source] = [
    *(document(number, "Hans Meyer was born there." if number % 2 else "") for number in range(25)),
    Failure("towns/99.txt", "not UTF-8: byte 0xff at position 3"),
    *map(document, range(35, 60)),
]
"""Some unchanged, some changed, some new; a source fails, and one that failed is mended."""


def texts() -> Iterator[str]:
    for item in [*BEFORE, *SOURCES]:
        if isinstance(item, Document):
            yield tidy(item.text)


PARSES = dict(zip(texts(), Pipeline()(texts()), strict=True))
TOOLS = Tools(
    lambda: ENCODER.fingerprint,
    ENCODER.encode_passages,
    ENCODER.count_tokens,
    lambda asked: (PARSES[text] for text in asked),
)


def ingest(path: Path, sources: Sequence[Source]) -> list[dict[str, object]]:
    """The whole graph afterwards."""
    with SqliteStore(path) as store:
        Ingestion(store, TOOLS, embed_triples=True, batch=8).run(sources)
        return content(store)


def whole(path: Path) -> bool:
    """Whether SQLite finds nothing wrong with the file."""
    connection = sqlite3.connect(path)
    try:
        checks = "PRAGMA integrity_check", "PRAGMA foreign_key_check"
        return [connection.execute(check).fetchall() for check in checks] == [[("ok",)], []]
    finally:
        connection.close()


def clear(path: Path) -> None:
    """Take the file away with what SQLite keeps beside it."""
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()
