"""`hoptrail demo`: ingests the packaged corpus and asks it."""

import tempfile
import time
from dataclasses import replace
from pathlib import Path

import click

from ..console.counting import counted
from ..console.interrupting import vanishing
from ..console.printing import note, print_answer, print_json, say
from ..demo import corpus_folder, questions
from ..payloads import answer_json
from ..settings import Settings
from .options import json_option


@click.command(short_help="Ingest a packaged corpus and ask six questions about it.")
@click.option(
    "--keep",
    metavar="WHERE",
    help="Keep the graph: a file, or a server's URI to walk it in Neo4j Browser.",
)
@json_option
@click.pass_obj
def demo(settings: Settings, keep: str | None, as_json: bool) -> None:
    """Ingest a packaged corpus and ask it six questions, most of which need several documents.

    Uses a temporary graph unless --keep names one; the graph of --graph is not touched.
    """
    with tempfile.TemporaryDirectory(prefix="hoptrail-demo-") as name, vanishing(Path(name)):
        graph = keep or str(Path(name) / "demo.db")
        _run(replace(settings, graph=graph, graph_variable=""), as_json)
    if keep:
        note(f'The graph is kept: hoptrail --graph {keep} ask "…"')


def _run(settings: Settings, as_json: bool) -> None:
    """Ingest the demo corpus into the settings' graph and answer its questions as `ask` would."""
    from ..hoptrail import Hoptrail

    started = time.perf_counter()
    note("Loading the encoder and the parser …")
    with Hoptrail.of(settings) as hop:
        with corpus_folder() as folder:
            report = hop.ingest(folder)
        counts = hop.statistics()
        note(
            f"{counted(report.added, 'document')}: {counted(counts['passages'], 'passage')}, "
            f"{counted(counts['entities'], 'entity', 'entities')}, "
            f"{counted(counts['triples'], 'triple')} in {report.seconds['wall']:.1f} s."
        )
        answers = []
        for question in questions():
            answer = hop.ask(question.text)
            answers.append(answer_json(answer))
            if not as_json:
                say()
                say(f"? {question.text}", bold=True)
                print_answer(answer)
    if as_json:
        print_json({"answers": answers})
    else:
        say()
    note(
        f"{time.perf_counter() - started:.0f} s in all. "
        "Your own documents: hoptrail ingest PATH, then hoptrail ask."
    )
