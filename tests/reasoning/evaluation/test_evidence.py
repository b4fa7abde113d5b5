"""Evidence against gold evidence: each figure computed by hand from the official scripts' rules."""

from dataclasses import replace

import pytest

from hoptrail.loaders.questions.files import Paragraph, Question
from hoptrail.reasoning.evaluation.metrics.evidence import (
    Twin,
    all_supporting,
    document_error_rate,
    evidence,
    facts,
    joint,
    pair_scores,
    paragraph_support,
    support,
    supporting_recall,
)
from hoptrail.reasoning.matching import Agreement, agreement

HOTPOT = Question(
    "q",
    "Who?",
    "Ada Brun",
    (),
    "bridge",
    2,
    (Paragraph("Vik", "A town.", True), Paragraph("Bonn", "A city.", False)),
    (),
    dataset="hotpotqa",
    supporting_facts=(("Vik", 0), ("Vik", 2), ("Ulm", 1)),
)
TWO_WIKI = replace(
    HOTPOT,
    dataset="2wikimultihopqa",
    evidences=(("Salt", "director", "Ada Brun"), ("Ada Brun", "born in", "Oslo")),
    evidence_names=(((), ("A. Brun",)), (("A. Brun",), ("Kristiania", "Christiania"))),
)


def test_facts_are_compared_as_sets() -> None:
    """Said 4, one twice: 2 of 3 are gold; meant 3: P 2/3, R 2/3, F1 2/3."""
    said = [("Vik", 0), ("Vik", 0), ("Vik", 2), ("Ulm", 0)]
    assert facts(said, HOTPOT) == Agreement(0.0, *[pytest.approx(2 / 3)] * 3)
    assert facts(HOTPOT.supporting_facts, HOTPOT) == Agreement(1.0, 1.0, 1.0, 1.0)
    assert facts([], HOTPOT) == Agreement(0.0, 0.0, 0.0, 0.0)


def test_only_2wikimultihopqa_takes_titles_in_any_case() -> None:
    said = [("VIK", 0), ("vik", 2), ("Ulm", 1)]
    assert facts(said, HOTPOT).recall == pytest.approx(1 / 3)
    assert facts(said, TWO_WIKI).exact == 1


def test_nothing_wanted_and_nothing_said_is_exact() -> None:
    assert support([], []) == Agreement(1.0, 0.0, 0.0, 0.0)
    assert paragraph_support([], []).f1 == 1
    assert paragraph_support([1, 2], [2]).f1 == pytest.approx(2 / 3)


def test_joint_figures_are_products() -> None:
    """Answer "Brun": P 1, R 1/2. Facts: P 1/2, R 1/3. Joint: P 1/2, R 1/6, so F1 is 1/4."""
    answer = agreement("Brun", ["Ada Brun"])
    found = joint(answer, facts([("Vik", 0), ("Bonn", 0)], HOTPOT))
    assert found == Agreement(0.0, pytest.approx(1 / 4), 0.5, pytest.approx(1 / 6))


def test_a_right_answer_with_wrong_facts_is_not_jointly_exact() -> None:
    answer = agreement("ada brun", ["Ada Brun"])
    assert joint(answer, facts(HOTPOT.supporting_facts, HOTPOT)).exact == 1
    assert joint(answer, facts([("Vik", 0)], HOTPOT)).exact == 0


def test_triples_count_by_any_name_of_their_entities() -> None:
    said = [("salt", "Director", "A Brun"), ("Ada Brun", "born in", "Christiania")]
    assert evidence(said, TWO_WIKI) == Agreement(1.0, 1.0, 1.0, 1.0)


def test_a_wrong_relation_or_an_article_makes_another_triple() -> None:
    """1 of 3 said is gold, 1 of 2 gold is found: F1 2·(1/6)/(5/6) = 2/5."""
    said = [
        ("Salt", "director", "Ada Brun"),
        ("Ada Brun", "died in", "Oslo"),
        ("Ada Brun", "born in", "the Oslo"),
    ]
    assert evidence(said, TWO_WIKI) == Agreement(
        0.0, pytest.approx(2 / 5), pytest.approx(1 / 3), 0.5
    )


def test_without_known_names_only_the_gold_ones_count() -> None:
    plain = replace(TWO_WIKI, evidence_names=())
    assert evidence([("Ada Brun", "born in", "Kristiania")], plain).precision == 0
    assert evidence([("Ada Brun", "born in", "oslo")], plain).recall == 0.5


def test_a_pair_counts_where_both_twins_are_judged_rightly() -> None:
    """The unanswerable one of the second pair was answered."""
    first = [Twin("1", True, False, 0.8), Twin("1", False, True, 0.3)]
    second = [Twin("2", False, False, 1.0), Twin("2", True, False, 1.0)]
    assert pair_scores([*first, *second]) == [0.8, 0]


def test_a_question_without_its_twin_makes_no_pairs() -> None:
    assert pair_scores([Twin("1", True, False, 1.0)]) == []
    assert pair_scores([Twin("1", True, False, 1.0)] * 2) == []


def test_what_the_reader_saw() -> None:
    shown, gold = ["a", "x", "b"], {"a", "b"}
    assert supporting_recall(shown, gold) == 1
    assert supporting_recall(shown, gold, 2) == 0.5
    assert all_supporting(shown, gold, 3) == 1
    assert all_supporting(shown, gold, 2) == 0
    with pytest.raises(ValueError, match="no supporting documents"):
        supporting_recall(shown, set())


def test_document_error_rate_counts_each_document_once() -> None:
    assert document_error_rate(["a", "x", "x", "y", "b"], {"a", "b"}) == 0.5
    assert document_error_rate([], {"a"}) is None
