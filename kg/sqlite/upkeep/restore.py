"""A whole graph written into SQLite from its records, each held against the others."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby, islice, zip_longest
from typing import Any

from ...records import BadRecord, BadRecords, Numbered, Record, checked, info_of, vector_bytes
from ...schema import KINDS
from ...text.stemming import searched, terms_in
from ...text.words import normal_form, normal_title, stable_id, text_key
from ...types import SCHEMA_VERSION, Triple
from ...wikidata.evidence import ClaimRows
from ..answers import CLAIMED, put_asked, put_claims, put_tracing
from ..columns import Insertion
from ..file import insert_info
from ..records import READERS, counts
from ..write import SPELLINGS, TERMS, entity_row, link_all_titles, put_entities

Progress = Callable[[int], None]
Row = tuple[Any, ...]
Made = Callable[[int, Record], Iterable[tuple[str, Row]]]

CHUNK = 2000  # rows a statement is run for at once

_FREQUENCY = "(SELECT count(*) FROM mentions WHERE entity_id = entity.id)"
_COUNT_TERMS = f"INSERT INTO term (id, passages) {TERMS}"
_COUNT_SPELLINGS = f"INSERT INTO spelling (entity_id, spelling, times) {SPELLINGS}"
_SPELLINGS = "SELECT entity_id, times, spelling FROM spelling ORDER BY entity_id"


def holds(db: sqlite3.Connection) -> dict[str, int]:
    """Count what is in the graph; empty when nothing is."""
    fitted = db.execute("SELECT count(*) FROM parameters").fetchone()[0]
    every = counts(db) | {"fitted parameters": fitted}
    return {name: count for name, count in every.items() if count}


def restore(
    db: sqlite3.Connection, records: Iterable[Mapping[str, Any]], progress: Progress
) -> int:
    """See Maintenance.restore; into an empty graph, in the caller's transaction."""
    stream = checked(records)
    first = next(stream, None)
    if first is None:
        raise BadRecords("There are no records: not even the one of kind 'info'.")
    fingerprint = info_of(*first)
    db.execute("DELETE FROM graph_info")  # its new stamp tells readers that all has changed
    insert_info(db, fingerprint, first[1]["created_by"])
    current = first[1]["schema_version"] == SCHEMA_VERSION
    return _Restoration(db, fingerprint.dimension, current, progress).run(stream)


