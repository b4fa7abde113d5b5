"""Triples of a passage by its dependency parse, without a language model. English only.

benchmarks/triples.py measures them on 2Wiki's gold pairs and against GPT-3.5's triples.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..text.words import bare_title
from ..types import PARSED, Statement, Triple
from .clauses import clause_facts, is_clause
from .facts import Fact
from .mentions import DATE
from .mentions import mention_spans as _mention_spans
from .nouns import life_facts, noun_facts
from .reading import Reading
from .spacing import tidy
from .ties import ties

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.tokens import Span as Sentence

__all__ = ["DATE", "EXTRACTOR", "TIED", "mention_spans", "statements", "tidy"]

EXTRACTOR, TIED = PARSED
"""TIED: a name that no rule reached, tied to its sentence's subject or the title: a guess."""

_NOUNS = frozenset({"NOUN", "PROPN", "NUM", "X"})


def statements(passage_id: str, doc: "Doc", title: str) -> list[Statement]:
    """Find what a passage states, each triple once, with the characters of its words.

    Args:
        passage_id: of the passage.
        doc: parse of `tidy(text)`, so that its offsets are the passage's.
        title: of the passage; what a leading "he" or "it" stands for. May be empty.
    """
    found: dict[tuple[str, str, str], Statement] = {}
    name = " ".join(bare_title(title).split())
    for stated in _facts(Reading(doc, name, hint=title[len(name) :])):
        head, relation, tail = stated.head.text, stated.relation, stated.tail.text
        key = (head.lower(), relation, tail.lower())
        if key not in found:
            triple = Triple(head, relation, tail, TIED if stated.tied else EXTRACTOR)
            start, end = stated.tokens
            last = doc[end - 1]
            found[key] = Statement(passage_id, triple, doc[start].idx, last.idx + len(last))
    return list(found.values())


def mention_spans(doc: "Doc", title: str) -> list[tuple[int, int, str]]:
    """Find mentions as (first character, one past the last, label), in order, none overlapping.

    Labels: TITLE, DATE, WORK (quoted), NOBLE, NAME (a capitalised run), or spaCy's.
    """
    return _mention_spans(doc, bare_title(title))


def _facts(reading: Reading) -> Iterator[Fact]:
    of_title: set[str] = set()
    for life in life_facts(reading):
        if life:
            of_title.add(life.tail.text.lower())
            yield life
    for sentence in reading.doc.sents:
        reached: set[int] = set()
        for stated, by_clause in _sentence_facts(reading, sentence):
            yield stated
            if stated.head.text == reading.title:
                of_title.add(stated.tail.text.lower())
            if by_clause:
                for said in (stated.head, stated.tail):
                    reached.update(range(said.start, said.end))
        yield from ties(reading, sentence, reached, of_title)
        reading.remember(sentence)


def _sentence_facts(reading: Reading, sentence: "Sentence") -> Iterator[tuple[Fact, bool]]:
    """(fact, whether a clause states it)."""
    for token in sentence:
        if is_clause(token):
            yield from ((f, True) for f in clause_facts(reading, token) if f)
        elif token.pos_ in _NOUNS:
            yield from ((f, False) for f in noun_facts(reading, token) if f)
