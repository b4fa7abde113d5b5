"""What answers and what retrieves, by name; nothing is imported before it is asked for."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class Kinds(Mapping[str, type[Any]]):
    """Classes by name.

    Args:
        package: of their modules.
        places: "module:Class" by name.
    """

    package: str
    places: dict[str, str]

    def __getitem__(self, name: str) -> type[Any]:
        """The class, its module imported."""
        module, _, kind = self.places[name].partition(":")
        return getattr(import_module(f".{self.package}.{module}", __package__), kind)

    def __iter__(self) -> Iterator[str]:
        """Names, in the table's order."""
        return iter(self.places)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.places)


METHODS = Kinds(
    "methods",
    {
        "trace": "trace:Trace",
        "direct": "direct:Direct",
        "rag": "rag:Rag",
        "cot": "cot:ChainOfThought",
        "self_consistency": "self_consistency:SelfConsistency",
        "self_ask": "self_ask:SelfAsk",
        "ircot": "ircot:IRCoT",
        "iter_retgen": "iter_retgen:IterRetGen",
        "react": "react:ReAct",
        "flare": "flare:Flare",
        "top_triples": "top_triples:TopTriples",
        "era_cot": "era_cot:EraCoT",
        "kgp": "kgp:Kgp",
    },
)
"""Methods of answering, the default first; adding one is one line."""

RETRIEVERS = Kinds(
    "retrieval",
    {
        "dense": "first_stage:Dense",
        "bm25": "first_stage:BM25",
        "hybrid": "first_stage:Hybrid",
        "hop": "hop:Hop",
        "gnn": "gnn_ret:GnnRet",
        "ranker": "ranker:Ranker",
    },
)
"""Retrievers; adding one is one line."""