class _Restoration:
    """Takes the records kind by kind.

    Args:
        db: the empty graph.
        dimension: of the vectors.
        current: whether this version wrote the records: then what is derived must be as this one
            derives it, else it is derived again.
        progress: called with the number of records written so far.
    """

    def __init__(
        self, db: sqlite3.Connection, dimension: int, current: bool, progress: Progress
    ) -> None:
        self._db = db
        self._dimension = dimension
        self._current = current
        self._progress = progress
        self._done = 1
        self._insertion = Insertion("passage", "number")

    def run(self, stream: Iterable[Numbered]) -> int:
        groups = groupby(stream, key=lambda numbered: numbered[1]["kind"])
        ahead = next(groups, None)
        for kind in READERS:
            if ahead is None or ahead[0] != kind:
                self._take(kind, iter(()))
            else:
                self._take(kind, ahead[1])
                ahead = next(groups, None)
        self._progress(self._done)
        return self._done

    def _take(self, kind: str, given: Iterator[Numbered]) -> None:
        given = self._counted(given)
        if kind == "names":
            link_all_titles(self._db)
        if KINDS[kind].derived:
            self._compare(kind, given)
        elif kind == "answer":
            for number, record in given:
                _insert_answer(self._db, number, record)
        else:
            self._insert(kind, given)
        if kind == "passage":
            self._db.execute(_COUNT_TERMS)
        elif kind == "mentions":
            self._check_frequencies()
        elif kind == "states":
            self._check_triples()
            self._db.execute(_COUNT_SPELLINGS)
            self._check_entities()

    def _counted(self, given: Iterator[Numbered]) -> Iterator[Numbered]:
        for numbered in given:
            self._done += 1
            if self._done % CHUNK == 0:
                self._progress(self._done)
            yield numbered

    # -- what is written
    def _insert(self, kind: str, given: Iterator[Numbered]) -> None:
        made = self._passages if kind == "passage" else _MADE.get(kind, _as_it_is)(kind)
        while chunk := list(islice(given, CHUNK)):
            rows: dict[str, list[Row]] = {}
            for number, record in chunk:
                for statement, row in made(number, record):
                    rows.setdefault(statement, []).append(row)
            if kind == "triple":
                rows |= self._triple_vectors(chunk)
            for statement, listed in rows.items():
                self._execute(statement, listed, chunk)

    def _execute(self, statement: str, rows: list[Row], chunk: list[Numbered]) -> None:
        """All rows at once; one by one where a reference leads nowhere, to name its record."""
        self._db.execute("SAVEPOINT chunk")
        try:
            self._db.executemany(statement, rows)
        except sqlite3.IntegrityError:
            self._db.execute("ROLLBACK TO chunk")
            for row, (number, record) in zip(rows, chunk, strict=False):
                try:
                    self._db.execute(statement, row)
                except sqlite3.IntegrityError as error:
                    raise BadRecord(number, _broken(record)) from error
            raise
        self._db.execute("RELEASE chunk")

    def _passages(self, number: int, record: Record) -> Iterable[tuple[str, Row]]:
        title, text, language = record["title"], record["text"], record["language"]
        derived = {
            "normal_title": normal_title(title),
            "terms": terms_in(f"{title} {text}", language),
            "text_key": text_key(text),
        }
        for name, value in derived.items():
            if self._current and record[name] != value:
                raise BadRecord(number, f"{name!r} of passage {record['id']} is not its text's")
        vector = vector_bytes(number, record, self._dimension)
        # Numbers of records are rowids: unique, and passage, words and vector share one.
        yield self._insertion.statement, self._insertion.row(record | derived, number)
        yield "INSERT INTO passage_vector (number, vector) VALUES (?, ?)", (number, vector)
        yield _WORDS, (number, searched(title, language), searched(text, language))

    def _triple_vectors(self, chunk: list[Numbered]) -> dict[str, list[Row]]:
        vectors: list[Row] = [
            (number, vector_bytes(number, record, self._dimension))
            for number, record in chunk
            if record["embedding"] is not None
        ]
        return {"INSERT INTO triple_vector (number, vector) VALUES (?, ?)": vectors}

    # -- what has to follow from the rest
    def _compare(self, kind: str, given: Iterator[Numbered]) -> None:
        if not self._current:
            for _ in given:
                pass
            return
        for numbered, expected in zip_longest(given, READERS[kind](self._db)):
            if numbered is None:
                raise _lacking(expected)
            number, record = numbered
            if record != expected:
                ends = f"{record['source']} → {record['target']}"
                raise BadRecord(number, f"{kind} {ends} is not what follows from the other records")

    def _check_frequencies(self) -> None:
        if not self._current:
            self._db.execute(f"UPDATE entity SET passages = {_FREQUENCY}")
        wrong = f"SELECT id, {_FREQUENCY} FROM entity WHERE passages <> {_FREQUENCY}"
        for entity_id, passages in self._db.execute(wrong):
            raise BadRecords(
                f"Entity {entity_id!r}: the records hold {passages} mentions of it, which is not "
                "its 'passages'."
            )

    def _check_triples(self) -> None:
        unstated = "NOT EXISTS (SELECT 1 FROM states WHERE triple_id = triple.id)"
        for (triple_id,) in self._db.execute(f"SELECT id FROM triple WHERE {unstated}"):
            raise BadRecords(f"Triple {triple_id!r} is stated by no passage: a record is missing.")

    def _check_entities(self) -> None:
        spelled = groupby(self._db.execute(_SPELLINGS), key=lambda row: row[0])
        expected = ((key, [(-times, name) for _, times, name in rows]) for key, rows in spelled)
        differ = []
        for held, due in zip_longest(READERS["entity"](self._db), expected):
            if held is None or due is None or held["id"] != due[0]:
                raise self._stray(held, due)
            row = entity_row(due[0], due[1], held["passages"])
            if held | row != held:
                if self._current:
                    raise _other_names(held, row)
                differ.append(row)
        put_entities(self._db, differ)

    def _stray(self, held: Record | None, due: tuple[str, object] | None) -> BadRecords:
        if held is None or (due is not None and due[0] < held["id"]):
            return BadRecords(f"There is no entity {due[0]!r}, though it is mentioned or stated.")  # pyright: ignore[reportOptionalSubscript]
        return BadRecords(f"Entity {held['id']!r} is neither mentioned nor stated by any record.")


