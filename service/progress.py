"""Progress bars on standard error; they go when the work is done."""

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskProgressColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from .printing import in_a_line


class _Description(ProgressColumn):
    """As it is: names of files are no markup."""

    def render(self, task: Task) -> Text:
        return Text(in_a_line(task.description))


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:.0f}/s" if task.speed else "", style="dim")


class _Documents(ProgressColumn):
    def render(self, task: Task) -> Text:
        seen, seconds = task.fields["seen"], task.elapsed
        return Text(f"{seen:,} documents, {seen / seconds:.0f}/s" if seen and seconds else "")


def progress_bar() -> Progress:
    """How much is done; nothing where standard error is no terminal."""
    console = Console(stderr=True)
    columns = (_Description(), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def counting_bar() -> Progress:
    """How many are done, of how many, at which rate."""
    columns = (_Description(), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    console = Console(stderr=True)
    return Progress(*columns, console=console, transient=True, refresh_per_second=4)


def reading_bar() -> Progress:
    """How much of the sources is read; its tasks say by `seen` how many documents that were."""
    columns = (_Description(), BarColumn(), TaskProgressColumn(), _Documents())
    console = Console(stderr=True)
    return Progress(*columns, TimeRemainingColumn(), console=console, transient=True)
