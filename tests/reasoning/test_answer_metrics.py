import pytest

from hoptrail.reasoning.evaluation.answers import (
    auroc,
    exact_match,
    f1,
    normalise_answer,
    selective,
)


def test_case_articles_and_punctuation_do_not_count() -> None:
    assert normalise_answer("  The U.S.  Senate,  a chamber!") == "us senate chamber"
    assert exact_match("the Salt Lantern", ["Salt lantern."]) == 1


def test_an_article_is_a_word_of_its_own() -> None:
    assert normalise_answer("Athens another theatre") == "athens another theatre"


def test_the_best_of_answer_and_aliases_counts() -> None:
    assert exact_match("NYC", ["New York City", "NYC"]) == 1
    assert f1("York City", ["Paris", "New York City"]) == pytest.approx(0.8)


def test_f1_counts_repeated_words_once_each() -> None:
    assert f1("bora bora bora", ["bora bora"]) == pytest.approx(0.8)


@pytest.mark.parametrize(("said", "meant"), [("yes", "yes it is"), ("no doubt", "no")])
def test_a_verdict_has_no_half_marks(said: str, meant: str) -> None:
    assert f1(said, [meant]) == 0


def test_nothing_in_common_is_zero() -> None:
    assert f1("Oslo", ["Bergen"]) == 0
    assert f1("", ["Bergen"]) == 0
    assert exact_match("Oslo", []) == 0
    assert f1("Oslo", []) == 0


def test_selective_counts_only_what_is_answered() -> None:
    result = selective([0.9, 0.5, 0.49, 0.1], [True, False, True, False])
    assert result.coverage == 0.5
    assert result.precision == 0.5


def test_nothing_answered_has_no_precision() -> None:
    assert selective([0.1], [True]).precision is None
    assert selective([], []).coverage == 0


def test_auroc_of_perfect_reversed_and_tied_confidence() -> None:
    assert auroc([0.9, 0.8, 0.2], [True, True, False]) == 1
    assert auroc([0.1, 0.2, 0.9], [True, True, False]) == 0
    assert auroc([0.5, 0.5], [True, False]) == 0.5
    assert auroc([0.5, 0.7], [True, True]) is None


def test_unequal_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        selective([0.1, 0.2], [True])
