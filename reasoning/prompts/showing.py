"""Triples, passages and worked examples as prompts show them."""

import re
import string
from collections.abc import Iterable, Sequence
from itertools import repeat

from ...kg.types import Passage, Triple
from . import Demonstration

SECTIONS = ("\n## Question", "\n## Passage", "\n## Example")
"""Where a reply ends that goes on with a prompt of its own: three stops, as servers take four."""
_HEADING = re.compile(r"^\s*#+\s+", re.MULTILINE)


def plain(text: str) -> str:
    """Strip the marks of headings: no document or question opens a section of a prompt."""
    return _HEADING.sub("", text)


def choice(question: str, options: Sequence[str], lettered: bool = True) -> str:
    """Show a question with what there is to choose from; with letters at most 26."""
    if not options:
        return plain(question)
    lead = "Choose one by its letter:" if lettered else "Possible answers:"
    marks = [f"{letter}." for letter in string.ascii_uppercase] if lettered else repeat("-")
    lines = (f"{mark} {' '.join(text.split())}" for mark, text in zip(marks, options, strict=False))
    return "\n".join([plain(question), lead, *lines])


def triple_text(triple: Triple) -> str:
    """Show a triple as ⟨head; relation; tail⟩."""
    return f"⟨{triple.head}; {triple.relation}; {triple.tail}⟩"


def triple_lines(triples: Iterable[Triple]) -> str:
    """Show triples, one a line."""
    return "\n".join(map(triple_text, triples))


def passage_text(passages: Iterable[Passage]) -> str:
    """Show passages as [1] Title, then the text; a blank line between them."""
    return "\n\n".join(f"[{n}] {p.title}\n{plain(p.text)}" for n, p in enumerate(passages, 1))


def examples(demonstrations: Sequence[Demonstration]) -> str:
    """Show each example under its heading, as `label: value` lines.

    A list of texts stands below its label, a list of objects is shown object by object.
    """
    return "\n\n".join(f"## Example {n}\n{_shown(d)}" for n, d in enumerate(demonstrations, 1))


def _shown(demonstration: Demonstration) -> str:
    lines = []
    for label, value in demonstration.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            lines += [_shown(part) for part in value]
        elif isinstance(value, list):
            lines += [f"{label}:", *map(str, value)]
        else:
            lines.append(f"{label}: {value}")
    return "\n".join(lines)
