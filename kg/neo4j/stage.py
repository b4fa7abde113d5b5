"""What a Neo4j graph should hold, derived anew in a temporary SQLite graph, beside what it holds.

The base facts are read page by page into that graph, where SQLite's rules look at them, mend them,
and derive what follows; then each kind of node and edge is compared.
"""

import json
import math
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ..maintenance import Problem, problem_of
from ..sqlite.records import KINDS
from ..sqlite.rules import FACTS, Rule, add_functions, broken, derive, mend
from ..text.words import normal_form, normal_title, terms, words
from ..types import Triple
from .records import EDGES, all_rows, edges
from .restore import staged_entities
from .server import Row, Statements

Read = Callable[[Callable[[Statements], list[Row]]], list[Row]]
Progress = Callable[[str], None]

_SIDES = """
CREATE TABLE side (kind TEXT, key TEXT, value TEXT, due INTEGER);
CREATE TABLE before (id TEXT PRIMARY KEY, sha256 TEXT);
"""
_DIFFERENCES = """
SELECT key, max(CASE WHEN due THEN value END), count(*) - sum(due) FROM side WHERE kind = ?
GROUP BY key HAVING sum(due) <> 1 OR count(*) <> 2 OR min(value) <> max(value) ORDER BY key
"""


@dataclass(frozen=True, slots=True)
class Derived:
    """A kind of node or edge that can be made anew, or several properties of one.

    Args:
        what: see Problem.
        says: what is found, in the plural.
        key: columns that tell one from another.
        value: its other columns.
        drop: statement that takes away all of a key; the first to run.
        make: statement that makes one.
        change: statement that alters one that is there, instead of these two.
    """

    what: str
    says: str
    key: tuple[str, ...]
    value: tuple[str, ...] = ()
    drop: str = ""
    make: str = ""
    change: str = ""


_PASSAGES = ("source", "target")
_END = ("triple_id", "entity_id")
DERIVED = {
    "passage": Derived(
        "derived",
        "passages whose stems, words or folded title are not those of their text",
        ("id",),
        ("normal_title", "terms", "words"),
        change="check/set_passages",
    ),
    "triple": Derived(
        "derived", "triples with another text", ("id",), ("text",), change="check/set_triples"
    ),
    "entity": Derived(
        "counts",
        "entities that are missing, are nothing's, or have a wrong name or number of passages",
        ("id",),
        ("name", "aliases", "counts", "terms", "passages"),
        "check/drop_entities",
        "derive/new_entities",
        "check/set_entities",
    ),
    "term": Derived(
        "counts",
        "stems that are counted wrong",
        ("id",),
        ("passages",),
        "check/drop_terms",
        "restore/terms",
        "check/set_terms",
    ),
    "has_passage": Derived(
        "edges",
        "HAS_PASSAGE missing or too many",
        ("document_id", "id"),
        (),
        "check/drop_has_passage",
        "write/has_passage",
    ),
    "next": Derived(
        "edges", "NEXT missing or too many", _PASSAGES, (), "check/drop_next", "write/next"
    ),
    "mentions": Derived(
        "edges",
        "MENTIONS too many",
        ("passage_id", "entity_id"),
        ("surface",),
        "check/drop_mentions",
        "write/mentions",
    ),
    "states": Derived(
        "edges",
        "STATES too many",
        ("passage_id", "triple_id"),
        ("start", "end"),
        "check/drop_states",
        "write/states",
    ),
    "shares_keyword": Derived(
        "edges",
        "SHARES_KEYWORD missing, wrong or too many",
        _PASSAGES,
        ("keywords", "weight"),
        "derive/unshare_keywords",
        "derive/share_keywords",
    ),
    "names": Derived(
        "edges", "NAMES missing or too many", _PASSAGES, (), "derive/unname", "derive/names"
    ),
    "head": Derived(
        "edges", "HEAD missing or too many", _END, (), "check/drop_head", "check/make_head"
    ),
    "tail": Derived(
        "edges", "TAIL missing or too many", _END, (), "check/drop_tail", "check/make_tail"
    ),
    "relates_to": Derived(
        "edges",
        "RELATES_TO missing, wrong or too many",
        ("triple_id",),
        ("source", "target", "relation"),
        "check/drop_relations",
        "check/make_relations",
    ),
}
"""In the order in which they are mended."""


