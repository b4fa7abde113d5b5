"""Options and outputs that the commands under `evaluate` share."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol, TypeVar

import click

from .options import OUT_FILE, in_a_folder
from .printing import as_json, printable, say

Command = TypeVar("Command", bound=Callable[..., object])

json_file_option = click.option(
    "--json",
    "json_file",
    metavar="FILE",
    type=OUT_FILE,
    callback=in_a_folder,
    help="Write the figures to FILE.",
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
    from .charts import require

    if value is not None:
        require(value)
    return in_a_folder(context, parameter, value)


def plot_option(what: str) -> Callable[[Command], Command]:
    """--plot FILE, which draws `what`."""
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
    """Tables on standard output, and the files asked for."""
    for line in report.lines():
        say(line)
    if json_file:
        json_file.write_text(as_json(report.json(), indent=2) + "\n", encoding="utf-8")
    if markdown:
        markdown.write_text(printable(report.markdown()), encoding="utf-8")
