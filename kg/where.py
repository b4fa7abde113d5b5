"""Which documents are meant: conditions on source, title, date of ingestion and metadata."""

import math
import re
import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from operator import ge, gt, le, lt
from pathlib import PurePath
from typing import Any

from .errors import BadRequest, NotFound
from .store import Graph
from .text.words import fold
from .types import DocumentInfo

PAGE = 1000  # documents read at once
MAX_VALUES = 1000  # of a field, kept for a message
SOME_VALUES = 8  # named in it
BUILT_IN = ("source", "title", "ingested_at")

_FORM = re.compile(r"([^=<>~!]+)(>=|<=|!=|!~|=|~|>|<)(.*)", re.DOTALL)
_DATE = re.compile(r"\d{4}(-\d\d(-\d\d([Tt ].*)?)?)?")
_ORDER: dict[str, Callable[[Any, Any], bool]] = {">": gt, ">=": ge, "<": lt, "<=": le}


@dataclass(frozen=True, slots=True)
class Condition:
    """What a document has to be: "title~Oslo", "source=handbook/*", "ingested_at>=2026-01-01".

    Case and diacritics do not count. A document that lacks the field fulfils only != and !~.

    Args:
        field: source, title, ingested_at, or of the metadata; "metadata.title" where both have it.
        operator: = (* and ? stand for any characters and any one), ~ (contains), !=, !~, and <, <=,
            >, >=, which compare numbers with a number, and dates with a date.
        value: of a text that lists several, "draft, internal", the whole or one of them. A date may
            be a year, a month or a day, which then means all of it. Of a source any
            folder may begin it or end it: "handbook" is all below a folder of that name.
    """

    field: str
    operator: str
    value: str

    @classmethod
    def read(cls, text: str) -> "Condition":
        """Read a condition as users write it.

        Raises:
            BadRequest: it is none, or compares with what is neither a number nor a date.
        """
        found = _FORM.fullmatch(text) if isinstance(text, str) else None
        if found is None or not found[1].strip():
            raise BadRequest(
                f"{text!r} is no condition. Write a field, one of = ~ != !~ < <= > >=, and a "
                "value: source=handbook/*, title~Oslo, 'ingested_at>=2026-01-31', author=Eide."
            )
        condition = cls(*map(str.strip, found.groups()))
        value = condition.value
        dated = condition.field == "ingested_at" or (len(value) > 4 and _DATE.fullmatch(value))
        if condition.operator in _ORDER and dated and not _is_date(value):
            raise BadRequest(f"In {text!r} {value!r} is no date such as 2026-01-31.")
        if condition.operator in _ORDER and not dated and _number(value) is None:
            raise BadRequest(
                f"In {text!r} {value!r} is neither a number nor a date such as 2026-01-31, and "
                f"{condition.operator} compares these alone."
            )
        return condition

    def holds(self, document: DocumentInfo) -> bool:
        """Tell whether a document fulfils it."""
        held = [part for one in self._held(document) for part in self._parts(one)]
        if self.operator in ("!=", "!~"):
            return not any(map(self._meets, held))
        return any(map(self._meets, held))

    def shown(self, document: DocumentInfo) -> list[str]:
        """Return what a document holds in the field, as a message may tell: of paths the end."""
        held = [str(one) for one in self._held(document)]
        if self.field == "source":
            held = [PurePath(one).name for one in held]
        if self.field == "ingested_at":
            held = [one[:10] for one in held]
        return [textwrap.shorten(one, 60, placeholder="…") for one in held]

    def _held(self, document: DocumentInfo) -> list[object]:
        built_in: dict[str, object] = {name: getattr(document, name) for name in BUILT_IN}
        if self.field in built_in:
            return [built_in[self.field]]
        value = document.metadata.get(self.field.removeprefix("metadata."))
        values = value if isinstance(value, list | tuple) else [value]
        return [one for one in values if one is not None]

    def _parts(self, held: object) -> list[object]:
        """A value, and the parts of one that is a list in a text: "draft, internal"."""
        if self.field in BUILT_IN or not isinstance(held, str) or ", " not in held:
            return [held]
        return [held, *filter(None, map(str.strip, held.split(", ")))]

    def _meets(self, held: object) -> bool:
        if self.operator in _ORDER:
            pair = _comparable(held, self.value)
            return pair is not None and _ORDER[self.operator](*pair)
        text, value = fold(str(held)), fold(self.value)
        if "~" in self.operator:
            return value in text
        pattern = re.escape(value).replace(r"\*", ".*").replace(r"\?", ".")
        if self.field == "source":
            pattern = _below(value, pattern)
        if _DATE.fullmatch(value) and _DATE.fullmatch(text):
            text = text[: len(value)]
        return re.fullmatch(pattern, text, re.DOTALL) is not None


