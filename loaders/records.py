"""JSON records of a file, one at a time: JSON lines, or one array too large to hold."""

import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..kg.errors import SourceError
from ..kg.text.words import clean
from . import reading
from .options import Meter
from .reading import chunks, too_long, unreadable

MAX_QUOTED = 80
"""Characters of a value in a message."""
MOST_LEFT = 10
"""Lines or rows that are left out: more, and more than are read, are of something else."""
_NAMED_LEFT = 10
NEAR_END = 16
r"""Characters; longer than any token that a chunk's end can cut ("\ud83d", "-Infinity")."""


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON object with its place, so that every complaint names file, record and field.

    Args:
        path: the file.
        place: "line 3" or "record 3", counted from 1.
        data: the object.
        around: whether it is what stands beside an array of records, which it is not one of.
    """

    path: Path
    place: str
    data: dict[str, Any]
    around: bool = False

    def error(self, reason: str) -> SourceError:
        """Make a SourceError that names the file and this record."""
        return unreadable(self.path, f"{self.place}: {reason}")

    def text(self, field: str, default: str | None = None) -> str:
        """Read a string; numbers are taken as their digits, null and absent as `default`.

        Raises:
            SourceError: something else, or absent without a default.
        """
        value = self.data.get(field)
        if value is None and default is not None:
            return default
        return self._string(field, value)

    def items(self, field: str) -> list[Any]:
        """Read a list, empty when absent or null.

        Raises:
            SourceError: it is something else.
        """
        value = self.data.get(field)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.error(f"field {field!r} must be a list, not {kind(value)}")
        return value

    def texts(self, field: str) -> tuple[str, ...]:
        """Read a list of strings, empty when absent."""
        return tuple(self._string(field, value) for value in self.items(field))

    def inner(self, field: str) -> Iterator["Record"]:
        """Read the objects of a list, each with its place: "line 3, paragraphs[0]"."""
        for number, value in enumerate(self.items(field)):
            place = f"{self.place}, {field}[{number}]"
            if not isinstance(value, dict):
                raise Record(self.path, place, {}).error(f"must be an object, not {kind(value)}")
            yield Record(self.path, place, value)

    def _string(self, field: str, value: object) -> str:
        if isinstance(value, str):
            return clean(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
        if value is None:
            raise self.error(f"field {field!r} is missing")
        raise self.error(f"field {field!r} must hold text, not {kind(value)}")


class _Written(float):
    """A number that reads as its file has it: a price of 88.00, not 88.0."""

    _written: str

    def __new__(cls, written: str) -> "_Written":
        number = super().__new__(cls, written)
        number._written = str(written)
        return number

    def __str__(self) -> str:
        return self._written


_JSON = json.JSONDecoder(parse_float=_Written)
_EXPECTED = "JSON lines or one array of objects is expected"


def records(path: Path, meter: Meter | None = None) -> Iterator[Record]:
    """Yield the objects of a JSON-lines file, or of a file that is one JSON array or one object.

    Args:
        path: of the file.
        meter: counts along.

    Raises:
        SourceError: the file can't be read, or a record is malformed; earlier ones were yielded,
            and of JSON lines all others.
    """
    stream = chunks(path, meter)
    start = next(stream, "")
    if not start.lstrip().startswith("[") and not _opens_object(start):
        yield from _lines(path, itertools.chain([start], stream))
        return
    read = _array if start.lstrip().startswith("[") else _whole
    for place, value in read(path, itertools.chain([start], stream)):
        if not isinstance(value, dict):
            raise Record(path, place, {}).error(f"{_no_object(value)}; {_EXPECTED}")
        yield Record(path, place, value)


def members(path: Path, meter: Meter | None = None) -> Iterator[Record]:
    """Yield the members of a file that is one JSON object of texts, each as {name: text}.

    Args:
        path: of the file.
        meter: counts along.

    Raises:
        SourceError: the file can't be read, or is malformed; earlier members were yielded.
    """
    stream = chunks(path, meter)
    rest, number = _filled("", stream), 0
    if not rest.startswith("{"):
        raise SourceError(clean(str(path)), "not valid JSON: an object is expected")
    rest = _filled(rest[1:], stream)
    while not rest.startswith("}"):
        number += 1
        place = f"member {number}"
        name, rest = _element(path, place, rest, stream)
        rest = _filled(rest, stream)
        if not isinstance(name, str) or not rest.startswith(":"):
            raise Record(path, place, {}).error("not valid JSON: no name and colon before it")
        text, rest = _element(path, place, _filled(rest[1:], stream), stream)
        yield Record(path, place, {name: text})
        rest = _next(path, place, rest, stream, "}")


def kind(value: object) -> str:
    """Return what JSON calls a value's type."""
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false"}
    return "null" if value is None else names.get(type(value), "a number")


def quoted(text: str) -> str:
    """Quote a value for a message, shortened: it may be a whole article by mistake."""
    return repr(text if len(text) <= MAX_QUOTED else f"{text[: MAX_QUOTED - 1]}…")


def _no_object(value: object) -> str:
    return f"must be an object, not {kind(value)}"


