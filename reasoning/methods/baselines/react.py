"""ReAct: a thought, an action, what it brought, until the model ends (Yao et al. 2023)."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from ....kg.answers import Answer
from ....kg.types import Passage
from ...session.budget import OnStep
from ...session.parts import Parts
from ...session.session import Decoding, Turns, check, told

TURN = Decoding(96, ("\nObservation", "\n\n", "\n#"))
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
        max_calls: prompts a question may put to the model.
        max_tokens: tokens a question may take.

    Raises:
        BadRequest: there is no language model, or a count below 1.
    """

    parts: Parts
    turns: int = 7
    passages: int = 5
    max_calls: int | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        check("react", self, turns=self.turns, passages=self.passages)

    def answer(
        self,
        question: str,
        within: Collection[str] | None = None,
        on_step: OnStep = lambda step: None,
    ) -> Answer:
        """See Method."""
        turns = Turns.of("react", self, question, within, on_step)
        so_far: list[str] = []
        searched: list[str] = []
        latest: list[Passage] = []
        for _ in range(self.turns):
            said = turns.say("react/turn", latest, TURN, turns="\n".join(so_far) or "none yet")
            action = _ACTION.search(said)
            if action and action[1].casefold() == "finish":
                return turns.answered(told(action[2]))
            if not action or action[2] in searched:
                break
            searched.append(action[2])
            found = turns.search(action[2], self.passages)
            latest = [*found, *(passage for passage in latest if passage not in found)]
            titles = "; ".join(passage.title for passage in found) or "nothing"
            so_far += [f"{said[: action.end()]}]", f"Observation: {titles}"]
        return turns.answered(turns.read(latest or turns.retrieve(question, self.passages)))
