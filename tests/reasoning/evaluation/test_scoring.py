"""One answer by its dataset's measures: options, labels, spans with numbers, and none at all."""

from dataclasses import replace

import pytest

from hoptrail.loaders.questions.files import Question
from hoptrail.reasoning.evaluation.metrics.claims import ClaimScore, claim_score
from hoptrail.reasoning.evaluation.metrics.labels import label
from hoptrail.reasoning.evaluation.metrics.scoring import Score, score
from hoptrail.reasoning.evaluation.metrics.spans import parts, span_agreement
from hoptrail.reasoning.matching import chosen

ASKED = Question("q", "Who?", "Ada Brun", ("A. Brun",), "", 2, (), ())
IIRC = replace(ASKED, dataset="iirc", aliases=())
OPTIONS = ("Bo", "Ada", "Nobody knows", "The rain of May")
CLAIM = replace(
    ASKED,
    answer="SUPPORTS",
    dataset="fever",
    evidence_sets=((("Vik", 7),), (("Vik", 0), ("Bonn", 1))),
)
OPEN = replace(CLAIM, answer="NOT ENOUGH INFO", answerable=False, evidence_sets=())


def test_free_text_counts_by_any_alias() -> None:
    assert score(ASKED, "a brun") == Score(1.0, 1.0, 1.0)
    assert score(ASKED, "It was Ada Brun") == Score(0.0, pytest.approx(2 / 3), 1.0)
    assert score(ASKED, "Ada Brun", abstained=True) == Score(0.0, 0.0, 0.0)


def test_yes_and_no_have_half_marks_in_musique_only() -> None:
    asked = replace(ASKED, answer="no", aliases=())
    overlaps = {
        name: score(replace(asked, dataset=name), "no doubt").f1 for name in ("", "musique")
    }
    overlaps["hotpotqa"] = score(replace(asked, dataset="hotpotqa"), "no doubt").f1
    assert overlaps == {"": 0, "hotpotqa": 0, "musique": pytest.approx(2 / 3)}


def test_an_unanswerable_question_is_right_when_the_method_abstains() -> None:
    none = replace(ASKED, answerable=False)
    assert score(none, "", abstained=True).exact_match == 1
    assert score(none, "Ada Brun").accuracy == 0
    assert score(replace(none, dataset="iirc", answer=""), "None").f1 == 1


def test_a_question_of_a_hidden_test_set_is_never_right() -> None:
    assert score(replace(ASKED, answer="", aliases=()), "").exact_match == 0
    assert score(replace(CLAIM, answer=""), "Ada").exact_match == 0


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("ada", 1),
        ("B", 1),
        ("(b)", 1),
        ("Answer: C. Nobody knows", 2),
        ("The answer is 4", 3),
        ("2.", 1),
        ("a. Bo", 0),
        ("It was the rain, I think.", 3),
        ("E", None),
        ("Somebody", None),
        ("Bo or Ada", None),
        ("", None),
    ],
)
def test_an_option_is_known_by_its_text_letter_number_or_words(text, option) -> None:
    assert chosen(text, OPTIONS) == option


def test_an_option_that_is_a_number_goes_before_its_place() -> None:
    assert chosen("2", ["4", "2", "3", "1"]) == 1
    assert chosen("2.5", ["1.5", "2.5", "3", "4"]) == 1


def test_multiple_choice_is_right_or_wrong() -> None:
    asked = replace(ASKED, dataset="quality", options=OPTIONS, answer="Ada", aliases=())
    assert score(asked, "B.") == Score(1.0, 1.0, 1.0)
    assert score(asked, "Bo") == Score(0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("SUPPORTS", "SUPPORTS"),
        ("The claim is supported.", "SUPPORTS"),
        ("Refuted, as Vik is a town", "REFUTES"),
        ("That is not true", "REFUTES"),
        ("not enough info", "NOT ENOUGH INFO"),
        ("NOT_ENOUGH_INFO", "NOT ENOUGH INFO"),
        ("It is not supported by the text", "NOT ENOUGH INFO"),
        ("Ada", ""),
    ],
)
def test_a_label_is_known_by_its_words(text, said) -> None:
    assert label(text) == said


