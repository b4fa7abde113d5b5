"""Prompts: text files with `$name` fields, demonstrations as JSON lines beside them.

A user's folder (Parts.prompts or HOPTRAIL_PROMPTS) goes first, file by file; what it lacks is taken
from here. docs/trace.md shows how a prompt is built.
"""

import json
import os
import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from ...kg.errors import BadRequest
from ...kg.types import Passage, Triple

Demonstration = Mapping[str, Any]
"""Label: text, lines, or further demonstrations that stand under it."""


@dataclass(frozen=True)
class Template:
    """A prompt with fields to fill in.

    Args:
        name: of its files, without the ending.
        text: `$field` or `${field}` where something is filled in, `$$` for a dollar sign.
        demonstrations: worked examples, for the field `$examples`.
        where: the file, for messages.
    """

    name: str
    text: str
    demonstrations: tuple[Demonstration, ...] = ()
    where: str = ""

    def render(self, examples: Sequence[Demonstration] | None = None, **fields: str) -> str:
        """The prompt with its fields filled in.

        Args:
            examples: for `$examples`; None takes all demonstrations.

        Raises:
            BadRequest: the file has a field that is not given, or lacks one that is.
        """
        template = string.Template(self.text)
        if not template.is_valid():
            raise BadRequest(f"{self.where}: a lone $ is no field; write $$ for a dollar sign.")
        wanted = set(template.get_identifiers())
        unknown = wanted - set(fields) - {"examples"}
        if unknown:
            raise BadRequest(
                f"{self.where}: nothing fills ${', $'.join(sorted(unknown))}; this prompt has "
                f"${', $'.join(sorted({*fields, 'examples'}))}."
            )
        if missing := set(fields) - wanted:
            raise BadRequest(f"{self.where}: the prompt lacks ${', $'.join(sorted(missing))}.")
        shown = self.demonstrations if examples is None else examples
        return template.substitute(fields, examples=_numbered(shown))


def load(name: str, folder: str | Path | None = None) -> Template:
    """The prompt of this name, with its demonstrations where it has any.

    Args:
        folder: a user's own prompts; None takes HOPTRAIL_PROMPTS, where that is set.

    Raises:
        BadRequest: no such folder or prompt, or a file that is not UTF-8 or not JSON lines.
    """
    own = folder or os.environ.get("HOPTRAIL_PROMPTS")
    if own and not Path(own).is_dir():
        raise BadRequest(f"There is no folder {own} to take prompts from (HOPTRAIL_PROMPTS).")
    text = _file(f"{name}.txt", own)
    if text is None:
        raise BadRequest(f"There is no prompt {name}.txt" + (f" in {own}." if own else "."))
    examples = _file(f"{name}.jsonl", own)
    return Template(name, _read(text), _demonstrations(examples) if examples else (), str(text))


def triple_text(triple: Triple) -> str:
    """⟨head; relation; tail⟩, as prompts show triples."""
    return f"⟨{triple.head}; {triple.relation}; {triple.tail}⟩"


def triple_lines(triples: Iterable[Triple]) -> str:
    """One a line."""
    return "\n".join(map(triple_text, triples))


def passage_text(passages: Iterable[Passage]) -> str:
    """[1] Title, then the text; a blank line between passages."""
    return "\n\n".join(f"[{n}] {p.title}\n{p.text}" for n, p in enumerate(passages, 1))


def _file(name: str, own: str | Path | None) -> Path | Traversable | None:
    places: list[Path | Traversable] = [files(__package__) / name]
    if own:
        places.insert(0, Path(own) / name)
    return next((place for place in places if place.is_file()), None)


def _read(file: Path | Traversable) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadRequest(f"{file} is not UTF-8 ({error.reason}).") from None


def _demonstrations(file: Path | Traversable) -> tuple[Demonstration, ...]:
    found = []
    for number, line in enumerate(_read(file).splitlines(), 1):
        try:
            value = json.loads(line) if line.strip() else None
        except ValueError as error:
            raise BadRequest(f"{file}, line {number}: no JSON ({error}).") from None
        if isinstance(value, dict):
            found.append(value)
        elif value is not None:
            raise BadRequest(f"{file}, line {number}: a demonstration is a JSON object.")
    return tuple(found)


def _numbered(examples: Sequence[Demonstration]) -> str:
    blocks = (f"## Example {n}\n{_shown(example)}" for n, example in enumerate(examples, 1))
    return "\n\n".join(blocks)


def _shown(example: Demonstration) -> str:
    lines = []
    for label, value in example.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            lines += [_shown(part) for part in value]
        elif isinstance(value, list):
            lines += [f"{label}:", *map(str, value)]
        else:
            lines.append(f"{label}: {value}")
    return "\n".join(lines)
