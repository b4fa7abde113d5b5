"""Prompts with fewer passages and candidates than methods show: a small budget teaches more tasks.

What is said to a shorter prompt is what the symbolic reader says to that one.
"""

import math
import random
import re
import string
from collections.abc import Iterable, Iterator, Sequence

from recording import CLEAN, Record, settled

PASSAGES, CANDIDATES = 3, 7
_PAGES = re.compile(r"(?<=## Passages\n)\[1\] .*?(?=\n\n## )", re.DOTALL)
_PAGE = re.compile(r"\[\d+\] (.*?)(?=\n\n\[\d+\] |\Z)", re.DOTALL)
_CANDIDATES = re.compile(r"(?<=## Candidates\n)A\. .*?(?=\n\n## )", re.DOTALL)


def shortened(records: Iterable[Record], seed: int) -> Iterator[Record]:
    """Each record, with at most `PASSAGES` and `CANDIDATES`: the same of the same passages."""
    draw, kept = random.Random(f"shortening {seed}"), dict[str, str]()
    for record in records:
        if len(record.said) > 1:
            yield _fewer_candidates(record, draw)
            continue
        blocks = list(_PAGES.finditer(record.prompt))
        pages = _PAGE.findall(blocks[-1][0]) if blocks else []
        if len(pages) <= PASSAGES:
            yield record
            continue
        shown = blocks[-1][0]
        if shown not in kept:
            kept[shown] = _chosen(
                pages, record.said[0][0] + record.prompt[blocks[-1].end() :], draw
            )
        prompt = (
            record.prompt[: blocks[-1].start()] + kept[shown] + record.prompt[blocks[-1].end() :]
        )
        [right] = CLEAN.generate([prompt])
        yield Record(record.task, prompt, ((settled(right.text, prompt), 1.0),))


def _chosen(pages: Sequence[str], about: str, draw: random.Random) -> str:
    """Those that what is asked and said names, mostly, in their order."""

    def worth(page: str) -> float:
        title = page.partition("\n")[0].partition(" (")[0]
        return (title in about) + draw.random() * 0.9

    number = draw.choice([2, PASSAGES, PASSAGES])
    best = sorted(range(len(pages)), key=lambda place: -worth(pages[place]))[:number]
    return "\n\n".join(f"[{n}] {pages[place]}" for n, place in enumerate(sorted(best), 1))


def _fewer_candidates(record: Record, draw: random.Random) -> Record:
    found = _CANDIDATES.search(record.prompt)
    lines = found[0].splitlines() if found else []
    if found is None or len(lines) <= CANDIDATES + 1:
        return record
    shares = dict(record.said)
    best = max(lines[1:], key=lambda line: shares.get(line[0], 0.0))
    others = draw.sample([line for line in lines[1:] if line != best], CANDIDATES - 1)
    left = [line for line in lines[1:] if line == best or line in others]
    told = [lines[0][3:], *(line.partition(". ")[2] for line in left)]
    shown = "\n".join(f"{a}. {b}" for a, b in zip(string.ascii_uppercase, told, strict=False))
    prompt = record.prompt[: found.start()] + shown + record.prompt[found.end() :]
    options = string.ascii_uppercase[: len(told)]
    [row] = CLEAN.choose(prompt, [""], list(options)).log_probabilities
    return Record(record.task, prompt, tuple(zip(options, map(math.exp, row), strict=True)))