def test_abstaining_leaves_a_claim_open() -> None:
    assert label("", abstained=True) == "NOT ENOUGH INFO"
    assert score(OPEN, "", abstained=True).exact_match == 1
    assert score(CLAIM, "", abstained=True).exact_match == 0
    assert score(CLAIM, "true").accuracy == 1


def test_a_claim_wants_its_label_and_one_whole_set() -> None:
    """Two of the three sentences said are gold; only half of the second set is there."""
    half = [("Vik", 0), ("Ulm", 3), ("Ulm", 4)]
    assert claim_score(CLAIM, "SUPPORTS", half) == ClaimScore(0.0, pytest.approx(1 / 3), 0.0)
    whole = [*half[:2], ("Bonn", 1)]
    assert claim_score(CLAIM, "SUPPORTS", whole) == ClaimScore(1.0, pytest.approx(2 / 3), 1.0)
    assert claim_score(CLAIM, "REFUTES", whole) == ClaimScore(0.0, pytest.approx(2 / 3), 1.0)


def test_only_the_first_five_sentences_count() -> None:
    late = [*(("Ulm", n) for n in range(5)), ("Vik", 7)]
    assert claim_score(CLAIM, "SUPPORTS", late) == ClaimScore(0.0, 0.0, 0.0)
    assert claim_score(CLAIM, "SUPPORTS", late[1:]).strict == 1


def test_an_open_claim_needs_no_evidence() -> None:
    assert claim_score(OPEN, "NOT ENOUGH INFO", []) == ClaimScore(1.0, None, None)


def test_spans_are_paired_as_best_they_can() -> None:
    """ "Ada Brun" with "Ada" 2·1·½/1.5 = 0.67, "Bo" with "Bo" 1; the third has no partner."""
    assert span_agreement(["Bo", "Ada"], ["Ada Brun", "Bo", "Eve"]) == (0.0, 0.56)
    assert span_agreement(["Bo", "the Ada"], ["ada", "Bo."]) == (1.0, 1.0)


def test_a_number_must_be_the_number() -> None:
    """ "1,000 men" against "900 men" shares a word but no number."""
    assert span_agreement(["1,000 men"], ["900 men"]) == (0.0, 0.0)
    assert span_agreement(["1,000.0"], ["1000"]) == (0.0, 0.0)  # read as 10000, as the script does
    assert span_agreement(["1,000"], ["1000.0"]) == (1.0, 1.0)
    assert span_agreement(["900 years"], ["900"]) == (0.0, 0.67)


def test_iirc_takes_a_number_with_or_without_its_unit() -> None:
    asked = replace(IIRC, answer="900 years", aliases=("900",))
    assert score(asked, "900") == score(asked, "900 Years") == Score(1.0, 1.0, 1.0)
    assert score(asked, "900.0") == Score(1.0, 1.0, 1.0)
    assert score(asked, "901 years").f1 == 0


def test_iirc_takes_a_list_where_it_wants_several_spans() -> None:
    asked = replace(IIRC, answer="Vik, Bonn", spans=("Vik", "Bonn"))
    assert score(asked, "Bonn and Vik") == Score(1.0, 1.0, 1.0)
    assert score(asked, "Bonn") == Score(0.0, 0.5, 0.0)
    assert score(replace(IIRC, answer="Bonn, Germany"), "Bonn, Germany").exact_match == 1


def test_a_list_is_cut_at_what_divides_it() -> None:
    assert parts("Vik; Bonn,Ulm\nKiel and Rand") == ["Vik", "Bonn", "Ulm", "Kiel", "Rand"]
    assert parts("") == [""]
