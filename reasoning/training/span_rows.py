"""Questions over paragraphs as tokens, drawn at random, for the span reader to learn from.

Some are put to another paragraph, and in some a name is replaced by another question's: what only
looks alike, and what speaks of another thing, answers nothing. Of some, one sentence alone is read.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...loaders.questions.question import Paragraph, Place, Question
from ...models.span_reader import LONGEST_QUESTION, ROOM
from .sentences import around, likest, sentences

UNKNOWN = -1
"""Where an answer stands in a row: nothing is said of it, and a teacher may know."""
_NOWHERE = -(10**9)  # of characters
_BESIDE = 2  # sentences
_AT_ONCE = 256  # questions among which those of like length are put together
_NAME = re.compile(r"(?<=\s)(?:[A-Z][\w'’-]+|\d{2,4})(?:\s(?:[A-Z][\w'’-]+|\d{2,4}))*")


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is drawn.

    Args:
        tokens: of a batch, padding included.
        elsewhere: share of the answerable questions that are put to another paragraph.
        renamed: share of them in which a name or number is replaced by one of another question
            that the paragraph lacks.
        titled: share of the texts that are read under their title.
        alone: share of the texts of which one sentence is read: the one that tells the answer, else
            the likest to the question.
        beside: share of those that are read with a few of the sentences beside it.
        lured: share of the answerable questions that are put to one of their lures, if they have
            any (see `lures`); of those without an answer, twice as many.
        anywhere: share of the questions that are put to any of their paragraphs, also to one that
            may hold the answer elsewhere than the file says: for a teacher to say.
    """

    tokens: int = 3600
    elsewhere: float = 0.13
    renamed: float = 0.17
    titled: float = 0.6
    alone: float = 0.15
    beside: float = 0.0
    lured: float = 0.0
    anywhere: float = 0.0
    seed: int = 0


OF_SENTENCES = Drawing(elsewhere=0.2, renamed=0.12, titled=0.8, alone=0.8, beside=0.5, lured=0.35)
"""For the one that reads single sentences: most of what it learns from is short."""


@dataclass(frozen=True, slots=True)
class Row:
    """A question with a text as tokens; the answer is from `first` to `last`, 0 where it is none.

    Both are UNKNOWN where nothing is said of it.

    Args:
        asked: how many tokens are the question's, with its marks.
    """

    tokens: list[int]
    asked: int
    first: int = 0
    last: int = 0


def places(question: Question) -> list[Place]:
    """Where a question's answers stand: as its file says, else first in a supporting paragraph."""
    if question.places:
        return list(question.places)
    found = (
        (number, paragraph.text.find(said), len(said))
        for said in _said(question)
        for number, paragraph in enumerate(question.paragraphs)
        if paragraph.is_supporting
    )
    return [(number, start, start + size) for number, start, size in found if start >= 0]


def _said(question: Question) -> list[str]:
    return [said for said in (question.answer, *question.aliases) if said]


def _answers(question: Question, text: str) -> bool:
    return question.answerable and any(said in text for said in _said(question))


def batches(
    questions: Sequence[Question],
    tokenizer: Any,  # noqa: ANN401 - of transformers
    how: Drawing,
) -> Iterator[list[Row]]:
    """Batches without end: questions in random order, those of like length together."""
    draw = random.Random(how.seed)
    names = [name for question in questions for name in _NAME.findall(question.question)]
    asked = _Asked(tokenizer, how, draw, names)
    while True:
        order = draw.sample(questions, len(questions))
        for at in range(0, len(order), _AT_ONCE):
            rows = [asked.row(question) for question in order[at : at + _AT_ONCE]]
            made = list(_packed(sorted(rows, key=lambda row: len(row.tokens)), how.tokens))
            yield from draw.sample(made, len(made))


def _packed(rows: Sequence[Row], most: int) -> Iterator[list[Row]]:
    batch: list[Row] = []
    for row in rows:
        if batch and (len(batch) + 1) * len(row.tokens) > most:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


