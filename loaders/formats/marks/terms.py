"""Lists of terms, each over its definition, which is set in: a line of both says what is meant.

wontfix
        for what stays as it is.     →     wontfix: for what stays as it is.
"""

import itertools
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from ....kg.types import Section

_ENTRY = re.compile(
    r"""^(?P<in>[ ]{0,12})(?P<term>[^\W\d_][\w'’/+-]*(?:[ ][\w'’/+()-]+){0,3})
    (?P<gap>\n(?P=in)[ ]{2,})(?P<said>(?:\S+[ ]+){2}[^\n={}<>|\\$]+)$
    (?!\n(?:[ ]*+\n)*+(?P=in)[ ])""",
    re.MULTILINE | re.VERBOSE,
)
_STOPPED = re.compile(r"[.!?…)][\"'”’]?\Z")
LEAST = 3  # terms of a list


def with_definitions(text: str, sections: Sequence[Section]) -> tuple[str, tuple[Section, ...]]:
    """Write each term of a list and its definition in one line.

    Args:
        text: with paragraphs in one line.
        sections: of it.
    """
    cuts, gone, pieces, start = list[int](), [0], list[str](), 0
    for entry in _listed(text):
        begin, end = entry.span("gap")
        pieces += [text[start:begin], ": "]
        start = end
        cuts.append(end)
        gone.append(gone[-1] + end - begin - 2)
    moved = (replace(s, start=s.start - gone[bisect_right(cuts, s.start)]) for s in sections)
    return "".join([*pieces, text[start:]]), tuple(moved)


def _listed(text: str) -> list[re.Match[str]]:
    """The entries that stand below each other, set in alike, and say something."""
    runs, last = list[list[re.Match[str]]](), 0
    for entry in _ENTRY.finditer(text):
        if entry["term"].isupper() or not _STOPPED.search(entry["said"]):
            continue
        goes_on = runs and not text[last : entry.start()].strip()
        if not goes_on or runs[-1][-1]["gap"] != entry["gap"]:
            runs.append([])
        runs[-1].append(entry)
        last = entry.end()
    return list(itertools.chain.from_iterable(run for run in runs if len(run) >= LEAST))
