"""`hoptrail`: the command line. Heavy libraries load inside the commands that need them."""

import io
import os
import sys
import threading
import warnings
from pathlib import Path
from typing import Any

import click

from ..kg.errors import BadRequest, HoptrailError
from .commands import demo, doctor
from .evaluate_commands import evaluate
from .options import OUT_FILE, in_a_folder, method_option, retriever_option
from .printing import (
    answer_json,
    hits_json,
    note,
    print_answer,
    print_counts,
    print_hits,
    print_json,
    print_surroundings,
    step_printer,
)
from .settings import DEFAULT_GRAPH, TRIPLES, Settings
from .train_commands import train

graph_option = click.option(
    "--graph",
    metavar="WHERE",
    envvar="HOPTRAIL_GRAPH",
    default=DEFAULT_GRAPH,
    show_default=True,
    help="A file, or a neo4j://, bolt:// or neo4j+s:// URI. Also HOPTRAIL_GRAPH; user and "
    "password of a server come from HOPTRAIL_NEO4J_USER and HOPTRAIL_NEO4J_PASSWORD.",
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="One JSON object on standard output."
)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@graph_option
@click.option(
    "--encoder",
    metavar="NAME",
    envvar="HOPTRAIL_ENCODER",
    help="A sentence-transformers model or folder [default: the packaged all-MiniLM-L6-v2]. "
    "Also HOPTRAIL_ENCODER.",
)
@click.option(
    "--pipeline",
    metavar="NAME",
    envvar="HOPTRAIL_PIPELINE",
    help="An installed spaCy pipeline [default: the small English one]. Also HOPTRAIL_PIPELINE.",
)
@click.option(
    "--query-prefix",
    metavar="TEXT",
    envvar="HOPTRAIL_QUERY_PREFIX",
    default="",
    help='What the encoder wants before queries, such as "query: " for E5. Also '
    "HOPTRAIL_QUERY_PREFIX.",
)
@click.option(
    "--passage-prefix",
    metavar="TEXT",
    envvar="HOPTRAIL_PASSAGE_PREFIX",
    default="",
    help='And before passages, such as "passage: ". Also HOPTRAIL_PASSAGE_PREFIX.',
)
@click.option(
    "--model",
    metavar="MODEL",
    envvar="HOPTRAIL_MODEL",
    help="A language model: file.gguf, openai:URL#name, or none [default: none]. Also "
    "HOPTRAIL_MODEL; a server's key comes from HOPTRAIL_API_KEY (docs/models.md).",
)
@click.version_option(package_name="hoptrail", prog_name="hoptrail")
@click.pass_context
def cli(context: click.Context, **options: Any) -> None:  # noqa: ANN401 - click checks them
    """Answer questions that no single document answers, with the chain of evidence.

    \b
    hoptrail demo                        a small corpus, ingested and asked
    hoptrail ingest docs/                your own documents into hoptrail.db
    hoptrail ask "Who designed … ?"      an answer, its chain, its passages
    hoptrail show "Some Name"            what surrounds a name in the graph
    """  # noqa: D301 - click wants the character, not its name
    context.obj = Settings(**options)


@cli.command()
@click.argument("paths", nargs=-1, required=True)
@click.option(
    "--limit",
    default=200,
    show_default=True,
    type=click.IntRange(8),
    help="Encoder tokens a passage has at most.",
)
@click.option(
    "--overlap",
    default=0,
    show_default=True,
    type=click.IntRange(0),
    help="Sentences repeated from the passage before.",
)
@click.option(
    "--embed-triples",
    is_flag=True,
    help="Encode all triples now (2.8 times the encoding) instead of when a question "
    "first needs them.",
)
@click.option(
    "--triples",
    type=click.Choice(TRIPLES),
    default=TRIPLES[0],
    show_default=True,
    help="Where triples come from: rules over a dependency parse, or the model of --model.",
)
@click.option(
    "--regenerate",
    is_flag=True,
    help="Also take up unchanged documents whose triples another parse or model gave.",
)
@json_option
@click.pass_obj
def ingest(
    settings: Settings,
    paths: tuple[str, ...],
    as_json: bool,
    **options: Any,  # noqa: ANN401 - click checks them
) -> None:
    """Put files and folders into the graph.

    Text, Markdown, and question files or corpora as JSON and JSONL (HotpotQA, 2WikiMultihopQA,
    MuSiQue, or title and text). Safe to repeat: what is there unchanged is passed over, what has
    changed replaces exactly its own part, and an interrupted run is finished by the same command. A
    file that can't be read is recorded with the reason, the rest goes on, and the exit status is 1.
    """
    from .ingesting import ingest_with_progress

    with _open(settings) as hop:
        report = ingest_with_progress(hop, paths, as_json=as_json, **options)
    if report.failures:
        sys.exit(1)


