"""`kg.maintenance.Maintenance` in a SQLite file.

What is wrong is looked for in turn: in the file, in its tables, then by the rules.
"""

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import Any

from ...errors import StoreUnavailable
from ...graph_info import as_options, info_record, too_old
from ...maintenance import OLDER, RESTORE, Problem, Record, Unembedded, disk, problem_of
from ...records import not_empty
from ...types import Fingerprint
from ..file import SqliteFile, read_info
from ..records import records
from . import migrate, reembed
from .functions import add_functions
from .migrate import outdated, writing
from .restore import holds, restore
from .rules import RULES, STEPS, broken, mend

Progress = Callable[[str], None]

_BASE = frozenset(
    "graph_info parameters document failure passage triple mentions states extracted_by question "
    "answer step step_passage cites traced traced_end question_triple "
    "question_triple_triple question_triple_passage question_triple_entity "
    "claim_step claim_cites claim_traced".split()
)
"""Tables that nothing else gives again."""
_OF_INDEX = re.compile(r"(row \d+ missing from|wrong # of entries in) index (\w+)")
_FIRST = ("file", "indexes", "schema", "fingerprint")
"""Without these the rest can't be told."""
_MESSAGES = 2**31 - 1  # of SQLite's own check, all: what an index lacks may hide what a table lost


class SqliteMaintenance:
    """Maintenance of the graph in a file.

    Args:
        file: the file.
        where: what messages call it.
        expect_any: called when the graph's encoder is about to be another than was expected.
    """

    def __init__(self, file: SqliteFile, where: str, expect_any: Callable[[], None]) -> None:
        self._file = file
        self._where = where
        self._expect_any = expect_any

    def records(self) -> Iterator[dict[str, Any]]:
        with self._file.reading() as db:
            if info := read_info(db):
                yield info_record(info)
            yield from records(db)

    def restore(
        self, records: Iterable[Record], progress: Callable[[int], None] = lambda done: None
    ) -> int:
        self._expect_any()  # the records say which encoder
        with writing(self._file, self._where, create=True) as db:
            if held := holds(db):
                raise not_empty(self._where, held)
            return restore(db, records, progress)

    def reembedding(self, fingerprint: Fingerprint) -> reembed.SqliteReembedding:
        move = reembed.SqliteReembedding(self._file, self._where, fingerprint)
        move.begin()
        return move

    def moving_to(self) -> Fingerprint | None:
        with self._file.reading() as db:
            return None if outdated(db) else reembed.target(db)

    def not_embedded(self, limit: int) -> Iterator[Unembedded]:
        return reembed.not_embedded(self._file, limit)

    def problems(
        self, quick: bool = False, progress: Callable[[str], None] = lambda what: None
    ) -> list[Problem]:
        around = _around(self._file)
        with self._file.reading() as db:
            return around + _problems(db, quick, progress)

    def repair(self, progress: Callable[[str], None] = lambda what: None) -> list[Problem]:
        if not self._file.exists():
            return []
        with self._file.writing() as db:
            return _repair(db, progress)


def _around(file: SqliteFile) -> list[Problem]:
    """List what is wrong beside the file: rights, and free space."""
    problems = []
    if file.path.exists():
        try:
            file.require_rights()
        except StoreUnavailable as error:
            problems.append(Problem("rights", str(error), mendable=False))
        problems += disk(file.path.absolute().parent, file.path.stat().st_size)
    return problems


def _problems(db: sqlite3.Connection, quick: bool, progress: Progress) -> list[Problem]:
    """See Maintenance.problems."""
    progress("file")
    listed: list[Problem] = []
    for find in (_of_file if not quick else _of_file_quickly, _of_schema, _of_info):
        listed += find(db)
        if any(problem.what in _FIRST for problem in listed):
            return listed
    add_functions(db)
    for rule in RULES:
        if rule.quick or not quick:
            progress(rule.what)
            listed += broken(db, rule)
    return listed


