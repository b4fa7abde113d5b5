"""What KnowTrace learns from itself: generations that led to right answers (KnowTrace §3.3)."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

from ...kg.errors import BadRequest
from ...kg.types import Triple
from ...loaders.writing import write_whole
from ..methods.knowtrace.trajectory import Completed, Explored, Said

ADAPTERS: Mapping[str, type] = {"explore": Explored, "complete": Completed}
"""Each phase has an adapter of its own (§4.1.3)."""


class Pair(NamedTuple):
    """A prompt with what is to be said to it.

    Args:
        adapter: of `ADAPTERS`, which learns it.
    """

    adapter: str
    prompt: str
    told: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What a training question taught.

    Args:
        right: whether it was answered exactly; nothing is learned where not.
        filtered: tokens of what was said that are no evidence (FA is their share).
        traced: all tokens of what was said.
        pairs: to learn from.
    """

    right: bool = False
    filtered: int = 0
    traced: int = 0
    pairs: tuple[Pair, ...] = ()

    @classmethod
    def of(
        cls, said: Iterable[Said], evidence: Collection[Triple] | None, tokens: tuple[int, int]
    ) -> Self:
        """Distil what was said for a question that was answered exactly (Algorithm 2, 6 to 11).

        Args:
            evidence: of the answer; what is none is left out. None keeps all that was said, as in
                the paper's ablation.
            tokens: filtered and all, as `trajectory.filtered` counts them.
        """
        pairs = (
            Pair(name, one.prompt, one.told(evidence))
            for one in said
            for name, kind in ADAPTERS.items()
            if isinstance(one, kind)
        )
        return cls(True, *tokens, tuple(pair for pair in pairs if pair.told))

    def line(self) -> str:
        """Write it as one line of JSON."""
        return json.dumps(asdict(self), ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, file: Path) -> list[Self]:
        """Read lines; a last one that was cut off is none.

        Raises:
            BadRequest: a line is not what `line` writes.
        """
        if not file.exists():
            return []
        found = []
        for number, line in enumerate(file.read_text("utf-8", "replace").split("\n")[:-1], 1):
            try:
                one = json.loads(line)
                found.append(cls(**{**one, "pairs": tuple(Pair(*p) for p in one["pairs"])}))
            except (ValueError, TypeError, KeyError, RecursionError):
                raise BadRequest(
                    f"{file}, line {number} does not say what a question taught. Take it and those "
                    "after it out, and these questions are asked again."
                ) from None
        return found


@dataclass(frozen=True, slots=True)
class Distilled:
    """Prompts with what is to be said to them, for the two adapters.

    Args:
        asked: of each question what it taught.
    """

    asked: Sequence[Asked]

    @property
    def kept(self) -> int:
        """Count the questions that were answered exactly."""
        return sum(one.right for one in self.asked)

    def pairs(self, adapter: str) -> Iterator[Pair]:
        """Give what one of `ADAPTERS` learns."""
        return (pair for one in self.asked for pair in one.pairs if pair.adapter == adapter)

    def manifest(self) -> dict[str, Any]:
        """Tell what was asked, kept and written; FA as `filtered_to_all`."""
        lost, every = (sum(getattr(one, n) for one in self.asked) for n in ("filtered", "traced"))
        return {
            "questions": len(self.asked),
            "kept": self.kept,
            "filtered_tokens": lost,
            "traced_tokens": every,
            "filtered_to_all": lost / every if every else 0.0,
            **{name: sum(1 for _ in self.pairs(name)) for name in ADAPTERS},
        }

    def write(self, folder: Path, more: Mapping[str, object]) -> dict[str, Any]:
        """Write explore.jsonl and complete.jsonl, in chat form, and manifest.json; give the last.

        Args:
            more: of the manifest.
        """
        for name in ADAPTERS:
            write_whole(folder / f"{name}.jsonl", "".join(map(_chat, self.pairs(name))))
        told = {**self.manifest(), **more}
        write_whole(folder / "manifest.json", json.dumps(told, indent=2, ensure_ascii=False) + "\n")
        return told


def _chat(pair: Pair) -> str:
    said = {"user": pair.prompt, "assistant": pair.told}
    messages = [{"role": role, "content": content} for role, content in said.items()]
    return json.dumps({"messages": messages}, ensure_ascii=False) + "\n"
