"""Names that fit, also when they are written otherwise."""

import pytest

from hoptrail.kg.wikidata.names import NameIndex, fit, likeness

NAMES = [
    ("Q1", "James Stanley", True),
    ("Q2", "Payment on Demand", True),
    ("Q3", "Björn Håkansson", True),
    ("Q4", "George I, Prince of Anhalt-Dessau", True),
    ("Q5", "Albany", True),
    ("Q6", "Salt Lantern", False),
    ("Q7", "!!!", True),
]


@pytest.fixture
def index():
    index = NameIndex()
    index.add(NAMES)
    index.finish(1.0)
    yield index
    index.close()


@pytest.mark.parametrize(
    ("mention", "item"),
    [
        ("James Stanley (Bishop)", "Q1"),
        ("PAYMENT ON DEMAND", "Q2"),
        ("Bjorn Hakansson", "Q3"),
        ("Albany, Georgia", "Q5"),
        ("the salt lantern", "Q6"),
        ("Payment of Demands", "Q2"),
        ("!!!", "Q7"),
    ],
)
def test_a_mention_finds_its_item(index, mention, item):
    found = index.candidates(mention)
    assert max(found, key=lambda qid: found[qid]) == item


def test_what_is_merely_similar_can_be_left_out(index):
    assert index.candidates("Payment of Demands", similar=False) == {}


def test_numbers_are_never_similar(index):
    assert index.candidates("George II, Prince of Anhalt-Dessau").get("Q4", 0.0) == 0.0
    assert likeness("apollo 11", "apollo 13") == 0.0


def test_a_label_fits_better_than_an_alias():
    assert fit("Salt Lantern", "Salt Lantern") > fit("Salt Lantern", "x", ["Salt Lantern"]) > 0.9


def test_no_text_breaks_the_index(index):
    for mention in ('"', "a OR b", "NEAR(", "*", "", "\0", "'; DROP TABLE name"):
        index.candidates(mention)
    assert index.candidates("James Stanley")


def test_an_index_is_kept_in_its_file(tmp_path):
    for at in (1.0, 2.0):
        index = NameIndex(tmp_path / "deep" / "names.db")
        index.add(NAMES)
        index.finish(at)
        assert index.made_at == at
        index.close()
