"""`hoptrail link`: links entities to Wikidata, brings its statements, takes both out again."""

from typing import TYPE_CHECKING

import click

from ..console.counting import counted
from ..console.printing import note, print_json
from ..settings import Settings
from .options import json_option

if TYPE_CHECKING:
    from ..hoptrail import Hoptrail


@click.command(short_help="Link the graph's names to Wikidata.")
@click.option(
    "--statements",
    "pids",
    metavar="PIDS",
    is_flag=False,
    flag_value="all",
    help="Also bring what Wikidata states of the linked items into the graph: of these properties "
    "(P19,P569), or of all.",
)
@click.option(
    "--undo",
    is_flag=True,
    help="Take all links, items and statements out; with --statements the statements alone.",
)
@click.option("--again", is_flag=True, help="Also documents that were linked so before.")
@click.option("--offline", is_flag=True, help="Answer from what is kept. Also HOPTRAIL_OFFLINE.")
@click.option("--refresh", is_flag=True, help="Ask anew for what is kept.")
@json_option
@click.pass_obj
def link(
    settings: Settings,
    pids: str | None,
    undo: bool,
    again: bool,
    offline: bool,
    refresh: bool,
    as_json: bool,
) -> None:
    """Link the names in the graph to the items of Wikidata that they mean in each document.

    The endpoint is HOPTRAIL_SPARQL, by default Wikidata's own. Safe to repeat: what is linked is
    passed over, an interrupted run goes on. A name that may mean several things stays unlinked
    unless its passages tell which (docs/wikidata.md).
    """
    from ..hoptrail import Hoptrail

    with Hoptrail.of(settings.existing()) as hop:
        if undo:
            _undo(hop, pids is not None, as_json)
            return
        _link(hop, pids, again, offline, refresh, as_json)


def _undo(hop: "Hoptrail", statements: bool, as_json: bool) -> None:
    gone, what = hop.unlink(statements=statements), "statement" if statements else "link"
    if as_json:
        print_json({f"{what}s": -gone})
    else:
        note(f"{hop.store.where}: {counted(gone, what)} taken out.")


def _link(
    hop: "Hoptrail", pids: str | None, again: bool, offline: bool, refresh: bool, as_json: bool
) -> None:
    from ..console.progress import counting_bar

    chosen = None if pids in (None, "all") else [p.strip() for p in pids.split(",") if p.strip()]
    with counting_bar() as bar:
        task = bar.add_task("Linking", total=None)
        linking = hop.link(
            again=again,
            offline=offline,
            refresh=refresh,
            progress=lambda one: bar.update(task, completed=one.done, total=one.documents),
        )
    claims = None
    if pids is not None:
        with counting_bar() as bar:
            task = bar.add_task("Statements", total=None)
            claims = hop.state(
                chosen,
                offline=offline,
                refresh=refresh,
                progress=lambda done, of: bar.update(task, completed=done, total=of),
            )
    if as_json:
        counts = {"documents": linking.done, "unchanged": linking.unchanged}
        counts |= {"entities": linking.entities, "links": linking.links}
        counts |= {"items": len(linking.items), "queries": linking.queries}
        stated = {} if claims is None else {"statements": claims, "relations": _related(hop)}
        print_json(counts | stated)
        return
    note(
        f"{hop.store.where}: {linking.links:,} of {counted(linking.entities, 'name')} linked to "
        f"{counted(len(linking.items), 'item')} in "
        f"{counted(linking.done - linking.unchanged, 'document')}; linked before: "
        f"{linking.unchanged:,}. {counted(linking.queries, 'query', 'queries')}, "
        f"{linking.seconds:.1f} s."
    )
    if claims is not None:
        related = f"relations that are properties: {_related(hop):,}"
        note(f"{counted(claims, 'statement')} of the linked items; {related}.")


def _related(hop: "Hoptrail") -> int:
    from ...kg.wikidata.relations import Relations

    return len(Relations.kept(hop.store).means)
