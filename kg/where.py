"""Which documents are meant: conditions on source, title, date of ingestion and metadata."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from operator import ge, gt, le, lt
from typing import Any

from .errors import BadRequest, NotFound
from .store import Graph
from .text.words import fold
from .types import DocumentInfo

PAGE = 1000  # documents read at once
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
            >, >= of numbers, dates or texts.
        value: a date may be a year, a month or a day, which then means all of it. Of a source any
            folder may begin it or end it: "handbook" is all below a folder of that name.
    """

    field: str
    operator: str
    value: str

    @classmethod
    def read(cls, text: str) -> "Condition":
        """Read a condition as users write it.

        Raises:
            BadRequest: it is none.
        """
        found = _FORM.fullmatch(text)
        if found is None or not found[1].strip():
            raise BadRequest(
                f"{text!r} is no condition. Write a field, one of = ~ != !~ < <= > >=, and a "
                "value: source=handbook/*, title~Oslo, 'ingested_at>=2026-01-31', author=Eide."
            )
        return cls(*map(str.strip, found.groups()))

    def holds(self, document: DocumentInfo) -> bool:
        """Tell whether a document fulfils it."""
        held = self._held(document)
        if self.operator in ("!=", "!~"):
            return not any(map(self._meets, held))
        return any(map(self._meets, held))

    def _held(self, document: DocumentInfo) -> list[object]:
        built_in: dict[str, object] = {name: getattr(document, name) for name in BUILT_IN}
        if self.field in built_in:
            return [built_in[self.field]]
        value = document.metadata.get(self.field.removeprefix("metadata."))
        values = value if isinstance(value, list | tuple) else [value]
        return [one for one in values if one is not None]

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
    """Two numbers, two dates as exact as the value is, or two texts; None where they differ."""
    text = str(held)
    number = _number(value)
    if number is not None and (of_held := _number(text)) is not None:
        return of_held, number
    if _DATE.fullmatch(value):
        return (text[: len(value)], value) if _DATE.fullmatch(text) else None
    return None if number is not None else (fold(text), fold(value))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def conditions(where: str | Iterable[str]) -> list[Condition]:
    """Read one condition or several; errors as in `Condition.read`."""
    return [Condition.read(text) for text in ([where] if isinstance(where, str) else where)]


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
    seen = found = 0
    for document in documents(graph):
        seen += 1
        fields.update(document.metadata)
        if all(condition.holds(document) for condition in conditions):
            found += 1
            yield document
    if seen and not found:
        raise NotFound(
            f"No document in {graph.where} fulfils {' and '.join(map(_spelt, conditions))}. They "
            f"have: {', '.join(sorted(fields))}. `hoptrail documents` lists them."
        )


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
