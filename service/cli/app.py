"""`hoptrail`: the command line. Heavy libraries load inside the commands that need them."""

import io
import logging
import os
import sys
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import click

from ...kg.errors import DISK_FULL, BadRequest, HoptrailError
from ..console.interrupting import all_or_nothing, interrupted, leave
from ..console.printing import (
    Notes,
    note,
    print_answer,
    print_hits,
    print_json,
    print_query,
    show_usage,
    step_printer,
)
from ..console.safe import is_dumb
from ..console.surroundings import print_surroundings
from ..languages import across
from ..payloads import answer_json, hits_json
from ..settings import DEFAULT_GRAPH, SHOWN, Settings, unnamed_graph
from . import remote
from .anywhere import Program
from .asking import from_pipe, in_session
from .demo import demo
from .doctor import doctor
from .documents import documents, forget, remove, stats
from .evaluate import evaluate
from .ingest import ingest
from .link import link
from .models import models
from .options import (
    json_option,
    method_option,
    method_retriever_option,
    names_a_graph,
    question_argument,
    retriever_option,
    sources_option,
    where_option,
)
from .reembed import reembed
from .serve import mcp, serve
from .sparql import sparql
from .train import train
from .transfer import copy, export, import_

graph_option = click.option(
    "--graph",
    metavar="WHERE",
    envvar="HOPTRAIL_GRAPH",
    default=DEFAULT_GRAPH,
    show_default=True,
    help="A file, or a neo4j://, bolt:// or neo4j+s:// URI; for ask, search and show also the "
    "http:// or https:// address of `hoptrail serve`, its key in HOPTRAIL_KEY. Also "
    "HOPTRAIL_GRAPH, else "
    "NEO4J_URI; user, password and database of a server come from HOPTRAIL_NEO4J_USER, "
    "HOPTRAIL_NEO4J_PASSWORD and HOPTRAIL_NEO4J_DATABASE, else from NEO4J_USERNAME and so on; "
    "HOPTRAIL_NEO4J_PREFIX is what its labels begin with (Hoptrail).",
)


