"""What the graph holds, and what it shall not keep: documents, stats, remove, forget."""

import click

from ...kg.where import conditions
from ..console.counting import counted
from ..console.printing import note, print_counts, print_documents, print_json, say
from ..console.safe import in_a_line
from ..settings import Settings
from .options import json_option, where_option


@click.command(short_help="List the documents of the graph.")
@where_option
@click.option(
    "--order",
    type=click.Choice(["source", "title", "newest"]),
    default="source",
    show_default=True,
    help="By source, by title, or the newest first.",
)
@click.option(
    "--limit", default=50, show_default=True, type=click.IntRange(1), help="How many on a page."
)
@click.option(
    "--page", default=1, show_default=True, type=click.IntRange(1), help="Which page of them."
)
@json_option
@click.pass_obj
def documents(
    settings: Settings, where: tuple[str, ...], order: str, limit: int, page: int, as_json: bool
) -> None:
    """List the documents of the graph: passages, date of ingestion, title, source.

    \b
    hoptrail documents --where 'source=handbook/*' --where title~Oslo
    hoptrail documents --order newest --limit 10
    hoptrail documents --json --limit 1000000 | jq -r '.documents[].source'
    """  # noqa: D301 - click wants the character, not its name
    from ..graph.listing import ORDERS, listed

    by = ORDERS[ORDERS.index(order)]  # pyright: ignore[reportArgumentType]
    offset = (page - 1) * limit
    with settings.existing().store() as store:
        listing = listed(store, conditions(where), by, limit, offset)
    if as_json:
        shown = [document.to_dict() for document in listing.documents]
        print_json({"total": listing.total, "offset": offset, "documents": shown})
        return
    print_documents(listing.documents)
    last = offset + len(listing.documents)
    if not listing.total:
        note(f"{settings.graph} holds no documents yet. Fill it: hoptrail ingest PATH")
    elif not listing.documents:
        last = -(-listing.total // limit)
        note(
            f"{counted(listing.total, 'document')} at {limit:,} a page: the last page is {last:,}."
        )
    elif last < listing.total:
        note(f"{offset + 1:,} to {last:,} of {listing.total:,}; --page {page + 1} goes on.")


@click.command()
@json_option
@click.pass_obj
def stats(settings: Settings, as_json: bool) -> None:
    """Count what is in the graph."""
    from ...kg.graph_info import described
    from ..graph.parameters import kept, summary

    with settings.existing().store() as store:
        counts, info, failures = store.statistics(), store.info(), store.failures()
        fitted = kept(store)
    if as_json:
        encoder = info.fingerprint.name if info else None
        about = {"graph": settings.graph, "encoder": encoder, "fitted": fitted}
        print_json({**about, **counts})
        return
    encoder = f"encoder {described(info.fingerprint)}" if info else "no graph yet"
    note(f"{settings.graph}: {encoder}")
    print_counts(counts)
    if fitted:
        note(f"fitted: {summary(fitted)}")
    for failure in failures:
        note(in_a_line(f"not read: {failure.source}: {failure.reason}"))


@click.command()
@click.argument("documents", nargs=-1, required=True)
@json_option
@click.pass_obj
def remove(settings: Settings, documents: tuple[str, ...], as_json: bool) -> None:
    """Take documents out again: the exact inverse of ingesting them.

    DOCUMENTS are ids, titles or paths; of a path its end is enough where one source alone has it,
    such as a file's name. A name that means no document, or several sources, stops the command
    before anything is removed.
    """
    from ..hoptrail import Hoptrail

    with Hoptrail.of(settings.existing()) as hop:
        count = hop.remove(*documents)
    if as_json:
        print_json({"removed": count})
    else:
        note(f"Removed {counted(count, 'document')}.")


@click.command(short_help="Take recorded questions and their answers out of the graph.")
@click.argument("questions", nargs=-1)
@click.option(
    "--older-than",
    metavar="WHEN",
    default="",
    help="Only answers from before a date, 2026-01-31 (UTC), or older than some days, 30d.",
)
@click.option("--all", "everything", is_flag=True, help="All that are recorded.")
@click.option("--dry-run", is_flag=True, help="Forget nothing; show what would go.")
@json_option
@click.pass_obj
def forget(
    settings: Settings,
    questions: tuple[str, ...],
    older_than: str,
    everything: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Take recorded questions and their answers out of the graph; the documents stay.

    QUESTIONS are texts as they were asked, ids of questions, or ids of answers.

    \b
    hoptrail forget "Where was Marta Olsen born?"
    hoptrail forget --older-than 90d
    hoptrail forget --all --dry-run               lists what is recorded
    """  # noqa: D301 - click wants the character, not its name
    from ..graph.forgetting import forgettable

    if everything == bool(questions or older_than):
        raise click.UsageError(
            "Say which: QUESTIONS by text or id, --older-than WHEN, or --all for all there are."
        )
    with settings.existing().store() as store:
        found = forgettable(store, questions, older_than, everything)
        gone = 0 if dry_run else store.forget_answers([one.id for one in found])
    if as_json:
        listed = [
            {"id": one.id, "question": one.question, "created_at": one.created_at} for one in found
        ]
        print_json({"forgotten": gone, "answers": listed})
        return
    for one in found if dry_run else ():
        say(f"{one.created_at[:10]}  {one.id}  {in_a_line(one.question)}")
    if dry_run:
        note(f"{counted(len(found), 'recorded answer')} would go.")
    else:
        note(f"Forgot {counted(gone, 'recorded answer')}.")
