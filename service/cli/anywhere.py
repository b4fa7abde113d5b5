"""A program whose own options may stand before its command or after it."""

from collections.abc import Iterable
from typing import Any

import click


class Program(click.Group):
    """A group that takes its own options wherever they stand: `ask "…" --graph notes.db`.

    No command below it may have an option of the same name.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the group's options, found also behind the name of the command."""
        try:
            return super().parse_args(ctx, self._own_first(ctx, args))
        except click.NoSuchOption as error:
            name = error.option_name
            if all(name not in param.opts for one in _all(self) for param in one.params):
                raise
            raise click.UsageError(f"{name} stands behind the command's name.", ctx) from None

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Add a command, whose help then says which options it takes besides."""
        for command in _all(cmd):
            command.epilog = (
                f"{command.epilog or ''}\n\n{', '.join(self._own())} may stand here, too: "
                "see hoptrail --help."
            ).strip()
        super().add_command(cmd, name)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - what the command returns
        """Run the command; what the system refuses names its graph, what is misspelt ours, too."""
        try:
            return super().invoke(ctx)
        except OSError as error:
            if error.filename is None and (graph := getattr(ctx.obj, "graph", "")):
                error.add_note(f"of a command on {graph}")
            raise
        except click.NoSuchOption as error:
            there = [*(error.possibilities or ()), *self._own()]
            raise click.NoSuchOption(error.option_name, None, there, error.ctx) from None

    def _own(self) -> list[str]:
        """Names of the options that take a value."""
        options = (param for param in self.params if isinstance(param, click.Option))
        return [name for one in options if not one.is_flag for name in one.opts]

    def _own_first(self, ctx: click.Context, args: list[str]) -> list[str]:
        own, first, rest = set(self._own()), [], []
        given = iter(args)
        for arg in given:
            if arg == "--":  # what follows is no option, of whomever
                return [*first, *rest, arg, *given]
            if arg.partition("=")[0] not in own:
                rest.append(arg)
                continue
            first.append(arg)
            if "=" not in arg:
                value = next(given, None)
                if value is None:
                    raise click.BadOptionUsage(arg, f"Option {arg!r} requires an argument.", ctx)
                first.append(value)
        return [*first, *rest]


def _all(command: click.Command) -> Iterable[click.Command]:
    """A command, or those of a group."""
    if not isinstance(command, click.Group):
        return [command]
    return [one for each in command.commands.values() for one in _all(each)]