_WORDS = "INSERT INTO passage_words (rowid, title, text) VALUES (?, ?, ?)"


def _triples(kind: str) -> Made:
    insertion = Insertion(kind, "number", "head_id", "tail_id", "tied")

    def made(number: int, record: Record) -> Iterable[tuple[str, Row]]:
        ends = normal_form(record["head"]), normal_form(record["tail"])
        slots = (record[name] for name in ("head", "relation", "tail", "extractor"))
        yield insertion.statement, insertion.row(record, number, *ends, Triple(*slots).tied)

    return made


def _as_it_is(kind: str) -> Made:
    insertion = Insertion(kind)
    return lambda number, record: ((insertion.statement, insertion.row(record)),)


_MADE = {"triple": _triples}


def _insert_answer(db: sqlite3.Connection, number: int, record: Record) -> None:
    answer_id, question = record["id"], record["question"]
    question_id = stable_id("question", question)
    db.execute("INSERT OR IGNORE INTO question (id, text) VALUES (?, ?)", (question_id, question))
    db.execute(
        "INSERT INTO answer (id, question_id, method, text, abstained, confidence, model, usage, "
        "created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(answer_id, question_id, record["method"], record["text"], record["abstained"]),
            *(record["confidence"], record["model"]),
            *(json.dumps(record["usage"], sort_keys=True), record["created_at"]),
        ),
    )
    evidence: list[tuple[str, Row, str, str]] = []
    for chain, place, score, triple_id, passage_ids in record["steps"]:
        at = answer_id, chain, place
        evidence.append(("step", (*at, float(score)), "triple", triple_id))
        for rank, passage_id in enumerate(passage_ids):
            evidence.append(("step_passage", (*at, rank), "passage", passage_id))
    for rank, votes, score, passage_id in record["cites"]:
        evidence.append(("cites", (answer_id, rank, votes, float(score)), "passage", passage_id))
    for table, row, what, key in evidence:
        marks = "?, " * len(row)
        statement = f"INSERT INTO {table} SELECT {marks}id FROM {what} WHERE id = ?"
        try:
            if not db.execute(statement, (*row, key)).rowcount:
                raise BadRecord(number, f"the evidence of the answer is {what} {key}: not there")
        except sqlite3.IntegrityError as error:
            raise BadRecord(number, "'steps' or 'cites' hold the same place twice") from error
    claims = ClaimRows(*(record[name] for name in CLAIMED))
    due = len(record["traced"]), len(record["traced_ends"]), len(record["asked_links"])
    try:
        put = put_tracing(db, answer_id, record["traced"], record["traced_ends"])
        linked = put_asked(db, answer_id, record["asked"], record["asked_links"])
        claimed = put_claims(db, answer_id, claims)
    except sqlite3.IntegrityError as error:
        which = "'traced', 'traced_ends', 'asked', 'asked_links' or claims"
        raise BadRecord(number, f"{which} hold the same place twice, or none") from error
    if (*put, linked, claimed) != (*due, sum(map(len, claims))):
        which = "'traced', 'traced_ends', 'asked_links' or claims"
        raise BadRecord(number, f"{which} lead to what is not there")


def _broken(record: Record) -> str:
    leads = {name: record[name] for name in record if name.endswith("_id")}
    if "position" in record:
        leads["position"] = record["position"]
    return f"{record['kind']} {leads}: one of these is not among the records before, or taken"


def _other_names(held: Record, due: Mapping[str, object]) -> BadRecords:
    names = [name for name in due if name not in ("id", "passages")]
    says = " or ".join([", ".join(map(repr, names[:-1])), repr(names[-1])])
    should = ", ".join(
        repr(due[name]) if isinstance(due[name], str) else json.dumps(due[name], ensure_ascii=False)
        for name in names
    )
    return BadRecords(
        f"Entity {held['id']!r}: {says} are not what the mentions and triples say ({should})."
    )


def _lacking(expected: Record) -> BadRecords:
    ends = f"{expected['source']} → {expected['target']}"
    return BadRecords(f"{expected['kind']} {ends} is missing: it follows from the other records.")
