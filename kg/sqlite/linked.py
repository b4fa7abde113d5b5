"""What the SQLite graph keeps of Wikidata."""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import fields
from typing import Any, TypeVar

from ..linked import Claim, ItemLink, LinkedItem
from ..schema import properties
from .columns import Insertion, columns, has_table
from .file import SqliteFile, put_ids

Made = TypeVar("Made")
_BY_VALUE = """
CREATE INDEX IF NOT EXISTS claim_value ON claim (value_id) WHERE value_id IS NOT NULL
"""
Writing = Callable[[], AbstractContextManager[sqlite3.Connection]]


class SqliteLinks:
    """`kg.linked.KeepsLinks` in a file.

    Args:
        file: the file.
        writing: lends a transaction that writes, see `kg.sqlite.upkeep.migrate.writing`.
    """

    def __init__(self, file: SqliteFile, writing: Writing) -> None:
        self._file = file
        self._writing = writing

    # -- reading
    def items(self, item_ids: Collection[str]) -> dict[str, LinkedItem]:
        found = self._rows("item", LinkedItem, "CROSS JOIN item USING (id)", item_ids, "item.id")
        by_id = {item.id: item for item in found}
        return {key: by_id[key] for key in dict.fromkeys(item_ids) if key in by_id}

    def links(self, entity_ids: Collection[str]) -> list[ItemLink]:
        return self._linked("entity_id", entity_ids)

    def linked(self, item_ids: Collection[str]) -> list[ItemLink]:
        return self._linked("item_id", item_ids)

    def linked_by(self, document_ids: Collection[str]) -> dict[str, str]:
        with self._asking(document_ids) as db:
            query = "SELECT id, method FROM temp.asked CROSS JOIN linked_by ON document_id = id"
            held = dict(db.execute(query)) if db else {}
        return {key: held[key] for key in dict.fromkeys(document_ids) if key in held}

    def item_ids(self) -> list[str]:
        with self._asking(()) as db:
            query = "SELECT DISTINCT item_id FROM link ORDER BY item_id"
            return [row[0] for row in db.execute(query)] if db else []

    def stated(self) -> bool:
        with self._asking(()) as db:
            return bool(db and db.execute("SELECT EXISTS (SELECT 1 FROM claim)").fetchone()[0])

    def claims(self, item_ids: Collection[str]) -> list[Claim]:
        join = "CROSS JOIN claim ON item_id = asked.id"
        return self._rows("claim", Claim, join, item_ids, "item_id, pid, claim.id")

    def stating(self, item_ids: Collection[str]) -> list[Claim]:
        join = "CROSS JOIN claim ON value_id = asked.id"
        return self._rows("claim", Claim, join, item_ids, "item_id, pid, claim.id")

    def claims_about(self, entity_ids: Collection[str], limit: int = 100) -> list[Claim]:
        join = (
            "CROSS JOIN (SELECT DISTINCT link.item_id AS means FROM temp.asked "
            "CROSS JOIN link ON entity_id = asked.id) JOIN claim ON claim.item_id = means "
            "WHERE asked.id = (SELECT min(id) FROM temp.asked)"
        )
        order = f"claim.item_id, pid, claim.id LIMIT {max(limit, 0):d}"
        return self._rows("claim", Claim, join, entity_ids, order)

    # -- writing
    def link(
        self,
        document_ids: Collection[str],
        method: str,
        links: Sequence[ItemLink],
        items: Iterable[LinkedItem],
    ) -> None:
        with self._writing() as db:
            changed = _unlink(db, document_ids)
            _put(db, "item", items, "id")
            there = _there(db, "document")
            insertion = Insertion("linked_by")
            rows = ({"document_id": one, "method": method} for one in sorted(there))
            db.executemany(insertion.statement, map(insertion.row, rows))
            put_ids(db, {link.entity_id for link in links})
            known = _there(db, "entity")
            kept = [one for one in links if one.document_id in there and one.entity_id in known]
            _put(db, "link", kept)
            settle(db, changed | {link.entity_id for link in kept})

    def unlink(self, document_ids: Collection[str] | None = None) -> int:
        if not self._file.exists():
            return 0
        with self._writing() as db:
            every = "SELECT document_id FROM linked_by UNION SELECT document_id FROM link"
            asked = document_ids
            if asked is None:
                asked = [row[0] for row in db.execute(every).fetchall()]
            before = db.execute("SELECT count(*) FROM link").fetchone()[0]
            changed = _unlink(db, asked)
            after = db.execute("SELECT count(*) FROM link").fetchone()[0]
            if document_ids is None:
                db.execute("DELETE FROM claim")
                db.execute("DELETE FROM item")
            settle(db, changed)
            return before - after

    def state(self, item_ids: Collection[str], claims: Iterable[Claim]) -> None:
        with self._writing() as db:
            db.execute(_BY_VALUE)  # which a file that was linked before may lack
            put_ids(db, item_ids)
            held = "SELECT claim.id FROM temp.asked CROSS JOIN claim ON item_id = asked.id"
            before, there = {row[0] for row in db.execute(held)}, _there(db, "item")
            kept = {one.id: one for one in claims if one.item_id in there}
            put_ids(db, before - kept.keys())  # answers go on resting on what is stated still
            db.execute("DELETE FROM claim WHERE id IN (SELECT id FROM temp.asked)")
            _put(db, "claim", kept.values(), "id")

    def forget_claims(self) -> int:
        if not self._file.exists():
            return 0
        with self._writing() as db:
            return db.execute("DELETE FROM claim").rowcount

    # -- inside
    @contextmanager
    def _asking(self, ids: Collection[str]) -> Iterator[sqlite3.Connection | None]:
        """A connection with these ids in temp.asked; None where nothing was ever linked."""
        with self._file.reading() as db:
            if not has_table(db, "claim"):
                yield None
                return
            put_ids(db, ids)
            yield db

    def _linked(self, column: str, ids: Collection[str]) -> list[ItemLink]:
        join = f"CROSS JOIN link ON {column} = asked.id"
        return self._rows("link", ItemLink, join, ids, "entity_id, document_id")

    def _rows(
        self, kind: str, make: type[Made], join: str, ids: Collection[str], order: str
    ) -> list[Made]:
        names = ", ".join(f'{kind}."{field.name}"' for field in fields(make))  # pyright: ignore[reportArgumentType]
        with self._asking(ids) as db:
            if db is None:
                return []
            query = f"SELECT {names} FROM temp.asked {join} ORDER BY {order}"
            return [make(*row) for row in db.execute(query)]


