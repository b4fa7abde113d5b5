"""Which heading a sentence of a passage stands under, where the passage goes over several."""

import re

from .titles import bears

_LINE = re.compile(r"(?:\A|\n\n)([^\n]+)(?=\n\n[^\S\n]*\S)")  # a paragraph over another
_HEADING = re.compile(  # short, without a stop, a date or what is written in code
    r"(?!.*(?:\d{2}|[@$/]))[^\W_a-z][^\n:;.!?|=<>(){}]{1,58}[^\s.;,:!|(){}<>=]"
)
_PROSE = re.compile(r"[.!?:][\"'”)\]]*(?:\s|\Z)")
WORDS = 8  # of a heading that no format told


def heading_at(text: str, place: int, heading: str) -> str:
    """Find the heading over a character of a passage, among those that stand in its text.

    Which lines are headings a passage does not keep. One that begins with its own heading goes on
    below others that are written so: alone, short, without a stop, over prose.

    Args:
        heading: of the passage, where it begins.
    """
    if not heading or not bears(text.split("\n", 1)[0].strip(), heading):
        return heading
    found = heading
    for line in _LINE.finditer(text):
        said = line[1].strip()
        if line.end() >= place:
            break
        if (
            line.start()
            and not line[1][0].isspace()
            and _HEADING.fullmatch(said)
            and len(said.split()) <= WORDS
        ):
            below = text[line.end() :].lstrip().split("\n\n", 1)[0]
            found = said if _PROSE.search(below) else found
    return found
