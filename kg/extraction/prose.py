"""Which sentences state something: no caption, code, question or line of symbols does."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Span as Sentence
    from spacy.tokens import Token

_CAPTION = re.compile(
    r"(?:fig(?:ure|\.)?|table|listing|example|photo|image|diagram|chart|plate|box)\s+"
    r"(?:\d+|[A-Z]\b)(?:[.-]\d+)*\s*(?:[.:–—-]|[A-Z])",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"^\s*(?:[$#>%]\s|[$#]!|>>>|//|/\*|--?\w+\b|[\w./-]+\s*[:=]=?\s*\S+$|</?\w)"
    r"|[;{}\\]\s*$|&&|\|\||<<|\w\(\)|\S=\S.*\S=\S|\s\|\s"
)
_SYMBOL = re.compile(r"[^\w\s.,;:'’\"“”()!?–—-]")
_WORD = re.compile(r"\b[^\W\d_]{2,}\b")
_PROSE = re.compile(r"[A-Z\"“][^=<>{}\[\]|$]{30,}[.!”\"]")
INDENT = " " * 4
SYMBOLS = 0.08  # of the characters of prose at most


def states(sentence: "Sentence") -> bool:
    """Find out whether a sentence is one that can state something."""
    text = sentence.text.strip()
    if text.endswith("?") or _CAPTION.match(_line(sentence)) or not _WORD.search(text):
        return False
    return _is_said(sentence, text) and not is_code(sentence)


def _is_said(sentence: "Sentence", text: str) -> bool:
    """Whether it has a verb, or the stop of a sentence: a row, a label, a name has neither."""
    among_lines = "\n" in sentence.doc.text
    return not among_lines or text[-1] in '.!;”"' or any(map(is_finite, sentence))


def is_finite(token: "Token") -> bool:
    """Find out whether a token is a verb with a subject's number and time."""
    return token.tag_ in ("VBD", "VBP", "VBZ", "MD")


def is_code(sentence: "Sentence") -> bool:
    """Find out whether a sentence looks like a command or a program's text."""
    text = sentence.text.strip()
    if len(_SYMBOL.findall(text)) > SYMBOLS * len(text) or _CODE.search(text):
        return True
    return _is_set_in(sentence) and not _PROSE.fullmatch(text)


def _is_set_in(sentence: "Sentence") -> bool:
    """Whether its line begins as one of code does."""
    return _line(sentence).startswith(INDENT)


def _line(sentence: "Sentence") -> str:
    """The line that it is in, up to its end."""
    text = sentence.doc.text
    return text[text.rfind("\n", 0, sentence.start_char) + 1 : sentence.end_char]
