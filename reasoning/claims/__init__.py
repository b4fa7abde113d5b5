"""Wikidata's statements as evidence: they are read beside what documents state."""

from .graph import FACTS, ClaimedGraph

__all__ = ["FACTS", "ClaimedGraph"]
