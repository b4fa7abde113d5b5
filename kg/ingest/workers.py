"""A batch of passages while it is worked on: parsed and encoded by threads, until it is written."""

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import (
    FIRST_EXCEPTION,
    CancelledError,
    Future,
    ThreadPoolExecutor,
    wait,
)
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self, TypeVar

from .. import until
from ..extraction.keywords import keywords
from ..extraction.topics import Part
from ..extraction.triples import EXTRACTOR, statements, tidy
from ..notes import Encoding, NoteKind, Noting
from ..store import NOTHING_VALID
from ..text.language import ENGLISH
from ..text.words import passage_reading
from ..types import Batch, Document, Failure, Fingerprint, Mention, Passage, Statement, Vector
from .rows import besides

if TYPE_CHECKING:
    from spacy.tokens import Doc

T = TypeVar("T")
Extract = Callable[[Sequence[Passage], Vector], Sequence[list[Statement] | None]]


@dataclass(frozen=True)
class Tools:
    """What ingestion needs of models, as plain callables.

    `encode` and `parse` each run in a thread of their own; `count_tokens` meanwhile in another.

    Args:
        fingerprint: of the encoder.
        encode: texts to float32 (n, d), unit length; calls back with how many more are done.
        count_tokens: tokens of a text, as the encoder counts them.
        parse: texts to spaCy parses, in order.
        extract: what passages with these vectors state, None for a passage where nothing valid was
            said; without it the triples are those of the parses.
        extractor: names what extracts, and determines what it says.
        notes: what questions would else compute of the passages that they read, by kind.
        sentences: encodes passages, with what is kept of their sentences; without it `encode` does.
    """

    fingerprint: Callable[[], Fingerprint]
    encode: Callable[[Sequence[str], Callable[[int], None]], Vector]
    count_tokens: Callable[[str], int]
    parse: Callable[[Iterable[str]], Iterator["Doc"]]
    extract: Extract | None = None
    extractor: Callable[[], str] = lambda: EXTRACTOR
    notes: Mapping[NoteKind, Noting] = field(default_factory=dict[NoteKind, Noting])
    sentences: Encoding | None = None


