"""`hoptrail sparql`: the graph as RDF, asked by SPARQL."""

import sys
from pathlib import Path

import click

from ...kg.errors import BadRequest, EmptyGraph
from ..console.counting import counted
from ..console.printing import note, print_json, say
from ..console.safe import in_a_line
from ..settings import Settings
from .options import json_option

MAX_CELL = 60  # characters of a value in a table
NOT_READ = "The query can't be answered"  # how it begins where a query is no SPARQL
EXAMPLE = (
    "A query looks like this: 'SELECT ?name { ?entity a ht:Entity ; skos:prefLabel ?name } LIMIT "
    "10'. docs/rdf.md has the vocabulary and more of them."
)


@click.command(short_help="Ask the graph by SPARQL: a small one, loaded for each query.")
@click.argument("query", required=False)
@click.option(
    "--file",
    "-f",
    "file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False, allow_dash=True),
    help='Read the query from a file, "-" from standard input.',
)
@click.option(
    "--limit",
    metavar="N",
    default=1_000_000,
    show_default=True,
    type=click.IntRange(1),
    help="Triples to load at most; a million take half a gigabyte.",
)
@click.option(
    "--timeout",
    metavar="SECONDS",
    default=60.0,
    show_default=True,
    type=click.FloatRange(0, min_open=True),
    help="How long the query may take, loading aside.",
)
@json_option
@click.pass_obj
def sparql(
    settings: Settings,
    query: str | None,
    file: Path | None,
    limit: int,
    timeout: float,
    as_json: bool,
) -> None:
    """Ask the graph by SPARQL 1.1: SELECT and ASK print a table, CONSTRUCT and DESCRIBE Turtle.

    The graph is loaded as `export graph.ttl` writes it, without vectors; docs/rdf.md has the
    vocabulary. Its prefixes are declared: ht, rel, skos, prov, dcterms, schema, wd, and others.
    For a large graph load the export into a triple store.

    \b
    hoptrail sparql 'SELECT ?who { ?p rel:was_born_in ?town . ?town skos:prefLabel "Bergen" .
                                   ?p skos:prefLabel ?who }'
    """  # noqa: D301 - click wants the character, not its name
    from ..graph.rdf import asked

    if (query is None) == (file is None):
        raise click.UsageError("Give either a query or --file.")
    if file is not None:
        query = sys.stdin.read() if str(file) == "-" else file.read_text("utf-8", "replace")
    with settings.existing().store() as store:
        if store.info() is None:
            raise EmptyGraph(f"There is no graph in {store.where} to ask.")
        try:
            found = asked(store, query or "", limit, timeout)
        except BadRequest as error:
            raise BadRequest(str(error), EXAMPLE * str(error).startswith(NOT_READ)) from None
    if as_json:
        print_json(found.json)
    elif found.form == "construct":
        say(found.turtle.rstrip("\n"))
    elif found.form == "ask":
        say("yes" if found.truth else "no")
    else:
        _print_table(found.columns, found.rows)
        note(f"{counted(len(found.rows), 'row')}.")


def _print_table(columns: tuple[str, ...], rows: tuple[tuple[str | None, ...], ...]) -> None:
    shown = [[_shown(value) for value in row] for row in (columns, *rows)]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    for number, row in enumerate(shown):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        say("  ".join(cells).rstrip(), bold=number == 0)


def _shown(value: str | None) -> str:
    text = in_a_line(value or "")
    return text if len(text) <= MAX_CELL else f"{text[: MAX_CELL - 1]}…"
