"""Asking again and again: a session in a terminal, or questions from a pipe, one a line."""

import contextlib
from collections.abc import Callable, Iterable

from ...kg.errors import HoptrailError
from ..console.interrupting import forgiven
from ..console.printing import note, print_json, say
from ..console.safe import in_a_line

HINT = "A question a line; `help` says more. Ctrl-C gives a question up, `exit` or Ctrl-D ends."
HELP = """\
Type a question: Who designed the town hall?
Short ones that use the documents' own words fare best; each is asked for itself, without those
before it. exit, quit, :q and Ctrl-D end, Ctrl-C gives up the question that is being answered.
In a shell `hoptrail search "…"` shows passages, `hoptrail show NAME` what surrounds a name, and
`hoptrail ask --help` the options that may stand before or behind ask."""
ENDS, HELPS = frozenset({"exit", "quit", ":q"}), frozenset({"help", "?"})
PROMPT = "? "


def in_session(ask: Callable[[str], None], load: Callable[[], object]) -> None:
    """Ask what is typed, line by line, until it is ended; load what that takes before."""
    with contextlib.suppress(ImportError):  # where Python has none, lines are read without history
        import readline  # noqa: F401
    note(HINT)
    load()
    while True:
        try:
            question = input(PROMPT).strip()
        except EOFError:
            note("")
            return
        except KeyboardInterrupt:
            if not forgiven():
                raise
            note("")
            continue
        if question.lower() in ENDS:
            return
        if question.lower() in HELPS:
            note(HELP)
        elif question:
            _asked(question, ask)


def _asked(question: str, ask: Callable[[str], None]) -> None:
    try:
        ask(question)
    except HoptrailError as error:
        note(f"Error: {error}")
    except KeyboardInterrupt:
        if not forgiven():
            raise
        note("Given up.")


def from_pipe(lines: Iterable[str], ask: Callable[[str], None], *, as_json: bool) -> int:
    """Ask what each line says; a question that fails stops no other. Return how many failed."""
    failed, question = 0, ""
    for question in filter(None, map(str.strip, lines)):
        if not as_json:
            say(in_a_line(question), bold=True)
        try:
            ask(question)
        except HoptrailError as error:
            failed += 1
            if as_json:
                print_json({"question": question, "error": str(error)})
            else:
                note(f"Error: {error}")
        if not as_json:
            say()
    if not question:
        note("No question was read from standard input; it takes one a line.")
    return failed
