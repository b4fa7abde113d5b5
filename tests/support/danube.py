"""Documents that are parsed already: their ingestion takes no time but the store's."""

import functools
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from support.fakes import WordEncoder

from hoptrail.kg.ingest.pipeline import Ingestion, Report, Tools
from hoptrail.kg.store import GraphStore
from hoptrail.kg.types import Document

if TYPE_CHECKING:
    from spacy.tokens import Doc

BATCH = 4
_parsed: dict[str, "Doc"] = {}


def document(number: int, more: str = "") -> Document:
    text = f"Town {number} lies near Town {number // 2} on the Danube. {more}"
    return Document(f"id {number}", f"Town {number}", text.strip(), f"towns/{number}.txt")


def ingest(store: GraphStore, sources: Iterable[Document], **settings) -> Report:
    """In transactions of a few documents."""
    progress = settings.pop("progress", lambda report: None)
    return Ingestion(store, _tools(), batch=BATCH, **settings).run(sources, progress)


@functools.cache
def _tools() -> Tools:
    encoder = WordEncoder()
    return Tools(lambda: encoder.fingerprint, encoder.encode_passages, encoder.count_tokens, _parse)


def _parse(texts: Iterable[str]) -> Iterator["Doc"]:
    asked = list(texts)
    new = [text for text in dict.fromkeys(asked) if text not in _parsed]
    _parsed.update(zip(new, _pipeline()(new), strict=True))
    return (_parsed[text] for text in asked)


@functools.cache
def _pipeline():
    from hoptrail.models.parser import Pipeline

    return Pipeline()
