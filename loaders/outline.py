"""Lists as they are read: an item over "field: value" items is a row of a table, named by it."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from .tables import LABEL, MAX_NAME, Row, row

_PAIR = re.compile(r"(?P<field>[^\W_][^:]{0,39}):\s+(?P<value>\S.*)")
_FIELD_WORDS = 4
_NAME_WORDS = 8
_STOPPED = re.compile(r"[.!?;,]$")


class Item(NamedTuple):
    """A list's item, on one line; those of the outermost list have depth 0."""

    depth: int
    text: str


def fields(texts: Iterable[str]) -> set[str]:
    """The names that items of a document have in common: "location" of "Location: room 12"."""
    named = Counter(pair[0].casefold() for text in texts if (pair := _pair(text)))
    return {name for name, times in named.items() if times > 1}


def outlined(items: Sequence[Item], known: Collection[str]) -> list[Row] | None:
    """Write a list: a row of each item that is a name over fields, all others as they are.

    Args:
        known: names of fields, as `fields` gives them; those of forms are known besides.

    Returns:
        A row a line; None where no item is over fields.
    """
    written, place, found = list[Row](), 0, False
    while place < len(items):
        own = _below(items, place)
        record = _record(items[place].text, own, known) if own else None
        written.append(record or Row(items[place].text))
        found = found or record is not None
        place += 1 + (len(own) if record else 0)
    return written if found else None


def described(texts: Sequence[str], about: str, known: Collection[str]) -> list[Row] | None:
    """Write a list of fields that stands under a heading: a row each, about that.

    Returns:
        None where the items are no fields.
    """
    pairs = [_pair(text) for text in texts]
    if not about or not _are_fields([pair for pair in pairs if pair], len(texts), known):
        return None
    return [
        Row(text, row({pair[0]: pair[1]}, about).facts if pair else ())
        for text, pair in zip(texts, pairs, strict=True)
    ]


def _below(items: Sequence[Item], place: int) -> list[Item]:
    """The items of an item, none where one of these has items itself."""
    depth, end = items[place].depth + 1, place + 1
    while end < len(items) and items[end].depth == depth:
        end += 1
    return [] if end < len(items) and items[end].depth > depth else list(items[place + 1 : end])


def _record(name: str, own: Sequence[Item], known: Collection[str]) -> Row | None:
    """The row of a name and what stands below it."""
    pairs = [pair for item in own if (pair := _pair(item.text))]
    if not _are_fields(pairs, len(own), known):
        return None
    column, name = _pair(name) or ("", name.rstrip(" :"))
    if not name or len(name) > MAX_NAME or len(name.split()) > _NAME_WORDS or _STOPPED.search(name):
        return None
    written = row({column: name} | dict(pairs), name)
    others = [item.text for item in own if not _pair(item.text)]
    return written._replace(text="\n".join([written.text, *others]))


def _are_fields(pairs: Sequence[tuple[str, str]], items: int, known: Collection[str]) -> bool:
    """Whether most of some items are fields, each another, and most of these known as such."""
    names = [name.casefold() for name, _ in pairs]
    told = [name for name in names if name in known or _of_a_form(name)]
    several = len(names) > 1 or (names and names[0] in known)
    alike = len(set(names)) < len(names)
    return bool(several) and not alike and 2 * len(names) > items and 2 * len(told) >= len(names)


def _of_a_form(name: str) -> bool:
    """Whether a form may have such a field: "room", not "room 4"."""
    return LABEL.search(name) is not None and not any(map(str.isdigit, name))


def _pair(text: str) -> tuple[str, str] | None:
    """The name and the value of a field."""
    found = _PAIR.fullmatch(text)
    if not found or len(found["field"].split()) > _FIELD_WORDS or _STOPPED.search(found["field"]):
        return None
    return found["field"].strip(), found["value"].strip()
