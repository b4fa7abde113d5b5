"""`kg.maintenance.Maintenance` in a SQLite file."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..graph_info import info_record
from ..maintenance import Problem, Record, Unembedded
from ..records import not_empty
from ..types import Fingerprint
from . import check, reembed
from .file import SqliteFile, read_info
from .migrate import outdated, writing
from .records import records
from .restore import holds, restore


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
        around = check.around(self._file)
        with self._file.reading() as db:
            return around + check.problems(db, quick, progress)

    def repair(self, progress: Callable[[str], None] = lambda what: None) -> list[Problem]:
        if not self._file.exists():
            return []
        with self._file.writing() as db:
            return check.repair(db, progress)