@click.group(
    cls=Program,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
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
    metavar="MODEL[:SETTING=VALUE…]",
    envvar="HOPTRAIL_MODEL",
    help="A language model: file.gguf, openai:URL#name, or none [default: none]; settings follow "
    "after colons, file.gguf:context=16384 (`hoptrail models`). Also HOPTRAIL_MODEL; a server's "
    "key comes from HOPTRAIL_API_KEY (docs/models.md).",
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

    \b
    The options below may stand before the command or after it.
    """  # noqa: D301 - click wants the character, not its name
    if not names_a_graph(context):
        options |= unnamed_graph()
    context.obj = Settings(**options)


@cli.command()
@question_argument(required=False)
@method_option
@method_retriever_option
@click.option(
    "--option",
    "options",
    metavar="TEXT",
    multiple=True,
    help="What the answer is one of; repeat it for each, at least twice. Takes --model.",
)
@click.option("--steps", is_flag=True, help="Every step the method took.")
@click.option(
    "--record/--no-record",
    default=None,
    help="Write question, answer and evidence into the graph, or do not  [default: unless it "
    "abstains]. hoptrail forget takes them out.",
)
@where_option
@sources_option
@json_option
@click.pass_obj
def ask(
    settings: Settings,
    question: str | None,
    method: str,
    retriever: str | None,
    options: tuple[str, ...],
    steps: bool,
    record: bool | None,
    where: tuple[str, ...],
    sources: tuple[str, ...] | None,
    as_json: bool,
) -> None:
    """Answer a question with its chain of evidence.

    Without QUESTION it asks for one again and again, with everything loaded; "-" reads questions
    from standard input, one a line (with --json: an object a line).

    With --model the language model chooses the chain and reads it. Without one the answer is read
    by rules and a light scorer; below a confidence of 58 % it is "insufficient
    evidence", with candidates marked as such. The exit status is 0 then, too: --json tells it
    as "abstained".
    """
    if question is None and not sys.stdin.isatty():
        raise click.UsageError('Give a question, or "-" to read questions from standard input.')
    on_step = step_printer() if steps and not as_json else (lambda step: None)
    if remote.is_service(settings.graph):
        given = {"retriever": retriever, "options": options, "where": where, "record": record}
        given["sources"] = sources
        with remote.opened(settings.graph) as client:
            said = partial(remote.tell, client, method, given, on_step, as_json, steps)
            _ask_all(question, said, lambda: None, as_json)
        return
    with _open(settings) as hop:
        told: set[str] = set()

        def tell(asked: str) -> None:
            answer = hop.ask(
                asked,
                method=method,
                retriever=retriever,
                options=options,
                where=where,
                sources=sources,
                record=record,
                on_step=on_step,
            )
            read = hop.store.passages([citation.passage_id for citation in answer.passages])
            warning = across(asked, [passage.language for passage in read.values()], hop.encoder)
            if warning and not told and hop.model is None:
                told.add(warning)
                note(warning)
            if as_json:
                print_json(answer_json(answer))
                return
            print_answer(answer, all_chains=steps)
            shown = answer.recorded_as if answer.chains or answer.passages else ""
            if query := hop.store.evidence_query(shown):
                print_query(query)

        _ask_all(question, tell, lambda: hop.store.info() and hop.warm(), as_json)


def _ask_all(
    question: str | None, tell: Callable[[str], None], warm: Callable[[], object], as_json: bool
) -> None:
    """Ask the one question, those of a pipe, or those that are typed."""
    with all_or_nothing("What was asked last has no answer; those that were shown are whole."):
        if as_json:
            warm()  # so that the seconds in the first question's usage are its own
        if question is None:
            in_session(tell, warm)
        elif question != "-":
            tell(question)
        elif from_pipe(sys.stdin, tell, as_json=as_json):
            sys.exit(1)


@cli.command()
@question_argument(required=True)
@retriever_option
@click.option(
    "--limit", default=10, show_default=True, type=click.IntRange(1), help="How many passages."
)
@click.option("--full", is_flag=True, help="All of each passage, not its best sentences alone.")
@where_option
@sources_option
@json_option
@click.pass_obj
def search(
    settings: Settings,
    question: str,
    retriever: str,
    limit: int,
    full: bool,
    where: tuple[str, ...],
    sources: tuple[str, ...] | None,
    as_json: bool,
) -> None:
    """Rank passages for a question: of each the sentences with most of its words, marked.

    The best come first. Their scores, which --json has, tell only the order: they compare with no
    other question's and no other retriever's.
    """
    if remote.is_service(settings.graph):
        with remote.opened(settings.graph) as client:
            said = remote.search(client, question, retriever, limit, where, sources)
        hits = remote.hits_of(said)
    else:
        with _open(settings) as hop:
            hits = hop.search(
                question, retriever=retriever, limit=limit, where=where, sources=sources
            )
            if warning := across(question, [hit.passage.language for hit in hits], hop.encoder):
                note(warning)
        said = hits_json(question, retriever, hits) if as_json else {}
    if as_json:
        print_json(said)
    elif hits:
        print_hits(hits, question, full=full)
    else:
        note("No passage holds any of these words. Try --retriever hybrid or dense.")


@cli.command(short_help="Show what a name means in the graph and what surrounds it.")
@click.argument("name")
@click.option(
    "--limit",
    default=SHOWN,
    show_default=True,
    type=click.IntRange(1),
    help="How many things that NAME may mean, and how many entries of each of their lists.",
)
@json_option
@click.pass_obj
def show(settings: Settings, name: str, limit: int, as_json: bool) -> None:
    """Show an entity, passage, document, question or answer and what surrounds it.

    NAME is a name in any spelling, a document's title, its file's name or path, a question that was
    asked, in any case, or an id. Recorded answers are found from either end: from the question, and
    from the passages and triples they rest on.
    """
    from ..graph.show import show_json

    if remote.is_service(settings.graph):
        with remote.opened(settings.graph) as client:
            found = client.show(name, limit)
    else:
        with settings.existing().store() as store:
            found = show_json(store, name, limit)
    if as_json:
        print_json(found)
    else:
        print_surroundings(found)


for command in (
    demo,
    doctor,
    documents,
    stats,
    remove,
    forget,
    evaluate,
    ingest,
    train,
    link,
    reembed,
    copy,
    export,
    import_,
    sparql,
    models,
    serve,
    mcp,
):
    cli.add_command(command)


def _open(settings: Settings):  # noqa: ANN202 - Hoptrail, imported late
    from ..hoptrail import Hoptrail

    return Hoptrail.of(settings.existing())


def main() -> None:
    """Run the command line: errors become one message on standard error and an exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that has no "⟨" still shows the rest
    warnings.showwarning = lambda message, *_, **__: note(f"Warning: {message}")
    logging.lastResort = Notes(logging.WARNING)
    try:
        cli.main(standalone_mode=False, color=False if is_dumb() else None)
        sys.stdout.flush()
    except (click.Abort, KeyboardInterrupt):
        leave()
    except Exception as error:  # noqa: BLE001 - whatever it is, no traceback
        if interrupted():  # a library's word for it: an ImportError, an OperationalError
            leave()
        sys.exit(_explained(error))


def _explained(error: Exception) -> int:
    """The message of an error, and its exit status."""
    if isinstance(error, click.ClickException):
        show_usage(error)
        return error.exit_code
    if isinstance(error, HoptrailError):
        note(f"Error: {error}")
        return 2 if isinstance(error, BadRequest) else 1
    if isinstance(error, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    if os.environ.get("HOPTRAIL_DEBUG"):
        raise error
    if isinstance(error, MemoryError):
        note("Error: the memory is full. Close other programs, or take fewer documents at a time.")
        return 1
    if isinstance(error, OSError):
        note(f"Error: {_of_the_system(error)}")
        return 1
    note(f"Error: {type(error).__name__}: {error}")
    note(
        "This is a defect in Hoptrail, unless `hoptrail doctor` finds the graph damaged: please "
        "report it, with what HOPTRAIL_DEBUG=1 shows."
    )
    return 1


def _of_the_system(error: OSError) -> str:
    """What the operating system refused, to which graph's command where it names no file."""
    about = "".join(f" ({said})" for said in getattr(error, "__notes__", ()))
    if error.errno in DISK_FULL:
        return (
            f"{error}{about}. The disk is full, or files may not be as large (ulimit -f): free "
            "some space, also where temporary files go (TMPDIR), then repeat the command."
        )
    return f"{error}{about}. Check the path, the rights and the free space."
