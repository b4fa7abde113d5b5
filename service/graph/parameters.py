"""Fitted parameters of a graph: kept, described, forgotten, whatever fitted them."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...kg.errors import EmptyGraph
from ...kg.store import Graph, GraphStore
from ...kg.types import Fingerprint
from ..settings import TRAINED


def keep(store: GraphStore, encoder: Fingerprint, kind: str, text: str) -> None:
    """Keep parameters with a graph, which is brought up to date first where it is older."""
    store.prepare(encoder)
    store.keep_parameters(kind, text)


def require_passages(store: Graph) -> None:
    """Parameters are fitted over passages, and used on them.

    Raises:
        EmptyGraph: there are none.
    """
    if not store.statistics()["passages"]:
        raise EmptyGraph(
            f"The graph in {store.where} holds no passages yet. Fill it first: hoptrail ingest PATH"
        )


def kept(store: Graph) -> dict[str, dict[str, Any]]:
    """Provenance of the parameters that the graph holds, by kind."""
    texts = {kind: store.parameters(kind) for kind in TRAINED}
    return {kind: json.loads(text).get("provenance", {}) for kind, text in texts.items() if text}


def summary(fitted: Mapping[str, Mapping[str, Any]]) -> str:
    """The same in a line: "gnn-ret (239 questions, 2026-11-21)"; empty when there are none."""
    return ", ".join(
        f"{kind} ({p.get('questions', 0):,} questions, {p.get('date', 'undated')})"
        for kind, p in fitted.items()
    )


def source(file: Path) -> dict[str, str]:
    """What tells a file of questions from any other, for a provenance."""
    return {"file": file.name, "sha256": hashlib.sha256(file.read_bytes()).hexdigest()}
