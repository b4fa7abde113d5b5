"""`train forget`."""

import click

from ....kg.errors import NotFound
from ...console.printing import note, print_json
from ...settings import TRAINED, Settings
from ..options import json_option


@click.command(short_help="Take fitted parameters out of the graph.")
@click.argument("kind", type=click.Choice(TRAINED))
@json_option
@click.pass_obj
def forget(settings: Settings, kind: str, as_json: bool) -> None:
    """Take fitted parameters out of the graph: what they replaced holds again."""
    with settings.existing().store() as store:
        forgotten = store.forget_parameters(kind)
    if not forgotten:
        raise NotFound(f"{settings.graph} has no parameters of {kind}.")
    if as_json:
        print_json({"forgotten": kind})
    else:
        note(f"Forgot the parameters of {kind} in {settings.graph}.")