@dataclass
class Report:
    """What an ingestion did so far; handed to `progress` after every batch.

    It may be read meanwhile: `parsed` and `encoded` go on while a batch is under way.

    Args:
        seen: documents and failures; of a table's file each row is a document, of a mailbox each
            message.
        parsed: passages that were parsed.
        encoded: passages, and triples where these are encoded, that have their vectors.
        invalid: passages of which the extractor said nothing valid.
        removed: documents that were no longer where they came from, where that was asked for.
        languages: how many documents that were added or changed are in which language, where that
            is clear; see `text.language`.
        seconds: by stage: "read" (loaders, splitting, what the graph holds), "parse" (entities,
            triples), "extract" (triples by a model), "encode", "write", and "wall"; parse and
            encode overlap with each other and with the rest.
    """

    seen: int = 0
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    passages: int = 0
    parsed: int = 0
    encoded: int = 0
    statements: int = 0
    failures: list[Failure] = field(default_factory=list)
    invalid: int = 0
    removed: int = 0
    languages: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, float] = field(
        default_factory=lambda: dict.fromkeys(
            ("read", "parse", "extract", "encode", "write", "wall"), 0.0
        )
    )

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `ingest --json` prints them."""
        return {
            "documents": {
                "added": self.added,
                "changed": self.changed,
                "unchanged": self.unchanged,
                "removed": self.removed,
            },
            "passages": self.passages,
            "statements": self.statements,
            "nothing_valid": self.invalid,
            "failures": [{"source": f.source, "reason": f.reason} for f in self.failures],
            "languages": dict(sorted(self.languages.items())),
            "seconds": {stage: round(spent, 2) for stage, spent in self.seconds.items()},
        }


@dataclass
class Pending:
    """What a transaction will write, and what it adds to the report.

    Args:
        parts: passage id → what it is about, part by part.
        told: passage id → what rows of tables in it state.
        seen: documents and failures up to here.
        languages: document id → its language, "" where that is not clear.
    """

    documents: dict[str, Document] = field(default_factory=dict)
    passages: list[Passage] = field(default_factory=list)
    parts: dict[str, list[Part]] = field(default_factory=dict)
    told: dict[str, list[Statement]] = field(default_factory=dict)
    linked: list[Mention] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    cleared: set[str] = field(default_factory=set)
    changed: int = 0
    unchanged: int = 0
    seen: int = 0
    languages: dict[str, str] = field(default_factory=dict)

    @property
    def is_something(self) -> bool:
        """Find out whether there is anything to write."""
        return bool(self.documents or self.failures or self.cleared)

    def has_another(self, item: Document | Failure) -> bool:
        """Find out whether it holds a document of the same id that is otherwise not the same."""
        if isinstance(item, Failure) or item.id not in self.documents:
            return False
        return self.documents[item.id].sha256 != item.sha256


@dataclass(frozen=True)
class Parsed:
    """What the parses of some passages say, and what is made of it where that is asked for."""

    mentions: list[Mention]
    stated: list[Statement]
    triples: Future[dict[str, Vector]]
    notes: Future[dict[NoteKind, Mapping[str, bytes]]]


@dataclass(frozen=True)
class Work:
    """A batch that the threads have been given."""

    pending: Pending
    encoded: Future[tuple[Vector, Mapping[str, bytes]]]
    parsed: Future[Parsed]


class Workers:
    """A thread that parses and one that encodes; what they were given, they do in order.

    Args:
        embed_triples: encode triples, too.
        report: gets the seconds.
    """

    def __init__(self, tools: Tools, embed_triples: bool, report: Report) -> None:
        self._tools, self._embed_triples, self._report = tools, embed_triples, report
        self._ended, self._until = False, until.current()
        self._encoder = ThreadPoolExecutor(1, "encode")
        self._parser = ThreadPoolExecutor(1, "parse")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        """What is under way is given up, so that an interrupted run ends soon."""
        self._ended = True
        for pool in (self._encoder, self._parser):
            pool.shutdown(wait=False, cancel_futures=True)
        for pool in (self._encoder, self._parser):
            pool.shutdown()

    def start(self, pending: Pending) -> Work:
        """Have a batch parsed and encoded, after all that was started before."""
        encoded = self._encoder.submit(self._encode_passages, pending.passages)
        return Work(pending, encoded, self._parser.submit(self._parse, pending))

    def finish(self, work: Work) -> Batch:
        """Wait for a batch; what a model extracts is extracted here, by the caller's thread.

        Raises what a thread raised, as soon as it did.
        """
        pending, tools = work.pending, self._tools
        both: list[Future[Any]] = [work.encoded, work.parsed]
        for done in wait(both, return_when=FIRST_EXCEPTION).done:
            done.result()
        (vectors, _), parsed = work.encoded.result(), work.parsed.result()
        stated, triples = parsed.stated, parsed.triples
        extractors = dict.fromkeys((p.id for p in pending.passages), tools.extractor())
        if tools.extract is not None:
            stated = self._extract(tools.extract, pending.passages, vectors, extractors)
            stated = besides(stated, pending.told)
            triples = self._encoder.submit(self._encode_triples, stated)
        return Batch(
            list(pending.documents.values()),
            pending.passages,
            vectors,
            parsed.mentions + pending.linked,  # what the parse found first keeps its spelling
            stated,
            triples.result(),
            pending.failures,
            pending.cleared,
            extractors,
        )

    def _encode_passages(self, passages: Sequence[Passage]) -> tuple[Vector, Mapping[str, bytes]]:
        if self._tools.sentences is None or not passages:
            return self._encode([reading(passage) for passage in passages]), {}
        with timed(self._report, "encode"):
            return self._tools.sentences.encode(passages, self._encoded)

    def _encode(self, texts: list[str]) -> Vector:
        with timed(self._report, "encode"):
            return self._tools.encode(texts, self._encoded)

    def _encode_triples(self, stated: list[Statement]) -> dict[str, Vector]:
        if not self._embed_triples:
            return {}
        texts = {s.triple.id: s.triple.text for s in stated}
        return dict(zip(texts, self._encode(list(texts.values())), strict=True))

    def _note(
        self, passages: Sequence[Passage], docs: "Sequence[Doc]"
    ) -> dict[NoteKind, Mapping[str, bytes]]:
        def done(_: int) -> None:
            self._go_on()

        if not passages:  # no model is loaded for them
            return {}
        with timed(self._report, "encode"):
            notes = self._tools.notes.items()
            return {kind: one.make(passages, docs, done) for kind, one in notes}

    def _parse(self, pending: Pending) -> Parsed:
        passages, mentions, stated, docs = pending.passages, [], [], []
        with timed(self._report, "parse"):
            parses = self._tools.parse(self._tidied(passages)) if passages else ()
            for passage, doc in zip(passages, parses, strict=True):
                parts = pending.parts[passage.id]
                about = any(p.topic == passage.title or not (p.divided or p.topic) for p in parts)
                own = passage.title if about else ""
                language = pending.languages.get(passage.document_id) or ENGLISH
                mentions += keywords(passage.id, doc, own, parts, language)
                if self._tools.extract is None and language == ENGLISH:
                    stated += statements(passage.id, doc, passage.title, parts)
                docs.append(doc)
                self._report.parsed += 1
        stated = besides(stated, pending.told)
        triples = self._encoder.submit(self._encode_triples, stated)
        return Parsed(mentions, stated, triples, self._encoder.submit(self._note, passages, docs))

    def _tidied(self, passages: list[Passage]) -> Iterator[str]:
        for passage in passages:
            self._go_on()
            yield tidy(passage.text)

    def _encoded(self, done: int) -> None:
        self._report.encoded += done
        self._go_on()

    def _go_on(self) -> None:
        if self._ended:
            raise CancelledError
        if self._until is not None:
            self._until.check()

    def _extract(
        self,
        extract: Extract,
        passages: list[Passage],
        vectors: Vector,
        extractors: dict[str, str],
    ) -> list[Statement]:
        """What the passages state; of which nothing valid was said, `extractors` then says so."""
        stated = []
        with timed(self._report, "extract"):
            for passage, found in zip(passages, extract(passages, vectors), strict=True):
                stated += found or ()
                if found is None:
                    extractors[passage.id] += NOTHING_VALID
                    self._report.invalid += 1
        return stated


def reading(passage: Passage) -> str:
    """Write a passage as the encoder reads it."""
    return passage_reading(passage.title, passage.text)


@contextlib.contextmanager
def timed(report: Report, stage: str) -> Iterator[None]:
    """Count the seconds into this stage."""
    started = time.perf_counter()
    yield
    report.seconds[stage] += time.perf_counter() - started


def timed_each(report: Report, stage: str, items: Iterator[T]) -> Iterator[T]:
    """Count the seconds that each item takes to come into this stage."""
    while True:
        with timed(report, stage):
            item = next(items, None)
        if item is None:
            return
        yield item
