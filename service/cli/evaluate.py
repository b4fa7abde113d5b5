"""`hoptrail evaluate`: measures retrieval and answers on question files."""

from collections.abc import Sequence
from pathlib import Path

import click

from ..console.interrupting import all_or_nothing
from ..settings import METHODS
from .compare import compare
from .options import (
    SPECS,
    corpus_option,
    files,
    fixed_graph,
    json_file_option,
    known_method,
    known_methods,
    known_retriever,
    known_retrievers,
    markdown_option,
    method_retriever_option,
    plot_option,
    sources_option,
    tell,
)

NOTHING = "Temporary graphs are gone, and no figures were written."
GOES_ON = "The same command goes on after the last question answered."


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
@corpus_option
@json_file_option
@markdown_option
@plot_option("recall@5 against time")
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

    DATA are question files of HotpotQA, 2WikiMultihopQA, MuSiQue, IIRC, QuALITY or FEVER, as they
    are published (docs/formats.md), or your own, a JSON object a line:

    \b
    {"question": "…", "paragraphs": [
        {"title": "…", "text": "…", "is_supporting": true}, …]}

    Without --graph each file's paragraphs go into a temporary graph, which goes when its questions
    are asked; with --graph the graph must hold them already, among whatever else it holds.
    """  # noqa: D301 - click wants the character, not its name
    from ..evaluation.charts import plot_retrieval
    from ..evaluation.retrieval import measure_retrieval
    from ..evaluation.retrieval_report import Report

    fixed = _checked_graph(context, corpus)
    against = _among(against or retrievers[0], retrievers, "retrievers")
    with all_or_nothing(NOTHING):
        results = measure_retrieval(
            context.obj, data, retrievers, own=own, fixed_graph=fixed, corpus=corpus
        )
    report = Report.of(results, against)
    tell(report, json_file, markdown)
    if plot:
        plot_retrieval(results, plot)


@evaluate.command(short_help="EM, F1, accuracy, evidence and cost of answers, by method.")
@files
@click.option(
    "--methods",
    metavar="NAMES",
    default=METHODS[0],
    show_default=True,
    callback=known_methods,
    help=f"Of {', '.join(METHODS)}; separated by commas, settings after colons: trace:beams=1. All "
    "but trace and semi_structured need --model.",
)
@click.option(
    "--against",
    metavar="NAME",
    callback=lambda context, parameter, value: value and known_method(context, parameter, value),
    help="Which of them the others are compared with, question by question  [default: the first]",
)
@click.option(
    "--own/--whole",
    default=True,
    help="Answer from each question's own paragraphs [default], or from all.",
)
@corpus_option
@method_retriever_option
@click.option(
    "--out",
    metavar="FOLDER",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where runs are written, a line for each question; the same command goes on with what is "
    "there. Without it they go when the command ends.",
)
@click.option(
    "--at-once",
    metavar="N",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Ask N questions at the same time, for a model on a server that serves several.",
)
@sources_option
@json_file_option
@markdown_option
@plot_option("accuracy against tokens")
@click.pass_context
def answers(
    context: click.Context,
    data: tuple[Path, ...],
    methods: list[str],
    against: str | None,
    own: bool,
    corpus: tuple[Path, ...],
    retriever: str | None,
    out: Path | None,
    at_once: int,
    sources: tuple[str, ...] | None,
    json_file: Path | None,
    markdown: Path | None,
    plot: Path | None,
) -> None:
    """Answers to the questions of DATA, by one or more methods, on the path that `ask` takes.

    \b
    hoptrail --model qwen.gguf evaluate answers dev.jsonl --methods trace,rag,cot --out runs

    DATA as for `evaluate retrieval`. Without --graph each file's paragraphs go into a temporary
    graph; with --graph the graph must hold them already. Nothing is recorded. See
    docs/evaluation.md for the figures, docs/methods.md for the methods.
    """  # noqa: D301 - click wants the character, not its name
    from ..evaluation.answers import RunPlan, measure_answers
    from ..evaluation.answers_report import Report
    from ..evaluation.charts import plot_answers
    from ..hoptrail import Hoptrail

    fixed = _checked_graph(context, corpus)
    against = _among(against or methods[0], methods, "methods")
    plan = RunPlan(retriever, own, fixed, corpus, at_once, sources)
    with all_or_nothing(GOES_ON if out else NOTHING):
        results = measure_answers(Hoptrail.of(context.obj), data, methods, plan, out)
    report = Report.of(results, against)
    tell(report, json_file, markdown)
    if plot:
        plot_answers(results, plot)


def _checked_graph(context: click.Context, corpus: Sequence[Path]) -> bool:
    """Whether the user said which graph; a corpus goes into none of theirs."""
    fixed = fixed_graph(context)
    if corpus and fixed:
        raise click.UsageError(
            "--corpus joins a temporary graph. Leave --graph out, or ingest these files into it."
        )
    return fixed


def _among(against: str, names: Sequence[str], what: str) -> str:
    if against not in names:
        raise click.UsageError(f"--against {against}: not among --{what}; add it there.")
    return against


evaluate.add_command(compare)
