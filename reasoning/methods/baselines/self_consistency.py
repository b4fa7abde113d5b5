"""Self-consistency: think several times, answer what most thoughts end in (Wang et al. 2023)."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from ....kg.answers import Answer
from ...matching import vote
from ...session.budget import OnStep
from ...session.parts import Parts
from ...session.session import THOUGHTS, Turns, check, concludes, conclusion


@dataclass(frozen=True)
class SelfConsistency:
    """Chains of thought are sampled, their answers put to the vote; `candidates` hold the shares.

    A sample that comes to no conclusion has no vote, one that finds the answer unknown has.

    Args:
        samples: 40 (§3.2); of a server's model as many at a time as it takes.
        temperature: 0.7 without truncation, as for GPT-3 (§3.1).
        passages: retrieved once and shown, as for `cot`; 0 is the paper's own.
        max_calls: prompts a question may put to the model; samples it does not cover are not made.
        max_tokens: tokens a question may take; likewise.

    Raises:
        BadRequest: there is no language model, or a count is too low.
    """

    parts: Parts
    samples: int = 40
    temperature: float = 0.7
    passages: int = 5
    max_calls: int | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        check("self_consistency", self, samples=self.samples)
        check("self_consistency", self, least=0, passages=self.passages)

    def answer(
        self,
        question: str,
        within: Collection[str] | None = None,
        on_step: OnStep = lambda step: None,
    ) -> Answer:
        """See Method."""
        turns = Turns.of("self_consistency", self, question, within, on_step)
        found = turns.retrieve(question, self.passages) if self.passages else []
        sampling = replace(THOUGHTS, temperature=self.temperature)
        said = turns.sample(self.samples, "shared/think", found, sampling, thoughts="")
        ends = [self.parts.meant(conclusion(s.text)) for s in said if concludes(s.text)]
        shares = vote(ends) if ends else [("", 0.0)]
        return turns.answered(shares[0][0], [share for share in shares if share[0]])
