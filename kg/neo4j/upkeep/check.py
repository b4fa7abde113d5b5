"""What is wrong with a Neo4j graph, and mending it: the server, its indexes, then all that is kept.

Mending goes in batches, each under the writers' lock and only while nobody else has written since
the graph was read.
"""

from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path

from ...errors import StoreUnavailable
from ...graph_info import as_options, check_version
from ...maintenance import OLDER, RESTORE, Problem, disk, problem_of
from ...sqlite.scratch import ScratchGraph
from ...types import SCHEMA_VERSION
from .. import rows
from ..migrate import read_info, unprefixed
from ..reembed import target
from ..restore import check_unchanged, check_whole
from ..schema import drop_failed, make_schema, unique_labels, wrong_indexes
from ..server import Neo4jServer
from ..stage import DERIVED, Progress, Stage, grouped
from ..statements import ROWS, Row, Statements
from ..write import lock

LOCAL = ("localhost", "127.0.0.1", "[::1]")
_FIRST = ("restore", "schema", "indexes", "fingerprint")
"""Without these the rest can't be told."""

Migrate = Callable[[], None]
_DROP_VECTORS = {"passage": "check/drop_passage_vectors", "triple": "check/drop_triple_vectors"}


def problems(server: Neo4jServer, quick: bool, progress: Progress) -> list[Problem]:
    """See Maintenance.problems."""
    progress("server")
    listed = _of_server(server)
    info = _info(server)
    if info is None:
        return listed + _of_nothing(server)
    listed += _of_info(server, info)
    if quick or any(problem.what in _FIRST for problem in listed):
        return listed
    with ScratchGraph() as scratch:
        stage = _staged(server, scratch, info, progress)
        listed += stage.problems(progress) + _of_marks(server) + _of_answers(server)
    _check_unchanged(server, info)
    return listed


def repair(server: Neo4jServer, migrate: Migrate, progress: Progress) -> list[Problem]:
    """See Maintenance.repair.

    Args:
        server: where.
        migrate: brings a graph of an older version up to date.
        progress: see there.
    """
    mended: list[Problem] = []
    info = _info(server)
    if info is None:
        return []
    for problem in _of_info(server, info):
        if problem.mendable:
            if problem.what == "schema":
                migrate()
            else:
                _make_indexes(server, info)
            mended.append(problem)
        elif problem.what in _FIRST:
            return mended
    info = _info(server) or info
    with ScratchGraph() as scratch:
        stage = _staged(server, scratch, info, progress)
        listed = stage.problems(progress) + _of_marks(server) + _of_answers(server)
        _check_unchanged(server, info)
        if any(problem.mendable for problem in listed):
            progress("mending")
            _Mending(server, info).run(stage)
    return mended + [problem for problem in listed if problem.mendable]


class _Mending:
    def __init__(self, server: Neo4jServer, info: Row) -> None:
        self._server = server
        self._changes = info.get("changes", 0)

    def run(self, stage: Stage) -> None:
        self._chunked("check/mark", stage.marked())
        self._chunked("write/documents", stage.made())
        for kind, statement in _DROP_VECTORS.items():
            self._chunked(statement, stage.bad_vectors[kind], "ids")
        self._chunked("forget/relations", stage.unstated, "ids")
        self._chunked("forget/triples", stage.unstated, "ids")
        for kind in DERIVED:
            differences = iter(stage.differences(kind))
            while chunk := list(islice(differences, ROWS)):
                for statement, listed in sorted(grouped(chunk).items(), key=_drops_first):
                    self._chunked(statement, listed)
        self._chunked("derive/entities", _wrongly_marked(self._server))
        self._chunked("wikidata/means", _ids(self._server, "wikidata/other_items"), "ids")
        self._chunked("forget/gone_evidence", _ids(self._server, "check/gone_evidence"), "ids")
        self._chunked("check/drop_questions", _ids(self._server, "check/lone_questions"), "ids")
        lone = _ids(self._server, "check/lone_question_triples")
        self._chunked("check/drop_question_triples", lone, "ids")
        self._server.write(self._changed)

    def _chunked(self, statement: str, listed: Iterable[object], key: str = "rows") -> None:
        def work(run: Statements, chunk: list[object]) -> None:
            info = lock(run, self._server.where)
            check_unchanged(self._server.where, self._changes, info.get("changes", 0))
            run(statement, **{key: chunk})

        left = iter(listed)
        while chunk := list(islice(left, ROWS)):
            self._server.write(lambda run, chunk=chunk: work(run, chunk))

    def _changed(self, run: Statements) -> None:
        lock(run, self._server.where)
        run("info/changed")


def _drops_first(statement: tuple[str, list[Row]]) -> bool:
    return statement[0] not in {derived.drop for derived in DERIVED.values()}


def _staged(server: Neo4jServer, scratch: ScratchGraph, info: Row, progress: Progress) -> Stage:
    stage = Stage(scratch, info["encoder_dimension"])
    stage.load(server.read, progress)
    return stage


