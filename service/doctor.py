"""The checks of `hoptrail doctor`: what is wrong with set-up or graph, what to do about it."""

import sys
import time
from collections.abc import Callable, Iterator
from importlib import metadata
from typing import Any

from ..kg.errors import HoptrailError, ModelUnavailable
from ..kg.types import SCHEMA_VERSION
from ..models.cache import Cached
from ..models.language import Decoding, LanguageModel, OutputForm, reserved, thinking_tokens
from ..reasoning.retrieval.gnn_parameters import GNN_RET
from .console.counting import counted
from .graph.parameters import kept, summary
from .hoptrail import Hoptrail
from .settings import DEFAULT_GRAPH, Settings

Finding = dict[str, Any]
Progress = Callable[[str], None]
YES_OR_NO = OutputForm('root ::= "yes" | "no"', "yes|no", {"enum": ["yes", "no"]})
CHOICE = "Which letter stands first in the alphabet?\n\nA. the A\nB. the B\n\nAnswer:"
TOKENS = 32
PROMPT = "Is Vienna the capital of Austria? Answer yes or no, then say why."


def check(settings: Settings, fix: bool, quick: bool, progress: Progress) -> Iterator[Finding]:
    """Check set-up and graph: a finding {what, ok, mended, detail} each; failures name a next step.

    Args:
        settings: of the graph and the models.
        fix: mend first what is mendable.
        quick: leave out what takes long on a large graph.
        progress: called with what of the graph is looked at next.
    """
    with Hoptrail.of(settings) as hop:
        yield _finding("installation", _versions)
        yield _finding("encoder", lambda: _encoder(hop))
        yield _finding("pipeline", lambda: hop.pipeline.fingerprint)
        yield _finding("language model", lambda: _model(hop))
        try:
            if settings.graph != DEFAULT_GRAPH:  # who names a file means one that is there
                settings.existing()
            hop.store.info()
        except HoptrailError as error:  # the same would be said of all that follows
            yield _found("graph", f"{error} (nothing of it was checked)", ok=False)
            return
        yield from _problems(hop, fix, quick, progress)
        yield _finding("graph", lambda: _graph(hop))
        yield _finding("encoder of the graph", lambda: _match(hop))
        yield _finding("fitted parameters", lambda: _fitted(hop))
        yield _finding("sources", lambda: _sources(hop))


def _finding(what: str, probe: Callable[[], str]) -> Finding:
    try:
        return _found(what, probe(), ok=True)
    except HoptrailError as error:
        return _found(what, str(error), ok=False)


def _found(what: str, detail: str, ok: bool, mended: bool = False) -> Finding:
    return {"what": what, "ok": ok, "mended": mended, "detail": detail}


def _problems(hop: Hoptrail, fix: bool, quick: bool, progress: Progress) -> Iterator[Finding]:
    """What is wrong with the graph itself; one finding that nothing is where nothing is."""
    try:
        if fix:
            for problem in hop.store.maintenance.repair(progress):
                yield _found(problem.what, problem.detail, ok=True, mended=True)
        problems = hop.store.maintenance.problems(quick, progress)
    except HoptrailError as error:
        yield _found("soundness", str(error), ok=False)
        return
    for problem in problems:
        hint = "; `hoptrail doctor --fix` mends it" if problem.mendable else ""
        yield _found(problem.what, problem.detail + hint, ok=False)
    if not problems:
        left = "; without --quick also whether all follows from the texts" if quick else ""
        yield _found("soundness", f"nothing is wrong{left}", ok=True)


def _versions() -> str:
    names = ("hoptrail", "sentence-transformers", "torch", "spacy", "neo4j", "numpy")
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in names)
    return f"Python {sys.version.split()[0]}, {versions}"


def _encoder(hop: Hoptrail) -> str:
    hop.encoder.encode_queries(["?"])  # the fingerprint alone may need no model loaded
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
    older = f" (older than this version's {SCHEMA_VERSION})"
    return (
        f"{hop.store.where}: schema {info.schema_version}"
        f"{older if info.schema_version < SCHEMA_VERSION else ''}, made by {info.created_by}, "
        f"{counted(counts['documents'], 'document')}, {counted(counts['passages'], 'passage')}, "
        f"{counted(counts['triples'], 'triple')}"
    )


def _match(hop: Hoptrail) -> str:
    hop.check_encoder()
    return "matches"


def _fitted(hop: Hoptrail) -> str:
    GNN_RET.stored(hop.store, hop.encoder)
    return summary(kept(hop.store)) or "none; what papers and defaults say holds"


def _sources(hop: Hoptrail) -> str:
    failures = hop.store.failures()
    if failures:
        listed = "; ".join(f"{f.source}: {f.reason}" for f in failures[:5])
        raise HoptrailError(
            f"{counted(len(failures), 'source')} could not be read: {listed}. Mend what is wrong "
            "and ingest again, or forget them: hoptrail remove SOURCE."
        )
    return "all read"


def trial(model: LanguageModel) -> str:
    """Load a model, have it write under a grammar, without, and choose; say how fast it was.

    Raises:
        ModelUnavailable: it does not keep to a grammar, though one that can't be held to it could,
            or does nothing but think.
        As LanguageModel.
    """
    tried = model.model if isinstance(model, Cached) else model  # what is cached tells nothing
    [held] = tried.generate([PROMPT], Decoding(form=YES_OR_NO, max_tokens=4))
    if held.text not in ("yes", "no"):
        raise ModelUnavailable(
            f"{tried.name} answers {held.text[:40]!r} where only yes or no is asked for. Choose a "
            "larger model, or a server that takes grammars (docs/models.md)."
        )
    started = time.perf_counter()
    [said] = tried.generate([PROMPT], Decoding(max_tokens=TOKENS, stop=("\n\n",)))
    seconds = time.perf_counter() - started
    rate = f"{said.tokens_out / seconds:.0f} tokens a second" if said.tokens_out else "no tokens"
    layers = getattr(tried, "layers_on_gpu", None)
    where = "on a server" if layers is None else f"{layers} layers on the GPU"
    context = f"context {tried.context_length:,} tokens"
    facts = [tried.name, context, where, "keeps to a grammar", rate]
    return "; ".join([", ".join(facts), *_choosing(tried)])


def _choosing(model: LanguageModel) -> list[str]:
    """Have a model choose between letters; what of it, and of its server, a user has to know."""
    chosen = model.choose(CHOICE, [""], ["A", "B"])
    template = reserved(model) - thinking_tokens(model)
    said = [f"its chat template takes {template:,} tokens of each prompt"]
    if most := thinking_tokens(model):
        said.append(f"it thinks first, up to {most:,} tokens")
    if chosen.named:
        said.append(
            "it names an option and gives no log-probabilities: TRACE follows the letter it names, "
            "one chain"
        )
    if not getattr(model, "repacked", True):
        said.append("its weights are not repacked, which is slower")
    if left_out := getattr(model, "left_out", ()):
        said.append(f"the server does not take {', '.join(left_out)}")
    return said
