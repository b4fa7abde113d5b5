"""What the span reader learns from: rows of tokens drawn from questions over paragraphs."""

from dataclasses import replace

import pytest

from hoptrail.loaders.questions.question import Paragraph, Question
from hoptrail.models.encoder_files import packaged_network
from hoptrail.reasoning.training.span_rows import UNKNOWN, Drawing, batches

TEXT = "The inn stands on a hill. It opened on 3 June 1951. Price: 30 euro\nIt closed in autumn."
QUESTION = Question(
    "1", "When did the inn open?", "3 June 1951", (), "", 0, (Paragraph("Inn", TEXT, True),), ()
)
PLAIN = {"elsewhere": 0.0, "renamed": 0.0, "titled": 0.0}


@pytest.fixture(scope="module")
def tokenizer():
    return packaged_network()[0]


def drawn(question, tokenizer, **how):
    """A row: its text, and its answer ("" where it has none)."""
    row = next(batches([question], tokenizer, Drawing(**(PLAIN | how))))[0]
    own, answer = row.tokens[row.asked : -1], row.tokens[row.first : row.last + 1]
    return tokenizer.decode(own), tokenizer.decode(answer) if row.first else ""


def test_a_row_is_the_whole_text_or_the_telling_sentence_alone(tokenizer):
    whole, answer = drawn(QUESTION, tokenizer, alone=0.0)
    assert "inn stands on a hill" in whole
    assert "closed in autumn" in whole
    assert answer == "3 june 1951"
    assert drawn(QUESTION, tokenizer, alone=1.0) == ("it opened on 3 june 1951.", "3 june 1951")


def test_without_an_answer_the_likest_sentence_is_read(tokenizer):
    unanswerable = replace(
        QUESTION, question="What was the price in euro?", answer="", answerable=False
    )
    assert drawn(unanswerable, tokenizer, alone=1.0) == ("price : 30 euro", "")


def test_an_answer_over_two_sentences_keeps_both_and_an_empty_one_is_none(tokenizer):
    at = TEXT.index("1951. Price")
    across = replace(QUESTION, answer="1951. Price", places=((0, at, at + 11),))
    told, answer = drawn(across, tokenizer, alone=1.0)
    assert told == "it opened on 3 june 1951. price : 30 euro"
    assert answer == "1951. price"
    empty = replace(QUESTION, places=((0, 0, 0),))
    assert drawn(empty, tokenizer, alone=1.0)[1] == ""


def test_up_to_two_sentences_on_either_side_are_read_with_it(tokenizer):
    text = "One. Two. Three. It opened on 3 June 1951. Five. Six. Seven."
    asked = replace(QUESTION, paragraphs=(replace(QUESTION.paragraphs[0], text=text),), places=())
    seen = {drawn(asked, tokenizer, alone=1.0, beside=1.0, seed=seed) for seed in range(60)}
    assert {answer for _, answer in seen} == {"3 june 1951"}
    texts = {read for read, _ in seen}
    assert "it opened on 3 june 1951." in texts
    assert "two. three. it opened on 3 june 1951. five. six." in texts
    assert not any("one" in read or "seven" in read for read in texts)


def test_a_lure_is_read_alone_and_answers_nothing(tokenizer):
    at = TEXT.index("It closed")
    lured = replace(QUESTION, lures=((0, at, len(TEXT)),))
    assert drawn(lured, tokenizer, lured=1.0) == ("it closed in autumn.", "")
    assert drawn(lured, tokenizer, lured=0.0)[1] == "3 june 1951"
    assert drawn(QUESTION, tokenizer, lured=1.0)[1] == "3 june 1951"


def test_what_is_read_with_a_lure_holds_no_answer(tokenizer):
    at, end = TEXT.index("Price"), TEXT.index("It closed")
    lured = replace(QUESTION, lures=((0, at, end),))
    seen = {drawn(lured, tokenizer, lured=1.0, beside=1.0, seed=seed)[0] for seed in range(40)}
    assert seen == {"price : 30 euro", "price : 30 euro it closed in autumn."}
    none = replace(lured, answer="", answerable=False)
    seen = {drawn(none, tokenizer, lured=0.5, beside=1.0, seed=seed)[0] for seed in range(40)}
    assert "it opened on 3 june 1951. price : 30 euro" in seen


def test_anywhere_a_text_that_may_hold_the_answer_is_left_to_the_teacher(tokenizer):
    other = Paragraph("Guide", "The guide says 3 June 1951, too.", False)
    plain = Paragraph("Walks", "A path leads to the sea.", False)
    asked = replace(QUESTION, paragraphs=(*QUESTION.paragraphs, other, plain))
    how = Drawing(**PLAIN, alone=0.0, anywhere=1.0)
    seen = {}
    for seed in range(30):
        row = next(batches([asked], tokenizer, replace(how, seed=seed)))[0]
        seen[tokenizer.decode(row.tokens[row.asked : -1])[:9]] = row.first, row.last
    assert seen["the guide"] == (UNKNOWN, UNKNOWN)
    assert seen["a path le"] == (0, 0)
    assert seen["the inn s"][0] > 0
