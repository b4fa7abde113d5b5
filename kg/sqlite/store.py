"""The graph in one SQLite file: the store that needs no server."""

import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import ClassVar, Self

from ..answers import Answer, Recorded
from ..candidates import Bridge, Candidates, PassageCandidate, RankedTriples, Ways
from ..graph_info import check_dimension, check_encoder
from ..notes import NoteKind
from ..store import Found
from ..types import (
    SCHEMA_VERSION,
    Batch,
    DocumentInfo,
    Entity,
    Failure,
    Fingerprint,
    GraphInfo,
    Link,
    LinkKind,
    Passage,
    Scored,
    Statement,
    Triple,
    Vector,
)
from ..vectors import Vectors
from ..wikidata.evidence import claim_rows
from . import answers, notes, read, traverse, write
from .chains import rank_triples
from .file import SqliteFile, insert_info, put_ids, read_info
from .keywords import Words
from .linked import SqliteLinks
from .read import links
from .records import READERS, counts
from .upkeep.maintenance import SqliteMaintenance
from .upkeep.migrate import migrate, writing
from .vectors import WITHIN, Matrix, nearest, vectors


class SqliteStore:
    """GraphStore in a file, safe for several threads and processes; one of them writes at a time.

    Args:
        path: the file; made by the first `prepare`.
        patience: seconds to wait while another process writes.
    """

    embeds_triples: ClassVar[bool] = False

    def __init__(self, path: str | Path, patience: float = 30.0) -> None:
        self.where = str(path)
        self._file = SqliteFile(Path(path), patience)
        self._passages = Matrix()
        self._words = Words()
        self._expected: Fingerprint | None = None

    def prepare(self, fingerprint: Fingerprint) -> None:
        info = self.info()
        if info is not None:
            check_encoder(self.where, info.fingerprint, fingerprint)
            self._expected = fingerprint
            self._file.require_rights()  # before the work, not after it
            if info.schema_version == SCHEMA_VERSION:
                return
        with self._file.writing(create=True) as db:
            if (info := read_info(db)) is None:
                insert_info(db, fingerprint)
            else:
                check_encoder(self.where, info.fingerprint, fingerprint)  # of a faster process
                if info.schema_version < SCHEMA_VERSION:
                    migrate(db, self.where)
        self._expected = fingerprint

    def info(self) -> GraphInfo | None:
        with self._file.reading() as db:
            return read_info(db)

    def expect(self, fingerprint: Fingerprint) -> None:
        if fingerprint != self._expected:
            if info := self.info():
                check_encoder(self.where, info.fingerprint, fingerprint)
            self._expected = fingerprint

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    # -- writing
    def add(self, batch: Batch) -> None:
        with writing(self._file, self.where) as db:
            passages = [batch.embeddings] if len(batch.passages) else []
            self._check_vectors(db, *passages, *batch.triple_embeddings.values())
            write.add(db, batch)

    def remove(self, document_ids: Collection[str]) -> int:
        if not self._file.exists():
            return 0
        with writing(self._file, self.where) as db:
            return write.remove(db, document_ids)

    def set_triple_embeddings(self, embeddings: Mapping[str, Vector]) -> None:
        if not embeddings or not self._file.exists():
            return
        with writing(self._file, self.where) as db:
            self._check_vectors(db, *embeddings.values())
            write.keep_triple_vectors(db, embeddings)

    def note(self, kind: NoteKind, maker: str, values: Mapping[str, bytes]) -> None:
        if values and self._file.exists():
            with writing(self._file, self.where) as db:
                notes.write(db, kind, maker, values)

    def record(self, answer: Answer) -> None:
        claims = claim_rows(answer, self.wikidata)
        with writing(self._file, self.where) as db:
            answers.record(db, answer, claims)

    def forget_answers(self, ids: Collection[str]) -> int:
        if not ids or not self._file.exists():
            return 0
        with writing(self._file, self.where) as db:
            return answers.forget(db, ids)

    def evidence_query(self, answer_id: str) -> str:
        return ""

    # -- fitted parameters
    def keep_parameters(self, kind: str, text: str) -> None:
        with writing(self._file, self.where) as db:
            db.execute("INSERT OR REPLACE INTO parameters (id, text) VALUES (?, ?)", (kind, text))

    def parameters(self, kind: str) -> str | None:
        with self._file.reading() as db:
            kept = {record["id"]: record["text"] for record in READERS["parameters"](db)}
            return kept.get(kind)

    def forget_parameters(self, kind: str) -> bool:
        if self.parameters(kind) is None:
            return False
        with writing(self._file, self.where) as db:
            return db.execute("DELETE FROM parameters WHERE id = ?", (kind,)).rowcount == 1

    # -- reading by id
    def documents(self, ids: Collection[str] | None = None) -> dict[str, DocumentInfo]:
        with self._file.reading() as db:
            return read.documents(db, ids)

    def documents_after(self, after: str, limit: int) -> list[DocumentInfo]:
        with self._file.reading() as db:
            return read.documents_after(db, after, max(limit, 0))

    def passage_counts(self, document_ids: Collection[str]) -> dict[str, int]:
        with self._file.reading() as db:
            return read.passage_counts(db, document_ids)

    def failures(self) -> list[Failure]:
        with self._file.reading() as db:
            rows = db.execute("SELECT source, reason FROM failure ORDER BY source")
            return [Failure(*row) for row in rows]

    def passages(self, ids: Collection[str]) -> dict[str, Passage]:
        with self._file.reading() as db:
            return read.passages(db, ids)

    def passages_of(self, document_ids: Collection[str]) -> list[str]:
        with self._file.reading() as db:
            return read.passages_of(db, document_ids)

    def copies(self, passage_ids: Collection[str]) -> dict[str, list[str]]:
        with self._file.reading() as db:
            return read.copies(db, passage_ids)

    def extractors(self, passage_ids: Collection[str]) -> dict[str, str]:
        with self._file.reading() as db:
            return read.extractors(db, passage_ids)

    def entities(self, ids: Collection[str]) -> dict[str, Entity]:
        with self._file.reading() as db:
            return read.entities(db, ids)

    def triples(self, ids: Collection[str]) -> dict[str, Triple]:
        with self._file.reading() as db:
            return read.triples(db, ids)

    def triple_embeddings(self, ids: Collection[str]) -> dict[str, Vector]:
        with self._file.reading() as db:
            self._check_vectors(db)
            return read.triple_embeddings(db, ids)

    def noted(self, kind: NoteKind, maker: str, passage_ids: Collection[str]) -> dict[str, bytes]:
        with self._file.reading() as db:
            return notes.read(db, kind, maker, passage_ids)

    # -- retrieval
    def nearest_passages(
        self, vector: Vector, limit: int, within: Collection[str] | None = None
    ) -> list[Scored]:
        with self._among(vector, within) as (db, among):
            return nearest(db, "passage", among, vector, limit)

    def keyword_search(
        self, text: str, limit: int, within: Collection[str] | None = None
    ) -> list[Scored]:
        with self._file.reading() as db:
            if within is not None:
                put_ids(db, within, "inside")
            return self._words.search(db, text, limit, inside=within is not None)

    def candidates(
        self,
        vector: Vector,
        text: str,
        titles: Collection[str],
        stems: Collection[str],
        pool: int,
        within: Collection[str] | None = None,
    ) -> Candidates:
        inside = within is not None
        with self._among(vector, within) as (db, among):
            texts = self._words.search(db, text, pool, inside)
            return traverse.candidates(db, among, vector, texts, titles, stems, pool, inside)

    def bridges(
        self,
        scores: Mapping[str, float],
        vector: Vector,
        stems: Collection[str],
        ways: Ways,
        known: Mapping[str, PassageCandidate],
        within: Collection[str] | None = None,
    ) -> list[Bridge]:
        inside = within is not None
        with self._among(vector, within) as (db, among):
            return traverse.bridges(db, among, vector, scores, stems, ways, known, inside)

    def propagate(
        self,
        distances: Mapping[str, float],
        senders: Collection[str],
        alpha: float,
        vector: Vector,
        kinds: Collection[LinkKind],
        within: Collection[str] | None = None,
    ) -> dict[str, float]:
        with self._among(vector, within) as (db, among):
            return traverse.propagate(db, among, distances, senders, alpha, vector, kinds)

    def rank_triples(
        self,
        chains: Sequence[Sequence[Triple]],
        passage_ids: Collection[str],
        queries: Vector,
        limit: int | None,
        within: Collection[str] | None = None,
        beyond: bool = True,
    ) -> RankedTriples:
        if not chains or (limit is not None and limit <= 0):
            return RankedTriples([[] for _ in chains], {})
        with self._file.reading() as db:
            self._check_vectors(db, queries)
            return rank_triples(db, chains, passage_ids, queries, limit, within, beyond)

    # -- surroundings
    def triples_of(self, passage_ids: Collection[str]) -> list[Statement]:
        with self._file.reading() as db:
            return read.statements_of(db, passage_ids)

    def triples_about(self, entity_ids: Collection[str], limit: int = 100) -> list[Statement]:
        with self._file.reading() as db:
            return read.statements_about(db, entity_ids, max(limit, 0))

    def mentioning(self, entity_ids: Collection[str], limit: int = 100) -> list[str]:
        with self._file.reading() as db:
            return read.mentioning(db, entity_ids, max(limit, 0))

    def mentioned(self, passage_ids: Collection[str]) -> dict[str, list[str]]:
        with self._file.reading() as db:
            return read.mentioned(db, passage_ids)

    def neighbours(self, passage_ids: Collection[str], kinds: Collection[LinkKind]) -> list[Link]:
        with self._file.reading() as db:
            return links(db, passage_ids, kinds)

    def find(self, name: str, limit: int = 10) -> list[Found]:
        with self._file.reading() as db:
            return read.find(db, name, max(limit, 0))

    def answers(self, ids: Collection[str]) -> list[Answer]:
        with self._file.reading() as db:
            return answers.answers(db, ids)

    def recorded(self, after: str, limit: int) -> list[Recorded]:
        with self._file.reading() as db:
            return answers.recorded(db, after, max(limit, 0))

    def newest(self, limit: int, before: tuple[str, str] | None = None) -> list[Recorded]:
        with self._file.reading() as db:
            return answers.newest(db, max(limit, 0), before)

    def backtrace(self, answer_id: str) -> list[str]:
        with self._file.reading() as db:
            return answers.backtrace(db, answer_id)

    def statistics(self) -> dict[str, int]:
        with self._file.reading() as db:
            return counts(db)

    @property
    def wikidata(self) -> SqliteLinks:
        return SqliteLinks(self._file, partial(writing, self._file, self.where))

    @property
    def maintenance(self) -> SqliteMaintenance:
        return SqliteMaintenance(self._file, self.where, self._expect_any)

    # -- inside
    @contextmanager
    def _among(
        self, vector: Vector, within: Collection[str] | None
    ) -> Iterator[tuple[sqlite3.Connection, Vectors]]:
        """A connection, and the vectors to search: of all passages, or those of `within`."""
        with self._file.reading() as db:
            among = self._passages.current(db) if within is None else None
            self._check_vectors(db, vector)
            if within is not None:
                put_ids(db, within, "inside")
                among = vectors(db, "passage", WITHIN)
            yield db, among or Vectors()

    def _check_vectors(self, db: sqlite3.Connection, *given: Vector) -> None:
        """These vectors, or any, are of the graph's encoder as this transaction sees it."""
        info = read_info(db)
        if info is None:
            return
        if self._expected is not None:
            check_encoder(self.where, info.fingerprint, self._expected)
        for one in given:
            check_dimension(self.where, info.fingerprint.dimension, one)

    def _expect_any(self) -> None:
        self._expected = None