@cli.command()
@click.argument("question")
@method_option
@retriever_option
@click.option("--steps", is_flag=True, help="Every step the method took.")
@click.option(
    "--no-record", is_flag=True, help="Do not write the answer and its evidence into the graph."
)
@json_option
@click.pass_obj
def ask(
    settings: Settings,
    question: str,
    method: str,
    retriever: str,
    steps: bool,
    no_record: bool,
    as_json: bool,
) -> None:
    """Answer a question with its chain of evidence.

    With --model the language model chooses the chain and reads it. Without one the answer is read
    by rules and a light scorer; below even odds it is "insufficient evidence", with candidates
    marked as such.
    """
    show_step = step_printer() if steps and not as_json else (lambda step: None)
    with _open(settings) as hop:
        answer = hop.ask(
            question,
            method=method,
            retriever=retriever,
            record=not no_record,
            on_step=show_step,
        )
    if as_json:
        print_json(answer_json(answer))
    else:
        print_answer(answer, all_chains=steps)


@cli.command()
@click.argument("question")
@retriever_option
@click.option(
    "--limit", default=10, show_default=True, type=click.IntRange(1), help="How many passages."
)
@json_option
@click.pass_obj
def search(settings: Settings, question: str, retriever: str, limit: int, as_json: bool) -> None:
    """Rank passages for a question."""
    with _open(settings) as hop:
        hits = hop.search(question, retriever=retriever, limit=limit)
    if as_json:
        print_json(hits_json(question, retriever, hits))
    elif hits:
        print_hits(hits)
    else:
        note("No passage holds any of these words. Try --retriever hybrid or dense.")


@cli.command()
@click.argument("name")
@json_option
@click.pass_obj
def show(settings: Settings, name: str, as_json: bool) -> None:
    """Show an entity, passage, document, question or answer and what surrounds it.

    NAME is a name in any spelling, a document's title or source, a question that was asked, or an
    id. Recorded answers are found from either end: from the question, and from the passages and
    triples they rest on.
    """
    from .show import surroundings

    with _open(settings) as hop:
        things = surroundings(hop.store, name)
    if as_json:
        print_json({"name": name, "found": things})
    else:
        print_surroundings(things)


@cli.command()
@json_option
@click.pass_obj
def stats(settings: Settings, as_json: bool) -> None:
    """Count what is in the graph."""
    from .parameters import kept, summary

    with _open(settings) as hop:
        counts, info, failures = hop.statistics(), hop.store.info(), hop.store.failures()
        fitted = kept(hop.store)
    if as_json:
        encoder = info.fingerprint.name if info else None
        about = {"graph": settings.graph, "encoder": encoder, "fitted": fitted}
        print_json({**about, **counts})
        return
    note(f"{settings.graph}: " + (f"encoder {info.fingerprint.name}" if info else "no graph yet"))
    print_counts(counts)
    if fitted:
        note(f"fitted: {summary(fitted)}")
    for failure in failures:
        note(f"not read: {failure.source}: {failure.reason}")


@cli.command()
@click.argument("documents", nargs=-1, required=True)
@click.pass_obj
def remove(settings: Settings, documents: tuple[str, ...]) -> None:
    """Take documents out again: the exact inverse of ingesting them.

    DOCUMENTS are ids, titles or paths. A name that means no document stops the command before
    anything is removed.
    """
    with _open(settings) as hop:
        note(f"Removed {hop.remove(*documents)} documents.")


@cli.command()
@click.argument(
    "file",
    type=OUT_FILE,
    callback=lambda context, parameter, value: (
        value if str(value) == "-" else in_a_folder(context, parameter, value)
    ),
)
@click.pass_obj
def export(settings: Settings, file: Path) -> None:
    """Write the whole graph to FILE as sorted JSONL: equal graphs give equal files.

    "-" is standard output.
    """
    from .exporting import export_graph

    with _open(settings) as hop:
        note(f"Wrote {export_graph(hop.store, file):,} records to {file}.")


for command in (demo, doctor, evaluate, train):
    cli.add_command(command)


def _open(settings: Settings):  # noqa: ANN202 - Hoptrail, imported late
    from .hoptrail import Hoptrail

    return Hoptrail.of(settings)


def _leave(status: int) -> None:
    """Exit at once, also where threads still wait for a server: sys.exit would wait for them."""
    if threading.active_count() > 1:
        os._exit(status)
    sys.exit(status)


def main() -> None:
    """The `hoptrail` program: errors become one message on standard error and an exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that has no "⟨" still shows the rest
    warnings.showwarning = lambda message, *_, **__: note(f"Warning: {message}")
    try:
        cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        note("Interrupted. What was written before is whole; the same command goes on from there.")
        _leave(130)
    except HoptrailError as error:
        note(f"Error: {error}")
        sys.exit(2 if isinstance(error, BadRequest) else 1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        note(f"Error: {error}. Check the path, the rights and the free space.")
        sys.exit(1)
    except Exception as error:
        if os.environ.get("HOPTRAIL_DEBUG"):
            raise
        note(f"Error: {type(error).__name__}: {error}")
        note(
            "This is a defect in Hoptrail. HOPTRAIL_DEBUG=1 shows where it happened; "
            "please report it."
        )
        sys.exit(1)