class Stage:
    """The graph as it is and as it should be; `load` first, then `problems`.

    Args:
        db: an empty graph, see `sqlite_file.nothing`.
        dimension: of the encoder's vectors.
    """

    def __init__(self, db: sqlite3.Connection, dimension: int) -> None:
        self._db = db
        self._dimension = dimension
        self.bad_vectors: dict[str, list[str]] = {"passage": [], "triple": []}
        self.unstated: list[str] = []
        db.execute("PRAGMA foreign_keys = OFF")
        db.executescript(_SIDES)
        add_functions(db)
        db.execute("BEGIN")

    # -- what is there
    def load(self, read: Read, progress: Progress) -> None:
        """Read the whole graph but for its vectors."""
        for row in all_rows(read, "read/all_documents"):
            self._insert("document", row)
        self._db.execute("INSERT INTO before SELECT id, sha256 FROM document")
        progress("passages")
        for row in all_rows(read, "check/passages"):
            self._passage(row)
        progress("triples")
        for row in all_rows(read, "check/triples"):
            self._triple(row)
        progress("entities")
        for kind, statement in (("entity", "check/entities"), ("term", "check/terms")):
            for row in all_rows(read, statement):
                self._side(kind, row, due=False)
        for kind in EDGES:
            if kind in DERIVED:
                progress(kind)
                for row in edges(read, kind):
                    self._side(kind, row, due=False)
                    if kind in ("mentions", "states"):
                        self._insert(kind, row)

    def _passage(self, row: Row) -> None:
        documents = row["documents"]
        self._side("passage", row, due=False)
        for document_id in documents:
            self._side("has_passage", {"document_id": document_id, "id": row["id"]}, due=False)
        title, text = row["title"] or "", row["text"] or ""
        due = {
            "normal_title": normal_title(title),
            "terms": terms(f"{title} {text}"),
            "words": " ".join(words(f"{title} {text}")),
        }
        self._side("passage", row | due, due=True)
        number = self._insert("passage", row | due | {"terms": json.dumps(due["terms"])})
        if self._fits("passage", row) and number:
            self._insert("passage_vector", {"number": number, "vector": b""})

    def _triple(self, row: Row) -> None:
        for kind in ("head", "tail"):
            for entity_id in row[f"{kind}s"]:
                self._side(kind, {"triple_id": row["id"], "entity_id": entity_id}, due=False)
        self._side("triple", row, due=False)
        slots = [str(row[name]) for name in ("head", "relation", "tail", "extractor")]
        triple = Triple(*slots)
        self._side("triple", {"id": row["id"], "text": triple.text}, due=True)
        ends = {"head_id": normal_form(triple.head), "tail_id": normal_form(triple.tail)}
        self._insert("triple", row | ends | {"tied": triple.tied})
        self._fits("triple", row)

    def _fits(self, kind: str, row: Row) -> bool:
        """Whether there is a vector that can be used; remembers one that can't."""
        if row["dimension"] is None:
            return False
        fit = row["dimension"] == self._dimension and math.isfinite(row["squares"])
        if not fit:
            self.bad_vectors[kind].append(row["id"])
        return fit

    # -- what should be
    def problems(self, progress: Progress) -> list[Problem]:
        """What is wrong; afterwards `differences` and the like say what is to be done."""
        progress("documents")
        listed = [problem for step in FACTS for problem in self._of_facts(step)]
        for kind, keys in self.bad_vectors.items():
            says = f"vectors of {kind}s of another length than the encoder's, or not finite"
            problem = problem_of("vectors", says, keys, mendable=True)
            listed += [problem] if problem else []
        gone = self._db.execute(
            "SELECT json_extract(key, '$[0]') FROM side WHERE kind = 'triple' AND due "
            "EXCEPT SELECT id FROM triple"
        )
        self.unstated = [row[0] for row in gone]
        progress("what follows")
        derive(self._db)
        self._expect()
        for kind, derived in DERIVED.items():
            names = (" → ".join(map(str, key)) for key, _, _ in self._differing(kind))
            problem = problem_of(derived.what, derived.says, names, mendable=True)
            listed += [problem] if problem else []
        return listed

    def _of_facts(self, step: tuple[Rule, ...]) -> list[Problem]:
        """What is wrong; mended here, so that what follows from it is as it should be."""
        unmendable = [p for rule in step if not rule.mend for p in broken(self._db, rule)]
        return mend(self._db, step) + unmendable

    def _expect(self) -> None:
        gone = [(json.dumps([key]),) for key in self.unstated]
        self._db.executemany("DELETE FROM side WHERE kind = 'triple' AND key = ?", gone)
        for row in staged_entities(self._db):
            self._side("entity", row, due=True)
        for kind, query in _DUE.items():
            for row in _dicts(self._db, query):
                self._side(kind, row, due=True)
        for kind in ("next", "mentions", "shares_keyword", "names", "states", "relates_to"):
            for row in KINDS[kind](self._db):
                self._side(kind, row, due=True)
        self._db.execute("CREATE INDEX side_kind ON side (kind, key)")

    def marked(self) -> list[Row]:
        """Documents to be marked."""
        return _dicts(
            self._db,
            "SELECT id, metadata FROM document JOIN before USING (id) "
            "WHERE document.sha256 <> before.sha256",
        )

    def made(self) -> list[Row]:
        """Documents to be made."""
        return _dicts(
            self._db,
            "SELECT id, title, source, sha256, metadata, ingested_at FROM document "
            "WHERE id NOT IN (SELECT id FROM before)",
        )

    def differences(self, kind: str) -> Iterator[tuple[str, Row]]:
        """Statements of `DERIVED` with a row to run each for."""
        derived = DERIVED[kind]
        for key, value, held in self._differing(kind):
            row = dict(zip(derived.key, key, strict=True))
            due = row | dict(zip(derived.value, value or (), strict=False))
            if value is not None and held == 1 and derived.change:
                yield derived.change, due
                continue
            if held:
                yield derived.drop, row
            if value is not None:
                yield derived.make, due

    def _differing(self, kind: str) -> Iterator[tuple[list[str], list[Any] | None, int]]:
        """Key, what is due (None for nothing), how many there are."""
        for key, value, held in self._db.execute(_DIFFERENCES, (kind,)):
            yield json.loads(key), value and json.loads(value), held

    # -- inside
    def _side(self, kind: str, row: Row, due: bool) -> None:
        derived = DERIVED[kind]
        key, value = (
            json.dumps([row[name] for name in names]) for names in (derived.key, derived.value)
        )
        self._db.execute("INSERT INTO side VALUES (?, ?, ?, ?)", (kind, key, value, due))

    def _insert(self, table: str, row: Row) -> int:
        """Its number, 0 where the graph would not take it."""
        columns = _COLUMNS[table]
        marks = ", ".join("?" * len(columns))
        names = ", ".join(f'"{column}"' for column in columns)
        cursor = self._db.execute(
            f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks}) {_TWICE.get(table, '')}",
            [row[column] for column in columns],
        )
        return (cursor.lastrowid or 0) if cursor.rowcount else 0


