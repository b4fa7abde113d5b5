"""The order in which a reply puts numbered passages: "[2] > [1]", a list, JSON."""

import re
from itertools import chain

from .plain import NUMBER, lines, spoken

_BRACKETED = re.compile(r"[\[【(]\s*(?:\w+\s+)?#?(\d{1,3})\s*[\]】)]")
_LIST = re.compile(r"\[\s*\d{1,3}(?:\s*,\s*\d{1,3})+\s*\]")
_NAMED = re.compile(r"(?:passages?|documents?|doc|no\.?|nr\.?|#)\s*#?(\d{1,3})\b", re.IGNORECASE)
_BARE = re.compile(r"\d{1,3}(?:\s*(?:>+|≻|→|->|,|;|\s)\s*\d{1,3})*[.\s]*")
_LEADING = re.compile(r"(\d{1,3})\b")


def ranking(reply: str, count: int) -> list[int]:
    """Read the numbers that a reply ranks, best first, each once; [] where it ranks none.

    Args:
        count: of what was to be ranked; other numbers than 1 to `count` are left out.
    """
    found = (number for number in _numbers(spoken(reply)) if 1 <= number <= count)
    return list(dict.fromkeys(found))


def _numbers(text: str) -> list[int]:
    """By the first way of writing a ranking that the reply has."""
    if listed := _LIST.findall(text):
        return [int(number) for number in re.findall(r"\d+", listed[-1])]  # also "01"
    for told in (_BRACKETED, _NAMED):
        if found := told.findall(text.replace("*", "")):
            return [int(number) for number in found]
    said = [line.text for line in lines(text)]
    bare = [NUMBER.sub("", line) for line in said]
    bare = [line.partition(":")[2].strip() if ":" in line else line for line in bare]
    if rows := [line for line in bare if _BARE.fullmatch(line)]:
        return [int(number) for number in chain(*(re.findall(r"\d+", line) for line in rows))]
    return [int(lead[1]) for line in said if (lead := _LEADING.match(line))]
