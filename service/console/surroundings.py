"""What `show` found, as text: a heading for each thing, then its fields, lists indented."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from .printing import say
from .safe import in_a_line


def print_surroundings(found: Mapping[str, Any]) -> None:
    """Print the object of `show --json`."""
    for thing in found["found"]:
        heading = thing.get("name") or thing.get("title") or thing["id"]
        say(f"{thing['kind']}  {in_a_line(heading)}", bold=True)
        for key, value in thing.items():
            said = key in ("kind", "name", "left_out") or value == heading
            if not said and value not in ("", [], {}, None):
                _print_field(key, value)
                _print_left_out(thing["left_out"].get(key, 0), "    ")
    _print_left_out(found["left_out"], "")


def _print_field(key: str, value: object) -> None:
    name = key.replace("_", " ")
    if isinstance(value, list | dict):
        say(f"  {name}:", dim=True)
        lines = map(_line, value) if isinstance(value, list) else map(_pair, value.items())
        for line in lines:
            say(f"    {line}")
    else:
        text = _to_the_second(str(value)) if key.endswith("_at") else str(value)
        say(f"  {name}: " + text.replace("\n", "\n    "))


def _print_left_out(count: int, indent: str) -> None:
    if count:
        say(f"{indent}… and {count:,} more; --limit shows more", dim=True)


def _pair(pair: tuple[str, object]) -> str:
    """A field of the metadata: "author: Ingrid Solberg"."""
    name, value = pair
    values = value if isinstance(value, list | tuple) else [value]
    return in_a_line(f"{name}: {', '.join(map(str, values))}")


def _line(item: object) -> str:
    if isinstance(item, list) and all(isinstance(part, str) for part in item):
        return in_a_line("⟨" + "; ".join(item) + "⟩")
    if isinstance(item, list):
        return " → ".join(_line(part) for part in item)
    if isinstance(item, dict):
        if "question" in item:
            when = f"{item['method']}, {_to_the_second(item['created_at'])}, id {item['id']}"
            return in_a_line(f"{item['question']} → {item['answer']}") + f"  ({in_a_line(when)})"
        shown = {**item, "page": f"p. {item['page']}"} if item.get("page") else item
        return "  ".join(_line(v) for v in shown.values() if v not in ("", [], None))
    return in_a_line(str(item))


def _to_the_second(time: str) -> str:
    try:
        return datetime.fromisoformat(time).isoformat(timespec="seconds")
    except ValueError:  # of a graph that another program wrote
        return time
