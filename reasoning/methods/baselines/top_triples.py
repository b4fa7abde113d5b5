"""Top-T triples: those nearest to the question, without chains (TRACE Table 2)."""

from dataclasses import dataclass
from typing import ClassVar

from ....kg.answers import Answer
from ...registry import Count, Passages
from ...session.session import Session
from ..trace.method import Trace


@dataclass(frozen=True)
class TopTriples:
    """TRACE without the constructor of chains: one retrieval of passages, one of their triples.

    Args:
        passages: whose triples are ranked, as for `trace`; in the paper those that come with the
            question.
        top: T; of the paper's 10, 20 and 25 the last does best.
    """

    name: ClassVar[str] = "top_triples"
    passages: Passages = 10
    top: Count = 25

    def answer(self, session: Session) -> Answer:
        return Trace(passages=self.passages, evidence="top", top=self.top).answer(session)
