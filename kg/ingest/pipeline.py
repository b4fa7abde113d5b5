"""Documents into the graph: split, parse, encode, write, a batch of whole documents at a time.

While a batch is written, the next one is parsed and encoded. The graph itself is the ledger: a
document that is there with the same hash is passed over, so the same command repeats, resumes after
any interruption, and replaces exactly what has changed.
"""

import time
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise

from .. import until
from ..extraction.topics import parts_of, stands, within
from ..notes import NoteKind
from ..store import NOTHING_VALID, GraphStore
from ..text.blobs import without_blobs
from ..text.language import ENGLISH, language_of
from ..text.lines import lined, unwrapped
from ..text.splitting import split
from ..types import (
    Anchor,
    Batch,
    Document,
    DocumentInfo,
    Fact,
    Failure,
    Mention,
    Passage,
    Section,
)
from .rows import named_in, stated_by
from .storable import storable
from .workers import Extract, Pending, Report, Tools, Work, Workers, reading, timed, timed_each

__all__ = ["AHEAD", "BATCH", "Extract", "Ingestion", "Report", "Tools", "reading"]

BATCH = 256
"""Passages a transaction, and the rest of the last document."""
FIRST = 32
"""… of the first one, the next having twice as many: soon something is shown, and is kept."""
TOGETHER = 100_000
"""Characters of documents that are looked up in the graph together, and those of the last one."""
AHEAD = 1
"""Batches parsed and encoded while one is finished and written; a kill loses it and them."""


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
        report: Report | None = None,
    ) -> Report:
        """Ingest everything; a source that failed is recorded and the rest goes on.

        Args:
            progress: called after every batch, and when one is read that is in a new language.
            report: a new one, which is filled; another thread may read it meanwhile.

        Raises:
            EncoderMismatch: the graph carries the vectors of another encoder.
            StoreUnavailable: what was written before stays; the same call resumes.
        """
        report, started = Report() if report is None else report, time.perf_counter()
        if self.store.info() is not None:  # what it refuses, it refuses before any source is read
            self.store.prepare(self.tools.fingerprint())
        waiting: deque[Work] = deque()
        batches = timed_each(report, "read", self._batches(sources, waiting))
        with Workers(self.tools, self.embed_triples, report) as workers:

            def start(pending: Pending) -> Work:
                known = set(report.languages)
                report.languages.update(filter(None, pending.languages.values()))
                if report.languages.keys() - known:
                    progress(report)
                return workers.start(pending)

            for work in _ahead(map(start, batches), waiting):
                if work.pending.is_something:
                    self._write(workers.finish(work), report)
                    self._note(work, report)
                self._count(work.pending, report)
                report.seconds["wall"] = time.perf_counter() - started
                progress(report)
        report.seconds["wall"] = time.perf_counter() - started
        return report

    def _batches(
        self, sources: Iterable[Document | Failure], waiting: Collection[Work]
    ) -> Iterator[Pending]:
        """What each transaction is to write; `waiting` are those that are not written yet."""
        failed, seen = {failure.source for failure in self.store.failures()}, 0
        pending = Pending(cleared={source for source in failed if self.gone(source)})
        sizes = _growing(self.batch)
        size = next(sizes)
        for number, group in enumerate(_groups(map(storable, sources), self.batch)):
            if not number:  # without a document no graph is made
                self.store.prepare(self.tools.fingerprint())
            held = self._held([item.id for item in group if isinstance(item, Document)])
            for ahead in (*(work.pending for work in waiting), pending):
                held |= {id_: _as_held(document) for id_, document in ahead.documents.items()}
            for item in group:
                until.check()
                if pending.has_another(item):  # the later one replaces it in the next transaction
                    yield pending
                    pending = Pending(seen=seen)
                self._take_up(item, pending, held, failed)
                pending.seen = seen = seen + 1
                if len(pending.passages) >= size:
                    yield pending
                    pending, size = Pending(seen=seen), next(sizes)
            if pending.unchanged and not pending.is_something:  # progress shows these, too
                yield pending
                pending = Pending(seen=seen)
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
        pending: Pending,
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
        if there and there.sha256 == item.sha256:
            pending.unchanged += 1
            return
        pending.changed += there is not None
        now = datetime.now(UTC).isoformat(timespec="seconds")
        pending.documents[item.id] = replace(item, ingested_at=now)
        pending.languages[item.id] = language_of(item.text)
        self._split(item, pending)
        held[item.id] = _as_held(pending.documents[item.id])

    def _split(self, document: Document, pending: Pending) -> None:
        """A document's passages, what they are about, and what its hyperlinks make them mention."""
        text, title = without_blobs(lined(document.text)), document.title
        text = unwrapped(text) if document.wrapped else text
        headings = {s.start for s in document.sections if stands(s, text)}
        breaks = {s.start for s in document.sections if s.apart}
        language = pending.languages[document.id]
        foreign = "" if language == ENGLISH else language
        count = self.tools.count_tokens
        spans = split(
            text, title, count, self.limit, self.overlap, headings, breaks, language=foreign
        )
        headed = document.sections if any(s.heading for s in document.sections) else ()
        parts = parts_of(text, title, document.sections, document.source)
        for position, (start, end) in enumerate(spans):
            place = _section_at(document.sections, start)
            passage = Passage(
                document.id,
                position,
                title,
                text[start:end],
                place.heading,
                place.page,
                foreign,
                _headings(headed, start, end),
            )
            pending.passages.append(passage)
            pending.parts[passage.id] = within(parts, start, end)
            anchors = document.anchors[slice(*_between(document.anchors, start, end))]
            pending.linked += [Mention(passage.id, anchor.title) for anchor in anchors]
            facts = document.facts[slice(*_between(document.facts, start, end))]
            pending.told[passage.id] = stated_by(facts, passage.id, start, end)
            pending.linked += named_in(facts, passage.id)

    def _write(self, batch: Batch, report: Report) -> None:
        with timed(report, "write"):
            self.store.add(batch)
        report.statements += len(batch.statements)

    def _note(self, work: Work, report: Report) -> None:
        """Keep what questions would else compute of the passages that they read."""
        notes = work.parsed.result().notes.result().items()
        made: list[tuple[NoteKind, Callable[[], str], Mapping[str, bytes]]] = [
            (kind, self.tools.notes[kind].maker, values) for kind, values in notes
        ]
        if self.tools.sentences is not None:
            made.append(("sentences", self.tools.sentences.maker, work.encoded.result()[1]))
        for kind, maker, values in made:
            if values:
                with timed(report, "write"):
                    self.store.note(kind, maker(), values)

    def _count(self, pending: Pending, report: Report) -> None:
        report.seen = pending.seen
        report.added += len(pending.documents) - pending.changed
        report.changed += pending.changed
        report.unchanged += pending.unchanged
        report.passages += len(pending.passages)
        report.failures += pending.failures


