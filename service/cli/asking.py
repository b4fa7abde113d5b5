"""Asking again and again: a session in a terminal, or questions from a pipe, one a line."""

import contextlib
from collections.abc import Callable, Iterable

from ...kg.errors import HoptrailError
from ..console.interrupting import forgiven
from ..console.printing import note, print_json, say
from ..console.safe import in_a_line

HINT = "A question a line. Ctrl-C gives a question up, Ctrl-D ends."
PROMPT = "? "


def in_session(ask: Callable[[str], None], load: Callable[[], object]) -> None:
    """Ask what is typed, line by line, until the end of input; load what that takes before."""
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
        if question:
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
    failed = 0
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
    return failed
