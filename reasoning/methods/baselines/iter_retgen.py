"""ITER-RETGEN: what was generated last time is the next query (Shao et al. 2023)."""

from dataclasses import dataclass
from typing import ClassVar

from ....kg.answers import Answer
from ...registry import Count, Passages
from ...replies.answers import conclusion
from ...replies.sentences import thoughts
from ...session.session import Session


@dataclass(frozen=True)
class IterRetGen:
    """Whole chains of thought in turn with retrieval for "chain + question" (§3.1).

    Each chain is thought anew, over what its own retrieval found; the last one answers.

    Args:
        iterations: T; the paper goes from 1 to 7 (table 2), the second gains most (§4.5). Thoughts
            that come again end them: they would only come a third time.
        passages: k, of each retrieval (§4.4).
    """

    name: ClassVar[str] = "iter_retgen"
    iterations: Count = 7
    passages: Passages = 5

    def answer(self, session: Session) -> Answer:
        reply = query = ""
        for _ in range(self.iterations):
            found = session.retrieve(f"{query}\n{session.question}".strip(), self.passages)
            said = session.think(found)
            if session.spent or said == reply:
                break
            reply, query = said, "\n".join(thoughts(said))
        return session.answered(conclusion(reply))
