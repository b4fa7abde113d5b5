"""The commands that fit: train reader, spans, gnn-ret, ranker, knowtrace; train forget."""

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import click

from ...kg.errors import NotFound
from ...kg.types import LinkKind
from ..console.interrupting import all_or_nothing
from ..console.printing import note, print_json, say
from ..settings import DEFAULT_RETRIEVER, TRAINED, Settings
from .options import OUT_FILE, files, in_a_folder, json_option, names_a_graph

if TYPE_CHECKING:
    from ..training.gnn_ret import TrainedGnnRet

NOTHING = "Nothing was fitted; what was kept before still holds."
READABLE = click.Path(path_type=Path, exists=True, dir_okay=False)
files_or_none = click.argument("data", nargs=-1, type=READABLE)
out_option = click.option(
    "--out",
    metavar="FILE",
    type=OUT_FILE,
    callback=in_a_folder,
    help="Also write what was fitted to FILE, with where it comes from.",
)
load_option = click.option(
    "--load",
    metavar="FILE",
    type=READABLE,
    help="Take what --out wrote instead of fitting anything.",
)


@click.group()
def train() -> None:
    """Fit parameters on your own labelled questions."""


@train.command()
@files
@click.option(
    "--out",
    type=OUT_FILE,
    callback=in_a_folder,
    default=Path("reader.json"),
    show_default=True,
    help="Where the weights go; HOPTRAIL_READER=FILE makes `ask` use them.",
)
@json_option
@click.pass_obj
def reader(settings: Settings, data: tuple[Path, ...], out: Path, as_json: bool) -> None:
    """Fit the reader's scorer and calibrator on question files (files weighted alike).

    Questions that bring no paragraphs are read from what is found for them in the graph. The
    packaged weights were fitted by this command. Takes minutes: every paragraph is parsed and
    encoded.
    """
    from ...reasoning.reader.weights import READER
    from ..training.reader import train_reader

    with all_or_nothing(NOTHING):
        weights = train_reader(settings, data)
    READER.save(weights, out)
    if as_json:
        print_json({"fitted": "reader", "provenance": weights.provenance, **_kept(out)})
        return
    note(f"Wrote {out} ({out.stat().st_size:,} bytes). Use it with HOPTRAIL_READER={out}")


@train.command(short_help="Fit the span reader: which stretch of a text answers.")
@files
@click.option(
    "--out",
    type=OUT_FILE,
    callback=in_a_folder,
    default=Path("spans.safetensors"),
    show_default=True,
    help="Where the adapter goes; HOPTRAIL_SPANS=FILE makes `ask` use it.",
)
@click.option(
    "--steps",
    default=1300,
    show_default=True,
    type=click.IntRange(1),
    help="Of two batches of 3,600 tokens: about four seconds each on two cores.",
)
@click.option(
    "--rate",
    default=2e-3,
    show_default=True,
    type=click.FloatRange(0, 1, min_open=True),
    help="The learning rate; a third of it suits --begin.",
)
@click.option(
    "--begin",
    type=READABLE,
    help="Go on from this adapter: first fit to many questions of others, then to a few of yours.",
)
@json_option
@click.pass_obj
def spans(
    settings: Settings,
    data: tuple[Path, ...],
    out: Path,
    steps: int,
    rate: float,
    begin: Path | None,
    as_json: bool,
) -> None:
    """Fit an adapter of the packaged encoder that finds the stretch of a text which answers.

    Question files are of any layout: SQuAD, HotpotQA, MuSiQue, your own. Questions that bring no
    paragraphs are read from what is found for them in the graph. The packaged adapter was fitted
    to SQuAD and SQuADShifts, then to those. Fit the reader's weights anew afterwards: they hold how
    far it is trusted.
    """
    from ...reasoning.training.spans import Schedule
    from ..training.spans import train_spans

    with all_or_nothing(NOTHING):
        how = Schedule(steps=steps, rate=rate)
        provenance = train_spans(settings, data, how, out, begin)
    if as_json:
        print_json({"fitted": "spans", "provenance": provenance, **_kept(out)})
        return
    note(f"Wrote {out} ({out.stat().st_size:,} bytes). Use it with HOPTRAIL_SPANS={out}")


def _kept(out: Path | None, graph: str | None = None) -> dict[str, str | None]:
    """Say where the parameters are, for --json."""
    return {"out": out and str(out), "graph": graph}


def _loaded(kind: str, settings: Settings, as_json: bool) -> None:
    """Say that what --load names is kept with the graph now."""
    if as_json:
        print_json({"loaded": kind, "graph": settings.graph})
    else:
        used = {"gnn-ret": "--retriever gnn uses them", "ranker": "--retriever ranker uses it"}
        note(f"Kept with {settings.graph}; {used[kind]}.")


