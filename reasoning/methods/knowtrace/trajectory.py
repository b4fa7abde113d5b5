"""What the model said on the way, and what of it backtracing keeps (KnowTrace §3.3)."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from ....kg.types import Triple
from ...extraction import NOTHING
from ...prompts.showing import triple_lines
from ...replies.exploring import Pair, Plan


@dataclass(frozen=True, slots=True)
class Explored:
    """A knowledge exploration: prompt and what was said, with what each pair brought.

    Args:
        brought: the triples of each pair, also those that were known; of all that were said.
    """

    prompt: str
    plan: Plan
    brought: dict[Pair, tuple[Triple, ...]]

    def told(self, evidence: Collection[Triple] | None = None) -> str:
        """Write what was said, without pairs that brought no evidence; "" where none is left.

        Args:
            evidence: None for all that was said.
        """
        if self.plan.sufficient:
            return answering(self.plan.thought, self.plan.answer)
        pairs = [p for p in self.plan.pairs if evidence is None or self._supports(p, evidence)]
        lines = (f"- {pair.entity}: {pair.guidance}" for pair in pairs)
        return "\n".join(["Sufficient: no", "Guidance:", *lines]) if pairs else ""

    def _supports(self, pair: Pair, evidence: Collection[Triple]) -> bool:
        return any(triple in evidence for triple in self.brought.get(pair, ()))


@dataclass(frozen=True, slots=True)
class Completed:
    """A knowledge completion: prompt and the triples that were said."""

    prompt: str
    triples: tuple[Triple, ...]

    def told(self, evidence: Collection[Triple] | None = None) -> str:
        """Write what was said, without what is no evidence; "" where nothing is left.

        Args:
            evidence: None for all that was said.
        """
        if evidence is None:
            return triple_lines(self.triples) or NOTHING
        return triple_lines(triple for triple in self.triples if triple in evidence)


@dataclass(frozen=True, slots=True)
class Concluded:
    """The answer to a prompt of its own, where exploration ended without one.

    The paper's phases have none: it is counted, and nothing is trained on it.
    """

    prompt: str
    thought: str
    answer: str

    def told(self, evidence: Collection[Triple] | None = None) -> str:
        """Write what was said; all of it leads to the answer."""
        return answering(self.thought, self.answer)


Said = Explored | Completed | Concluded


def answering(thought: str, answer: str) -> str:
    """Write thought and answer as an exploration ends."""
    return f"Sufficient: yes\nThought: {thought}\nAnswer: {answer}"


def filtered(
    said: Collection[Said], evidence: Collection[Triple], count: Callable[[str], int]
) -> tuple[int, int]:
    """Count the tokens that are filtered out, and all (FA = Filtered-to-All, §4.3).

    Of what was said as it was understood, in the prompts' form: courtesies count for nothing.

    Args:
        evidence: of the answer; what is not in it is filtered.
        count: tokens of a text.
    """
    every = [one.told() for one in said]
    kept = [one.told(evidence) for one in said]
    lost = sum(count(a) - count(b) for a, b in zip(every, kept, strict=True))
    return lost, sum(map(count, every))
