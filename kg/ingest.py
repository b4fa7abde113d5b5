"""Documents into the graph: split, parse, encode, write, a batch of whole documents at a time.

The graph itself is the ledger: a document that is there with the same hash is passed over, so the
same command repeats, resumes after any interruption, and replaces exactly what has changed.
"""

import contextlib
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from .keywords import keywords
from .splitting import split
from .store import NOTHING_VALID, GraphStore
from .triples import EXTRACTOR, statements, tidy
from .types import (
    Anchor,
    Batch,
    Document,
    DocumentInfo,
    Failure,
    Fingerprint,
    Mention,
    Passage,
    Section,
    Statement,
    Vector,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc

BATCH = 256
"""Passages a transaction, and the rest of the last document: what a kill loses at most."""


Extract = Callable[[Sequence[Passage], Vector], Sequence[list[Statement] | None]]


@dataclass(frozen=True)
class Tools:
    """What ingestion needs of models, as plain callables.

    Args:
        fingerprint: of the encoder.
        encode: texts to float32 (n, d), unit length; calls back with how many more are done.
        count_tokens: tokens of a text, as the encoder counts them.
        parse: texts to spaCy parses, in order.
        extract: what passages with these vectors state, None for a passage where nothing valid was
            said; without it the triples are those of the parses.
        extractor: names what extracts, and determines what it says.
    """

    fingerprint: Callable[[], Fingerprint]
    encode: Callable[[Sequence[str], Callable[[int], None]], Vector]
    count_tokens: Callable[[str], int]
    parse: Callable[[Iterable[str]], Iterator["Doc"]]
    extract: Extract | None = None
    extractor: Callable[[], str] = lambda: EXTRACTOR


@dataclass
class Report:
    """What an ingestion did so far; handed to `progress` after every batch.

    Args:
        invalid: passages of which the extractor said nothing valid.
        seconds: by stage: "parse" (entities, triples), "extract" (triples by a model), "encode",
            "write", and "wall"; encode overlaps with parse and extract.
    """

    seen: int = 0
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    passages: int = 0
    statements: int = 0
    failures: list[Failure] = field(default_factory=list)
    stopped: bool = False
    invalid: int = 0
    seconds: dict[str, float] = field(
        default_factory=lambda: dict.fromkeys(("parse", "extract", "encode", "write", "wall"), 0.0)
    )


@dataclass
class _Pending:
    """What the next transaction will write."""

    documents: dict[str, Document] = field(default_factory=dict)
    passages: list[Passage] = field(default_factory=list)
    linked: list[Mention] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    cleared: set[str] = field(default_factory=set)
    changed: int = 0
    unchanged: int = 0


@dataclass(frozen=True)
class Ingestion:
    """How documents become graph.

    Args:
        limit: encoder tokens a passage has at most.
        overlap: sentences repeated from the passage before.
        embed_triples: encode triples now instead of when first asked for: 2.8 times the encoding
            work.
        batch: passages a transaction.
        gone: whether a source that failed before is no longer there; its failure is forgotten.
        regenerate: also take up unchanged documents that have triples of another extractor.
    """

    store: GraphStore
    tools: Tools
    limit: int = 200
    overlap: int = 0
    embed_triples: bool = False
    batch: int = BATCH
    gone: Callable[[str], bool] = lambda source: False
    regenerate: bool = False

    def run(
        self,
        sources: Iterable[Document | Failure],
        progress: Callable[[Report], None] = lambda report: None,
    ) -> Report:
        """Ingest everything; a source that failed is recorded and the rest goes on.

        Raises:
            EncoderMismatch: the graph carries the vectors of another encoder.
            StoreUnavailable: what was written before stays; the same call resumes.
        """
        report, started = Report(), time.perf_counter()
        self.store.prepare(self.tools.fingerprint())
        with ThreadPoolExecutor(1, "encode") as encoder:
            try:
                for pending in self._batches(sources, report):
                    self._write(pending, encoder, report)
                    report.seconds["wall"] = time.perf_counter() - started
                    progress(report)
            finally:
                report.stopped = True  # an interrupted run does not wait for its encoding
        report.seconds["wall"] = time.perf_counter() - started
        return report

    def _batches(self, sources: Iterable[Document | Failure], report: Report) -> Iterator[_Pending]:
        failed = {failure.source for failure in self.store.failures()}
        pending = _Pending(cleared={source for source in failed if self.gone(source)})
        for group in _groups(sources, self.batch):
            held = self._held([item.id for item in group if isinstance(item, Document)])
            for item in group:
                self._take_up(item, pending, held, failed)
                report.seen += 1
                if len(pending.passages) >= self.batch:
                    yield pending
                    pending = _Pending()
        yield pending

    def _held(self, document_ids: list[str]) -> dict[str, DocumentInfo]:
        """The documents that the graph holds as this ingestion would write them, but for changes.

        To those that are to be extracted again no hash is the same.
        """
        held = self.store.documents(document_ids)
        if not self.regenerate or not held:
            return held
        passages = self.store.passages(self.store.passages_of(list(held)))
        extractors = self.store.extractors(list(passages))
        ours = {self.tools.extractor(), self.tools.extractor() + NOTHING_VALID}
        others = {p.document_id for id_, p in passages.items() if extractors.get(id_) not in ours}
        return {i: replace(d, sha256="") if i in others else d for i, d in held.items()}

    def _take_up(
        self,
        item: Document | Failure,
        pending: _Pending,
        held: dict[str, DocumentInfo],
        failed: set[str],
    ) -> None:
        """Into the next transaction, unless the graph holds it as it is."""
        if isinstance(item, Failure):
            pending.failures.append(item)
            return
        if item.source in failed:
            pending.cleared.add(item.source)
        there = held.get(item.id)
        if item.id in pending.documents or (there and there.sha256 == item.sha256):
            pending.unchanged += 1
            return
        pending.changed += there is not None
        now = datetime.now(UTC).isoformat(timespec="seconds")
        pending.documents[item.id] = replace(item, ingested_at=now)
        passages, linked = self._split(item)
        pending.passages += passages
        pending.linked += linked
        held[item.id] = _as_held(pending.documents[item.id])

    def _split(self, document: Document) -> tuple[list[Passage], list[Mention]]:
        """A document's passages, and what its hyperlinks make them mention."""
        text, title = document.text, document.title
        spans = split(text, title, self.tools.count_tokens, self.limit, self.overlap)
        passages, linked = [], []
        for position, (start, end) in enumerate(spans):
            place = _section_at(document.sections, start)
            passage = Passage(
                document.id, position, title, text[start:end], place.heading, place.page
            )
            passages.append(passage)
            anchors = document.anchors[slice(*_between(document.anchors, start, end))]
            linked += [Mention(passage.id, anchor.title) for anchor in anchors]
        return passages, linked

    def _write(self, pending: _Pending, encoder: ThreadPoolExecutor, report: Report) -> None:
        if pending.documents or pending.failures or pending.cleared:
            batch = self._batch(pending, encoder, report)
            with _timed(report, "write"):
                self.store.add(batch)
            report.statements += len(batch.statements)
        report.added += len(pending.documents) - pending.changed
        report.changed += pending.changed
        report.unchanged += pending.unchanged
        report.passages += len(pending.passages)
        report.failures += pending.failures

    def _batch(self, pending: _Pending, encoder: ThreadPoolExecutor, report: Report) -> Batch:
        passages = pending.passages
        vectors = encoder.submit(self._encode, [reading(p) for p in passages], report)
        mentions, stated = self._parse(passages, report)
        extractors = dict.fromkeys((p.id for p in passages), self.tools.extractor())
        if self.tools.extract is not None:
            given = self.tools.extract, passages, vectors.result()
            stated = self._extract(*given, extractors, report)
        triples = {}
        if self.embed_triples:
            texts = {s.triple.id: s.triple.text for s in stated}
            triples = dict(zip(texts, self._encode(list(texts.values()), report), strict=True))
        return Batch(
            list(pending.documents.values()),
            passages,
            vectors.result(),
            mentions + pending.linked,  # what the parse found first keeps its spelling
            stated,
            triples,
            pending.failures,
            pending.cleared,
            extractors,
        )

    def _parse(
        self, passages: list[Passage], report: Report
    ) -> tuple[list[Mention], list[Statement]]:
        mentions, stated = [], []
        with _timed(report, "parse"):
            docs = self.tools.parse(tidy(passage.text) for passage in passages)
            for passage, doc in zip(passages, docs, strict=True):
                mentions += keywords(passage.id, doc, passage.title)
                if self.tools.extract is None:
                    stated += statements(passage.id, doc, passage.title)
        return mentions, stated

    def _extract(
        self,
        extract: Extract,
        passages: list[Passage],
        vectors: Vector,
        extractors: dict[str, str],
        report: Report,
    ) -> list[Statement]:
        """What the passages state; of which nothing valid was said, `extractors` then says so."""
        stated = []
        with _timed(report, "extract"):
            for passage, found in zip(passages, extract(passages, vectors), strict=True):
                stated += found or ()
                if found is None:
                    extractors[passage.id] += NOTHING_VALID
                    report.invalid += 1
        return stated

    def _encode(self, texts: list[str], report: Report) -> Vector:
        def check(done: int) -> None:
            if report.stopped:
                raise CancelledError

        with _timed(report, "encode"):
            return self.tools.encode(texts, check)


def _as_held(document: Document) -> DocumentInfo:
    """So that the same document again in this run is known, also after its transaction."""
    return DocumentInfo(
        document.id,
        document.title,
        document.source,
        document.sha256,
        document.metadata,
        document.ingested_at,
    )


def reading(passage: Passage) -> str:
    """What the encoder reads of a passage."""
    return f"{passage.title}\n{passage.text}" if passage.title else passage.text


def _section_at(sections: Sequence[Section], place: int) -> Section:
    """The section that a character is in."""
    number = bisect_right(sections, place, key=lambda section: section.start)
    return sections[number - 1] if number else Section(0)


def _between(anchors: Sequence[Anchor], start: int, end: int) -> tuple[int, int]:
    """Which anchors stand in text[start:end]: the first of them, and the first after them."""
    first = bisect_left(anchors, start, key=lambda anchor: anchor.start)
    return first, bisect_left(anchors, end, first, key=lambda anchor: anchor.start)


def _groups(sources: Iterable[Document | Failure], size: int) -> Iterator[list[Document | Failure]]:
    group = []
    for item in sources:
        group.append(item)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group


@contextlib.contextmanager
def _timed(report: Report, stage: str) -> Iterator[None]:
    started = time.perf_counter()
    yield
    report.seconds[stage] += time.perf_counter() - started
