"""SG-Prompt: a graph of all that was retrieved, then thoughts over it (Li & Du 2023)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ....kg.answers import Answer
from ....kg.types import Passage
from ....models.language import Decoding
from ...extraction import FORM
from ...prompts.showing import SECTIONS
from ...registry import Passages
from ...replies.answers import conclusion
from ...replies.triples import triples
from ...session.assembling import assemble
from ...session.session import THOUGHTS, Filling, Session

RELATIONS = Decoding(FORM, SECTIONS, max_tokens=512)


@dataclass(frozen=True)
class SGPrompt:
    """The model extracts a semantic graph from the retrieved text, and thinks with it in view.

    As KnowTrace compares with it (appendix C). Passages are extracted one by one, side by side, as
    far as the budget goes; what several of them state is shown once, and the graph takes a quarter
    of the context at most.

    Args:
        passages: retrieved once, extracted, and shown under the graph (KnowTrace, §4.1.3).
    """

    name: ClassVar[str] = "sg_prompt"
    passages: Passages = 5

    def answer(self, session: Session) -> Answer:
        found = session.retrieve(session.question, self.passages)
        rest = session.model.context_length * 3 // 4
        graph, _ = assemble(session.model, _relations(session, found), "\n".join, rest)
        said = session.say("sg_prompt/think", found, THOUGHTS, last=True, triples=graph or "none")
        return session.answered(conclusion(said))


def _relations(session: Session, passages: Sequence[Passage]) -> list[str]:
    """What the passages state, each once, as ⟨head; relation; tail⟩."""
    each = [Filling([passage]) for passage in passages]
    said = [one for one in session.ask_each("sg_prompt/relations", each, RELATIONS) if one]
    found = (slots for one in said for slots in triples(one.text, one.finish == "length") or ())
    return list(dict.fromkeys(f"⟨{'; '.join(slots)}⟩" for slots in found))
