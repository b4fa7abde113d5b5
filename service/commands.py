"""The commands that measure, fit, check and show: evaluate, train, doctor, demo."""

import sys
import tempfile
from dataclasses import asdict, replace
from pathlib import Path

import click

from .printing import note, print_json, say
from .settings import DEFAULT_RETRIEVER, RETRIEVERS, Settings

files = click.argument(
    "data", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False)
)


OUT_FILE = click.Path(path_type=Path, dir_okay=False)


def in_a_folder(
    context: click.Context, parameter: click.Parameter, value: Path | None
) -> Path | None:
    """Refuse a file that could not be written before the work is done, not after."""
    if value is not None and str(value) != "-" and not value.absolute().parent.is_dir():
        raise click.BadParameter(f"the folder {value.absolute().parent} does not exist")
    return value


json_file_option = click.option(
    "--json", "json_file", type=OUT_FILE, callback=in_a_folder, help="Write the figures to FILE."
)


def known_retrievers(context: click.Context, parameter: click.Parameter, value: str) -> list[str]:
    """Comma-separated names, checked before anything is ingested."""
    names = [name.strip() for name in value.split(",") if name.strip()]
    unknown = sorted(set(names).difference(RETRIEVERS))
    if unknown or not names:
        raise click.BadParameter(f"no retriever {unknown}; there are {', '.join(RETRIEVERS)}")
    return names


@click.group()
def evaluate() -> None:
    """Measure retrieval and answers on question files."""


@evaluate.command()
@files
@click.option(
    "--retrievers",
    default="dense,bm25,hybrid,hop",
    show_default=True,
    callback=known_retrievers,
    help="Names, comma-separated.",
)
@click.option(
    "--own", is_flag=True, help="Rank only each question's own paragraphs, as the papers do."
)
@json_file_option
@click.pass_context
def retrieval(
    context: click.Context,
    data: tuple[Path, ...],
    retrievers: list[str],
    own: bool,
    json_file: Path | None,
) -> None:
    """Recall@2, 5 and 10 and all-supporting@5 of retrievers over the paragraphs of DATA.

    DATA are question files (HotpotQA, 2WikiMultihopQA, MuSiQue). Without --graph each file's
    paragraphs go into a temporary graph; with --graph the graph must hold them already, among
    whatever else it holds.
    """
    from .measuring import measure_retrieval, retrieval_json, retrieval_table

    results = measure_retrieval(
        context.obj, data, retrievers, own=own, fixed_graph=_names_a_graph(context)
    )
    for line in retrieval_table(results):
        say(line)
    if json_file:
        _write_json(json_file, [retrieval_json(result) for result in results])


@evaluate.command()
@files
@click.option(
    "--own/--whole",
    default=True,
    help="Answer from each question's own paragraphs [default], or from all.",
)
@click.option(
    "--retriever",
    type=click.Choice(RETRIEVERS),
    default=DEFAULT_RETRIEVER,
    show_default=True,
    help="How passages are found.",
)
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

    fixed = _names_a_graph(context)
    results = measure_answers(context.obj, data, own=own, retriever=retriever, fixed_graph=fixed)
    for line in answers_table(results):
        say(line)
    if json_file:
        _write_json(json_file, [asdict(result) for result in results])


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
@click.pass_obj
def reader(settings: Settings, data: tuple[Path, ...], out: Path) -> None:
    """Fit the reader's scorer and calibrator on question files (files weighted alike).

    The packaged weights were fitted by this command. Takes minutes: every paragraph is parsed and
    encoded.
    """
    from .measuring import train_reader

    weights = train_reader(settings, data)
    weights.save(out)
    note(f"Wrote {out} ({out.stat().st_size:,} bytes). Use it with HOPTRAIL_READER={out}")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def doctor(settings: Settings, as_json: bool) -> None:
    """Check the set-up and the graph, and say what to do about what is wrong."""
    from .checks import check

    findings = check(settings)
    if as_json:
        print_json({"findings": findings})
    for finding in () if as_json else findings:
        say(f"{'ok  ' if finding['ok'] else 'FAIL'}  {finding['what']}: {finding['detail']}")
    if not all(finding["ok"] for finding in findings):
        sys.exit(1)


@click.command()
@click.option(
    "--keep",
    metavar="WHERE",
    help="Keep the graph: a file, or a server's URI to walk it in Neo4j Browser.",
)
@click.pass_obj
def demo(settings: Settings, keep: str | None) -> None:
    """Ingest a packaged corpus and ask it six questions, most of which need several documents.

    Uses a temporary graph unless --keep names one; the graph of --graph is not touched.
    """
    from .demonstration import run

    with tempfile.TemporaryDirectory(prefix="hoptrail-demo-") as folder:
        run(replace(settings, graph=keep or str(Path(folder) / "demo.db")))
    if keep:
        note(f'The graph is kept: hoptrail --graph {keep} ask "…"')


def _names_a_graph(context: click.Context) -> bool:
    given = context.find_root().get_parameter_source("graph")
    return given not in (click.core.ParameterSource.DEFAULT, None)


def _write_json(file: Path, value: object) -> None:
    import json

    file.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
