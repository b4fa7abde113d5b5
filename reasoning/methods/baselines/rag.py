"""RAG: retrieve once, read (Lewis et al. 2020)."""

from dataclasses import dataclass
from typing import ClassVar

from ....kg.answers import Answer
from ...registry import Passages
from ...session.session import Session


@dataclass(frozen=True)
class Rag:
    """The passages nearest to the question go into one prompt.

    The paper's generator is fitted together with the retriever and weighs each passage by itself;
    here, as in later papers' baselines, a model is prompted with all of them.

    Args:
        passages: retrieved and read; the paper trains with 5 or 10 and tunes how many are read
            (§3).
    """

    name: ClassVar[str] = "rag"
    passages: Passages = 5

    def answer(self, session: Session) -> Answer:
        found = session.retrieve(session.question, self.passages)
        return session.answered(session.read(found))
