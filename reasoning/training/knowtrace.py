"""What KnowTrace learns from itself: generations that led to right answers (KnowTrace §3.3)."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...kg.types import Triple
from ..methods.knowtrace.trajectory import Completed, Explored, Said

ADAPTERS: Mapping[str, type] = {"explore": Explored, "complete": Completed}
"""Each phase has an adapter of its own (§4.1.3)."""


@dataclass
class Distilled:
    """Prompts with what is to be said to them, for the two adapters (Algorithm 2, lines 6 to 11).

    Args:
        backtracing: leave out what is no evidence; without, all that was said is kept, as in the
            paper's ablation.

    Attributes:
        asked: questions.
        kept: of these, those that were answered exactly.
        traced: tokens that were said for those.
        filtered: of these, tokens that are no evidence: FA is their share.
    """

    backtracing: bool = True
    asked: int = 0
    kept: int = 0
    traced: int = 0
    filtered: int = 0
    pairs: dict[str, list[tuple[str, str]]] = field(
        default_factory=lambda: {name: [] for name in ADAPTERS}
    )

    def take(
        self, said: Sequence[Said], evidence: Collection[Triple], tokens: tuple[int, int]
    ) -> None:
        """Take what was said for a question that was answered exactly.

        Args:
            evidence: of the answer.
            tokens: filtered and all, as `trajectory.filtered` counts them.
        """
        self.kept += 1
        self.filtered += tokens[0]
        self.traced += tokens[1]
        for one in said:
            told = one.told(evidence if self.backtracing else None)
            name = next(name for name, kind in ADAPTERS.items() if isinstance(one, kind))
            if told:
                self.pairs[name].append((one.prompt, told))

    def manifest(self) -> dict[str, Any]:
        """Tell what was asked, kept and written."""
        return {
            "questions": self.asked,
            "kept": self.kept,
            "backtracing": self.backtracing,
            "filtered_tokens": self.filtered,
            "traced_tokens": self.traced,
            "filtered_to_all": self.filtered / self.traced if self.traced else 0.0,
            **{name: len(pairs) for name, pairs in self.pairs.items()},
        }

    def write(self, folder: Path, more: Mapping[str, object]) -> list[Path]:
        """Write explore.jsonl and complete.jsonl, in chat form, and manifest.json; name them."""
        folder.mkdir(parents=True, exist_ok=True)
        written = []
        for name, pairs in self.pairs.items():
            lines = "".join(f"{_chat(*pair)}\n" for pair in pairs)
            written.append(_whole(folder / f"{name}.jsonl", lines))
        told = json.dumps({**self.manifest(), **more}, indent=2, ensure_ascii=False)
        return [*written, _whole(folder / "manifest.json", f"{told}\n")]


def _chat(prompt: str, told: str) -> str:
    messages = [{"role": "user", "content": prompt}, {"role": "assistant", "content": told}]
    return json.dumps({"messages": messages}, ensure_ascii=False)


def _whole(path: Path, text: str) -> Path:
    """Write a file, which is there whole or as it was."""
    part = path.with_name(f"{path.name}.part")
    part.write_text(text, encoding="utf-8")
    return part.replace(path)
