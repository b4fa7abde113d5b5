"""A temporary SQLite graph, in which what a server is to hold, or holds, is looked at as a whole.

It is all that kg/neo4j takes from this folder.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, Self

from ..maintenance import Problem
from ..types import GraphInfo
from .columns import columns
from .file import nothing, read_info
from .records import READERS, counts
from .upkeep.functions import add_functions
from .upkeep.restore import restore
from .upkeep.rules import FACTS, Rule, broken, derive, mend

Row = dict[str, Any]

_SPELLED = "SELECT entity_id, spelling, times FROM spelling ORDER BY entity_id"
_EXTRACTOR = "SELECT extractor FROM extracted_by WHERE passage_id = ?"
_TWICE = {
    "mentions": "ON CONFLICT (passage_id, entity_id) DO UPDATE SET surface = excluded.surface "
    "WHERE normal_form(surface) <> entity_id",
    "states": 'ON CONFLICT (passage_id, triple_id) DO UPDATE SET "start" = excluded."start", '
    '"end" = excluded."end" WHERE "start" IS NULL',
}
"""Of edges that are there twice the one that may be right stays."""


class ScratchGraph:
    """A graph in a temporary file of SQLite's own, which goes when it is closed.

    `restore` fills it from records that have to be sound. `admit` and `insert` fill it with what is
    there, sound or not, for `mend_facts` and `derive` to say what should be.
    """

    def __init__(self) -> None:
        self.db: sqlite3.Connection = nothing("")
        self.db.execute("BEGIN")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.db.close()

    # -- what it holds
    def info(self) -> GraphInfo:
        """Return the GraphInfo of the records it was filled from."""
        info = read_info(self.db)
        assert info is not None
        return info

    def counts(self) -> dict[str, int]:
        """Count what it holds, as `Graph.statistics` does."""
        return counts(self.db)

    def rows(self, kind: str) -> Iterator[Row]:
        """Stream the records of a kind, without its name in them."""
        for record in READERS[kind](self.db):
            del record["kind"]
            yield record

    def passages(self) -> Iterator[Row]:
        """Stream the passages, each with its `extractor`, None where it is not known."""
        for row in self.rows("passage"):
            found = self.db.execute(_EXTRACTOR, (row["id"],)).fetchone()
            yield row | {"extractor": found[0] if found else None}

    def entities(self) -> Iterator[Row]:
        """Stream the entities, each with `counts`: how often its name and its aliases occur."""
        spelled = groupby(self.db.execute(_SPELLED), key=lambda row: row[0])
        for row, (_, spellings) in zip(self.rows("entity"), spelled, strict=True):
            times = {spelling: count for _, spelling, count in spellings}
            yield row | {"counts": [times[name] for name in [row["name"], *row["aliases"]]]}

    def terms(self) -> Iterator[Row]:
        """Stream the stems, each with the number of its `passages`."""
        return self.select("SELECT id, passages FROM term ORDER BY id")

    def select(self, query: str) -> Iterator[Row]:
        """Stream the rows of a query by the names of their columns."""
        cursor = self.db.execute(query)
        names = [column[0] for column in cursor.description]
        return (dict(zip(names, row, strict=True)) for row in cursor)

    # -- filled from records
    def restore(self, records: Iterable[Mapping[str, Any]]) -> int:
        """Write records, as `Maintenance.restore` does; return how many."""
        return restore(self.db, records, lambda done: None)

    # -- filled with what is there
    def admit(self) -> None:
        """Take what contradicts itself, too."""
        self.db.execute("COMMIT")
        self.db.execute("PRAGMA foreign_keys = OFF")
        add_functions(self.db)
        self.db.execute("BEGIN")

    def insert(self, kind: str, row: Row, **others: object) -> int:
        """Write a row of a kind's table, maps as their JSON; return its number.

        0 where the graph would not take it.
        """
        values = {field.name: row[field.name] for field in columns(kind)} | others
        names = ", ".join(f'"{name}"' for name in values)
        cursor = self.db.execute(
            f"INSERT OR IGNORE INTO {kind} ({names}) VALUES ({', '.join('?' * len(values))}) "
            f"{_TWICE.get(kind, '')}",
            [json.dumps(v) if isinstance(v, list) else v for v in values.values()],
        )
        return (cursor.lastrowid or 0) if cursor.rowcount else 0

    def note_vector(self, passage: int) -> None:
        """Remember that the passage of this number has a vector, whichever."""
        self.db.execute("INSERT INTO passage_vector (number, vector) VALUES (?, x'')", (passage,))

    def mend_facts(self) -> list[Problem]:
        """Say what is wrong with documents, passages, mentions and triples; mend it here."""
        return [problem for step in FACTS for problem in self._of_facts(step)]

    def derive(self) -> None:
        """Derive all that follows from the facts."""
        derive(self.db)

    def _of_facts(self, step: tuple[Rule, ...]) -> list[Problem]:
        unmendable = [p for rule in step if not rule.mend for p in broken(self.db, rule)]
        return mend(self.db, step) + unmendable