def settle(db: sqlite3.Connection, entity_ids: Collection[str]) -> None:
    """Derive what entities mean everywhere, after some of their links came or went."""
    put_ids(db, entity_ids)
    db.execute(
        "DELETE FROM link WHERE entity_id IN (SELECT id FROM temp.asked) "
        "AND NOT EXISTS (SELECT 1 FROM entity WHERE entity.id = entity_id)"
    )
    db.execute(f"{MEANS} WHERE id IN (SELECT id FROM temp.asked)")


def linked_entities(db: sqlite3.Connection) -> set[str]:
    """Find the entities that links of the documents in temp.asked lead from."""
    query = "SELECT DISTINCT entity_id FROM temp.asked CROSS JOIN link ON document_id = asked.id"
    return {row[0] for row in db.execute(query)}


_ONE = "CASE WHEN min(item_id) = max(item_id) THEN"
ONE = f"SELECT {_ONE} min(item_id) END FROM link WHERE entity_id = entity.id"
"""The item that all links of an entity lead to."""
MEANS = f"""
UPDATE entity SET wikidata_id = ({ONE}), description = (
    SELECT {_ONE} min(item.description) END FROM link JOIN item ON item.id = item_id
    WHERE entity_id = entity.id)
"""


def _there(db: sqlite3.Connection, table: str) -> set[str]:
    """Which of temp.asked are there."""
    query = f"SELECT id FROM temp.asked JOIN {table} USING (id)"
    return {row[0] for row in db.execute(query)}


def _unlink(db: sqlite3.Connection, document_ids: Collection[str]) -> set[str]:
    """Take links out; return the entities they led from. The documents stay in temp.asked."""
    put_ids(db, document_ids)
    changed = linked_entities(db)
    for table in ("link", "linked_by"):
        db.execute(f"DELETE FROM {table} WHERE document_id IN (SELECT id FROM temp.asked)")
    return changed


def _put(db: sqlite3.Connection, kind: str, made: Iterable[Any], key: str = "") -> None:
    insertion = Insertion(kind)
    rows = [insertion.row(properties(kind, one)) for one in made]
    others = [field.name for field in columns(kind) if field.name != key]
    change = ", ".join(f'"{name}" = excluded."{name}"' for name in others)
    renew = f" ON CONFLICT ({key}) DO UPDATE SET {change}" if key else ""
    db.executemany(insertion.statement + renew, rows)
