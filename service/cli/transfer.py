"""The commands that move a whole graph: copy, export, import."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple

import click

from ...kg.errors import StoreUnavailable
from ..console.interrupting import all_or_nothing
from ..console.printing import note, print_json
from ..console.safe import in_a_line
from ..settings import Settings, open_store
from .options import OUT_FILE, in_a_folder_or_out, json_option


@click.command(short_help="Write the whole graph into another, empty store.")
@click.argument("to", metavar="TO")
@click.option("--check", is_flag=True, help="Afterwards compare every record of both graphs.")
@json_option
@click.pass_obj
def copy(settings: Settings, to: str, check: bool, as_json: bool) -> None:
    """Write the whole graph into another store, a file or a URI, that holds nothing yet.

    A file is written in one transaction. A server says that it is unfinished until it is whole;
    where that broke off, the same command begins anew. A graph of an older version becomes one of
    this version. Every record is held against the others on the way; --check also reads all back.
    """
    from ..graph.copy import copy_graph, difference, size

    began = time.perf_counter()
    with settings.store() as source, open_store(to) as target:
        with _unfinished(target.where), _bar(f"Copying to {target.where}") as bar:
            bar.total(size(source))
            count = copy_graph(source, target, bar.update)
        if check and (differs := difference(source, target)):
            raise StoreUnavailable(
                f"{source.where} and {target.where} differ in {differs}. Was the graph written to "
                "meanwhile? Then empty the copy and repeat the command."
            )
    summary = {"from": source.where, "to": target.where, "records": count, "checked": check}
    equal = ", read back and equal" if check else ""
    _say(summary, f"Copied {count:,} records to {target.where}{equal}", began, as_json)


@click.command(short_help="Write the whole graph to a file as sorted JSONL, or as GraphML.")
@click.argument(
    "file",
    type=OUT_FILE,
    callback=in_a_folder_or_out,
)
@click.option("--no-vectors", is_flag=True, help="Leave the vectors out, for diff and grep.")
@json_option
@click.pass_obj
def export(settings: Settings, file: Path, no_vectors: bool, as_json: bool) -> None:
    """Write the whole graph to FILE as sorted JSONL: equal graphs give equal files.

    "-" is standard output; a name that ends in .gz is gzipped. docs/graph-model.md shows the lines.

    A name that ends in .graphml or .ml gets GraphML instead, for Gephi or networkx: documents,
    passages, entities and answers, and the edges between them; `import` does not read it.
    """
    from ..graph.export import export_graph, is_graphml

    if as_json and str(file) == "-":
        raise click.UsageError("The records themselves go to standard output; leave --json out.")
    with settings.store() as store:
        count = export_graph(store, file, vectors=not no_vectors)
    what = "nodes and edges" if is_graphml(file) else "records"
    if as_json:
        print_json({"to": str(file), what.replace(" ", "_"): count})
    else:
        note(f"Wrote {count:,} {what} to {file}.")


@click.command(name="import", short_help="Write what `export` wrote into an empty graph.")
@click.argument(
    "file", type=click.Path(path_type=Path, exists=True, dir_okay=False, allow_dash=True)
)
@json_option
@click.pass_obj
def import_(settings: Settings, file: Path, as_json: bool) -> None:
    """Write what `export` wrote into a graph that holds nothing yet.

    "-" is standard input; a name that ends in .gz is gunzipped. Every line is checked, alone and
    against the others; nothing is written when one is wrong. Passages whose vectors were left out
    are encoded again.
    """
    from ..graph.export import import_graph
    from ..hoptrail import Hoptrail

    began = time.perf_counter()
    with Hoptrail.of(settings) as hop:
        where = hop.store.where
        with _unfinished(where), _bar(f"Importing into {where}") as bar:
            count = import_graph(hop.store, file, hop.encoder, bar.update)
    summary = {"from": str(file), "to": where, "records": count}
    _say(summary, f"Wrote {count:,} records into {where}", began, as_json)


class _Bar(NamedTuple):
    total: Callable[[int], None]
    update: Callable[[int], None]


@contextmanager
def _bar(what: str) -> Iterator[_Bar]:
    from ..console.progress import progress_bar

    with progress_bar() as progress:
        task = progress.add_task(what, total=None)
        yield _Bar(
            lambda total: progress.update(task, total=total),
            lambda done: progress.update(task, completed=done),
        )


def _unfinished(where: str) -> AbstractContextManager[None]:
    where = in_a_line(where)
    if "://" not in where:
        return all_or_nothing(f"Nothing was written into {where}.")
    return all_or_nothing(
        f"What {where} holds is unfinished, and it says so when it is read; the same command "
        "begins anew."
    )


def _say(summary: dict[str, object], text: str, began: float, as_json: bool) -> None:
    seconds = time.perf_counter() - began
    if as_json:
        print_json({**summary, "seconds": round(seconds, 2)})
    else:
        note(f"{text}; {seconds:.1f} s.")
