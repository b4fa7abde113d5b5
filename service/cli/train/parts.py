"""What the commands that fit have in common."""

from pathlib import Path

import click

from ...console.printing import note, print_json
from ...settings import Settings
from ..options import OUT_FILE, in_a_folder

NOTHING = "Nothing was fitted; what was kept before still holds."
READABLE = click.Path(path_type=Path, exists=True, dir_okay=False)
files_or_none = click.argument("data", nargs=-1, type=READABLE)
out_option = click.option(
    "--out",
    metavar="FILE",
    type=OUT_FILE,
    callback=in_a_folder,
    help="Also write what was fitted to FILE, with where it comes from.",
)
load_option = click.option(
    "--load",
    metavar="FILE",
    type=READABLE,
    help="Take what --out wrote instead of fitting anything.",
)


def kept(out: Path | None, graph: str | None = None) -> dict[str, str | None]:
    """Say where the parameters are, for --json."""
    return {"out": out and str(out), "graph": graph}


def loaded(kind: str, settings: Settings, as_json: bool) -> None:
    """Say that what --load names is kept with the graph now."""
    if as_json:
        print_json({"loaded": kind, "graph": settings.graph})
    else:
        used = {"gnn-ret": "--retriever gnn uses them", "ranker": "--retriever ranker uses it"}
        note(f"Kept with {settings.graph}; {used[kind]}.")


def either(data: tuple[Path, ...], load: Path | None, fitting: dict[str, object]) -> None:
    """Refuse what is neither to be fitted nor to be loaded, or both.

    Raises:
        UsageError: it is.
    """
    if bool(data) == bool(load):
        raise click.UsageError("Name question files to fit to, or --load FILE; not both.")
    if load and any(fitting.values()):
        given = " and ".join(name for name, value in fitting.items() if value)
        raise click.UsageError(f"--load takes {load} as it is; leave {given} out.")