def _either(data: tuple[Path, ...], load: Path | None, fitting: dict[str, object]) -> None:
    if bool(data) == bool(load):
        raise click.UsageError("Name question files to fit to, or --load FILE; not both.")
    if load and any(fitting.values()):
        given = " and ".join(name for name, value in fitting.items() if value)
        raise click.UsageError(f"--load takes {load} as it is; leave {given} out.")


def known_edges(
    context: click.Context, parameter: click.Parameter, value: str
) -> tuple[LinkKind, ...]:
    """Check comma-separated kinds of edges between passages."""
    names = dict.fromkeys(name.strip().upper() for name in value.split(",") if name.strip())
    kinds: tuple[LinkKind, ...] = get_args(LinkKind)
    if not names or not set(names) <= set(kinds):
        raise click.BadParameter(f"{value!r}; edges are {', '.join(kinds)}, joined by commas")
    return tuple(kind for kind in kinds if kind in names)


@train.command("gnn-ret", short_help="Fit GNN-Ret and RGNN-Ret to questions.")
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
    _either(data, load, {"--out": out})
    from ..training.gnn_ret import gnn_ret_record, load_gnn_ret, train_gnn_ret

    settings: Settings = context.obj
    if load:
        load_gnn_ret(settings, load)
        _loaded("gnn-ret", settings, as_json)
        return
    from ...reasoning.training.gnn_ret import Training

    fixed = names_a_graph(context)
    training = Training(kinds=fit.pop("edges"), **fit)
    with all_or_nothing(NOTHING):
        trained = train_gnn_ret(settings, data, training, fixed_graph=fixed, out=out)
    if as_json:
        kept = _kept(out, settings.graph if fixed else None)
        print_json({"fitted": "gnn-ret", **gnn_ret_record(trained), **kept})
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
    from ..training.gnn_ret import gain, gnn_ret_table

    for line in gnn_ret_table(trained):
        say(line)
    if trained.fitted.parameters.beta is None:
        note("No question has sub-questions, so β of RGNN-Ret was not fitted.")
    if trained.whole is None:
        note("There are too few questions to hold any out: what fitting gains is not known.")
    elif gain(trained.whole).low <= 0:
        better = "did worse" if gain(trained.whole).high < 0 else "did not do better"
        note(f"On held-out questions the fitted α {better} than the paper's fixed 0.5.")


@train.command("ranker")
@files_or_none
@click.option(
    "--kind",
    type=click.Choice(["trees", "linear"]),
    help="Boosted trees, which need hoptrail[ranker], or logistic regression  [default: trees, "
    "where they can be fitted]",
)
@out_option
@load_option
@json_option
@click.pass_context
def train_ranker(
    context: click.Context,
    data: tuple[Path, ...],
    kind: Literal["trees", "linear"] | None,
    out: Path | None,
    load: Path | None,
    as_json: bool,
) -> None:
    """Fit a ranker of the hop's best passages to the questions of DATA.

    DATA are question files whose paragraphs say which of them support the answer (HotpotQA,
    2WikiMultihopQA, MuSiQue, or your own: hoptrail evaluate retrieval --help shows the form), with
    20 questions at least. Recall is measured on questions held out, and with several files also on
    each file by a ranker of the others: what is learned holds for questions of a kind.

    With --graph the ranker is fitted over that graph, which must hold the paragraphs, and kept with
    it: `--retriever ranker` uses it. Without, each file has a temporary graph, and --out keeps the
    ranker: `--retriever ranker:file=FILE` uses it.
    """
    _either(data, load, {"--out": out, "--kind": kind})
    from ..training import ranker

    settings: Settings = context.obj
    if load:
        ranker.load_ranker(settings, load)
        _loaded("ranker", settings, as_json)
        return
    fixed = names_a_graph(context)
    training = ranker.Training(kind=kind)
    with all_or_nothing(NOTHING):
        found = ranker.train_ranker(settings, data, training, fixed_graph=fixed, out=out)
    if as_json:
        kept = _kept(out, settings.graph if fixed else None)
        print_json({"fitted": "ranker", **ranker.ranker_record(found), **kept})
        return
    for line in ranker.ranker_table(found.worth):
        say(line)
    for line in ranker.verdict(found):
        note(line)
    if out:
        note(f"Wrote {out}; --retriever ranker:file={out} uses it.")
    if fixed:
        note(
            f"Kept with {settings.graph}; --retriever ranker uses it, until "
            f"hoptrail --graph {settings.graph} train forget ranker"
        )


