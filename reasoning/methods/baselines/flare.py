"""FLARE: look ahead one sentence, retrieve when the model is not sure of it (Jiang et al. 2023)."""

import math
from dataclasses import dataclass
from typing import ClassVar

from ....kg.answers import Answer
from ....models.language import Completion
from ...registry import Count, Passages, Share
from ...replies.answers import concludes, conclusion
from ...replies.sentences import next_thought
from ...session.session import Session


@dataclass(frozen=True)
class Flare:
    """Each sentence is first tried without passages; an unsure one is the query (direct, §3.2).

    Only the first is tried with passages, those nearest to the question (appendix A).

    The whole reply is judged, not each token of it: where their geometric mean is below the
    threshold, one of them is; what it says around the sentence counts as well. Single
    tokens can't be masked in the query either, for which the paper has β. A model that gives no
    probabilities is never sure. For a conclusion that is not sure, which says nothing to look for,
    the question is the query.

    Args:
        threshold: θ; 0.8 as for 2WikiMultihopQA (table 9).
        sentences: at most; the paper bounds tokens. A repeated one ends them, and the answer is
            concluded from the passages retrieved so far.
        passages: of each retrieval, shown for that sentence alone; 2 as for 2WikiMultihopQA, more
            did not fit (appendix B).
    """

    name: ClassVar[str] = "flare"
    threshold: Share = 0.8
    sentences: Count = 10
    passages: Passages = 2

    def answer(self, session: Session) -> Answer:
        thoughts: list[str] = []
        while len(thoughts) < self.sentences:
            thought = self._next(session, thoughts)
            if not thought:
                break
            thoughts.append(thought)
            if concludes(thought):
                return session.answered(conclusion(thought))
        return session.answered(conclusion(session.think([*session.found], thoughts)))

    def _next(self, session: Session, thoughts: list[str]) -> str:
        first = [] if thoughts else session.retrieve(session.question, self.passages)
        said = session.sample(1, "flare/look_ahead", first, thoughts="\n".join(thoughts))
        if not said:
            return ""
        ahead = next_thought(said[0].text, thoughts)
        if self._sure(said[0]):
            return ahead
        query = session.question if concludes(ahead) else ahead
        return session.think_on(session.search(query, self.passages), thoughts)

    def _sure(self, said: Completion) -> bool:
        if said.log_probability is None:
            return False
        return math.exp(said.log_probability / max(1, said.tokens_out)) >= self.threshold