_COLUMNS = {
    "document": ("id", "title", "source", "sha256", "metadata", "ingested_at"),
    "passage": ("id", "document_id", "position", "title", "normal_title", "text", "terms"),
    "passage_vector": ("number", "vector"),
    "triple": ("id", "head", "relation", "tail", "extractor", "head_id", "tail_id", "tied"),
    "mentions": ("passage_id", "entity_id", "surface"),
    "states": ("passage_id", "triple_id", "start", "end"),
}
_TWICE = {
    "mentions": "ON CONFLICT (passage_id, entity_id) DO UPDATE SET surface = excluded.surface "
    "WHERE normal_form(surface) <> entity_id",
    "states": 'ON CONFLICT (passage_id, triple_id) DO UPDATE SET "start" = excluded."start", '
    '"end" = excluded."end" WHERE "start" IS NULL',
}
"""Of edges that are there twice the one that may be right stays."""
_DUE = {
    "term": "SELECT id, passages FROM term",
    "has_passage": "SELECT document_id, id FROM passage",
    "head": "SELECT id AS triple_id, head_id AS entity_id FROM triple",
    "tail": "SELECT id AS triple_id, tail_id AS entity_id FROM triple",
}


def _dicts(db: sqlite3.Connection, query: str) -> list[Row]:
    cursor = db.execute(query)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor]


def grouped(differences: Iterable[tuple[str, Row]]) -> dict[str, list[Row]]:
    """Rows by statement."""
    by_statement: dict[str, list[Row]] = {}
    for statement, row in differences:
        by_statement.setdefault(statement, []).append(row)
    return by_statement
