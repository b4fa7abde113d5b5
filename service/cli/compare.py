"""`hoptrail evaluate compare`: puts saved runs side by side."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .options import json_file_option, markdown_option, plot_option, tell

if TYPE_CHECKING:
    from ...reasoning.evaluation.runs.results import AnswerResult


@click.command(short_help="The same tables of saved runs, without asking anything again.")
@click.argument(
    "runs", metavar="RUN…", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True)
)
@click.option(
    "--against",
    metavar="NAME",
    help="Which of them the others are compared with, by its name in the tables or by its RUN  "
    "[default: the first]",
)
@json_file_option
@markdown_option
@plot_option("accuracy against tokens")
def compare(
    runs: tuple[Path, ...],
    against: str | None,
    json_file: Path | None,
    markdown: Path | None,
    plot: Path | None,
) -> None:
    """Put runs side by side that `evaluate answers` has saved, without asking anything again.

    RUN is a folder that `evaluate answers --out` wrote, with all runs in it, or one of its .jsonl
    files. They may differ in version, model, retriever, prompts and graph, and the tables say in
    what; but the questions have to be the same, and the setting (--own or --whole).

    \b
    hoptrail --model 7b.gguf evaluate answers dev.jsonl --methods trace,rag --out small
    hoptrail --model 70b.gguf evaluate answers dev.jsonl --methods trace,rag --out large
    hoptrail evaluate compare small large
    hoptrail evaluate compare small/dev-trace.jsonl large/dev-trace.jsonl --json figures.json

    A run goes by its method. Where two of one method meet, what tells them apart follows: model,
    retriever, encoder, version, or else the folder ("trace, 70b"). A run that lacks questions is
    refused; the command that began it goes on with it.
    """  # noqa: D301 - click wants the character, not its name
    from ...reasoning.evaluation.runs.saved_runs import saved_runs
    from ...reasoning.evaluation.runs.side_by_side import side_by_side
    from ..evaluation.answers_report import Report
    from ..evaluation.charts import plot_answers

    saved = saved_runs(runs)
    results = side_by_side(saved)
    places = [run.place for run in saved]
    report = Report.of(results, _base(results, places, against))
    tell(report, json_file, markdown)
    if plot:
        plot_answers(results, plot)


def _base(results: "Sequence[AnswerResult]", places: Sequence[Path], against: str | None) -> str:
    """The label of the run that the others are compared with; every dataset has one of it."""
    labels = list(dict.fromkeys(result.method for result in results))
    named = labels[:1] if against is None else _named(results, places, against)
    if len(named) != 1:
        what = "several runs" if named else "none of the runs"
        raise click.UsageError(f"--against {against} means {what}; there are: {'; '.join(labels)}.")
    [base] = named
    lacking = {r.dataset for r in results} - {r.dataset for r in results if r.method == base}
    if lacking:
        raise click.UsageError(
            f"There is no run of {base} over {', '.join(sorted(lacking))} to compare with. Say "
            f"with --against which other one, of: {'; '.join(labels)}."
        )
    return base


def _named(results: "Sequence[AnswerResult]", places: Sequence[Path], against: str) -> list[str]:
    """Labels that this means: itself, or those of a RUN."""
    if any(result.method == against for result in results):
        return [against]
    place = Path(against)
    of_place = (r.method for r, at in zip(results, places, strict=True) if at == place)
    return list(dict.fromkeys(of_place))