@train.command("knowtrace", short_help="Let KnowTrace learn from its own right answers.")
@files
@click.option(
    "--method",
    default="knowtrace",
    show_default=True,
    help="With settings after colons: knowtrace:rounds=4.",
)
@click.option("--retriever", default=DEFAULT_RETRIEVER, show_default=True, help="As for ask.")
@click.option("--own", is_flag=True, help="Ask over each question's own paragraphs alone.")
@click.option(
    "--backtracing/--no-backtracing",
    default=True,
    show_default=True,
    help="Leave out what is no evidence of the answer, or keep all, as the paper's ablation.",
)
@click.option(
    "--trainer",
    type=click.Choice(["none", "lora"]),
    default="none",
    show_default=True,
    help="Also fine-tune two adapters of the GGUF file (needs hoptrail[train]).",
)
@click.option("--rounds", type=click.IntRange(1), default=1, show_default=True, help="Z.")
@click.option(
    "--weights",
    type=click.Path(path_type=Path, exists=True),
    help="The folder that the GGUF file was made from; without it, the file's own weights.",
)
@click.option("--epochs", type=click.IntRange(1), default=3, show_default=True, help="1 to 3.")
@click.option("--batch", type=click.IntRange(1), default=32, show_default=True, help="32 to 128.")
@click.option(
    "--learning-rate",
    type=click.FloatRange(0, min_open=True),
    default=1e-4,
    show_default=True,
    help="1e-5 to 3e-4.",
)
@click.option("--rank", type=click.IntRange(1), default=16, show_default=True, help="Of adapters.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("knowtrace"),
    show_default=True,
    help="Folder of what is written; what it holds of the same training is not done again.",
)
@json_option
@click.pass_context
def train_knowtrace(
    context: click.Context,
    data: tuple[Path, ...],
    out: Path,
    as_json: bool,
    **given: Any,  # noqa: ANN401 - click checks them
) -> None:
    r"""Ask the questions of DATA by KnowTrace, and learn from what led to right answers.

    Of the questions that are answered exactly, prompts with what was said to them, in the chat form
    that fine-tuning takes: for an adapter that explores and one that completes. What backtracing
    shows to be no evidence is left out (KnowTrace, Algorithm 2). Each round writes explore.jsonl,
    complete.jsonl and a manifest of questions, those kept, FA and sizes. Needs --model.

    With --trainer lora the adapters are trained, on the model anew each round, and the next round
    asks with them. They are written for llama.cpp:

    \b
      hoptrail --model M.gguf train knowtrace DATA --trainer lora --rounds 2
      hoptrail --model M.gguf:adapters=knowtrace/round-2/adapters ask … --method knowtrace

    With --graph over that graph, as it is; without, over a temporary graph of each file.
    """
    from ...reasoning.training.lora import Lora
    from ..hoptrail import Hoptrail
    from ..training.knowtrace import Collecting, Tuning, self_train

    settings: Settings = context.obj
    lora = Lora(**{name: given.pop(name) for name in _names(Lora)})
    tuning = Tuning(lora=lora, **{n: given.pop(n) for n in _names(Tuning) if n in given})
    plan = Collecting(fixed_graph=names_a_graph(context), **given)
    told = []
    for one in self_train(Hoptrail.of(settings), data, plan, tuning, out):
        told.append(one)
        if not as_json:
            say(
                f"Round {one['round']}: {one['kept']:,} of {one['questions']:,} questions answered "
                f"exactly; FA {100 * one['filtered_to_all']:.1f} %"
            )
            counts = f"{one['explore']:,} explorations and {one['complete']:,} completions"
            note(f"Wrote {counts} to {out}/round-{one['round']}.")
    if as_json:
        print_json(told)
    elif tuning.trainer == "lora":
        adapters = f"{out}/round-{tuning.rounds}/adapters"
        note(f"Its adapters are used by --model {settings.model}:adapters={adapters}")


def _names(kind: type) -> list[str]:
    return [field.name for field in fields(kind)]


@train.command(short_help="Take fitted parameters out of the graph.")
@click.argument("kind", type=click.Choice(TRAINED))
@json_option
@click.pass_obj
def forget(settings: Settings, kind: str, as_json: bool) -> None:
    """Take fitted parameters out of the graph: what they replaced holds again."""
    with settings.store() as store:
        forgotten = store.forget_parameters(kind)
    if not forgotten:
        raise NotFound(f"{settings.graph} has no parameters of {kind}.")
    if as_json:
        print_json({"forgotten": kind})
    else:
        note(f"Forgot the parameters of {kind} in {settings.graph}.")
