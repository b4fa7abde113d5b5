"""`hoptrail doctor`: what is wrong with the set-up or the graph, and what to do about it."""

import sys
from collections.abc import Callable
from importlib import metadata
from typing import Any

from ..kg.errors import HoptrailError
from ..kg.graph_info import too_old
from ..kg.types import SCHEMA_VERSION
from ..reasoning.retrieval.learned import KIND, Learned
from .hoptrail import Hoptrail
from .model_trial import trial
from .parameters import kept, summary
from .settings import Settings

Finding = dict[str, Any]


def check(settings: Settings) -> list[Finding]:
    """One finding a check: {what, ok, detail}; a failed one names the next step."""
    with Hoptrail.of(settings) as hop:
        return [
            _finding("installation", _versions),
            _finding("encoder", lambda: _encoder(hop)),
            _finding("pipeline", lambda: hop.pipeline.fingerprint),
            _finding("language model", lambda: _model(hop)),
            _finding("graph", lambda: _graph(hop)),
            _finding("encoder of the graph", lambda: _match(hop)),
            _finding("fitted parameters", lambda: _fitted(hop)),
            _finding("sources", lambda: _sources(hop)),
        ]


def _finding(what: str, probe: Callable[[], str]) -> Finding:
    try:
        return {"what": what, "ok": True, "detail": probe()}
    except HoptrailError as error:
        return {"what": what, "ok": False, "detail": str(error)}


def _versions() -> str:
    names = ("hoptrail", "sentence-transformers", "torch", "spacy", "neo4j", "numpy")
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in names)
    return f"Python {sys.version.split()[0]}, {versions}"


def _encoder(hop: Hoptrail) -> str:
    print_ = hop.encoder.fingerprint
    return f"{print_.name}, {print_.dimension} dimensions, weights {print_.weights}"


def _model(hop: Hoptrail) -> str:
    if hop.model is None:
        return "none; answers are read by rules. --model or HOPTRAIL_MODEL names one"
    return trial(hop.model)


def _graph(hop: Hoptrail) -> str:
    info = hop.store.info()
    if info is None:
        return f"{hop.store.where}: no graph yet; hoptrail ingest PATH makes one"
    counts = hop.statistics()
    behind = info.schema_version < SCHEMA_VERSION
    if behind and (lacking := hop.store.obstacles()):
        raise too_old(hop.store.where, "; ".join(lacking))
    return (
        f"{hop.store.where}: schema {info.schema_version}"
        f"{' (older; the next ingest brings it up to date)' if behind else ''}, "
        f"made by {info.created_by}, "
        f"{counts['documents']:,} documents, {counts['passages']:,} passages, "
        f"{counts['triples']:,} triples"
    )


def _match(hop: Hoptrail) -> str:
    hop.check_encoder()
    return "matches"


def _fitted(hop: Hoptrail) -> str:
    if text := hop.store.parameters(KIND):
        Learned.from_json(text, hop.store.where).check(hop.encoder.fingerprint)
    return summary(kept(hop.store)) or "none; what papers and defaults say holds"


def _sources(hop: Hoptrail) -> str:
    failures = hop.store.failures()
    if failures:
        listed = "; ".join(f"{f.source}: {f.reason}" for f in failures[:5])
        raise HoptrailError(
            f"{len(failures)} could not be read: {listed}. Mend them and ingest again."
        )
    return "all read"
