"""`hoptrail reembed`: shows progress with rate and time left, then a summary."""

from typing import TYPE_CHECKING

import click

from ..console.counting import counted
from ..console.printing import note, print_json
from ..settings import Settings
from .options import json_option

if TYPE_CHECKING:
    from ..graph.reembed import Move
    from ..hoptrail import Hoptrail


@click.command(short_help="Move the graph to another encoder.")
@click.option(
    "--triples",
    is_flag=True,
    help="Also encode all triples that have no vector yet; with the graph's own encoder, too.",
)
@json_option
@click.pass_obj
def reembed(settings: Settings, triples: bool, as_json: bool) -> None:
    """Move the graph to the encoder of --encoder, --query-prefix and --passage-prefix.

    The graph stays readable with the encoder it has until all vectors of the other are there. Safe
    to repeat: an interrupted run is finished by the same command, and documents that are ingested
    meanwhile are taken along. With the encoder that the graph has there is nothing to do.
    """
    from ...kg.graph_info import as_options
    from ..hoptrail import Hoptrail

    with Hoptrail.of(settings.existing()) as hop:
        move = _with_progress(hop, triples)
        if as_json:
            print_json(_summary(move))
        else:
            _print_summary(hop.store.where, move)
            if begun := hop.store.maintenance.moving_to():
                note(f"A move was begun: `hoptrail {as_options(begun)} reembed` goes on with it.")


def _with_progress(hop: "Hoptrail", triples: bool) -> "Move":
    from ..console.progress import counting_bar

    with counting_bar() as bar:
        task = bar.add_task("Encoding", total=None)
        return hop.reembed(
            triples=triples,
            progress=lambda move: bar.update(task, completed=move.done, total=move.texts),
        )


def _summary(move: "Move") -> dict[str, object]:
    return {
        "moved": move.moved,
        "before": move.before.name,
        "encoder": move.encoder.name,
        "passages": move.passages,
        "triples": move.triples,
        "unfit": list(move.unfit),
        "seconds": round(move.seconds, 2),
    }


def _print_summary(where: str, move: "Move") -> None:
    from ...kg.graph_info import described

    before, encoder = described(move.before), described(move.encoder)
    done = f"{counted(move.passages, 'passage')} and {counted(move.triples, 'triple')} encoded"
    if move.moved:
        note(f"{where}: moved from {before} to {encoder}; {done}.")
    else:
        note(f"{where} carries {encoder} already; {done}.")
    note(f"{move.seconds:.1f} s.")
    for kind in move.unfit:
        note(
            f"{kind} was fitted with another encoder and is refused with this one: train again, or "
            f"`hoptrail train forget {kind}`."
        )
