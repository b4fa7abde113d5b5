"""Names that are written with an exclamation or question mark: "Yahoo!", "Jeopardy!"."""

import re

STARTERS = re.compile(
    r"[\"'“‘(\[]*(?:The|A|An|It|Its|He|She|His|Her|They|Their|This|In|On|At|As|After)\b"
)
"""Begins a sentence."""
_NAME = re.compile(r"(?<![\w'’-])[A-Z][\w'’-]*[!?](?=[^\S\n]+[a-z])")
_GOES_ON = re.compile(r"[!?][\"'”’)\]]*[^\S\n]++(?=[a-z])")
_LEAST = 2


def exclaimed(text: str) -> frozenset[str]:
    """Find words with such a mark within which a text's sentences go on again and again."""
    if "! " not in text and "? " not in text:
        return frozenset()
    found = _NAME.findall(text)
    return frozenset(name for name in found if found.count(name) >= _LEAST)


def inside(text: str) -> set[int]:
    """Where a text goes on behind such a mark that ends no sentence: "Oh! so that is it".

    A text in lower case, as a question may be typed, tells nothing of the kind.
    """
    places = {mark.end() for mark in _GOES_ON.finditer(text)} if not text[:1].islower() else set()
    if names := exclaimed(text):
        written = "|".join(map(re.escape, sorted(names)))
        found = re.finditer(rf"(?<![\w'’-])(?:{written})[^\S\n]++(?=\S)", text)
        places |= {name.end() for name in found if not STARTERS.match(text, name.end())}
    return places
