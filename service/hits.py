"""What lists hold: the hits of a search, the documents of a graph."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from ..kg.answers import Copy
from ..kg.linked import Origin
from ..kg.text.language import stop_words
from ..kg.text.marking import Excerpt, best_sentences
from ..kg.types import Metadata, Passage


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage a search found.

    Args:
        also: where else it stands: copies from other documents.
        source: of the passage's document.
        question: that it was found for.
    """

    passage: Passage
    score: float
    also: tuple[Copy, ...] = ()
    source: str = ""
    question: str = ""

    def sentences(self, question: str = "", most: int = 2) -> list[Excerpt]:
        """Quote the sentences with most of the question's words, which are marked.

        Words that say nothing by themselves are not.

        Args:
            question: "" for the one that it was found for.
        """
        passage, asked = self.passage, question or self.question
        found = best_sentences(passage.text, passage.title, asked, most, passage.language)
        stop = frozenset[str]()
        if passage.language:
            stop = stop_words(passage.language)
        return [
            replace(
                one,
                heading=passage.heading_at(one.start),
                marked=tuple(s for s in one.marked if passage.text[slice(*s)].lower() not in stop),
            )
            for one in found
        ]

    @property
    def wikidata(self) -> Origin | None:
        """Tell what of Wikidata it is; None for a passage of a document."""
        return Origin.of(self.source)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `search --json` prints them."""
        values, wikidata = asdict(self), self.wikidata
        passage, also = values.pop("passage"), list(values.pop("also"))
        values |= {"also": also, "wikidata": wikidata and wikidata.to_dict()}
        values["sentences"] = [one.to_dict() for one in self.sentences()]
        passage["headings"] = list(passage["headings"])
        del values["question"]
        return {"id": self.passage.id, **passage, **values}


@dataclass(frozen=True, slots=True)
class ListedDocument:
    """A document that the graph holds.

    Args:
        passages: how many it has.
        ingested_at: ISO 8601, UTC.
    """

    id: str
    title: str
    source: str
    passages: int
    ingested_at: str
    metadata: Metadata

    def to_dict(self) -> dict[str, Any]:
        """Return its fields as plain values."""
        return {**asdict(self), "metadata": dict(self.metadata)}
