"""A run on disk: its manifest, and a line for each question as soon as it is answered."""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Self

from ...kg.errors import BadRequest
from .manifest import differences
from .outcome import Outcome


@dataclass
class RunFile:
    """FOLDER/name.json and FOLDER/name.jsonl, which a later run of the same manifest goes on with.

    Opening it refuses what is not its run, drops the line that a kill cut short, and takes out
    failed questions, to be asked again.

    Args:
        lines: the .jsonl.
        manifest: JSON values.
        done: what earlier runs answered, by the question's id.
    """

    lines: Path
    manifest: dict[str, Any]
    done: dict[str, Outcome] = field(default_factory=dict)
    _out: IO[str] | None = None

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
        """Raises BadRequest: as `require_fitting`, or a line is no outcome."""
        self.require_fitting()
        text = json.dumps(_plain(self.manifest), indent=2, ensure_ascii=False) + "\n"
        _replace(self.lines.with_suffix(".json"), text)
        if self.lines.exists():
            read = self._read()
            self.done = {one.id: one for one in read if one.failed is None}
            _replace(self.lines, "".join(map(_line, self.done.values())))
        self._out = self.lines.open("a", encoding="utf-8", newline="\n")
        return self

    def __exit__(self, *exc_info: object) -> None:
        if self._out:
            self._out.close()

    def keep(self, one: Outcome) -> None:
        """Write a question's line; it survives a kill from here on."""
        assert self._out is not None
        self._out.write(_line(one))
        self._out.flush()

    def _require_equal(self, file: Path, manifest: dict[str, Any]) -> None:
        try:
            before = json.loads(file.read_text(encoding="utf-8"))
        except ValueError:
            before = None
        if not isinstance(before, dict):
            raise BadRequest(f"{file} is no manifest of a run. Name another folder.")
        if different := differences(before, manifest):
            raise BadRequest(
                f"{self.lines.parent} holds another run of this name: {'; '.join(different)}. "
                "Name another folder, or measure as before."
            )

    def _read(self) -> list[Outcome]:
        text = self.lines.read_text(encoding="utf-8", errors="replace")
        whole = text[: text.rfind("\n") + 1]
        found = []
        for number, line in enumerate(whole.split("\n")[:-1], 1):
            try:
                found.append(Outcome.of_json(json.loads(line)))
            except (ValueError, TypeError) as error:
                raise BadRequest(
                    f"{self.lines}, line {number} is no outcome of a question ({error}). Take the "
                    "line out, and the question is asked again; or name another folder."
                ) from None
        return found


def _plain(manifest: dict[str, Any]) -> dict[str, Any]:
    """As JSON gives it back: lists for tuples."""
    return json.loads(json.dumps(manifest))


def _line(one: Outcome) -> str:
    return json.dumps(one.as_json(), ensure_ascii=True) + "\n"


def _replace(file: Path, text: str) -> None:
    part = file.with_name(f"{file.name}.part")
    part.write_text(text, encoding="utf-8", newline="\n")
    os.replace(part, file)
