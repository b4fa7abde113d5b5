"""Prompts: text files with `{gaps}`, demonstrations as JSON lines beside them, a folder a method.

A folder of one's own (HOPTRAIL_PROMPTS) goes first, file by file; what it lacks is taken from here.
The form all prompts share: the first line says the task in one sentence, sections are headed
`## Name`, and the last section is the one to complete. What stays the same over a question's steps
stands first.
"""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Self

from ...kg.errors import BadRequest

Demonstration = Mapping[str, Any]
_GAP = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Template:
    """A prompt with gaps to fill.

    Args:
        name: its folder and its files' name without the ending, such as "trace/select".
        text: `{name}` is a gap; other braces mean nothing.
        demonstrations: worked examples, in the file's order.
    """

    name: str
    text: str
    demonstrations: tuple[Demonstration, ...] = ()

    @classmethod
    def named(cls, name: str, folder: str | Path | None = None) -> Self:
        """Read the prompt of this name, with its demonstrations where it has any.

        Args:
            folder: prompts of one's own; None takes HOPTRAIL_PROMPTS, where that is set.

        Raises:
            BadRequest: no such folder or prompt, or a file that is not UTF-8 or not JSON lines.
        """
        own = own_folder(folder)
        text = _file(f"{name}.txt", own)
        if text is None:
            raise BadRequest(f"There is no prompt {name!r}: {name}.txt is missing.")
        examples = _file(f"{name}.jsonl", own)
        return cls(name, _read(text), _demonstrations(examples) if examples else ())

    def render(self, **fields: str) -> str:
        """Fill every gap, without a last line end; what fills one is left as it is.

        Raises:
            BadRequest: a gap that nothing fills.
        """

        def filled(gap: re.Match[str]) -> str:
            if gap[1] not in fields:
                raise BadRequest(
                    f"The prompt {self.name}.txt has a gap {gap[0]} that nothing fills; it may "
                    f"have: {', '.join(sorted(fields))}."
                )
            return fields[gap[1]]

        return _GAP.sub(filled, self.text.rstrip())


def own_folder(folder: str | Path | None = None) -> Path | None:
    """Find the folder of one's own prompts: `folder`, else HOPTRAIL_PROMPTS; None for none.

    Raises:
        BadRequest: it is no folder, or holds a prompt outside of its method's folder, where nothing
            would read it.
    """
    own = folder or os.environ.get("HOPTRAIL_PROMPTS")
    if not own:
        return None
    if not Path(own).is_dir():
        raise BadRequest(
            f"{own} is no folder; HOPTRAIL_PROMPTS names one with prompts of your own."
        )
    if stray := [file.name for file in Path(own).iterdir() if file.suffix in (".txt", ".jsonl")]:
        raise BadRequest(
            f"{Path(own) / min(stray)} is read by nothing: prompts lie in a folder a method, such "
            "as trace/select.txt or shared/think.txt (docs/methods.md). Move it there."
        )
    return Path(own)


def _file(name: str, own: Path | None) -> Path | Traversable | None:
    places: list[Path | Traversable] = [files(__name__) / name]
    if own:
        places.insert(0, own / name)
    return next((place for place in places if place.is_file()), None)


def _read(file: Path | Traversable) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadRequest(f"{file} is not UTF-8 ({error.reason}).") from None


def _demonstrations(file: Path | Traversable) -> tuple[Demonstration, ...]:
    found = []
    for number, line in enumerate(_read(file).splitlines(), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BadRequest(f"{file}, line {number}: not JSON ({error}).") from None
        if not isinstance(value, dict):
            raise BadRequest(f"{file}, line {number}: not a JSON object.")
        found.append(value)
    return tuple(found)
