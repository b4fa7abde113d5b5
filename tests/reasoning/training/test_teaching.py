"""A larger network learns first, and the span reader learns what it says."""

from dataclasses import replace
from itertools import chain

import pytest
import torch
from support.networks import small_network

from hoptrail.kg.errors import BadRequest, ModelMissing
from hoptrail.loaders.questions.question import Paragraph, Question
from hoptrail.models.encoder_files import packaged_network
from hoptrail.reasoning.training.span_network import SpanNetwork
from hoptrail.reasoning.training.span_rows import UNKNOWN, Drawing, Row, batches
from hoptrail.reasoning.training.spans import Schedule, taught, teaching, train

TEXT = "The inn stands on a hill. It opened on 3 June 1951."
QUESTION = Question(
    "1", "When did the inn open?", "3 June 1951", (), "", 0, (Paragraph("Inn", TEXT, True),), ()
)
HOW = Schedule(
    steps=30, batches=1, rate=1e-3, warm=2, drawing=Drawing(elsewhere=0, renamed=0, anywhere=1.0)
)


def test_a_teacher_learns_to_answer_and_is_the_same_whenever_it_is_asked(tmp_path):
    losses = []
    how = replace(HOW, steps=200, rate=3e-3)
    folder = small_network(tmp_path)
    teacher = taught([QUESTION], how, folder, lambda _step, _steps, loss: losses.append(loss))
    assert losses[-1] < 0.5 * losses[0]
    row = Row([101, 2043, 102, 1996, 7631, 102], 3)
    assert torch.equal(teacher.scores([row]), teacher.scores([row]))


def test_what_the_teacher_says_is_learned_where_the_file_says_nothing(tmp_path):
    teacher = SpanNetwork.larger(small_network(tmp_path))
    teacher.model.eval()
    guide = Paragraph("", "The guide says 3 June 1951, too.", False)
    asked = [replace(QUESTION, paragraphs=(*QUESTION.paragraphs, guide))]
    how = replace(HOW, drawing=replace(HOW.drawing, alone=0.0))
    drawn = chain.from_iterable(batches(asked, packaged_network()[0], how.drawing))
    row = next(row for row in drawn if row.first == UNKNOWN)
    with torch.no_grad():
        teacher.head.weight.mul_(20)  # so that it is sure of something
        wanted = teacher.scores([row]).softmax(1)

    def apart(weights):
        network = SpanNetwork.packaged(weights)
        network.model.eval()
        with torch.no_grad():
            return float((network.scores([row]).softmax(1) - wanted).abs().sum())

    begun = train(asked, replace(how, steps=1, rate=1e-9))
    alone, learned = (
        train(asked, replace(how, rate=3e-4), begin=begun, teacher=one) for one in (None, teacher)
    )
    assert apart(learned) < 0.5 * apart(begun)
    assert apart(learned) < apart(alone)


def test_a_network_of_other_words_or_none_is_refused(tmp_path):
    with pytest.raises(BadRequest, match="has other words than the packaged encoder"):
        SpanNetwork.larger(small_network(tmp_path / "other", words=500))
    with pytest.raises(ModelMissing, match="can't be loaded"):
        SpanNetwork.larger(tmp_path)


def test_a_teacher_is_trained_on_whole_texts_and_sentences_with_places_alone():
    drawing = teaching(HOW).drawing
    assert (drawing.alone, drawing.anywhere) == (0.5, 0.0)
