"""Wikidata over its endpoint, for questions that ask it themselves (`kg=sparql`)."""

import functools
from typing import TYPE_CHECKING

from ..models.encoder import Encoder
from .settings import open_endpoint

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..kg.wikidata.knowledge import Knowledge


def live(encoder: Encoder) -> "Callable[[], Knowledge]":
    """Give what opens the endpoint that `open_endpoint` names, once, when it is first asked."""

    @functools.cache
    def opened() -> "Knowledge":
        from ..kg.wikidata.knowledge import Knowledge
        from ..kg.wikidata.linking import Linker
        from ..kg.wikidata.properties import Properties, read_properties

        endpoint, encode = open_endpoint(), encoder.encode_queries
        properties = Properties(read_properties(endpoint), encode)
        return Knowledge(Linker(endpoint, encode=encode), properties)

    return opened
