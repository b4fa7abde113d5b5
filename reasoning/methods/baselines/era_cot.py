"""ERA-CoT: things, told relations, inferred ones, then thoughts over them (Liu et al. 2024)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from ....kg.answers import Answer
from ....kg.types import Passage
from ....models.language import Decoding
from ...prompts.showing import SECTIONS
from ...registry import Between, Passages
from ...replies.answers import conclusion
from ...replies.sentences import names
from ...replies.triples import scores, triples
from ...session.session import THOUGHTS, Session

LINES = Decoding(stop=SECTIONS, max_tokens=512)


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
    passages: Passages = 5
    threshold: Annotated[float, Between(0, 11)] = 6.0  # scores go to 10: above it none is kept

    def answer(self, session: Session) -> Answer:
        found = session.retrieve(session.question, self.passages)
        things = "\n".join(names(session.say("era_cot/entities", found, LINES)))
        relations = _relations(
            session.say("era_cot/relations", found, LINES, things=things or "none")
        )
        relations += self._inferred(session, found, relations)
        shown = "\n".join(relations) or "none"
        thoughts = session.say("era_cot/think", found, THOUGHTS, last=True, triples=shown)
        return session.answered(conclusion(thoughts))

    def _inferred(
        self, session: Session, found: Sequence[Passage], relations: Sequence[str]
    ) -> list[str]:
        """Relations that follow from what is told, those that score high enough."""
        shown = "\n".join(relations) or "none"
        inferred = _relations(session.say("era_cot/infer", found, LINES, triples=shown))
        new = [relation for relation in inferred if relation not in relations]
        if not new:
            return []
        lines = "\n".join(f"{n}. {relation}" for n, relation in enumerate(new, 1))
        scored = scores(session.say("era_cot/score", found, LINES, relations=lines))
        return [r for n, r in enumerate(new, 1) if scored.get(n, 0) >= self.threshold]


def _relations(said: str) -> list[str]:
    """Each once, as ⟨head; relation; tail⟩."""
    return [f"⟨{'; '.join(slots)}⟩" for slots in triples(said) or ()]