def _repair(db: sqlite3.Connection, progress: Progress) -> list[Problem]:
    """See Maintenance.repair; in the caller's transaction."""
    mended: list[Problem] = []
    for find, make in ((_of_file, _reindex), (_of_schema, _make), (_of_info, _forget_move)):
        for problem in find(db):
            if problem.mendable:
                make(db)
                mended.append(problem)
            elif problem.what in _FIRST:
                return mended
    add_functions(db)
    for step in STEPS:
        progress(step[0].what)
        mended += mend(db, step)
    if mended:  # whoever keeps vectors or words in memory reads them again
        db.execute("UPDATE graph_info SET stamp = hex(randomblob(8))")
    return mended


def _of_file_quickly(db: sqlite3.Connection) -> list[Problem]:
    return _of_file(db, "quick_check")


def _of_file(db: sqlite3.Connection, check: str = "integrity_check") -> list[Problem]:
    found = db.execute(f"PRAGMA {check}({_MESSAGES})")
    said = [row[0] for row in islice(found, 3)]
    if said == ["ok"]:
        return []
    matches = [_OF_INDEX.match(one) for one in chain(said, (row[0] for row in found))]
    lacking = {match[2] for match in matches if match and match[1].startswith("row")}
    # An index that has more entries than its table has rows is the last that knows of them.
    if all(match and match[2] in lacking for match in matches):
        return [Problem("indexes", f"do not fit their tables: {'; '.join(said)}", True)]
    return [Problem("file", f"is damaged ({'; '.join(said)}); {RESTORE}", False)]


def _reindex(db: sqlite3.Connection) -> None:
    db.execute("REINDEX")


def _of_schema(db: sqlite3.Connection) -> list[Problem]:
    if migrate.outdated(db):
        lacking = migrate.obstacles(db)
        if lacking:
            return [Problem("schema", str(too_old("The graph", "; ".join(lacking))), False)]
        return [Problem("schema", OLDER, True)]
    missing = migrate.missing(db)
    if not missing:
        return []
    lost = _BASE.intersection(missing)
    problem = problem_of("schema", "missing or altered", missing, not lost, RESTORE if lost else "")
    return [problem] if problem else []


def _make(db: sqlite3.Connection) -> None:
    if migrate.outdated(db):
        migrate.migrate(db, "")  # nothing stands in its way
    else:
        migrate.make_missing(db)


def _of_info(db: sqlite3.Connection) -> list[Problem]:
    """The encoder, and the one to move to."""
    row = db.execute("SELECT fingerprint, next_fingerprint FROM graph_info").fetchone()
    if row is None:
        if not db.execute("SELECT 1 FROM document UNION ALL SELECT 1 FROM passage").fetchone():
            return []
        return [Problem("fingerprint", f"nothing says which encoder; {RESTORE}", False)]
    fingerprint = _fingerprint(row[0])
    if fingerprint is None:
        return [Problem("fingerprint", f"can't be read; {RESTORE}", False)]
    if said := _contradicted(db, fingerprint.dimension):
        return [Problem("fingerprint", f"{said}; {RESTORE}", False)]
    return list(_moving(row[1]))


def _contradicted(db: sqlite3.Connection, dimension: int) -> str:
    lengths = "SELECT length(vector) / 4, count(*) FROM passage_vector GROUP BY 1 ORDER BY 2 DESC"
    held = db.execute(lengths).fetchall()
    if not held or dimension in (length for length, _ in held):
        return ""
    return f"of {dimension} dimensions, while {held[0][1]:,} vectors have {held[0][0]}"


def _moving(text: str | None) -> Iterator[Problem]:
    if not text:
        return
    if target := _fingerprint(text):
        detail = (
            f"the graph is being moved to {target.name}; unless that is running, "
            f"`hoptrail {as_options(target)} reembed` ends it"
        )
        yield Problem("reembed", detail, mendable=False)
    else:
        yield Problem("reembed", "of the encoder to move to nothing can be read", mendable=True)


def _forget_move(db: sqlite3.Connection) -> None:
    for kind in ("passage", "triple"):
        db.execute(f"DELETE FROM {kind}_vector_next")
    db.execute("UPDATE graph_info SET next_fingerprint = NULL")


def _fingerprint(text: str) -> Fingerprint | None:
    try:
        read = Fingerprint(**json.loads(text))
    except (TypeError, ValueError):
        return None
    return read if isinstance(read.dimension, int) else None
