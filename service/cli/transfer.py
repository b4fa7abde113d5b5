"""The commands that move a whole graph: copy, export, import."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ...kg.errors import StoreUnavailable
from ..console.counting import counted
from ..console.interrupting import all_or_nothing, written
from ..console.printing import note, print_json
from ..console.safe import in_a_line
from ..settings import Settings, open_store
from .ingest import has_written, print_summary
from .options import OUT_FILE, in_a_folder_or_out, json_option

if TYPE_CHECKING:
    from ...kg.rdf.lines import Broken
    from ...kg.rdf.spool import Spool
    from ...loaders.rdf import Things
    from ..hoptrail import Hoptrail

RDF = ("nt", "ttl", "rdf", "jsonld", "nq", "trig")


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
    with settings.existing().store() as source, open_store(to) as target:
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
    _say(summary, f"Copied {counted(count, 'record')} to {target.where}{equal}", began, as_json)


@click.command(short_help="Write the whole graph to a file as sorted JSONL, as RDF or GraphML.")
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

    A name that ends in .ttl, .nt, .rdf, .jsonld, .nq or .trig gets RDF, which `import` reads as it
    reads the records (docs/rdf.md).

    A name that ends in .graphml or .ml gets GraphML instead, for Gephi or networkx: documents,
    passages, entities and answers, and the edges between them; `import` does not read it.
    """
    from ..graph.export import export_graph, is_graphml
    from ..graph.rdf import is_rdf

    if as_json and str(file) == "-":
        raise click.UsageError("The records themselves go to standard output; leave --json out.")
    with settings.existing().store() as store:
        count = export_graph(store, file, vectors=not no_vectors)
    what = "nodes and edges" if is_graphml(file) else "records"
    what = "triples" if is_rdf(file) else what
    if as_json:
        print_json({"to": str(file), what.replace(" ", "_"): count})
    else:
        note(f"Wrote {count:,} {what} to {file}.")


@click.command(name="import", short_help="Read what `export` wrote, or RDF of others.")
@click.argument(
    "files",
    metavar="FILE...",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False, allow_dash=True),
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(RDF),
    help="Read every file as this RDF, whatever its suffix  [default: by suffix, else records]",
)
@click.option(
    "--skip-broken",
    is_flag=True,
    help="Leave broken lines of .nt and .nq out, and say which  [default: refuse the file]",
)
@click.option(
    "--label-property",
    "labels",
    metavar="IRI",
    multiple=True,
    help="What names a subject of others' RDF, before rdfs:label, skos:prefLabel and the like; "
    "repeatable",
)
@click.option(
    "--alias-property",
    "aliases",
    metavar="IRI",
    multiple=True,
    help="What gives it other names, before skos:altLabel; repeatable",
)
@click.option(
    "--text-property",
    "texts",
    metavar="IRI",
    multiple=True,
    help="What is prose about it, before schema:description, rdfs:comment and the like; repeatable",
)
@click.option(
    "--language",
    default="en",
    show_default=True,
    help="Which language of labels and texts, where a file has several.",
)
@json_option
@click.pass_obj
def import_(
    settings: Settings,
    files: tuple[Path, ...],
    format_: str | None,
    skip_broken: bool,
    as_json: bool,
    **mapping: Any,  # noqa: ANN401 - click checks them
) -> None:
    """Read a graph that `export` wrote into an empty one; or RDF of others, as documents.

    "-" is standard input, of RDF with --format; a name that ends in .gz is gunzipped. Every record
    is checked, alone and against the others; nothing is written when one is wrong. Passages whose
    vectors were left out are encoded again.

    RDF is .nt, .ttl, .rdf, .owl, .jsonld, .nq or .trig, also packed by .gz or .bz2; several files
    are read as one. What is not a graph that `export` wrote becomes documents, one a subject,
    which the same command brings up to date (docs/rdf.md).
    """
    from ..graph.export import import_graph
    from ..graph.rdf import is_rdf, spooled
    from ..hoptrail import Hoptrail

    began = time.perf_counter()
    with Hoptrail.of(settings) as hop:
        if format_ or any(map(is_rdf, files)):
            reading = partial(spooled, files, format_=format_ or "", lenient=skip_broken)
            _import_rdf(hop, files, reading, mapping, as_json)
            return
        if skip_broken:
            raise click.UsageError("--skip-broken is for RDF; broken records are never left out.")
        if len(files) > 1:
            raise click.UsageError("Records are imported from one file; several are RDF alone.")
        where = hop.store.where
        with _unfinished(where), _bar(f"Importing into {where}") as bar:
            count = import_graph(hop.store, next(iter(files)), hop.encoder, bar.update)
    _say_imported(files, where, count, began, as_json)


def _import_rdf(
    hop: "Hoptrail",
    files: tuple[Path, ...],
    reading: "Callable[[Callable[[int], None]], AbstractContextManager[Spool]]",
    mapping: dict[str, Any],
    as_json: bool,
) -> None:
    from ..graph.rdf import mapped, restore, things

    began, where = time.perf_counter(), hop.store.where
    nothing = all_or_nothing(f"Nothing was written into {in_a_line(where)}.")
    with nothing, ExitStack() as stack:
        with _bar("Reading RDF") as bar:
            if all(file.is_file() for file in files):  # else none tells how much there is
                bar.total(sum(file.stat().st_size for file in files))
            spool = stack.enter_context(reading(bar.update))
        note(f"{counted(spool.triples, 'triple')} read in {time.perf_counter() - began:.1f} s.")
        _tell_broken(spool.broken)
        with _unfinished(where), _bar(f"Importing into {where}") as bar:
            count = restore(hop.store, spool, hop.encoder, bar.update)
        if count is not None:
            _say_imported(files, where, count, began, as_json)
            return
        found = things(spool, mapped(**mapping))
        _ingest(hop, found, spool, as_json)


def _ingest(hop: "Hoptrail", found: "Things", spool: "Spool", as_json: bool) -> None:
    from ...kg.ingest.workers import Report
    from ..console.progress import reading_bar

    report = Report()
    with reading_bar() as progress:
        task = progress.add_task("Ingesting", total=spool.count_subjects(), report=report)

        def show(so_far: Report) -> None:
            if has_written(so_far):
                written()
            progress.update(task, completed=so_far.seen)

        hop.ingest(found.documents(), progress=show, report=report)
    if as_json:
        left_out = dict(spool.left_out)
        if spool.broken.count:
            left_out["broken lines"] = spool.broken.count
        print_json({"triples": spool.triples, "left_out": left_out, **report.to_dict()})
        return
    print_summary(hop, report)
    for what, count in spool.left_out.items():
        note(f"Left out: {count:,} {what}.")


def _tell_broken(broken: "Broken") -> None:
    for said in broken.told:
        note(f"Left out: {in_a_line(said)}")
    if broken.count:
        more = f", the first {len(broken.told)} of them above" if len(broken.told) > 1 else ""
        note(f"Left out: {counted(broken.count, 'broken line')}{more}.")


def _say_imported(
    files: tuple[Path, ...], where: str, count: int, began: float, as_json: bool
) -> None:
    read = ", ".join(map(str, files))
    told = {"from": read, "to": where, "records": count}
    _say(told, f"Wrote {counted(count, 'record')} into {where}", began, as_json)


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
