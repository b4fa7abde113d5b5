"""`train ranker`."""

from pathlib import Path
from typing import Literal

import click

from ...console.interrupting import all_or_nothing
from ...console.printing import note, print_json, say
from ...settings import Settings
from ..options import fixed_graph, json_option
from .parts import NOTHING, either, files_or_none, kept, load_option, loaded, out_option


@click.command("ranker")
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
    either(data, load, {"--out": out, "--kind": kind})
    from ...training import ranker

    settings: Settings = context.obj
    if load:
        ranker.load_ranker(settings, load)
        loaded("ranker", settings, as_json)
        return
    fixed = fixed_graph(context)
    training = ranker.Training(kind=kind)
    with all_or_nothing(NOTHING):
        found = ranker.train_ranker(settings, data, training, fixed_graph=fixed, out=out)
    if as_json:
        where = kept(out, settings.graph if fixed else None)
        print_json({"fitted": "ranker", **ranker.ranker_record(found), **where})
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
