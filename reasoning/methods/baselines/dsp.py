"""DSP: search hop by hop with several queries, then predict by vote (Khattab et al. 2022)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ....kg.answers import Answer
from ....kg.types import Passage
from ....models.language import Decoding
from ...matching import vote
from ...prompts.showing import SECTIONS
from ...registry import Count, Passages, Temperature
from ...replies.answers import concludes, conclusion
from ...replies.plain import spoken
from ...replies.sentences import needed
from ...session.session import THOUGHTS, Session

QUERY = Decoding(stop=SECTIONS, max_tokens=96)
_RANK = 60  # of reciprocal ranks, as usual


@dataclass(frozen=True)
class Dsp:
    """The program for questions of several hops: demonstrate, search, predict.

    Each hop samples queries from the question and what was found before, and fuses what they
    retrieve; chains of thought over all of it are put to the vote. Fused by reciprocal ranks, where
    the paper sums the retriever's probabilities. Demonstrations are the prompts' worked examples:
    the paper's first stage annotates a training set with the program itself, and there is none
    here. A hop for which no query is left ends the search.

    Args:
        hops: 2, as for HotpotQA.
        queries: sampled in each hop (10).
        passages: that each hop adds.
        samples: chains of thought that vote (20).
        temperature: of queries and thoughts (0.7).
    """

    name: ClassVar[str] = "dsp"
    hops: Count = 2
    queries: Count = 10
    passages: Passages = 5
    samples: Count = 20
    temperature: Temperature = 0.7

    def answer(self, session: Session) -> Answer:
        found: dict[Passage, None] = {}
        for _ in range(self.hops):
            queries = self._queries(session, [*found])
            if not queries:
                break
            found |= dict.fromkeys(self._fused(session, queries))
        shown = [*found] or session.retrieve(session.question, self.passages)
        sampling = replace(THOUGHTS, temperature=self.temperature)
        said = session.sample(self.samples, "shared/think", shown, sampling, last=True, thoughts="")
        ends = [session.meant(conclusion(one.text)) for one in said if concludes(one.text)]
        shares = vote(ends) if ends else [("", 0.0)]
        return session.answered(shares[0][0], [share for share in shares if share[0]])

    def _queries(self, session: Session, found: Sequence[Passage]) -> Counter[str]:
        """What the samples would look for next, each with how many would."""
        sampling = replace(QUERY, temperature=self.temperature)
        said = session.sample(self.queries, "dsp/query", found, sampling)
        return Counter(query for one in said if (query := needed(spoken(one.text))))

    def _fused(self, session: Session, queries: Counter[str]) -> list[Passage]:
        scores = Counter[Passage]()
        for query, times in queries.items():
            for rank, passage in enumerate(session.search(query, self.passages), 1):
                scores[passage] += times / (_RANK + rank)  # pyright: ignore[reportArgumentType]
        return sorted(scores, key=lambda one: (-scores[one], one.id))[: self.passages]
