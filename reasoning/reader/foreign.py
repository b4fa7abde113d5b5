"""What is only shown: what is read in another language than English, or asked in one."""

from collections.abc import Sequence
from dataclasses import replace

from ...kg.text.language import NAMES, foreign
from ...kg.text.splitting import sentence_spans
from ...kg.text.words import stems
from .asked.alike import alike
from .asked.question import Asked
from .candidates import Mention
from .pages import Page, ReaderPassage
from .rules.rulings import Ruling

_ONLY_ENGLISH = "and without a language model only English is read; give one with --model"


def language_asked(question: str, given: Sequence[ReaderPassage]) -> str:
    """Tell the language of a question, where it is not English."""
    return foreign(question, {p.passage.language for p in given} - {""})


def as_asked(asked: Asked, language: str) -> Asked:
    """The question without what English words would make of it: "was" and "will" ask for no yes."""
    if not language:
        return asked
    kind = "other" if asked.kind in ("yesno", "choice") else asked.kind
    return replace(asked, language=language, kind=kind, options=())


def is_stated(asked: Asked, ruling: Ruling | None, read: Mention | None) -> bool:
    """Whether it is a fact's or a row's, in the relation or column asked for: no prose is read."""
    if ruling is not None:
        return bool(ruling.support)
    if read is None or asked.language:
        return False
    columns = (
        column
        for column, start, end in read.page.fields.get(read.sentence, ())
        if start <= read.start and read.end <= end
    )
    words = frozenset(stems(" ".join(columns)))
    return not asked.wanted.isdisjoint(words.union(*map(alike, words)))


def unread(asked: Asked, page: Page | None) -> str:
    """Say why what was read is not asserted; "" where question and passage are in English."""
    language = page.passage.language if page is not None else ""
    if language:
        return f"the passage is in {NAMES.get(language, language)}, {_ONLY_ENGLISH}"
    return f"the question is not in English, {_ONLY_ENGLISH}" if asked.language else ""


def sentence_read(page: Page, mention: Mention) -> str:
    """The sentence around a mention by its marks: an English parse finds no others' sentences."""
    text = page.text
    spans = sentence_spans(text, page.passage.title, page.passage.language)
    around = [text[s:e] for s, e in spans if s < mention.end and mention.start < e]
    return " ".join(" ".join(around).split())
