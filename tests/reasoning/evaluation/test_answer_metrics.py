import numpy as np
import pytest

from hoptrail.reasoning.evaluation.metrics.abstention import abstention, auroc, selective
from hoptrail.reasoning.evaluation.metrics.intervals import (
    bootstrap,
    bootstrap_f1,
    bootstrap_ratio,
)
from hoptrail.reasoning.matching import (
    Agreement,
    agreement,
    contains,
    exact_match,
    f1,
    normalise_answer,
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


def test_in_musique_a_verdict_has_half_marks() -> None:
    assert f1("no doubt", ["no"], verdicts=False) == pytest.approx(2 / 3)


def test_accuracy_wants_the_gold_answer_word_for_word() -> None:
    assert contains("She was born in the Bergen of old.", ["Oslo", "bergen"]) == 1
    assert contains("a party", ["art"]) == 0
    assert contains("York, New", ["New York"]) == 0
    assert contains("anything", ["", "The"]) == 0


def test_agreement_counts_the_words_of_both() -> None:
    """Said 4 words (the article goes), meant 3, 2 in common: P 2/4, R 2/3, F1 2·2/(4+3)."""
    found = agreement("the old New York harbour", ["New York City"])
    assert found == Agreement(0.0, pytest.approx(4 / 7), 0.5, pytest.approx(2 / 3))


def test_agreement_takes_the_best_of_each_over_the_gold_answers() -> None:
    """Against "Oslo": P 1/2, R 1; against "Oslo in Norway today": P 2/2, R 2/4, F1 2·2/(2+4)."""
    found = agreement("Oslo Norway", ["Oslo", "Oslo in Norway today"])
    assert found == Agreement(0.0, pytest.approx(2 / 3), 1.0, 1.0)


def test_what_is_only_an_article_matches_without_f1_as_in_hotpotqas_script() -> None:
    assert agreement("A", ["a"]) == Agreement(1.0, 0.0, 0.0, 0.0)
    assert agreement("yes", ["no"]) == Agreement(0.0, 0.0, 0.0, 0.0)
    assert agreement("Oslo", []) == Agreement(0.0, 0.0, 0.0, 0.0)


def test_abstaining_has_precision_and_recall() -> None:
    found = abstention([True, True, True, False], [False, True, True, False])
    assert (found.precision, found.recall) == (pytest.approx(1 / 3), 0.5)


def test_without_abstentions_or_unanswerable_questions_there_is_nothing_to_tell() -> None:
    assert abstention([False], [True]) == abstention([], [])
    assert abstention([False], [True]).precision is None
    assert abstention([True], [True]).recall is None


@pytest.mark.parametrize("article", ["a", "an", "the"])
def test_no_article_counts(article: str) -> None:
    assert exact_match(f"{article} Otter", ["Otter"]) == 1


def test_intervals_hold_19_of_20() -> None:
    halves = np.tile([0.0, 1.0], 200)
    wide = 2 * 1.96 * np.sqrt(0.25 / 400)  # the normal approximation
    for found in (
        bootstrap(halves),
        bootstrap_f1(halves, halves),
        bootstrap_ratio(halves, np.ones(400)),
    ):
        assert found.value == pytest.approx(0.5)
        assert found.high - found.low == pytest.approx(wide, rel=0.08)
