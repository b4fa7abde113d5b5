"""Which triples a chain may go on with where nothing is encoded: what says more of the question.

Without a language model chains lead to the answer that the reader found. What they are made of was
read before, so that words tell it; vectors of triples and of questions with chains would take
longer than all else that a question takes.
"""

from collections import Counter
from collections.abc import Sequence

from ....kg.candidates import Taken
from ....kg.text.words import stems
from ....kg.types import Passage, Triple
from ...session.session import Session
from .ranking import Offer, chainable
from .selectors import Option

LEAST = 0.4
"""What a triple has to add to a chain, as `BySimilarity` counts: words score less than cosines."""


class WordRanker:
    """Ranks the passages' triples by the question's words that they add to a chain.

    Args:
        session: what it found are the passages.
        candidates: K.

    Attributes:
        statements: what the passages state, by (passage, start, triple id).
        stated: the triples that a chain may hold, with the passages that state them.
        passages: none beyond these.
    """

    def __init__(self, session: Session, candidates: int) -> None:
        self._candidates, self._offer = candidates, Offer(session)
        self.statements = tuple(session.graph.triples_of([p.id for p in session.found]))
        self.passages: dict[str, Passage] = {}
        self.stated = chainable(self.statements)
        asked = frozenset(stems(session.question))
        self._said = {triple: asked.intersection(stems(triple.text)) for triple in self.stated}
        held = Counter(stem for said in self._said.values() for stem in sorted(said))
        total = sum(1 / count for count in held.values())
        self._weights = {stem: 1 / count / total for stem, count in held.items()}

    def options(self, chains: Sequence[Sequence[Triple]]) -> list[list[Option]]:
        """Find the K triples that add most to each chain; best first, ties as they are stated."""
        return [self._of_chain(chain) for chain in chains]

    def _of_chain(self, chain: Sequence[Triple]) -> list[Option]:
        taken = Taken(chain)
        known = frozenset[str]().union(*(self._said.get(triple, ()) for triple in chain))
        scored = [
            (sum(self._weights[stem] for stem in sorted(said - known)), triple)
            for triple, said in self._said.items()
            if taken.leaves(triple)
        ]
        best = sorted(scored, key=lambda one: -one[0])[: self._candidates]
        return [self._offer(triple, share, self.stated, chain) for share, triple in best]
