"""The commands that measure, fit, check and show: evaluate, train, doctor, demo."""

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from .printing import note, print_json, say
from .settings import DEFAULT_RETRIEVER

files = click.argument(
    "data", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False)
)


@click.group()
def evaluate() -> None:
    """Measure retrieval and answers on question files."""


@evaluate.command()
@files
@click.option(
    "--retrievers",
    default="dense,bm25,hybrid,hop",
    show_default=True,
    help="Names, comma-separated.",
)
@click.option(
    "--own", is_flag=True, help="Rank only each question's own paragraphs, as the papers do."
)
@click.option(
    "--json",
    "json_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the figures to FILE.",
)
@click.pass_context
def retrieval(
    context: click.Context,
    data: tuple[Path, ...],
    retrievers: str,
    own: bool,
    json_file: Path | None,
) -> None:
    """Recall@2, 5 and 10 and all-supporting@5 of retrievers over the paragraphs of DATA.

    DATA are question files (HotpotQA, 2WikiMultihopQA, MuSiQue). Without --graph each file's
    paragraphs go into a temporary graph; with --graph the graph must hold them already, among
    whatever else it holds.
    """
    from .measuring import measure_retrieval, retrieval_json, retrieval_table

    given = context.find_root().get_parameter_source("graph")
    fixed = given not in (click.core.ParameterSource.DEFAULT, None)
    results = measure_retrieval(
        context.obj, data, retrievers.split(","), own=own, fixed_graph=fixed
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
    "--retriever", default=DEFAULT_RETRIEVER, show_default=True, help="How passages are found."
)
@click.option(
    "--json",
    "json_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the figures to FILE.",
)
@click.pass_obj
def answers(
    settings: dict[str, Any],
    data: tuple[Path, ...],
    own: bool,
    retriever: str,
    json_file: Path | None,
) -> None:
    """EM, F1, coverage and precision of the answers to DATA, on the path that `ask` takes."""
    from .measuring import answers_table, measure_answers

    results = measure_answers(settings, data, own=own, retriever=retriever)
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
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("reader.json"),
    show_default=True,
    help="Where the weights go; HOPTRAIL_READER=FILE makes `ask` use them.",
)
@click.pass_obj
def reader(settings: dict[str, Any], data: tuple[Path, ...], out: Path) -> None:
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
def doctor(settings: dict[str, Any], as_json: bool) -> None:
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
def demo(settings: dict[str, Any], keep: str | None) -> None:
    """Ingest a packaged corpus and ask it six questions, most of which need several documents.

    Uses a temporary graph unless --keep names one; the graph of --graph is not touched.
    """
    from .demonstration import run

    with tempfile.TemporaryDirectory(prefix="hoptrail-demo-") as folder:
        run({**settings, "graph": keep or str(Path(folder) / "demo.db")})
    if keep:
        note(f'The graph is kept: hoptrail --graph {keep} ask "…"')


def _write_json(file: Path, value: object) -> None:
    import json

    file.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


__all__: Sequence[str] = ("demo", "doctor", "evaluate", "train")