def _lines(path: Path, stream: Iterator[str]) -> Iterator[Record]:
    """Objects of JSON lines; of lines that are none it is said last, as the others are read."""
    left, read = list[tuple[int, str]](), 0
    for number, line in enumerate(lines(path, stream), 1):
        if not line.strip():
            continue
        try:
            value = _JSON.decode(line)
            why = _no_object(value)
        except (ValueError, RecursionError) as error:
            value, why = None, _why(error)
        if isinstance(value, dict):
            read += 1
            yield Record(path, f"line {number}", value)
            continue
        left.append((number, why))
        if len(left) > max(MOST_LEFT, read):
            break
    if left and not read:
        raise Record(path, f"line {left[0][0]}", {}).error(f"{left[0][1]}; {_EXPECTED}")
    if left:
        raise left_out(path, left, "mend these lines, one object each")


def left_out(path: Path, left: Sequence[tuple[int, str]], then: str) -> SourceError:
    """Say which lines or rows were left out of a file whose others were read.

    Args:
        left: number and fault of each; the first one's is told.
        then: the next step.
    """
    (line, why), *rest = left
    others = ", ".join(str(other) for other, _ in rest[: _NAMED_LEFT - 1])
    more = f" (likewise {others}{', …' if len(left) > _NAMED_LEFT else ''})" if others else ""
    return Record(path, f"line {line}", {}).error(f"{why}, left out{more}; {then}")


def lines(path: Path, stream: Iterator[str]) -> Iterator[str]:
    r"""Yield the lines of a text that comes in pieces, without their "\n".

    Raises:
        SourceError: a line is longer than `reading.MAX_TEXT`; earlier ones were yielded.
    """
    held: list[str] = []  # pieces of the line that is not whole yet
    length, number = 0, 1
    for chunk in stream:
        first, *others = chunk.split("\n")
        held.append(first)
        length += len(first)
        if length > reading.MAX_TEXT:
            raise Record(path, f"line {number}", {}).error(f"{too_long()}; a line can't be so long")
        for other in others:
            yield "".join(held)
            held, length, number = [other], len(other), number + 1
    yield "".join(held)


def _opens_object(start: str) -> bool:
    """Whether a file begins with an object that goes on after its first line: no JSON lines."""
    line, _, rest = start.lstrip().partition("\n")
    if not line.startswith("{") or not rest.strip():
        return False
    if rest.lstrip().startswith("{") and line.count("[") <= line.count("]") and line[-1] != ":":
        return False  # no object follows in another that is no list's: the line is broken off
    try:
        json.loads(line)
    except ValueError as error:
        return not isinstance(error, json.JSONDecodeError) or error.pos >= len(line.rstrip())
    except RecursionError:
        return False
    return False


def _whole(path: Path, stream: Iterator[str]) -> Iterator[tuple[str, Any]]:
    """A file that is one object over many lines."""
    pieces, length = list[str](), 0
    for piece in stream:
        pieces.append(piece)
        length += len(piece)
        if length > reading.MAX_TEXT:
            raise unreadable(path, f"one object of {too_long()}; save its array as JSON lines")
    try:
        yield "record 1", _JSON.decode("".join(pieces))
    except (ValueError, RecursionError) as error:
        raise _malformed(path, "record 1", error) from None


def _array(path: Path, stream: Iterator[str]) -> Iterator[tuple[str, Any]]:
    rest, number = _filled(next(stream).lstrip()[1:], stream), 0
    while not rest.startswith("]"):
        number += 1
        place = f"record {number}"
        value, rest = _element(path, place, rest, stream)
        yield place, value
        rest = _next(path, place, rest, stream, "]")


def _next(path: Path, place: str, rest: str, stream: Iterator[str], end: str) -> str:
    """What follows the comma after an element; the end's bracket stays."""
    rest = _filled(rest, stream)
    if rest.startswith(","):
        return _filled(rest[1:], stream)
    if not rest.startswith(end):
        raise Record(path, place, {}).error("not valid JSON: no comma or bracket after it")
    return rest


def _filled(rest: str, stream: Iterator[str]) -> str:
    """What is left to read, without leading white space; "" at the end of the file."""
    while not (rest := rest.lstrip()):
        more = next(stream, None)
        if more is None:
            return ""
        rest = more
    return rest


def _element(path: Path, place: str, text: str, stream: Iterator[str]) -> tuple[Any, str]:
    """The value that begins the text, reading on while it is incomplete, and what follows it."""
    decode = _JSON.raw_decode
    while True:
        try:
            value, end = decode(text)
            return value, text[end:]
        except (ValueError, RecursionError) as error:
            if len(text) > reading.MAX_TEXT:
                raise Record(path, place, {}).error(f"{too_long()} without an end") from None
            more = _more(stream, len(text)) if _cut(error, text) else ""
            if not more:
                raise _malformed(path, place, error) from None
            text += more


def _more(stream: Iterator[str], wanted: int) -> str:
    """At least so many characters, if there are: a huge record is then parsed a few times only."""
    parts: list[str] = []
    while wanted > 0 and (chunk := next(stream, None)) is not None:
        parts.append(chunk)
        wanted -= len(chunk)
    return "".join(parts)


def _cut(error: Exception, text: str) -> bool:
    """Whether more text could mend it: only then is the rest of a large file worth reading."""
    if not isinstance(error, json.JSONDecodeError):
        return False
    return error.pos >= len(text) - NEAR_END or error.msg.startswith("Unterminated string")


def _malformed(path: Path, place: str, error: Exception) -> SourceError:
    return Record(path, place, {}).error(f"{_why(error)}; {_EXPECTED}")


def _why(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        reason = f"{error.msg.removesuffix(' at')} at character {error.pos + 1}"
    else:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
    return f"not valid JSON: {reason}"
