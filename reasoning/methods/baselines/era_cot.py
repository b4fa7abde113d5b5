"""ERA-CoT: things, told relations, inferred ones, then thoughts over them (Liu et al. 2024)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ....kg.answers import Answer
from ....kg.types import Passage
from ....models.language import Decoding
from ...registry import Count
from ...session.replies import conclusion
from ...session.session import THOUGHTS, Session

LINES = Decoding(stop=("\n\n", "\n#"), max_tokens=512)
_RELATION = re.compile(r"[⟨<]([^;⟨⟩<>\n]+);([^;⟨⟩<>\n]+);([^;⟨⟩<>\n]+)[⟩>]")
_SCORE = re.compile(r"^\s*(\d+)\s*[:.]\s*(\d+(?:\.\d+)?)", re.MULTILINE)


@dataclass(frozen=True)
class EraCoT:
    """The paper's five stages, each one prompt over the same passages, retrieved once.

    Inferred relations are scored, and those below the threshold left out. The paper also keeps
    only things that several samples agree on; here each stage is decoded once, greedily. The
    authors' code infers up to 5 relations between any two things and scores them one by one; here
    one prompt infers those that may help, and one scores all. Stages that the budget does not cover
    are left out.

    Args:
        passages: retrieved once and shown at every stage (KnowTrace §4.1.3); the paper's questions
            come with their context.
        threshold: the least score of an inferred relation, 0 to 10; 6 in the authors' code.
    """

    name: ClassVar[str] = "era_cot"
    passages: Count = 5
    threshold: float = 6.0

    def answer(self, session: Session) -> Answer:
        found = session.retrieve(session.question, self.passages)
        things = session.say("era_cot/entities", found, LINES)
        relations = _relations(
            session.say("era_cot/relations", found, LINES, things=things or "none")
        )
        relations += self._inferred(session, found, relations)
        triples = "\n".join(relations) or "none"
        thoughts = session.say("era_cot/think", found, THOUGHTS, last=True, triples=triples)
        return session.answered(conclusion(thoughts))

    def _inferred(
        self, session: Session, found: Sequence[Passage], relations: Sequence[str]
    ) -> list[str]:
        """Relations that follow from what is told, those that score high enough."""
        triples = "\n".join(relations) or "none"
        inferred = _relations(session.say("era_cot/infer", found, LINES, triples=triples))
        new = [relation for relation in inferred if relation not in relations]
        if not new:
            return []
        lines = "\n".join(f"{n}. {relation}" for n, relation in enumerate(new, 1))
        scores = dict(_SCORE.findall(session.say("era_cot/score", found, LINES, relations=lines)))
        return [r for n, r in enumerate(new, 1) if float(scores.get(str(n), 0)) >= self.threshold]


def _relations(said: str) -> list[str]:
    """Each once, as ⟨head; relation; tail⟩."""
    found = ("; ".join(part.strip() for part in parts) for parts in _RELATION.findall(said))
    return list(dict.fromkeys(f"⟨{relation}⟩" for relation in found))
