"""Self-consistency: think several times, answer what most thoughts end in (Wang et al. 2023)."""

from dataclasses import dataclass, replace
from typing import ClassVar

from ....kg.answers import Answer
from ...matching import vote
from ...registry import Count, PassagesOrNone, Temperature
from ...replies.answers import concludes, conclusion
from ...session.session import THOUGHTS, Session


@dataclass(frozen=True)
class SelfConsistency:
    """Chains of thought are sampled, their answers put to the vote; `candidates` hold the shares.

    A sample that comes to no conclusion has no vote, one that finds the answer unknown has.

    Args:
        samples: 40 (§3.2); of a server's model as many at a time as it takes.
        temperature: 0.7 without truncation, as for GPT-3 (§3.1).
        passages: retrieved once and shown, as for `cot`; 0 is the paper's own.
    """

    name: ClassVar[str] = "self_consistency"
    samples: Count = 40
    temperature: Temperature = 0.7
    passages: PassagesOrNone = 5

    def answer(self, session: Session) -> Answer:
        found = session.retrieve(session.question, self.passages) if self.passages else []
        sampling = replace(THOUGHTS, temperature=self.temperature)
        said = session.sample(self.samples, "shared/think", found, sampling, last=True, thoughts="")
        ends = [session.meant(conclusion(s.text)) for s in said if concludes(s.text)]
        shares = vote(ends) if ends else [("", 0.0)]
        return session.answered(shares[0][0], [share for share in shares if share[0]])