def _below(value: str, pattern: str) -> str:
    """The pattern of a place and of all below it; from any folder on, unless it is absolute."""
    pattern = pattern.removeprefix(r"\./").removesuffix("/")
    before = "" if value.startswith("/") or "://" in value else "(?:.*/)?"
    return f"{before}{pattern}(?:/.*)?"


def _comparable(held: object, value: str) -> tuple[Any, Any] | None:
    """Two numbers, or two dates as exact as the value is; None where it is neither."""
    text = str(held)
    number = _number(value)
    if number is not None and (of_held := _number(text)) is not None:
        return of_held, number
    if _DATE.fullmatch(value):
        return (text[: len(value)], value) if _DATE.fullmatch(text) else None
    return None


def _is_date(text: str) -> bool:
    """Whether a text is a year, a month or a day that there is, or a time of such a day."""
    day = text[:10] + "2000-01-01"[len(text) :]
    try:
        return bool(_DATE.fullmatch(text) and date.fromisoformat(day))
    except ValueError:
        return False


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def conditions(where: str | Iterable[str] | None) -> list[Condition]:
    """Read one condition, several or none; errors as in `Condition.read`."""
    given = [where] if isinstance(where, str) else () if where is None else where
    if not isinstance(given, Iterable):
        raise BadRequest(f"A condition is a text such as 'title~Oslo', not {where!r}.")
    return [Condition.read(text) for text in given]


def documents(graph: Graph) -> Iterator[DocumentInfo]:
    """Give all documents of a graph by id, read page by page."""
    page = graph.documents_after("", PAGE)
    while page:
        yield from page
        page = graph.documents_after(page[-1].id, PAGE)


def matching(graph: Graph, conditions: Iterable[Condition]) -> Iterator[DocumentInfo]:
    """Give the documents that fulfil all conditions, by id.

    Raises:
        NotFound: there are documents, and none does.
    """
    conditions, fields = list(conditions), set[str](BUILT_IN)
    unmet = {condition: set[str]() for condition in conditions}  # with what documents hold instead
    seen = found = 0
    for document in documents(graph):
        seen += 1
        holding = [condition for condition in conditions if condition.holds(document)]
        if len(holding) == len(conditions):
            found += 1
            yield document
        elif not found:
            fields.update(document.metadata)
            for condition in holding:
                unmet.pop(condition, None)
            for condition, held in unmet.items():
                held.update(condition.shown(document) if len(held) < MAX_VALUES else ())
    if seen and not found:
        raise NotFound(
            f"No document in {graph.where} fulfils {' and '.join(map(_spelt, conditions))}. "
            + (_whats_there(unmet, fields) or "Some fulfil each of these alone.")
        )


def _whats_there(unmet: Mapping[Condition, Collection[str]], fields: Collection[str]) -> str:
    """Say what could be meant instead of conditions that no document fulfils."""
    said = []
    for condition, values in unmet.items():
        if not values:
            there = ", ".join(sorted(fields))
            said.append(f"None has a field {condition.field}; there are: {there}.")
        else:
            some = sorted(values)[:SOME_VALUES]
            more = ", …" if len(values) > len(some) else ""
            said.append(f"In {condition.field} they have: {', '.join(some)}{more}.")
    return " ".join(said)


def passages_where(graph: Graph, conditions: Iterable[Condition]) -> list[str] | None:
    """Return the ids of the passages of these documents, by document; None where it is all.

    Raises:
        NotFound: no document fulfils the conditions.
    """
    ids = [document.id for document in matching(graph, conditions)]
    if len(ids) == graph.statistics()["documents"]:
        return None
    parts = (ids[start : start + PAGE] for start in range(0, len(ids), PAGE))
    return [passage for part in parts for passage in graph.passages_of(part)]


def _spelt(condition: Condition) -> str:
    return f"{condition.field}{condition.operator}{condition.value}"
