"""Direct: the model answers from what it has learned, without a passage."""

from dataclasses import dataclass
from typing import ClassVar

from ....kg.answers import Answer
from ...replies.answers import told
from ...session.session import ANSWER, Session


@dataclass(frozen=True)
class Direct:
    """One prompt with the question alone: the baseline without retrieval (GNN-Ret §4.1).

    The model may say that it does not know; in papers it has to guess.
    """

    name: ClassVar[str] = "direct"

    def answer(self, session: Session) -> Answer:
        return session.answered(told(session.say("direct/recall", decoding=ANSWER, last=True)))