def _ahead(works: Iterable[Work], waiting: deque[Work]) -> Iterator[Work]:
    """Each work, once AHEAD further ones are started; `waiting` are those."""
    for work in works:
        waiting.append(work)
        if len(waiting) > AHEAD:
            yield waiting.popleft()
    while waiting:
        yield waiting.popleft()


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


def _section_at(sections: Sequence[Section], place: int) -> Section:
    """The section that a character is in."""
    number = bisect_right(sections, place, key=lambda section: section.start)
    return sections[number - 1] if number else Section(0)


def _headings(sections: Sequence[Section], start: int, end: int) -> tuple[str, ...]:
    """Which heading holds from which character of text[start:end] on: "0 Kilns", "48 Cranes"."""
    if not sections:
        return ()
    first = bisect_right(sections, start, key=lambda section: section.start)
    last = bisect_left(sections, end, first, key=lambda section: section.start)
    over = [replace(_section_at(sections, start), start=start), *sections[first:last]]
    told = [over[0], *(one for before, one in pairwise(over) if one.heading != before.heading)]
    return tuple(f"{section.start - start} {section.heading}" for section in told)


def _between(placed: Sequence[Anchor | Fact], start: int, end: int) -> tuple[int, int]:
    """Which of these stand in text[start:end]: the first of them, and the first after them."""
    first = bisect_left(placed, start, key=lambda one: one.start)
    return first, bisect_left(placed, end, first, key=lambda one: one.start)


def _growing(most: int) -> Iterator[int]:
    """FIRST, twice as many, and so on up to this."""
    size = min(FIRST, most)
    while True:
        yield size
        size = min(2 * size, most)


def _groups(sources: Iterable[Document | Failure], most: int) -> Iterator[list[Document | Failure]]:
    """Some at a time, so few that reading is not far ahead of writing: the bar shows reading."""
    sizes = _growing(most)
    group, size, length = list[Document | Failure](), next(sizes), 0
    for item in sources:
        group.append(item)
        length += len(item.text) if isinstance(item, Document) else 0
        if len(group) == size or length > TOGETHER:
            yield group
            group, size, length = [], next(sizes), 0
    if group:
        yield group
