"""JSON values with something wrong in them."""

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

HUGE = "x" * 1_000_000
VALUES = [None, True, 0, -1, 3.5, 1e308, 10**400, float("nan"), "", " ", "Ulm", "\ud83d", "a\0b"]
VALUES += ["\u202e<p>&#0;<p>&#xd800;", HUGE, [], {}, [[]], [{}], [None], [[None]], {"a": None}]


def places(value: object, path: tuple = ()) -> Iterator[tuple]:
    """Paths to everything in a record."""
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else ()
    for key, found in enumerate(value) if isinstance(value, list) else inner:
        yield from places(found, (*path, key))


def mutated(record: Any, random: Random, names: tuple[str, ...] = ("x", "\ud800")) -> Any:
    """A copy in which up to three parts are missing, others, renamed, wrapped or repeated."""
    record = copy.deepcopy(record)
    for _ in range(random.choice((1, 1, 2, 3))):
        *path, last = random.choice(list(places(record)))
        holder = record
        for key in path:
            holder = holder[key]
        match random.choice(("drop", "set", "set", "rename", "wrap", "again")):
            case "drop":
                del holder[last]
            case "rename" if isinstance(holder, dict):
                holder[random.choice(names)] = holder.pop(last)
            case "wrap":
                holder[last] = random.choice(([holder[last]], {"x": holder[last]}))
            case "again" if isinstance(holder, list):
                holder.insert(last, copy.deepcopy(holder[last]))
            case _:
                holder[last] = copy.deepcopy(random.choice(VALUES))
        if not any(places(record)):
            break
    return record
