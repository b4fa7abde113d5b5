"""Strings as the reader compares them."""

import functools
import re
from collections import Counter

from ....kg.text.words import words

_ARTICLES = frozenset({"a", "an", "the"})
_CODE = re.compile(r"(?:[-–−]{1,2}|[%\\])[^\W\d_][^\s=]*")  # "-q", "--quiet", "%s", "\n"
_POINT = re.compile(r"[^\w.]*\.\d")  # ".75 inch", "$.75"
_GLOB = re.compile(r"\S+")
_BEHIND = re.compile(r"\w([+#]{1,2})\Z")  # "C++", "C#"


@functools.lru_cache(maxsize=1 << 14)
def key(text: str) -> str:
    """Fold a text to words without articles, joined by single blanks."""
    return " ".join(word for word in words(text) if word not in _ARTICLES)


def is_code(text: str) -> bool:
    """Tell whether a text is or begins with an option or the like, whose sign and case count."""
    return _CODE.match(text) is not None


def told_apart(text: str) -> str:
    """Fold a text to what tells it from another answer: mentions of one such are one candidate.

    That is its key, but "-q" is neither "-Q" nor "q", "C++" is not "C", -5 is not 5, nor ".5", nor
    "x" "X".
    """
    code = _CODE.match(text)
    if code:
        return f"{code.group()} {key(text[code.end() :])}".rstrip()
    folded = key(text)
    if not folded or len(text) == 1:
        return text
    if "*" in text and _GLOB.fullmatch(text):
        return text
    minus = "-" if text[0] in "-−–" and text[1:2] and text[1] in "0123456789." else ""
    point = "." if _POINT.match(text) else ""
    behind = _BEHIND.search(text)
    return minus + point + folded + (behind[1] if behind else "")


def inside(part: str, whole: str) -> bool:
    """Tell whether one key occurs in another at word boundaries."""
    return bool(part) and f" {part} " in f" {whole} "


def overlap(first: str, second: str) -> float:
    """Return the token F1 of two keys, 0 to 1."""
    a, b = first.split(), second.split()
    common = sum((Counter(a) & Counter(b)).values())
    return 2 * common / (len(a) + len(b)) if common else 0.0


def same_name(first: str, second: str) -> bool:
    """Tell whether two keys are mostly the same words: a middle name does not part them.

    Other first words do: "Hugh Stafford, 2nd Earl" is not "Thomas Stafford, 3rd Earl".
    """
    if overlap(first, second) < 0.6:
        return False
    a, b = first.split(), second.split()
    return a[0] in b or b[0] in a
