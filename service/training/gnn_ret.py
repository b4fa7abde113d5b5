"""The work of `train gnn-ret`: fit, measure on held-out questions, keep with the graph."""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ...kg.errors import BadRequest
from ...loaders.questions.files import Question
from ...reasoning.evaluation.metrics.intervals import Interval, paired
from ...reasoning.fitted import Fitted
from ...reasoning.retrieval.gnn_parameters import GNN_RET, GnnParameters
from ...reasoning.training.gnn_ret import (
    HeldOut,
    Training,
    chains,
    held_out,
    labelled,
    learn,
    recurrent,
)
from ...reasoning.training.message_passing import Chain
from ..console.progress import progress_bar
from ..evaluation.graphs import question_sets, temporary_graph
from ..evaluation.tables import Table, difference
from ..graph.parameters import keep, require_passages, source
from ..hoptrail import Hoptrail
from ..settings import Settings


@dataclass(frozen=True, slots=True)
class TrainedGnnRet:
    """Fitted parameters, and what they gain on questions they were not fitted to.

    Args:
        whole: of GNN-Ret; None with too few questions.
        steps: of RGNN-Ret; None also without sub-questions.
    """

    fitted: Fitted[GnnParameters]
    whole: HeldOut | None
    steps: HeldOut | None


def train_gnn_ret(
    settings: Settings,
    files: Sequence[Path],
    training: Training,
    *,
    fixed_graph: bool,
    out: Path | None = None,
) -> TrainedGnnRet:
    """Fit GNN-Ret and RGNN-Ret, kept with the graph of the settings, or in `out` alone.

    Args:
        fixed_graph: fit to the graph of the settings, which holds the questions' paragraphs,
            instead of a temporary one.
        out: a file for the same JSON.

    Raises:
        BadRequest: nothing to keep them in, no questions, or none the graph can support.
        EmptyGraph: the graph holds nothing.
        SourceError: a record can't be read.
    """
    if not fixed_graph and out is None:
        raise BadRequest(
            "Nothing would keep the parameters: name the graph that holds the paragraphs "
            "(hoptrail --graph WHERE train …), or a file (--out FILE)."
        )
    tools, sets = Hoptrail.of(settings), question_sets(files)
    files = [file for file, _ in sets.values()]
    questions = [question for _, of_file in sets.values() for question in of_file]
    graph = nullcontext(tools) if fixed_graph else temporary_graph(tools, files)
    with tools, graph as hop:
        if fixed_graph:
            require_passages(hop.store)
        trained = _fit(hop, questions, training, [source(file) for file in files])
        if fixed_graph:
            keep(hop.store, hop.encoder.fingerprint, GNN_RET, trained.fitted)
    if out:
        GNN_RET.save(trained.fitted, out)
    return trained


def load_gnn_ret(settings: Settings, file: Path) -> Fitted[GnnParameters]:
    """Keep with the graph what `train gnn-ret --out FILE` wrote.

    Raises:
        BadRequest: the file holds something else.
        EncoderMismatch: it was fitted with another encoder than the graph's.
        EmptyGraph: the graph holds nothing.
    """
    fitted = GNN_RET.load(file)
    with Hoptrail.of(settings.existing()) as hop:
        require_passages(hop.store)
        GNN_RET.check(fitted, hop.check_encoder().fingerprint, str(file))
        keep(hop.store, hop.encoder.fingerprint, GNN_RET, fitted)
    return fitted


def gnn_ret_table(trained: TrainedGnnRet) -> Iterator[str]:
    """Yield lines: what was fitted, its loss, its recall@5 on held-out questions."""
    found, provenance = trained.fitted.parameters, trained.fitted.provenance
    rows = [_row(provenance, "GNN-Ret", found.alphas, None, "", trained.whole)]
    if found.beta is not None:
        steps = ("RGNN-Ret", found.step_alphas, found.beta, "step_", trained.steps)
        rows.append(_row(provenance, *steps))
    header = ("", "α", "β", "questions", "loss before", "after")
    header += ("held-out recall@5, fixed", "fitted", "difference, 95 %")
    yield from Table(header, rows).lines()


def gnn_ret_record(trained: TrainedGnnRet) -> dict[str, Any]:
    """Return plain values: what was fitted, and its provenance with the held-out figures."""
    found = trained.fitted
    return {"parameters": asdict(found.parameters), "provenance": found.provenance}


def gain(result: HeldOut) -> Interval:
    """Return recall@5 of the fitted parameters less the fixed ones', paired by question."""
    return paired(result.fitted, result.fixed)


def _row(
    provenance: Any,  # noqa: ANN401 - JSON
    name: str,
    alphas: Sequence[float],
    beta: float | None,
    prefix: str,
    result: HeldOut | None,
) -> list[str]:
    before, after = provenance[f"{prefix}loss"]
    row = [
        name,
        " ".join(f"{alpha:.2f}" for alpha in alphas),
        "" if beta is None else f"{beta:.2f}",
    ]
    row += [f"{provenance[f'{prefix}questions']:,}", f"{before:.4f}", f"{after:.4f}"]
    if result is None:
        return [*row, "–", "–", "–"]
    shares = [f"{100 * recalls.mean():.1f}" for recalls in (result.fixed, result.fitted)]
    return [*row, *shares, " ".join(difference(gain(result)))]


def _fit(
    hop: Hoptrail,
    questions: Sequence[Question],
    training: Training,
    sources: Sequence[dict[str, str]],
) -> TrainedGnnRet:
    encoder, asked = hop.check_encoder(), labelled(hop.store, questions)
    apart = [question for question in asked if question.subquestions]
    with progress_bar() as progress:
        looking = progress.add_task("Looking up passages", total=len(asked) + len(apart))
        fitting = progress.add_task("Fitting, and measuring", total=3)

        def looked_up(steps: bool) -> list[Chain]:
            return chains(
                hop.store,
                encoder,
                apart if steps else asked,
                training,
                steps=steps,
                progress=lambda: progress.advance(looking),
            )

        whole, steps = looked_up(False), looked_up(True)
        fitted = learn(whole, steps, training, encoder, sources)
        progress.advance(fitting)
        gained = held_out(hop.store, whole, training)
        progress.advance(fitting)
        gained_steps = held_out(hop.store, steps, recurrent(training))
    measured = {"held_out": _figures(gained), "step_held_out": _figures(gained_steps)}
    provenance = {**fitted.provenance, **{name: f for name, f in measured.items() if f}}
    return TrainedGnnRet(replace(fitted, provenance=provenance), gained, gained_steps)


def _figures(result: HeldOut | None) -> dict[str, Any] | None:
    if result is None:
        return None
    return {
        "recall@5, fixed": float(result.fixed.mean()),
        "recall@5, fitted": float(result.fitted.mean()),
        "difference": asdict(gain(result)),
    }
