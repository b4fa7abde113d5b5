"""Where the sentences of a text are, for training rows: by full stops and line ends, no parse."""

import re

_ENDS = re.compile(r"(?:[.!?]\s|\n)\s*")  # of a sentence
_WORD = re.compile(r"\w{4,}")

Part = tuple[int, int]
"""(first character, one past the last)."""


def sentences(text: str) -> list[Part]:
    """Where each sentence begins and ends; white space that follows is its own."""
    ends = [found.end() for found in _ENDS.finditer(text)]
    return list(zip([0, *ends], [*ends, len(text)], strict=True))


def around(text: str, start: int, end: int) -> Part:
    """Where the sentence that holds some characters begins and ends, or those that do."""
    parts = [part for part in sentences(text) if part[0] < end and part[1] > start]
    return parts[0][0], parts[-1][1]


def likest(text: str, asked: str) -> Part:
    """Where the sentence begins and ends that has the most words of a question."""
    words = set(_WORD.findall(asked.lower()))

    def shared(part: Part) -> int:
        return len(words.intersection(_WORD.findall(text[slice(*part)].lower())))

    return max(sentences(text), key=shared)
