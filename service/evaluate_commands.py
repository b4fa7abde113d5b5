"""`hoptrail evaluate`: measures retrieval and answers on question files."""

from dataclasses import asdict
from pathlib import Path

import click

from .interrupting import all_or_nothing
from .options import (
    OUT_FILE,
    SPECS,
    files,
    in_a_folder,
    known_retriever,
    known_retrievers,
    names_a_graph,
    retriever_option,
)
from .printing import as_json, printable, say

NOTHING = "Temporary graphs are gone, and no figures were written."

json_file_option = click.option(
    "--json",
    "json_file",
    metavar="FILE",
    type=OUT_FILE,
    callback=in_a_folder,
    help="Write the figures to FILE.",
)


def can_be_drawn(
    context: click.Context, parameter: click.Parameter, value: Path | None
) -> Path | None:
    """Refuse a plot that could not be drawn or written."""
    from .charts import require

    if value is not None:
        require(value)
    return in_a_folder(context, parameter, value)


@click.group()
def evaluate() -> None:
    """Measure retrieval and answers on question files."""


@evaluate.command(short_help="Recall@2, 5 and 10 and all-supporting@5 of retrievers.")
@files
@click.option(
    "--retrievers",
    metavar="NAMES",
    default="dense,bm25,hybrid,hop",
    show_default=True,
    callback=known_retrievers,
    help=f"Separated by commas: {SPECS}.",
)
@click.option(
    "--against",
    metavar="NAME",
    callback=lambda context, parameter, value: value and known_retriever(context, parameter, value),
    help="Which of them the others are compared with, question by question  [default: the first]",
)
@click.option(
    "--own", is_flag=True, help="Rank only each question's own paragraphs, as the papers do."
)
@click.option(
    "--corpus",
    metavar="PATH",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    help="A file or folder of documents that join the temporary graph, as ingest reads them; "
    "repeatable. Records with the same title and text are one document.",
)
@json_file_option
@click.option(
    "--markdown",
    metavar="FILE",
    type=OUT_FILE,
    callback=in_a_folder,
    help="Write the tables to FILE.",
)
@click.option(
    "--plot",
    metavar="FILE",
    type=OUT_FILE,
    callback=can_be_drawn,
    help="Draw recall@5 against time into FILE, .png or .svg; needs hoptrail[plot].",
)
@click.pass_context
def retrieval(
    context: click.Context,
    data: tuple[Path, ...],
    retrievers: list[str],
    against: str | None,
    own: bool,
    corpus: tuple[Path, ...],
    json_file: Path | None,
    markdown: Path | None,
    plot: Path | None,
) -> None:
    """Recall@2, 5 and 10 and all-supporting@5 of retrievers over the paragraphs of DATA.

    DATA are question files (HotpotQA, 2WikiMultihopQA, MuSiQue, or your own, a JSON object a line):

    \b
    {"question": "…", "paragraphs": [
        {"title": "…", "text": "…", "is_supporting": true}, …]}

    Without --graph each file's paragraphs go into a temporary graph, which goes when its questions
    are asked; with --graph the graph must hold them already, among whatever else it holds.
    """  # noqa: D301 - click wants the character, not its name
    from .charts import plot_retrieval
    from .measuring import measure_retrieval
    from .retrieval_report import Report

    fixed = names_a_graph(context)
    if corpus and fixed:
        raise click.UsageError(
            "--corpus joins a temporary graph. Leave --graph out, or ingest these files into it."
        )
    against = against or retrievers[0]
    if against not in retrievers:
        raise click.UsageError(f"--against {against}: not among --retrievers; add it there.")
    with all_or_nothing(NOTHING):
        results = measure_retrieval(
            context.obj, data, retrievers, own=own, fixed_graph=fixed, corpus=corpus
        )
    report = Report.of(results, against)
    for line in report.lines():
        say(line)
    if json_file:
        _write_json(json_file, report.json())
    if markdown:
        markdown.write_text(printable(report.markdown()), encoding="utf-8")
    if plot:
        plot_retrieval(results, plot)


@evaluate.command(short_help="EM, F1, coverage and precision of answers.")
@files
@click.option(
    "--own/--whole",
    default=True,
    help="Answer from each question's own paragraphs [default], or from all.",
)
@retriever_option
@json_file_option
@click.pass_context
def answers(
    context: click.Context,
    data: tuple[Path, ...],
    own: bool,
    retriever: str,
    json_file: Path | None,
) -> None:
    """EM, F1, coverage and precision of the answers to DATA, on the path that `ask` takes.

    Without --graph each file's paragraphs go into a temporary graph; with --graph the graph must
    hold them already. Nothing is recorded.
    """
    from .measuring import answers_table, measure_answers

    fixed = names_a_graph(context)
    with all_or_nothing(NOTHING):
        results = measure_answers(
            context.obj, data, own=own, retriever=retriever, fixed_graph=fixed
        )
    for line in answers_table(results):
        say(line)
    if json_file:
        _write_json(json_file, [asdict(result) for result in results])


def _write_json(file: Path, value: object) -> None:
    file.write_text(as_json(value, indent=2) + "\n", encoding="utf-8")
