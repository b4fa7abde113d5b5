"""`hoptrail models`: what --model takes, and the settings of each kind with their defaults."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

import click

from ..console.printing import print_json, say
from .options import json_option


class _Listing(click.Command):
    """A command whose help ends with the settings, read when it is asked for."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the settings of each kind of model."""
        for form, settings in listed().items():
            with formatter.section(f"Settings of {form}"):
                formatter.write_dl([(_assigned(one), one["help"]) for one in settings])


def listed() -> dict[str, list[dict[str, str]]]:
    """List the settings of each kind of model: name, default as spelt, and what it is."""
    from ...models.spelling import KINDS, defaults, kind_of

    return {
        form: [
            {"name": name, "default": default, "help": says[name]}
            for name, default in defaults(form).items()
        ]
        for form in KINDS
        if (says := dict(_arguments(kind_of(form))))
    }


def _assigned(one: dict[str, str]) -> str:
    return f"{one['name']}={one['default']}" if one["default"] else one["name"]


def _arguments(kind: type[Any]) -> Iterator[tuple[str, str]]:
    """The names and descriptions of a docstring's `Args:`."""
    documented = (inspect.getdoc(kind) or "").partition("\nArgs:\n")[2]
    for name, text in re.findall(r"^    (\w+): (.*(?:\n {8}.*)*)", documented, re.MULTILINE):
        yield name, " ".join(text.split())


@click.command(cls=_Listing, short_help="List what --model takes, with settings and defaults.")
@json_option
def models(as_json: bool) -> None:
    """List what --model takes, and the settings that may follow it after colons.

    Memory, servers and keys: docs/models.md.

    \b
    hoptrail --model model.gguf:context=16384:gpu_layers=20:threads=8 ask "…"
    hoptrail --model openai:http://localhost:8000/v1#name:top=42:thinking=off doctor
    """  # noqa: D301 - click wants the character, not its name
    kinds = listed()
    if as_json:
        print_json({"models": kinds})
        return
    for form, settings in kinds.items():
        say(form, bold=True)
        for one in settings:
            say(f"  {_assigned(one)}: {one['help']}")
