"""A question as it is meant, however it is typed: "can you tell me who ann lee is pls"."""

import re
from collections import Counter
from collections.abc import Iterable

from ....kg.text.words import STOP
from .dates import as_texts_write_days

_GREETING = re.compile(
    r"\A(?:(?:hi|hello|hey|ok|okay|so|please|pls)\b(?: there| all)?[,!.]? +)+", re.I
)
_POLITE = re.compile(
    r"\A(?:(?:can|could|would|will) (?:you|any(?:one|body)|some(?:one|body)) (?:please |kindly )?"
    r"(?:tell|remind) (?:me|us)|do(?:es)? (?:you|any(?:one|body)|some(?:one|body)) know"
    r"|(?:please )?(?:tell|remind) (?:me|us)|i(?:'d| would) like to know|i (?:want|need) to know"
    r"|any idea|i wonder|i was wondering),? +(?=(?:in |at |on |to |for |from |by |of )?"
    r"(?:who|whom|whose|what|which|when|where|why|how)\b)",
    re.I,
)
_WANTED = re.compile(
    r"\A(?:(?:can|could|would) you (?:please )?)?(?:tell|give|show|send) (?:me|us) "
    r"(?=(?:the|[\w-]+'s) )",
    re.I,
)
_THANKS = re.compile(r"[,.]? *\b(?:please|pls|plz|thanks|thank you|thx)\b[ .!]*(?=\?*$)", re.I)
_SHORT = re.compile(r"(who|what|where|when|how)['’]?s (?=\w)", re.I)
_WORD = re.compile(r"\w+(?:-\w+)*")
_START = re.compile(r"(?:^|[.!?:;•|*#>-]\s+|\n\s*|[\"“‘(])\Z")


def plainly(question: str, texts: Iterable[str]) -> str:
    """Write a question without what is only polite, with a question mark and with capitals.

    Where it has no capital of its own, words are written as the texts write them, if they write
    them with a capital only ("steyr", "raid").

    Args:
        question: as it was typed.
        texts: of the passages that it is read in.
    """
    asked = _GREETING.sub("", " ".join(question.split()))
    asked = _THANKS.sub("", asked) or asked
    asked = _WANTED.sub("What is ", _POLITE.sub("", asked))
    if short := _SHORT.match(asked):
        asked = f"{short[1]} is {asked[short.end() :]}"
    asked = asked.strip()
    if not asked:
        return question
    texts = list(texts)
    if asked == asked.lower():
        asked = _with_capitals(asked, texts)
    asked = as_texts_write_days(asked, texts)
    asked = asked[0].upper() + asked[1:]
    return asked if asked.endswith(("?", ".", "!")) else f"{asked}?"


def _with_capitals(question: str, texts: Iterable[str]) -> str:
    wanted = {word for word in _WORD.findall(question) if len(word) > 1 and word not in STOP}
    written: dict[str, Counter[str]] = {word: Counter() for word in wanted}
    for text in texts:
        for found in _WORD.finditer(text):
            word = found.group()
            if word.lower() in written and not _begins(text, found):
                written[word.lower()][word] += 1

    def as_written(found: re.Match[str]) -> str:
        word = found.group()
        forms = written.get(word)
        return word if not forms or word in forms else max(forms, key=lambda form: forms[form])

    return _WORD.sub(as_written, question)


def _begins(text: str, found: re.Match[str]) -> bool:
    """Whether a capital is due to the word's place: it begins a sentence, and no longer name."""
    if not found.group().istitle() or not _START.search(
        text[max(0, found.start() - 4) : found.start()]
    ):
        return False
    return not text[found.end() : found.end() + 2].strip()[:1].isupper()
