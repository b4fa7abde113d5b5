"""What a span reader takes for an answer though it is none: the sentence reader learns from it.

Sentences drawn by likeness alone are easily told from an answer; these are those it will be shown.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from ...kg.text.words import terms
from ...loaders.questions.question import Place, Question
from ...models.span_reader import SpanReader
from ..reader.spans import Spans
from .sentences import around

AT_MOST = 10_000  # questions: an eighth of a second each
_PARAGRAPHS = 6  # that are read
_KEPT = 3  # sentences


def lured(
    questions: Sequence[Question],
    reader: SpanReader,
    on_step: Callable[[int, int], None] | None = None,
    seed: int = 0,
) -> list[Question]:
    """Give questions their lures; of more than AT_MOST a random part.

    Args:
        reader: of whole texts.
        on_step: told how many of how many were read.

    Raises:
        ModelMissing: the reader's weights can't be read.
    """
    some = random.Random(seed).sample(range(len(questions)), min(AT_MOST, len(questions)))
    given = list(questions)
    for done, number in enumerate(some, 1):
        given[number] = replace(given[number], lures=lures(given[number], reader))
        if on_step is not None:
            on_step(done, len(some))
    return given


def lures(question: Question, reader: SpanReader) -> tuple[Place, ...]:
    """Return the sentences of the best stretches that hold no answer, likeliest first."""
    paragraphs = question.paragraphs[:_PARAGRAPHS]
    scores = reader.read(question.question, [(p.title, p.text) for p in paragraphs])
    spans = Spans({str(number): of for number, of in enumerate(scores)})
    golds = [g for g in (question.answer, *question.aliases) if g] if question.answerable else []
    misleads: dict[Place, bool] = {}
    for _, number, start, end in spans.stretches:
        text = paragraphs[int(number)].text
        first, last = around(text, start, end)
        answers = _answers(text[start:end], text[first:last], golds)
        place = int(number), first, last
        misleads[place] = misleads.get(place, True) and not answers
    return tuple(place for place, holds in misleads.items() if holds)[:_KEPT]


def _answers(stretch: str, sentence: str, golds: Sequence[str]) -> bool:
    """Whether it may be an answer in other words, too: then it teaches nothing."""
    said, low = set(terms(stretch)), sentence.lower()
    for gold in golds:
        words = set(terms(gold))
        shared = len(words & said)
        if gold.lower() in low or (shared and 2 * shared >= min(len(words), len(said))):
            return True
    return False