@dataclass(frozen=True, slots=True)
class _Asked:
    """Draws rows.

    Args:
        names: of all questions.
    """

    tokenizer: Any
    how: Drawing
    draw: random.Random
    names: Sequence[str]

    def row(self, question: Question) -> Row:
        """A question over one of its paragraphs, with an answer or without."""
        draw, often = self.draw, self.how.lured * (1 if question.answerable else 2)
        if question.lures and draw.random() < often:
            return self._lured(question)
        unknown = draw.random() < self.how.anywhere
        number, start, end = self._any(question) if unknown else self._drawn(question)
        unknown = unknown and start < 0 and _answers(question, question.paragraphs[number].text)
        paragraph, asked = question.paragraphs[number], question.question
        if start >= 0 and draw.random() < self.how.renamed:
            other = self._renamed(asked, paragraph)
            if other:
                asked, start, end = other, _NOWHERE, _NOWHERE
        above, text = self._above(paragraph), paragraph.text
        if draw.random() < self.how.alone:
            told = 0 <= start < end
            first, last = around(text, start, end) if told else likest(text, asked)
            if draw.random() < self.how.beside:
                first, last = self._widened(text, first, last)
            text, start, end = text[first:last], start - first, end - first
        row = self._tokens(asked, above + text, start + len(above), end + len(above))
        return replace(row, first=UNKNOWN, last=UNKNOWN) if unknown else row

    def _any(self, question: Question) -> Place:
        """Any paragraph, with the answer's place if its file says one."""
        number = self.draw.randrange(len(question.paragraphs))
        told = places(question) if question.answerable else []
        own = [place for place in told if place[0] == number]
        return self.draw.choice(own) if own else (number, _NOWHERE, _NOWHERE)

    def _lured(self, question: Question) -> Row:
        """A question over a sentence that only looks as if it answered."""
        number, first, last = self.draw.choice(question.lures)
        paragraph = question.paragraphs[number]
        text, told = paragraph.text, paragraph.text[first:last]
        if self.draw.random() < self.how.beside:
            wider = text[slice(*self._widened(text, first, last))]
            told = told if _answers(question, wider) else wider
        return self._tokens(question.question, self._above(paragraph) + told, _NOWHERE, _NOWHERE)

    def _above(self, paragraph: Paragraph) -> str:
        """What is read before a text."""
        titled = paragraph.title and self.draw.random() < self.how.titled
        return f"{paragraph.title}: " if titled else ""

    def _widened(self, text: str, first: int, last: int) -> tuple[int, int]:
        """Where some sentences begin and end, with up to two on either side."""
        parts = sentences(text)
        before = [start for start, end in parts if end <= first][-_BESIDE:]
        behind = [end for start, end in parts if start >= last][:_BESIDE]
        return self.draw.choice([*before, first]), self.draw.choice([last, *behind])

    def _drawn(self, question: Question) -> Place:
        """A paragraph and the answer's place in it; an empty place where nothing there answers."""
        told = places(question) if question.answerable else []
        without = [
            number
            for number, paragraph in enumerate(question.paragraphs)
            if not (told and _answers(question, paragraph.text))
        ]
        if told and not (without and self.draw.random() < self.how.elsewhere):
            return self.draw.choice(told)
        near = [n for n in without if question.paragraphs[n].is_supporting and not told]
        return self.draw.choice(near or without), _NOWHERE, _NOWHERE

    def _renamed(self, asked: str, paragraph: Paragraph) -> str | None:
        """The question about another thing, which the paragraph does not speak of."""
        text = f"{paragraph.title} {paragraph.text}"
        names = [name for name in _NAME.findall(asked) if name in text]
        if not names:
            return None
        name, other = self.draw.choice(names), self.draw.choice(self.names)
        if name[0].isdigit() != other[0].isdigit() or other in text or name in other:
            return None
        return asked.replace(name, other)

    def _tokens(self, asked: str, text: str, start: int, end: int) -> Row:
        """As much of the text as there is room for, with the answer where it has one."""
        told = self.tokenizer(
            [asked, text], add_special_tokens=False, return_offsets_mapping=True, verbose=False
        )
        (asking, ids), offsets = told["input_ids"], told["offset_mapping"][1]
        own = [n for n, (a, b) in enumerate(offsets) if a < end and b > start]
        head = [
            self.tokenizer.cls_token_id,
            *asking[:LONGEST_QUESTION],
            self.tokenizer.sep_token_id,
        ]
        room, begin = ROOM - len(head) - 1, 0
        if own and own[-1] - own[0] < room:
            begin = self.draw.randint(own[-1] - room + 1, own[0])
        begin = max(0, min(len(ids) - room, begin))
        row = Row([*head, *ids[begin : begin + room], self.tokenizer.sep_token_id], len(head))
        if not own or own[0] < begin or own[-1] >= begin + room:
            return row
        return replace(row, first=own[0] - begin + len(head), last=own[-1] - begin + len(head))
