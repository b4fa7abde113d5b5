"""ReAct: a thought, an action, what it brought, until the model ends (Yao et al. 2023)."""

from dataclasses import dataclass
from typing import ClassVar

from ....kg.answers import Answer
from ....kg.types import Passage
from ....models.language import Decoding
from ...prompts.showing import SECTIONS
from ...registry import Count, Passages
from ...replies.actions import action
from ...replies.answers import told
from ...session.session import Session

TURN = Decoding(stop=("\nObservation", *SECTIONS), max_tokens=192)


@dataclass(frozen=True)
class ReAct:
    """The model chooses between searching and finishing (§3.1).

    The paper's search shows the first sentences of the page of that name, and "lookup" finds others
    in it; here search is the retriever, and what it finds is shown whole, so there is nothing to
    look up. Observations name passages whose texts stand together, the latest first, so that the
    oldest give way.

    Args:
        turns: at most 7, as for HotpotQA (§3.2). Then, as when the model does neither, or searches
            for the same again, the answer is read from what was found; the paper has none, or goes
            over to self-consistency.
        passages: of each search, 5 as where ReAct is compared with over a retriever (ITER-RETGEN
            §4.4, KnowTrace §4.1.3).
    """

    name: ClassVar[str] = "react"
    turns: Count = 7
    passages: Passages = 5

    def answer(self, session: Session) -> Answer:
        so_far: list[str] = []
        searched: list[str] = []
        latest: list[Passage] = []
        for _ in range(self.turns):
            said = session.say("react/turn", latest, TURN, turns="\n".join(so_far) or "none yet")
            turn = action(said)
            if turn.kind == "finish":
                return session.answered(told(turn.argument))
            if not turn.kind or turn.argument in searched:
                break
            searched.append(turn.argument)
            found = session.search(turn.argument, self.passages)
            latest = [*found, *(passage for passage in latest if passage not in found)]
            titles = "; ".join(passage.title for passage in found) or "nothing"
            so_far += [f"Thought: {turn.thought}", f"Action: search[{turn.argument}]"]
            so_far.append(f"Observation: {titles}")
        latest = latest or session.retrieve(session.question, self.passages)
        return session.answered(session.read(latest))
