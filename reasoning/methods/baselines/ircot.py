"""IRCoT: each thought is the next query, each retrieval leads on (Trivedi et al. 2023)."""

from dataclasses import dataclass
from typing import ClassVar

from ....kg.answers import Answer
from ...registry import Count, Passages
from ...replies.answers import concludes, conclusion
from ...session.session import Session


@dataclass(frozen=True)
class IRCoT:
    """Retrieve, think one sentence, retrieve with it, and so on (§3.1); then read (§3.2).

    The thoughts only collect passages. The reader thinks anew over all of them, as the paper's
    chain-of-thought reader does; where it comes to no conclusion, the paper takes all it said for
    the answer, and here there is none.

    Args:
        passages: of each retrieval, K; the paper tunes it over 2, 4, 6 and 8 (§4.1).
        most: passages in all (§4.1).
        steps: thoughts at most (§3.1); a repeated one ends them, it would find the same again.
    """

    name: ClassVar[str] = "ircot"
    passages: Passages = 4
    most: Passages = 15
    steps: Count = 8

    def answer(self, session: Session) -> Answer:
        collected = dict.fromkeys(session.retrieve(session.question, self.passages))
        thoughts: list[str] = []
        for _ in range(self.steps):
            thought = session.think_on([*collected][: self.most], thoughts)
            if not thought or concludes(thought):
                break
            thoughts.append(thought)
            collected |= dict.fromkeys(session.search(thought, self.passages))
        return session.answered(conclusion(session.think([*collected][: self.most])))
