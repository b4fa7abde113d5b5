"""BM25 of a few passages."""

import pytest

from hoptrail.kg.text.bm25 import bm25

COUNTS = {"theatr": 10, "lantern": 1}


def english(texts: dict[str, tuple[str, str]]) -> dict[str, tuple[str, str, str]]:
    return {id_: (*both, "") for id_, both in texts.items()}


def scored(**texts: tuple[str, str]) -> list[str]:
    """Names, best first."""
    scores = bm25(["theatr", "lantern"], english(texts), COUNTS, 100)
    return sorted(scores, key=lambda name: -scores[name])


def test_rare_words_tell_more_than_common_ones():
    assert scored(common=("x", "a theatre"), rare=("x", "a lantern")) == ["rare", "common"]


def test_a_word_of_the_title_counts_twice():
    assert scored(text=("salt", "a lantern"), title=("lantern", "some salt")) == ["title", "text"]


def test_a_word_counts_less_in_a_long_text_and_less_each_time():
    long = "lantern " + "salt rain wind " * 20
    assert scored(long=("x", long), short=("x", "lantern salt")) == ["short", "long"]
    scores = [
        bm25(["lantern"], english({"a": ("", "lantern " * n), "b": ("", "salt")}), COUNTS, 100)["a"]
        for n in (1, 2, 3)
    ]
    assert scores[2] > scores[1] > scores[0] > scores[2] / 3


def test_what_holds_none_of_them_is_not_found():
    assert scored(other=("salt", "rain")) == []
    assert bm25([], english({"a": ("salt", "rain")}), {}, 100) == {}


@pytest.mark.parametrize("holding", [0, 50, 100])
def test_a_word_that_all_passages_hold_still_counts(holding):
    scores = bm25(["salt"], english({"a": ("", "salt")}), {"salt": holding}, 100)
    assert scores["a"] > 0
