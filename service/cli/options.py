"""Options that several commands share, checked before any work."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import click

from ...kg.errors import BadRequest
from ...loaders.writing import write_whole
from ..console.printing import print_json, say
from ..console.safe import as_json, printable
from ..settings import DEFAULT_RETRIEVER, METHODS, RETRIEVERS, SOURCES

SPECS = (
    f"{', '.join(RETRIEVERS[:-1])} or {RETRIEVERS[-1]}; settings follow after colons, several "
    "values joined by +: hop:shares=0.5, gnn:layers=2:kinds=NEXT+NAMES"
)
OUT_FILE = click.Path(path_type=Path, dir_okay=False)
files = click.argument(
    "data", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False)
)


def _in_words(
    context: click.Context, parameter: click.Parameter, value: tuple[str, ...]
) -> str | None:
    """Join the words of one question that nobody put in quotes; refuse several questions."""
    several = len(value) > 1
    if several and (value[0] == "-" or any(len(word.split()) > 1 for word in value)):
        raise click.BadParameter(
            'more than one is given. Put one in quotes: "Who …?"; `hoptrail ask -` reads several '
            "from standard input, one a line"
        )
    return " ".join(value) if value else None


def question_argument(*, required: bool) -> Callable[[Any], Any]:
    """Make the argument of a question, in quotes or not: `ask Who built Swift --json`."""
    metavar = "QUESTION" if required else "[QUESTION]"
    how = {"nargs": -1, "required": required, "metavar": metavar, "callback": _in_words}
    return click.argument("question", **how)


def in_a_folder(
    context: click.Context, parameter: click.Parameter, value: Path | None
) -> Path | None:
    """Refuse a file that could not be written before the work is done, not after."""
    if value is None:
        return None
    folder = value.absolute().parent
    if not folder.is_dir():
        raise click.BadParameter(f"the folder {folder} does not exist")
    if not os.access(value if value.exists() else folder, os.W_OK):
        raise click.BadParameter(f"you may not write {value}; name another file")
    if str(value) == "-":
        raise click.BadParameter("this does not go to standard output; name a file")
    return value


def in_a_folder_or_out(
    context: click.Context, parameter: click.Parameter, value: Path | None
) -> Path | None:
    """Check a file as `in_a_folder` does; "-" is standard output."""
    return value if str(value) == "-" else in_a_folder(context, parameter, value)


def names_a_graph(context: click.Context) -> bool:
    """Tell whether the user said which graph, by --graph or HOPTRAIL_GRAPH."""
    given = context.find_root().get_parameter_source("graph")
    return given not in (click.core.ParameterSource.DEFAULT, None)


def fixed_graph(context: click.Context) -> bool:
    """Tell as `names_a_graph` does, for a command that reads that graph: it has to be there."""
    named = names_a_graph(context)
    if named:
        context.obj.existing()
    return named


def known_retriever(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Check a retriever's name with its settings."""
    from ...reasoning.registry import RETRIEVERS, parse

    return _checked(value, lambda spec: parse(spec, RETRIEVERS))


