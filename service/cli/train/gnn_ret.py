"""`train gnn-ret`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from ....kg.types import LinkKind
from ...console.interrupting import all_or_nothing
from ...console.printing import note, print_json, say
from ...settings import Settings
from ..options import fixed_graph, json_option
from .parts import NOTHING, either, files_or_none, kept, load_option, loaded, out_option

if TYPE_CHECKING:
    from ...training.gnn_ret import TrainedGnnRet


def known_edges(
    context: click.Context, parameter: click.Parameter, value: str
) -> tuple[LinkKind, ...]:
    """Check comma-separated kinds of edges between passages."""
    names = dict.fromkeys(name.strip().upper() for name in value.split(",") if name.strip())
    kinds: tuple[LinkKind, ...] = get_args(LinkKind)
    if not names or not set(names) <= set(kinds):
        raise click.BadParameter(f"{value!r}; edges are {', '.join(kinds)}, joined by commas")
    return tuple(kind for kind in kinds if kind in names)


@click.command("gnn-ret", short_help="Fit GNN-Ret and RGNN-Ret to questions.")
@files_or_none
@click.option(
    "--layers",
    default=1,
    show_default=True,
    type=click.IntRange(1),
    help="L: how many edges a message travels; each layer has its own α.",
)
@click.option(
    "--senders",
    default=5,
    show_default=True,
    type=click.IntRange(1),
    help="K: only the nearest passages send.",
)
@click.option(
    "--edges",
    metavar="KIND,…",
    default="NEXT,SHARES_KEYWORD",
    show_default=True,
    callback=known_edges,
    help="What messages pass along; NAMES (links by title) goes beyond the paper.",
)
@click.option(
    "--margin",
    default=0.01,
    show_default=True,
    type=click.FloatRange(0, 2),
    help="r: by how much supporting passages should be nearer than their competitors.",
)
@click.option(
    "--rate",
    default=1.0,
    show_default=True,
    type=click.FloatRange(0, min_open=True),
    help="Learning rate of the descent.",
)
@out_option
@load_option
@json_option
@click.pass_context
def gnn_ret(
    context: click.Context,
    data: tuple[Path, ...],
    out: Path | None,
    load: Path | None,
    as_json: bool,
    **fit: Any,  # noqa: ANN401 - click checks them
) -> None:
    """Fit α of GNN-Ret, and α and β of RGNN-Ret, to the questions of DATA.

    DATA are question files whose paragraphs say which of them support the answer (HotpotQA,
    2WikiMultihopQA, MuSiQue, or your own: hoptrail evaluate retrieval --help shows the form). α is
    how much of its own distance to the question a passage keeps when a nearer neighbour sends its;
    β is how much a step of RGNN-Ret counts against the steps before, and takes questions with
    sub-questions. Both come from the paper's hinge loss, and all defaults are the paper's.

    With --graph the parameters are fitted to that graph, which must hold the paragraphs, and kept
    with it: `--retriever gnn` uses them from then on, until
    `hoptrail --graph WHERE train forget gnn-ret`.
    Without, a temporary graph is made, and --out keeps them.

    The loss falls by design. Whether more supporting passages are found among the first five shows
    on questions that were held out, against the paper's fixed α 0.5 and β 0.9.
    """
    either(data, load, {"--out": out})
    from ...training.gnn_ret import gnn_ret_record, load_gnn_ret, train_gnn_ret

    settings: Settings = context.obj
    if load:
        load_gnn_ret(settings, load)
        loaded("gnn-ret", settings, as_json)
        return
    from ....reasoning.training.gnn_ret import Training

    fixed = fixed_graph(context)
    training = Training(kinds=fit.pop("edges"), **fit)
    with all_or_nothing(NOTHING):
        trained = train_gnn_ret(settings, data, training, fixed_graph=fixed, out=out)
    if as_json:
        where = kept(out, settings.graph if fixed else None)
        print_json({"fitted": "gnn-ret", **gnn_ret_record(trained), **where})
        return
    print_fitted(trained)
    if out:
        note(f"Wrote {out}; hoptrail --graph WHERE train gnn-ret --load {out} uses them there.")
    if fixed:
        note(
            f"Kept with {settings.graph}; --retriever gnn uses them, until "
            f"hoptrail --graph {settings.graph} train forget gnn-ret"
        )


def print_fitted(trained: "TrainedGnnRet") -> None:
    """Print the table, and what it does not say by itself."""
    from ...training.gnn_ret import gain, gnn_ret_table

    for line in gnn_ret_table(trained):
        say(line)
    if trained.fitted.parameters.beta is None:
        note("No question has sub-questions, so β of RGNN-Ret was not fitted.")
    if trained.whole is None:
        note("There are too few questions to hold any out: what fitting gains is not known.")
    elif gain(trained.whole).low <= 0:
        better = "did worse" if gain(trained.whole).high < 0 else "did not do better"
        note(f"On held-out questions the fitted α {better} than the paper's fixed 0.5.")
