"""What the span reader's scores say of a candidate."""

from types import SimpleNamespace

import numpy as np
import pytest

from hoptrail.models.span_reader import SpanScores
from hoptrail.reasoning.reader.spans import SPANS, Spans, read


def page(name, *starts):
    return SimpleNamespace(
        id=name, starts=starts, sentence_at=lambda at: sum(at >= s for s in starts) - 1
    )


FIRST, SECOND = page("first", 0), page("second", 0, 5)


def scores(starts, ends):
    """Of words of four letters, with a space between them."""
    offsets = np.array([(5 * n, 5 * n + 4) for n in range(len(starts))])
    return SpanScores(np.array(starts, np.float32), np.array(ends, np.float32), offsets)


@pytest.fixture
def spans():
    return Spans({"first": scores([3, 0], [2, 1]), "second": scores([-1, 1], [-2, 1])})


def signs(spans, *places):
    return dict(zip(SPANS, spans.signs(places), strict=True))


def test_the_best_is_as_far_ahead_as_the_next_is_behind(spans):
    best, next_ = signs(spans, (FIRST, 0, 4)), signs(spans, (SECOND, 5, 9))
    assert (best["span"], best["span_lead"]) == (5, 0)
    assert (next_["span"], next_["span_lead"]) == (2, -3)
    assert best["span_apart"] == 3
    assert next_["span_apart"] == -3


def test_what_it_touches_is_no_rival(spans):
    assert signs(spans, (FIRST, 0, 9))["span_apart"] == 4 - 2  # not behind "0 to 4", which has 5


def test_its_share_is_a_probability(spans):
    alone_there = Spans({"first": scores([3], [2])})
    expected = np.log(np.exp(3) / (1 + np.exp(3))) + np.log(np.exp(2) / (1 + np.exp(2)))
    assert signs(alone_there, (FIRST, 0, 4))["span_share"] == pytest.approx(expected)
    assert signs(spans, (FIRST, 0, 4))["span_share"] < expected  # "5 to 9" takes some


def test_what_stands_nowhere_has_the_least(spans):
    assert set(signs(spans).values()) == {-15.0}


def test_a_sentence_read_alone_says_of_its_own_what_it_says_there():
    of_all = {"first": scores([3, 0], [2, 1]), "second": scores([-1, 1], [-2, 1])}
    spans = Spans(of_all, {("second", 5): scores([4], [3])})
    own, other = signs(spans, (SECOND, 5, 9)), signs(spans, (SECOND, 0, 4))
    assert (own["span"], own["alone"]) == (2, 7)
    assert -0.1 < own["alone_share"] < 0
    assert (other["alone"], other["alone_share"]) == (other["span"], other["span_share"])
    assert (own["alone_lead"], own["alone_apart"]) == (0, 7)  # no other was read alone
    assert other["alone_lead"] == other["alone_apart"] == other["alone"] - 7


def test_the_best_stretches_of_sentences_become_candidates_too(spans):
    alone = {("second", 5): scores([-9, 4], [-9, 3]), ("first", 0): scores([1], [1])}
    of_both = Spans(spans.scores, alone)
    assert set(of_both.more(SECOND)) == set(spans.more(SECOND)) | {(5, 9), (10, 14)}
    assert of_both.of_sentences[0] == (7, "second", 10, 14)


class Asked:
    """A span reader that keeps what it is asked about.

    Args:
        least: what it gives the first token, for either end; the last one has 3.
    """

    def __init__(self, least=0.0):
        self.texts = []
        self.least = least

    def read(self, question, texts):
        self.texts.append(list(texts))
        each = [self.least, 2, -9, 3]
        return [scores(each, each) for _ in texts]


@pytest.mark.parametrize(
    ("least", "texts"),
    [(0.0, ("30 €.", "Each cost", "Wow!")), (-1.5, ("30 €.", "Each cost"))],  # 0; -3: 9 behind
)
def test_the_sentences_of_the_best_stretches_are_read_alone(least, texts):
    text = "Wow! Each cost 30 €."
    lines = SimpleNamespace(
        **vars(page("first", 0, 5, 15)),
        passage=SimpleNamespace(title="Inn", heading="Rooms"),
        text=text,
        texts=["Wow!", "Each cost", "30 €."],
        rank=0,
        recognised={},
        called={},
        said=[frozenset()] * 3,
    )
    of_texts, of_sentences = Asked(least), Asked()
    asked = SimpleNamespace(text="What does a room cost?", kind="other")
    spans = read(of_texts, of_sentences, asked, [lines])
    assert of_texts.texts == [[("Inn, Rooms", text)]]
    assert of_sentences.texts == [[("Inn, Rooms", said) for said in texts]]
    starts = {"Wow!": 0, "Each cost": 5, "30 €.": 15}
    assert set(spans.alone) == {("first", starts[said]) for said in texts}
