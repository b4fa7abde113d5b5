"""What a text calls in full that its file is called after: "bench.txt", "petrov.txt"."""

import re
from pathlib import PurePosixPath

from ..text.words import STOP, WORD

_WORD = r"[^\W\d_a-z][\w'’.-]*"
_RUN = re.compile(rf"{_WORD}(?: (?:(?:&|al|bin|da|de|del|di|of|van|von) ){{0,2}}{_WORD}){{0,7}}")
_BEFORE = STOP | frozenset("dr mr mrs ms prof".split())  # a name that begins a sentence


def is_of_file(title: str, source: str) -> bool:
    """Find out whether a title is but the name of the document's file, as far as that tells."""
    if not title or "://" in source or not (title.islower() or " " not in title):
        return False
    stem = PurePosixPath(source.replace("\\", "/")).stem
    return title == " ".join(re.split(r"[\s_-]+", stem)).strip()


def name_in_full(title: str, text: str) -> str:
    """Find the name that has a title's words where the text says them first.

    "" where it says them as a common noun there, the title where it does not say them.
    """
    said = r"[\W_]+".join(map(re.escape, WORD.findall(title)))
    first = re.search(rf"(?<!\w){said}(?!\w)", text, re.IGNORECASE)
    if first is None:
        return title
    line = text.rfind("\n", 0, first.start()) + 1
    for run in _RUN.finditer(text, line):
        if run.start() > first.start():
            break
        if run.end() >= first.end():
            named = run[0].split(" ")
            while named and named[0].lower().rstrip(".") in _BEFORE:
                del named[0]
            name = " ".join(named).rstrip(".,")
            return name.removesuffix("'s").removesuffix("’s").rstrip("'’") or title
    return ""