def known_method(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Check a method's name with its settings, those of its budget among them."""
    from ...reasoning.methods import configured

    return _checked(value, configured)


def _checked(value: str, read: Callable[[str], object]) -> str:
    spec = ":".join(part.strip() for part in value.split(":"))
    try:
        read(spec)
    except BadRequest as error:
        raise click.BadParameter(str(error)) from None
    return spec


def _conditions(value: tuple[str, ...]) -> tuple[str, ...]:
    """Check conditions on documents before any work."""
    from ...kg.where import conditions

    try:
        conditions(value)
    except BadRequest as error:
        raise click.BadParameter(str(error)) from None
    return value


def known_retrievers(context: click.Context, parameter: click.Parameter, value: str) -> list[str]:
    """Check several retrievers, separated by commas, each once."""
    specs = _several(value, "retriever", RETRIEVERS)
    return list(dict.fromkeys(known_retriever(context, parameter, spec) for spec in specs))


def known_methods(context: click.Context, parameter: click.Parameter, value: str) -> list[str]:
    """Check several methods, separated by commas, each once."""
    specs = _several(value, "method", METHODS)
    return list(dict.fromkeys(known_method(context, parameter, spec) for spec in specs))


def _several(value: str, what: str, there_are: Sequence[str]) -> list[str]:
    specs = [name for name in value.split(",") if name.strip()]
    if not specs:
        raise click.BadParameter(f"it names no {what}; there are: {', '.join(there_are)}")
    return specs


Command = TypeVar("Command", bound=Callable[..., object])

json_option = click.option(
    "--json", "as_json", is_flag=True, help="One JSON object on standard output."
)


def _retriever_option(default: str | None, shown: str) -> Callable[[Command], Command]:
    return click.option(
        "--retriever",
        metavar="NAME[:SETTING=VALUE…]",
        callback=lambda context, parameter, value: (
            value and known_retriever(context, parameter, value)
        ),
        default=default,
        show_default=shown,
        help="How passages are found: by meaning, by words, by both, by both and one hop, by "
        "message passing (GNN-Ret; rgnn, which remembers a question's earlier queries), or by a "
        f"fitted ranker: {SPECS}.",
    )


retriever_option = _retriever_option(DEFAULT_RETRIEVER, DEFAULT_RETRIEVER)
method_retriever_option = _retriever_option(None, f"{DEFAULT_RETRIEVER}; rgnn for rgnn_ret")
"""Without it a method has its own retriever, or the default."""
method_option = click.option(
    "--method",
    metavar="NAME[:SETTING=VALUE…]",
    callback=known_method,
    default=METHODS[0],
    show_default=True,
    help=f"How the answer is found: {', '.join(METHODS)}. Settings follow after colons; with a "
    "language model trace:reads=passages is TRACE-Doc, trace:beams=1 greedy (docs/methods.md).",
)


where_option = click.option(
    "--where",
    metavar="CONDITION",
    multiple=True,
    callback=lambda context, parameter, value: _conditions(value),
    help="Only documents that fulfil it; repeat it, and all have to hold. A field (source, title, "
    "ingested_at, or one of the metadata), an operator and a value: 'source=handbook/*' (a file, a "
    "folder with all below it, * for any characters), title~Oslo (contains), author=Eide, "
    "'ingested_at>=2026-01-01', 'year<2020'; also != and !~. Quote what your shell would take.",
)


def _known_sources(value: str | None) -> tuple[str, ...] | None:
    """Check the sources before any work."""
    from ...reasoning.sources import read

    try:
        return None if value is None else read(value)
    except BadRequest as error:
        raise click.BadParameter(str(error)) from None


sources_option = click.option(
    "--sources",
    metavar="NAMES",
    callback=lambda context, parameter, value: _known_sources(value),
    help=f"What evidence may be: {' or '.join((SOURCES[0], '+'.join(SOURCES)))}, which adds the "
    "statements that `hoptrail link --statements` brought  [default: both, where the whole graph "
    "is asked]",
)


json_file_option = click.option(
    "--json",
    "json_file",
    metavar="FILE",
    type=OUT_FILE,
    callback=in_a_folder_or_out,
    help="Write the figures to FILE; - prints them as one JSON object instead of the tables.",
)
markdown_option = click.option(
    "--markdown",
    metavar="FILE",
    type=OUT_FILE,
    callback=in_a_folder,
    help="Write the tables to FILE.",
)
corpus_option = click.option(
    "--corpus",
    metavar="PATH",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    help="A file or folder of documents that join the temporary graph, as ingest reads them; "
    "repeatable. Records with the same title and text are one document.",
)


def can_be_drawn(
    context: click.Context, parameter: click.Parameter, value: Path | None
) -> Path | None:
    """Refuse a plot that could not be drawn or written."""
    from ..evaluation.charts import require

    if value is not None:
        require(value)
    return in_a_folder(context, parameter, value)


def plot_option(what: str) -> Callable[[Command], Command]:
    """Make the option --plot FILE, which draws `what`."""
    return click.option(
        "--plot",
        metavar="FILE",
        type=OUT_FILE,
        callback=can_be_drawn,
        help=f"Draw {what} into FILE, .png or .svg; needs hoptrail[plot].",
    )


class _Report(Protocol):
    def lines(self) -> Iterator[str]: ...

    def json(self) -> list[dict[str, Any]]: ...

    def markdown(self) -> str: ...


def tell(report: _Report, json_file: Path | None, markdown: Path | None) -> None:
    """Print tables, or JSON alone, on standard output, and write the files asked for."""
    printed = str(json_file) == "-"
    for line in () if printed else report.lines():
        say(line)
    if printed:
        print_json({"results": report.json()})
    elif json_file:
        write_whole(json_file, as_json(report.json(), indent=2) + "\n")
    if markdown:
        write_whole(markdown, printable(report.markdown()))
