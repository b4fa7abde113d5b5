"""A run on disk: its manifest, and a line for each question as soon as it is answered."""

import contextlib
import json
import math
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import UnionType
from typing import IO, Any, Self, get_args, get_origin, get_type_hints

from ....kg.errors import BadRequest
from ....loaders.writing import write_whole
from .manifest import differences
from .outcome import Outcome

UNBINDING = ("at_once",)
"""Of a manifest: what may be another when a run goes on, for answers do not depend on it."""
_TYPES = get_type_hints(Outcome)


@dataclass
class RunFile:
    """A run in FOLDER/name.json and name.jsonl, which a later run of its manifest goes on with.

    Opening it refuses what is not its run and what another process writes, drops the line that a
    kill cut short, and takes out failed questions, to be asked again.

    Args:
        lines: the .jsonl.
        manifest: JSON values.
        done: what earlier runs answered, by the question's id.
    """

    lines: Path
    manifest: dict[str, Any]
    done: dict[str, Outcome] = field(default_factory=dict)
    _out: IO[str] | None = None
    _open: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    def require_fitting(self) -> None:
        """Refuse to go on with another run; nothing is written.

        Raises:
            BadRequest: the folder holds one under this name, or lines without a manifest.
        """
        beside = self.lines.with_suffix(".json")
        if beside.exists():
            self._require_equal(beside, _plain(self.manifest))
        elif self.lines.exists():
            raise BadRequest(f"{self.lines} has no manifest beside it. Name another folder.")

    def __enter__(self) -> Self:
        """Raises BadRequest: as `require_fitting`, a line is no outcome, or it is being written."""
        with contextlib.ExitStack() as opened:
            opened.enter_context(_alone(self.lines))
            self.require_fitting()
            text = json.dumps(_plain(self.manifest), indent=2, ensure_ascii=False) + "\n"
            write_whole(self.lines.with_suffix(".json"), text)
            if self.lines.exists():
                self.done = {one.id: one for one in read_lines(self.lines) if one.failed is None}
                write_whole(self.lines, "".join(map(written, self.done.values())))
            self._out = opened.enter_context(self.lines.open("a", encoding="utf-8", newline="\n"))
            self._open = opened.pop_all()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._open.close()

    def keep(self, one: Outcome) -> None:
        """Write a question's line; it survives a kill from here on."""
        assert self._out is not None
        self._out.write(written(one))
        self._out.flush()

    def finish(self, each: Iterable[Outcome]) -> None:
        """Bring the lines into the order of the questions, once all are answered."""
        assert self._out is not None
        self._out.close()
        write_whole(self.lines, "".join(map(written, each)))

    def _require_equal(self, file: Path, manifest: dict[str, Any]) -> None:
        before = read_manifest(file)
        if before is None:
            raise BadRequest(f"{file} is no manifest of a run. Name another folder.")
        if different := differences(_binding(before), _binding(manifest)):
            raise BadRequest(
                f"{self.lines.parent} holds another run of this name: {'; '.join(different)}. "
                "Name another folder, or measure as before."
            )


def read_manifest(file: Path) -> dict[str, Any] | None:
    """Read a manifest, a JSON object; None where the file holds none."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def read_lines(file: Path) -> list[Outcome]:
    """Read what a run has written, but for a last line that a kill cut short.

    Raises:
        BadRequest: a line is no outcome; the message names file and line.
    """
    text = file.read_text(encoding="utf-8", errors="replace")
    whole = text[: text.rfind("\n") + 1]
    found = []
    for number, line in enumerate(whole.split("\n")[:-1], 1):
        try:
            found.append(_outcome(line))
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            raise BadRequest(
                f"{file}, line {number} is no outcome of a question ({error}). Take the line out, "
                "and `hoptrail evaluate answers` with this folder asks the question again."
            ) from None
    return found


def _outcome(line: str) -> Outcome:
    data = json.loads(line)
    if not isinstance(data, dict):
        raise ValueError("it is no JSON object")
    told = data.pop("crc32", None)
    one = Outcome.of_json(data)
    for name, type_ in _TYPES.items():
        value = getattr(one, name)
        if not _is(value, type_):
            raise ValueError(f"{name} is {value!r}")
    if told is None:
        raise ValueError("it has no crc32: an older version wrote it")
    if told != _sum(data):
        raise ValueError("its crc32 is another: the line was damaged or edited")
    return one


def _is(value: object, type_: Any) -> bool:  # noqa: ANN401 - any type of a field
    kind, inner = get_origin(type_), get_args(type_)
    if kind is UnionType:
        return any(_is(value, one) for one in inner)
    if kind is tuple and isinstance(value, tuple):
        of_each = inner[:1] * len(value) if inner[-1] is ... else inner
        return len(value) == len(of_each) and all(map(_is, value, of_each))
    if kind is Mapping and isinstance(value, dict):
        return all(_is(one, inner[1]) for one in value.values())
    if type_ is float:
        return isinstance(value, int | float) and math.isfinite(value)
    return kind is None and isinstance(value, type_)


def _binding(manifest: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in manifest.items() if name not in UNBINDING}


def _plain(manifest: dict[str, Any]) -> dict[str, Any]:
    """As JSON gives it back: lists for tuples."""
    return json.loads(json.dumps(manifest))


def written(one: Outcome) -> str:
    """Format an outcome as its line, with its checksum."""
    data = one.as_json()
    return json.dumps({**data, "crc32": _sum(data)}) + "\n"


def _sum(data: Mapping[str, Any]) -> str:
    """Of the values, however they are spelt: a digit that flips would be another figure."""
    return f"{zlib.crc32(json.dumps(data).encode()):08x}"


@contextlib.contextmanager
def _alone(lines: Path) -> Iterator[None]:
    """Until it ends, or the process does, no other writes this run: a lock that SQLite keeps.

    The empty file stays: were it removed, another process might hold a lock on what is gone.
    """
    file = lines.with_suffix(".lock")
    with contextlib.ExitStack() as opened:
        try:
            connection = sqlite3.connect(file, 0, isolation_level=None)
            opened.enter_context(contextlib.closing(connection))
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            busy = error.sqlite_errorcode == sqlite3.SQLITE_BUSY
            what = "is being written by another process" if busy else f"can't be locked ({error})"
            raise BadRequest(
                f"{lines} {what}. {'Wait for its end, or name' if busy else 'Name'} another folder."
            ) from None
        yield
