"""The hits of a search."""

from dataclasses import dataclass

from ..kg.text.marking import Quote, best_sentences
from ..kg.types import Passage


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage a search found.

    Args:
        source: of the passage's document.
    """

    passage: Passage
    score: float
    source: str = ""

    def sentences(self, question: str, most: int = 2) -> list[Quote]:
        """Quote the sentences with most of the question's words, which are marked."""
        return best_sentences(self.passage.text, self.passage.title, question, most)
