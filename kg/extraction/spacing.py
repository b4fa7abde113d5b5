"""Repairs of a tokeniser's spacing that move blanks and never shift anything else."""

import re

from ..text.words import clean

_NOT_TEXT = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\xa0\u2000-\u200b\u2028-\u202f\u205f\u3000\ufeff]")
_BRACKET = re.compile(r"(?<=[^\s(])\( ")
_HYPHEN = re.compile(r"(?<=[a-z])- (?=[a-z])(?!(?:and|or|to) )(\w+)")
_QUOTED = re.compile(r"(?<=[\w,.;:)&])\" (?=\S)([^\"\n]{1,80}\")")


def tidy(text: str) -> str:
    """Space a text as a parser reads it best: "Reischel( born 1976)" → "Reischel (born 1976)".

    Control characters and odd blanks become blanks; a line end, which ends a sentence, stays. The
    result is as long as the text, so that a character offset in one is an offset in the other.
    """
    text = _NOT_TEXT.sub(" ", text)
    text = clean(text)  # spaCy encodes to UTF-8
    text = _BRACKET.sub(" (", text)
    return _QUOTED.sub(r' "\1', text)
