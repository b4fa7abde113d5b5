"""What misleads a span reader, for the sentence reader to learn from."""

from dataclasses import replace

from hoptrail.loaders.questions.question import Paragraph, Question
from hoptrail.models.span_reader import SpanReader
from hoptrail.reasoning.training.lures import lured, lures

INN = "The inn stands on a hill. It opened on 3 June 1951. The roof was mended in 1999."
MILL = "The mill lies by the river. It opened on 4 May 1960."
QUESTION = Question(
    *("1", "When did the inn open?", "3 June 1951", (), "", 0),
    (Paragraph("Inn", INN, is_supporting=True), Paragraph("Mill", MILL, is_supporting=False)),
    (),
)


def read(question):
    found = lures(question, SpanReader())
    return [question.paragraphs[number].text[start:end].strip() for number, start, end in found]


def test_they_are_the_likeliest_sentences_without_the_answer():
    told = read(QUESTION)
    assert told[0] == "It opened on 4 May 1960."
    assert "It opened on 3 June 1951." not in told
    assert len(told) <= 3


def test_what_may_be_the_answer_in_other_words_is_none():
    dated = replace(QUESTION, answer="June of 1951")
    assert "It opened on 3 June 1951." not in read(dated)
    unanswerable = replace(QUESTION, answer="", answerable=False)
    assert read(unanswerable)[0] == "It opened on 3 June 1951."
    assert read(replace(QUESTION, paragraphs=())) == []


def test_a_sentence_that_holds_the_answer_beside_what_is_taken_for_it_is_none():
    long = (
        "Of all houses with doors painted green, and of all that stand by the lake below the old "
        "road to Umeå, the inn was the last, opened on 3 June 1951 after a quarrel of nine years."
    )
    paragraphs = (Paragraph("Inn", long, is_supporting=True),)
    assert read(replace(QUESTION, answer="painted green", paragraphs=paragraphs)) == []
    assert read(replace(QUESTION, answer="painted red", paragraphs=paragraphs)) == [long]


def test_of_many_questions_a_part_is_read(monkeypatch):
    monkeypatch.setattr("hoptrail.reasoning.training.lures.AT_MOST", 2)
    told = []
    questions = lured([QUESTION] * 5, SpanReader(), lambda *done: told.append(done))
    assert [bool(question.lures) for question in questions].count(True) == 2
    assert told == [(1, 2), (2, 2)]
