"""Fitted parameters of a graph: kept, described, forgotten, whatever fitted them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from ...kg.errors import EmptyGraph
from ...kg.store import Graph, GraphStore
from ...kg.types import Fingerprint
from ...reasoning.evaluation.runs.manifest import content_hash
from ...reasoning.fitted import Fitted, FittedFormat
from ..console.counting import counted
from ..settings import TRAINED

T = TypeVar("T")


def keep(store: GraphStore, encoder: Fingerprint, kind: FittedFormat[T], fitted: Fitted[T]) -> None:
    """Keep parameters with a graph, which is brought up to date first where it is older."""
    store.prepare(encoder)
    store.keep_parameters(kind.kind, kind.to_json(fitted))


def require_passages(store: Graph) -> None:
    """Refuse a graph without passages: parameters are fitted over them, and used on them.

    Raises:
        EmptyGraph: there are none.
    """
    if not store.statistics()["passages"]:
        raise EmptyGraph(
            f"The graph in {store.where} holds no passages yet. Fill it first: hoptrail ingest PATH"
        )


def kept(store: Graph) -> dict[str, dict[str, Any]]:
    """Return the provenance of the parameters that the graph holds, by kind."""
    texts = {kind: store.parameters(kind) for kind in TRAINED}
    return {kind: json.loads(text).get("provenance", {}) for kind, text in texts.items() if text}


def summary(fitted: Mapping[str, Mapping[str, Any]]) -> str:
    """Sum up provenances in a line: "gnn-ret (239 questions, 2026-11-21)"; "" for none."""
    return ", ".join(
        f"{kind} ({counted(p.get('questions', 0), 'question')}, {p.get('date', 'undated')})"
        for kind, p in fitted.items()
    )


def source(file: Path) -> dict[str, str]:
    """Describe a file of questions by its name and hash, for a provenance."""
    return {"file": file.name, "sha256": content_hash(file)}
