"""Triples of a passage by its dependency parse, without a language model. English only.

benchmarks/triples.py measures them on 2Wiki's gold pairs and against GPT-3.5's triples.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..text.words import bare_title
from ..types import PARSED, Statement, Triple
from .clauses import clause_facts, is_clause
from .facts import Fact
from .mentions import DATE
from .mentions import mention_spans as _mention_spans
from .nouns import life_facts, noun_facts
from .prose import judged
from .reading import Reading
from .spacing import tidy
from .ties import ties
from .topics import Part

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.tokens import Span as Sentence

__all__ = ["DATE", "EXTRACTOR", "TIED", "mention_spans", "statements", "tidy"]

EXTRACTOR, TIED = PARSED
"""TIED: a name that no rule reached, tied to its sentence's subject or the title: a guess."""

_NOUNS = frozenset({"NOUN", "PROPN", "NUM", "X"})


def statements(
    passage_id: str, doc: "Doc", title: str, parts: Sequence[Part] = ()
) -> list[Statement]:
    """Find what a passage states, each triple once, with the characters of its words.

    Args:
        passage_id: of the passage.
        doc: parse of `tidy(text)`, so that its offsets are the passage's.
        title: of the passage; what a leading "he" or "it" stands for. May be empty.
        parts: of the passage, each with what it is about instead; a heading states nothing.
    """
    found: dict[tuple[str, str, str], Statement] = {}
    for part in parts or [Part(0, len(doc.text), title)]:
        piece, offset = _cut(doc, part)
        name = " ".join(bare_title(part.topic).split())
        hint = part.topic[len(name) :]
        for stated in _facts(Reading(piece, name, hint, part.divided, part.opens)):
            head, relation, tail = stated.head.text, stated.relation, stated.tail.text
            key = (head.lower(), relation, tail.lower())
            if key not in found:
                triple = Triple(head, relation, tail, TIED if stated.tied else EXTRACTOR)
                first, last = piece[stated.tokens[0]], piece[stated.tokens[1] - 1]
                span = offset + first.idx, offset + last.idx + len(last)
                found[key] = Statement(passage_id, triple, *span)
    return list(found.values())


def _cut(doc: "Doc", part: Part) -> "tuple[Doc, int]":
    """The parse of a part, and where it begins."""
    if part.start == 0 and part.end >= len(doc.text):
        return doc, 0
    inside = [t for t in doc if part.start <= t.idx < part.end and not t.is_space]
    if not inside:
        return doc[:0].as_doc(), 0
    return doc[inside[0].i : inside[-1].i + 1].as_doc(), inside[0].idx


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
    for sentence, _, states in judged(reading.doc):
        if not states:
            continue
        reading.begin(sentence)
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
