"""SQuAD 1.1 and 2.0, SQuADShifts and others in that layout: articles with questions on paragraphs.

data [{title, paragraphs [{context, qas [{id, question, answers [{text, answer_start}],
is_impossible}]}]}], or one such article a record.
"""

from collections.abc import Iterator

from ..records import Record
from . import parts
from .question import Paragraph, Question

NEIGHBOURS = 9
"""Other paragraphs of the article that a question gets: those that follow, then the first ones."""


def questions(record: Record) -> Iterator[Question]:
    """Read the questions of all articles of a record.

    Other annotators' answers are aliases; without any the question has no answer.

    Raises:
        SourceError: a field is missing or of the wrong kind.
    """
    for article in record.inner("data") if "data" in record.data else (record,):
        yield from _of_article(article)


def _of_article(record: Record) -> Iterator[Question]:
    title = record.text("title", "").replace("_", " ")
    told = list(record.inner("paragraphs"))
    texts = [paragraph.text("context") for paragraph in told]
    for number, paragraph in enumerate(told):
        near = [texts[(number + n) % len(texts)] for n in range(min(NEIGHBOURS + 1, len(texts)))]
        paragraphs = tuple(Paragraph(title, text, n == 0) for n, text in enumerate(near))
        for asked in paragraph.inner("qas"):
            yield _question(asked, paragraphs)


def _question(asked: Record, paragraphs: tuple[Paragraph, ...]) -> Question:
    said = tuple(dict.fromkeys(one.text("text") for one in asked.inner("answers")))
    if parts.flag(asked, "is_impossible", False):
        said = ()
    return Question(
        id=asked.text("id"),
        question=asked.text("question").strip(),
        answer=said[0] if said else "",
        aliases=said[1:],
        type="",
        hops=1,
        paragraphs=paragraphs,
        evidences=(),
        answerable=bool(said),
        dataset="squad",
    )
