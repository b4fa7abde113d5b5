"""Where evidence may come from: the setting `sources`."""

from collections.abc import Collection
from typing import Literal

from ..kg.errors import BadRequest

Source = Literal["documents", "wikidata"]
DOCUMENTS: Source = "documents"
WIKIDATA: Source = "wikidata"
SOURCES: tuple[Source, ...] = (DOCUMENTS, WIKIDATA)
"""All there are; what a graph keeps of Wikidata, `hoptrail link --statements` has brought."""


def checked(sources: Collection[str]) -> tuple[Source, ...]:
    """Return sources in their order, each once.

    Raises:
        BadRequest: there is none of that name, or documents are not among them.
    """
    if unknown := [one for one in sources if one not in SOURCES]:
        raise BadRequest(f"No source {unknown[0]!r}; there are: {', '.join(SOURCES)}.")
    if DOCUMENTS not in sources:
        raise BadRequest("Questions are asked of documents; write documents+wikidata for both.")
    return tuple(one for one in SOURCES if one in sources)


def read(text: str) -> tuple[Source, ...]:
    """Read sources as users write them, joined by +; errors as `checked`."""
    return checked([part.strip() for part in text.split("+")])
