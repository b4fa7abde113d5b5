"""Where a passage tells an answer, given the words of the document that tell it.

A table's row or a line of Markdown is read with other marks than it has in its file, so words are
compared, not characters.
"""

import functools
import re
from collections.abc import Sequence

ENOUGH = 0.8  # of the words
LOOSE = 2, 8  # words that they are within, times their number, and more: names of columns
Words = list[tuple[str, int, int]]
"""Each word, its first character and one past its last."""


def place_of(telling: str, golds: Sequence[str], text: str) -> tuple[int, int] | None:
    """Characters of the answer where a text tells it: as it is given, else its longest form."""
    if (within := _told(telling, text)) is None:
        return None
    begin, part = within[0], text[slice(*within)]
    for said in [*golds[:1], *sorted(golds[1:], key=len, reverse=True)]:
        loosely = r"\W+".join(map(re.escape, re.findall(r"\w+", said)))
        for form in filter(None, (re.escape(said), loosely)):
            if stands := re.search(rf"(?<!\w){form}(?!\w)", part, re.IGNORECASE):
                return begin + stands.start(), begin + stands.end()
    return None


def _told(telling: str, text: str) -> tuple[int, int] | None:
    """The characters that hold nearly all words of what tells an answer, close together."""
    words = _words(text)
    wanted = {word for word, *_ in _words(re.sub(r"<[^>]*>", " ", telling))}
    enough = ENOUGH * len(wanted)
    if len(wanted.intersection(word for word, *_ in words)) < enough:
        return None
    size, best, chosen = LOOSE[0] * len(wanted) + LOOSE[1], (0, 0), None
    for first, (word, start, _) in enumerate(words):
        if word in wanted:
            window = words[first : first + size]
            last = max(n for n, (one, *_) in enumerate(window) if one in wanted)
            held = len(wanted.intersection(one for one, *_ in window)), -last
            if held > best:
                best, chosen = held, (start, window[last][2])
    return chosen if best[0] >= enough else None


@functools.cache
def _words(text: str) -> Words:
    return [(one.group().lower(), *one.span()) for one in re.finditer(r"[^\W_]+", text)]
