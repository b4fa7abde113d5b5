"""ReAct: a thought, an action, what it brought, until the model ends (Yao et al. 2023)."""

import re
from dataclasses import dataclass
from typing import ClassVar

from ....kg.answers import Answer
from ....kg.types import Passage
from ....models.language import Decoding
from ...registry import Count
from ...session.replies import told
from ...session.session import Session

TURN = Decoding(stop=("\nObservation", "\n\n", "\n#"), max_tokens=96)
_ACTION = re.compile(r"\b(search|finish)\[([^\]\n]+)", re.IGNORECASE)


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
    passages: Count = 5

    def answer(self, session: Session) -> Answer:
        so_far: list[str] = []
        searched: list[str] = []
        latest: list[Passage] = []
        for _ in range(self.turns):
            said = session.say("react/turn", latest, TURN, turns="\n".join(so_far) or "none yet")
            action = _ACTION.search(said)
            if action and action[1].casefold() == "finish":
                return session.answered(told(action[2]))
            if not action or action[2] in searched:
                break
            searched.append(action[2])
            found = session.search(action[2], self.passages)
            latest = [*found, *(passage for passage in latest if passage not in found)]
            titles = "; ".join(passage.title for passage in found) or "nothing"
            so_far += [f"{said[: action.end()]}]", f"Observation: {titles}"]
        latest = latest or session.retrieve(session.question, self.passages)
        return session.answered(session.read(latest))
