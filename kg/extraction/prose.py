"""Which sentences state something: no caption, code, question or line of symbols does."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token
    from spacy.tokens import Span as Sentence

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


def judged(doc: "Doc") -> "Iterator[tuple[Sentence, bool, bool]]":
    """Yield each sentence, whether it looks like code, and whether it can state something."""
    of_doc = doc.text  # once: documents and spans join the words of theirs anew each time
    among_lines = "\n" in of_doc
    begin, is_set_in = 0, False  # of the line that the sentence is in
    for sentence in doc.sents:
        before = doc[sentence.start - 1].text if sentence.start else "\n"
        end = sentence.end_char
        if "\n" in before:
            begin = sentence.start_char
            is_set_in = f"{before.rpartition(chr(10))[2]}{of_doc[begin:end]}".startswith(INDENT)
        text = of_doc[sentence.start_char : end].strip()
        is_code = _is_code(text, is_set_in)
        line = of_doc[begin:end].lstrip()
        states = not (is_code or text.endswith("?") or _CAPTION.match(line))
        yield sentence, is_code, states and _is_said(sentence, text, among_lines)


def _is_said(sentence: "Sentence", text: str, among_lines: bool) -> bool:
    """Whether it has a verb, or the stop of a sentence: a row, a label, a name has neither."""
    if not _WORD.search(text):
        return False
    return not among_lines or text[-1] in '.!;”"' or any(map(_is_finite, sentence))


def _is_finite(token: "Token") -> bool:
    """Whether it is a verb with a subject's number and time."""
    return token.tag_ in ("VBD", "VBP", "VBZ", "MD")


def _is_code(text: str, is_set_in: bool) -> bool:
    """Whether a sentence looks like a command or a program's text."""
    if len(_SYMBOL.findall(text)) > SYMBOLS * len(text) or _CODE.search(text):
        return True
    return is_set_in and not _PROSE.fullmatch(text)
