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
    for begin, end in _told(telling, text):
        for said in [*golds[:1], *sorted(golds[1:], key=len, reverse=True)]:
            loosely = r"\W+".join(map(re.escape, re.findall(r"\w+", said)))
            for form in filter(None, (re.escape(said), loosely)):
                if stands := re.search(rf"(?<!\w){form}(?!\w)", text[begin:end], re.IGNORECASE):
                    return begin + stands.start(), begin + stands.end()
    return None


def _told(telling: str, text: str) -> list[tuple[int, int]]:
    """The characters that hold nearly all words of what tells an answer, the closest first."""
    words = _words(text)
    wanted = {word for word, *_ in _words(re.sub(r"<[^>]*>", " ", telling))}
    enough = ENOUGH * len(wanted)
    if len(wanted.intersection(word for word, *_ in words)) < enough:
        return []
    size, found = LOOSE[0] * len(wanted) + LOOSE[1], []
    for first, (word, start, _) in enumerate(words):
        if word in wanted:
            window = words[first : first + size]
            held = len(wanted.intersection(one for one, *_ in window))
            last = max(n for n, (one, *_) in enumerate(window) if one in wanted)
            if held >= enough:
                found.append((-held, last, start, window[last][2]))
    return [(start, end) for *_, start, end in sorted(found)]


@functools.cache
def _words(text: str) -> Words:
    return [(one.group().lower(), *one.span()) for one in re.finditer(r"[^\W_]+", text)]
