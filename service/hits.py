"""The hits of a search."""

from dataclasses import dataclass

from ..kg.answers import Copy
from ..kg.text.marking import Excerpt, best_sentences
from ..kg.types import Passage


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage a search found.

    Args:
        also: where else it stands: copies from other documents.
        source: of the passage's document.
    """

    passage: Passage
    score: float
    also: tuple[Copy, ...] = ()
    source: str = ""

    def sentences(self, question: str, most: int = 2) -> list[Excerpt]:
        """Quote the sentences with most of the question's words, which are marked."""
        return best_sentences(self.passage.text, self.passage.title, question, most)