def _ids(server: Neo4jServer, statement: str) -> list[str]:
    return [row["id"] for row in server.read(lambda run: run(statement))]


def _info(server: Neo4jServer) -> Row | None:
    """GraphInfo's properties as they are.

    Raises:
        SchemaMismatch: of a newer version.
    """
    info = server.read(read_info)
    if info is not None:
        check_version(server.where, info.get("schema_version", 0))
    return info


def _check_unchanged(server: Neo4jServer, info: Row) -> None:
    now = _info(server) or {}
    check_unchanged(server.where, info.get("changes", 0), now.get("changes", 0))


# -- what holds the graph
def _of_server(server: Neo4jServer) -> list[Problem]:
    problems = []
    try:
        server.write(lambda run: run("info/lock"))  # sets what is there to itself
    except StoreUnavailable as error:
        problems.append(Problem("rights", str(error), mendable=False))
    host = server.where.partition("://")[2].rpartition(":")[0] or server.where
    if host in LOCAL:
        for row in server.read(lambda run: run("check/settings")):
            folder = Path(row["folder"])
            if folder.is_dir():
                problems += disk(folder, _size(folder / "databases" / server.database))
    return problems


def _size(folder: Path) -> int:
    """Bytes in it, 0 where that can't be told: files come and go."""
    try:
        return sum(file.stat().st_size for file in folder.glob("**/*"))
    except OSError:
        return 0


def _of_nothing(server: Neo4jServer) -> list[Problem]:
    counts = server.read(lambda run: run("read/statistics"))[0]
    if not counts["documents"] + counts["passages"]:
        return []
    return [Problem("fingerprint", f"nothing says which encoder; {RESTORE}", mendable=False)]


def _of_info(server: Neo4jServer, info: Row) -> list[Problem]:
    try:
        check_whole(server.where, info)
    except StoreUnavailable as error:
        return [Problem("restore", str(error), mendable=False)]
    if problem := _of_fingerprint(server, info):
        return [problem]
    if info["schema_version"] < SCHEMA_VERSION or unprefixed(info):
        return [Problem("schema", OLDER, mendable=True)]
    if to := target(info):
        detail = (
            f"the graph is being moved to {to.name}; unless that is running, "
            f"`hoptrail {as_options(to)} reembed` ends it"
        )
        return [Problem("reembed", detail, mendable=False), *_of_indexes(server, info)]
    return _of_indexes(server, info)


def _of_fingerprint(server: Neo4jServer, info: Row) -> Problem | None:
    try:
        dimension = rows.info(info).fingerprint.dimension
    except KeyError as error:
        return Problem("fingerprint", f"GraphInfo lacks {error}; {RESTORE}", mendable=False)
    held = server.read(lambda run: run("check/dimensions"))
    if info.get("switching") or not held or dimension in (row["dimension"] for row in held):
        return None
    detail = (
        f"of {dimension} dimensions, while {held[0]['passages']:,} vectors have "
        f"{held[0]['dimension']}; {RESTORE}"
    )
    return Problem("fingerprint", detail, mendable=False)


def _of_indexes(server: Neo4jServer, info: Row) -> list[Problem]:
    if info.get("switching"):  # the vector index is being made anew
        return []
    wrong = wrong_indexes(server, info["encoder_dimension"])
    twice = [
        f"{label} {row['id']}"
        for label in unique_labels(server, wrong)
        for row in server.read(lambda run, label=label: run("check/twice", label=label))
    ]
    listed = (
        problem_of("indexes", "missing, failed or not as they should be", wrong, not twice),
        problem_of("nodes", "ids that several nodes have", twice, False, RESTORE),
    )
    return [problem for problem in listed if problem]


def _make_indexes(server: Neo4jServer, info: Row) -> None:
    drop_failed(server)
    make_schema(server, info["encoder_dimension"])


def _wrongly_marked(server: Neo4jServer) -> list[Row]:
    return server.read(lambda run: run("check/keywords"))


def _of_marks(server: Neo4jServer) -> list[Problem]:
    wrong = [row["id"] for row in _wrongly_marked(server)]
    says = "entities that are marked as keywords and are none, or the other way round"
    items = _ids(server, "wikidata/other_items")
    other = "entities that are said to be another item than their links lead to"
    listed = problem_of("counts", says, wrong, True), problem_of("derived", other, items, True)
    return [problem for problem in listed if problem]


def _of_answers(server: Neo4jServer) -> list[Problem]:
    lone, gone = _ids(server, "check/lone_answers"), _ids(server, "check/gone_evidence")
    apart = _ids(server, "check/lone_question_triples")
    asked = [row["text"] for row in server.read(lambda run: run("check/lone_questions"))]
    listed = (
        problem_of("edges", "answers whose question is gone", lone, False, RESTORE),
        problem_of("edges", "passages that answers rest on, though they are gone", gone, True),
        problem_of("orphans", "questions without an answer", asked, True),
        problem_of("orphans", "triples of questions whose answer is gone", apart, True),
    )
    return [problem for problem in listed if problem]
