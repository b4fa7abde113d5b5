"""What a Neo4j graph should hold, derived anew in a temporary SQLite graph, beside what it holds.

The base facts are read page by page into that graph, where SQLite's rules look at them, mend them,
and derive what follows; then each kind of node and edge is compared.
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ..maintenance import Problem, problem_of
from ..schema import KINDS
from ..sqlite.scratch import ScratchGraph
from ..text.stemming import searched, terms_in
from ..text.words import normal_form, normal_title, text_key
from ..types import Triple
from . import rows
from .records import EDGES, all_rows, edges, nodes
from .statements import Row, Statements

Read = Callable[[Callable[[Statements], list[Row]]], list[Row]]
Progress = Callable[[str], None]

_SIDES = (
    "CREATE TABLE side (kind TEXT, key TEXT, value TEXT, due INTEGER)",
    "CREATE TABLE before (id TEXT PRIMARY KEY, sha256 TEXT)",
)
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


STRANGERS = "passages that another program made: they lack document_id, position, title or text"
TAKEN_OUT = "searches find them, imports refuse them; delete these nodes"

ENTITY = (*KINDS["entity"].names(derived=True), "counts")
_PASSAGES = ("source", "target")
_END = ("triple_id", "entity_id")
DERIVED = {
    "passage": Derived(
        "derived",
        "passages whose stems, words, key or folded title are not those of their text",
        ("id",),
        ("normal_title", "terms", "text_key", "words"),
        change="check/set_passages",
    ),
    "triple": Derived(
        "derived", "triples with another text", ("id",), ("text",), change="check/set_triples"
    ),
    "entity": Derived(
        "counts",
        "entities that are missing, are nothing's, or have a wrong name or number of passages",
        ("id",),
        ENTITY,
        "check/drop_entities",
        "derive/new_entities",
        "derive/entities",
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
        scratch: an empty graph.
        dimension: of the encoder's vectors.
    """

    def __init__(self, scratch: ScratchGraph, dimension: int) -> None:
        self._scratch = scratch
        self._db = scratch.db
        self._dimension = dimension
        self.bad_vectors: dict[str, list[str]] = {"passage": [], "triple": []}
        self.unstated: list[str] = []
        self.strangers: list[str] = []
        scratch.admit()
        for statement in _SIDES:
            self._db.execute(statement)

    # -- what is there
    def load(self, read: Read, progress: Progress) -> None:
        """Read the whole graph but for its vectors."""
        names = rows.names("document")
        for row in nodes(read, "document", names):
            held = dict(zip(names, row["held"], strict=True))
            held["ingested_at"] = rows.as_text(held["ingested_at"])
            self._scratch.insert("document", held)
        self._db.execute("INSERT INTO before SELECT id, sha256 FROM document")
        progress("passages")
        names = _without_vector("passage")
        for row in all_rows(read, "check/passages", names=names):
            self._passage(row | rows.record("passage", names, row["held"]))
        progress("triples")
        names = _without_vector("triple")
        for row in all_rows(read, "check/triples", names=names):
            self._triple(row | rows.record("triple", names, row["held"]))
        progress("entities")
        for row in nodes(read, "entity", ENTITY):
            held = dict(zip(ENTITY, row["held"], strict=True))
            self._side("entity", {"id": row["id"]} | held, due=False)
        for row in all_rows(read, "check/terms"):
            self._side("term", row, due=False)
        for kind in EDGES:
            if kind in DERIVED:
                progress(kind)
                for row in edges(read, kind):
                    self._side(kind, row, due=False)
                    if kind in ("mentions", "states"):
                        self._scratch.insert(kind, row)

    def _passage(self, row: Row) -> None:
        documents = row["documents"]
        if None in (row["document_id"], row["position"], row["text"], row["title"]):
            self.strangers.append(row["id"])
            return
        self._side("passage", row, due=False)
        for document_id in documents:
            self._side("has_passage", {"document_id": document_id, "id": row["id"]}, due=False)
        title, text = row["title"], row["text"]
        due = {
            "normal_title": normal_title(title),
            "terms": terms_in(f"{title} {text}", row["language"]),
            "text_key": text_key(text),
            "words": searched(f"{title} {text}", row["language"]),
        }
        self._side("passage", row | due, due=True)
        number = self._scratch.insert("passage", row | due)
        if self._fits("passage", row) and number:
            self._scratch.note_vector(number)

    def _triple(self, row: Row) -> None:
        for kind in ("head", "tail"):
            for entity_id in row[f"{kind}s"]:
                self._side(kind, {"triple_id": row["id"], "entity_id": entity_id}, due=False)
        self._side("triple", row, due=False)
        slots = [str(row[name]) for name in ("head", "relation", "tail", "extractor")]
        triple = Triple(*slots)
        self._side("triple", {"id": row["id"], "text": triple.text}, due=True)
        ends = {"head_id": normal_form(triple.head), "tail_id": normal_form(triple.tail)}
        self._scratch.insert("triple", row, tied=triple.tied, **ends)
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
        """List what is wrong; afterwards `differences` and the like say what is to be done."""
        progress("documents")
        listed = self._scratch.mend_facts()
        for kind, keys in self.bad_vectors.items():
            says = f"vectors of {kind}s of another length than the encoder's, or not finite"
            problem = problem_of("vectors", says, keys, mendable=True)
            listed += [problem] if problem else []
        if problem := problem_of("orphans", STRANGERS, self.strangers, False, TAKEN_OUT):
            listed.append(problem)
        gone = self._db.execute(
            "SELECT json_extract(key, '$[0]') FROM side WHERE kind = 'triple' AND due "
            "EXCEPT SELECT id FROM triple"
        )
        self.unstated = [row[0] for row in gone]
        progress("what follows")
        self._scratch.derive()
        self._expect()
        for kind, derived in DERIVED.items():
            names = (" → ".join(map(str, key)) for key, _, _ in self._differing(kind))
            problem = problem_of(derived.what, derived.says, names, mendable=True)
            listed += [problem] if problem else []
        return listed

    def _expect(self) -> None:
        gone = [(json.dumps([key]),) for key in self.unstated]
        self._db.executemany("DELETE FROM side WHERE kind = 'triple' AND key = ?", gone)
        for row in self._scratch.entities():
            self._side("entity", row, due=True)
        for kind, query in _DUE.items():
            for row in self._scratch.select(query):
                self._side(kind, row, due=True)
        for kind in EDGES.keys() & DERIVED.keys():
            for row in self._scratch.rows(kind):
                self._side(kind, row, due=True)
        self._db.execute("CREATE INDEX side_kind ON side (kind, key)")

    def marked(self) -> list[Row]:
        """Return the documents that are to be marked."""
        return list(
            self._scratch.select(
                "SELECT id, metadata FROM document JOIN before USING (id) "
                "WHERE document.sha256 <> before.sha256"
            )
        )

    def made(self) -> list[Row]:
        """Return the documents that are to be made."""
        lost = self._scratch.select(
            "SELECT * FROM document WHERE id NOT IN (SELECT id FROM before)"
        )
        return [row | {"ingested_at": rows.as_time(row["ingested_at"])} for row in lost]

    def differences(self, kind: str) -> Iterator[tuple[str, Row]]:
        """Give the statements of `DERIVED` that mend a kind, each with a row to run it for."""
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


_DUE = {
    "term": "SELECT id, passages FROM term",
    "has_passage": "SELECT document_id, id FROM passage",
    "head": "SELECT id AS triple_id, head_id AS entity_id FROM triple",
    "tail": "SELECT id AS triple_id, tail_id AS entity_id FROM triple",
}


def _without_vector(kind: str) -> list[str]:
    return [name for name in rows.names(kind) if name != "embedding"]


def grouped(differences: Iterable[tuple[str, Row]]) -> dict[str, list[Row]]:
    """Group rows by statement."""
    by_statement: dict[str, list[Row]] = {}
    for statement, row in differences:
        by_statement.setdefault(statement, []).append(row)
    return by_statement
