"""Ctrl-C in commands that keep nothing until they are done."""

import contextlib
import sys
from collections.abc import Iterator

from .printing import note


@contextlib.contextmanager
def all_or_nothing(nothing: str) -> Iterator[None]:
    """An interrupt becomes one line, which ends in what it means, and exit status 130."""
    try:
        yield
    except KeyboardInterrupt:
        note(f"Interrupted. {nothing}")
        sys.exit(130)
