"""Questions that ask by a word of their own ("flows", "designed") rather than a known relation."""

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest

from hoptrail.kg.types import Passage, Statement, Triple
from hoptrail.reasoning.reader import Reader, ReaderPassage, Reading
from hoptrail.reasoning.reader.asked.question import take_apart
from hoptrail.reasoning.reader.judging.confidence import only_shown
from hoptrail.reasoning.reader.pages import Evidence
from hoptrail.reasoning.reader.placed.alignment import ALIGNED
from hoptrail.reasoning.reader.rules.rulings import Ruling

TOWN = (
    ("Silver Hall", "was designed by", "Jon Berg"),
    ("Jon Berg", "was born in", "Elvik"),
    ("Jon Berg", "designed", "Crow Tower"),
    ("Drava", "flows through", "Elvik"),
    ("Drava", "flows into", "Grey Sea"),
    ("Silver Hall", "opened on", "4 June 1902"),
)

Ask = Callable[..., Reading]


@pytest.fixture
def ask(reader: Reader) -> Ask:
    def asked(question: str, *triples: tuple[str, str, str], by: str = "hand") -> Reading:
        """One page for each head or tail that is a name; a page states what it is the head of."""
        names = dict.fromkeys(n for head, _, tail in triples for n in (head, tail))
        given = []
        for name in names:
            said = [t for t in triples if t[0] == name]
            passage = Passage(name, 0, name, " ".join(f"{' '.join(t)}." for t in said) or name)
            stated = [Statement(passage.id, Triple(*t, extractor=by)) for t in said]
            given.append(ReaderPassage(passage, stated, 1.0))
        return reader.read(question, given)

    return asked


def path(reading: Reading) -> list[tuple[str, str]]:
    return [(s.triple.head, s.triple.tail) for s in reading.support]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who designed Silver Hall?", "Jon Berg"),
        ("Who was Silver Hall designed by?", "Jon Berg"),
        ("Who was the designer of Silver Hall?", "Jon Berg"),
        ("Which river flows through Elvik?", "Drava"),
        ("Which rivers flow through Elvik?", "Drava"),
        ("When did Silver Hall open?", "4 June 1902"),
    ],
)
def test_one_statement_in_the_words_of_the_question_answers_it(
    ask: Ask, question: str, answer: str
) -> None:
    reading = ask(question, *TOWN)
    assert (reading.text, reading.rule) == (answer, "word")
    assert reading.answered


@pytest.mark.parametrize(
    ("question", "answer", "hops"),
    [
        (
            "Which river flows through the birthplace of Jon Berg?",
            "Drava",
            [("Jon Berg", "Elvik"), ("Drava", "Elvik")],
        ),
        (
            "Where was the designer of Silver Hall born?",
            "Elvik",
            [("Silver Hall", "Jon Berg"), ("Jon Berg", "Elvik")],
        ),
    ],
)
def test_the_word_takes_its_place_among_the_hops(
    ask: Ask, question: str, answer: str, hops: list[tuple[str, str]]
) -> None:
    reading = ask(question, *TOWN)
    assert (reading.text, reading.rule) == (answer, "word")
    assert path(reading) == hops


@pytest.mark.parametrize(
    "question",
    [
        "Who designed Jon Berg?",  # he designed; nobody designed him
        "Which river flows through Grey Sea?",  # it flows into it
        "Which river flows quickly through Elvik?",  # two words, one of them nowhere stated
        "Who repainted Silver Hall?",
        "When did Jon Berg design Crow Tower and Silver Hall?",
    ],
)
def test_other_words_or_the_other_direction_are_no_relation(ask: Ask, question: str) -> None:
    assert ask(question, *TOWN).rule == ""


def test_several_values_decide_nothing(ask: Ask) -> None:
    rivers = [(river, "flows through", "Elvik") for river in ("Drava", "Mura")]
    assert ask("Which river flows through Elvik?", *rivers).rule == ""


def test_a_triple_whose_relation_is_a_guess_decides_nothing(ask: Ask) -> None:
    question = "Which river flows through Elvik?"
    rule = ask(question, ("Drava", "flows through", "Elvik"), by="hand-tied").rule
    assert rule in ("", "sentence")


@pytest.mark.parametrize("word", ["hîs", "thé", "1987", "x" * 250])
def test_a_word_without_a_stem_is_no_relation(ask: Ask, word: str) -> None:
    assert ask(f"Who {word} Silver Hall?", *TOWN).rule == ""


def test_one_of_two_options_is_never_asserted_without_a_rule(ask: Ask) -> None:
    towers = [("Silver Hall", "is a hall in", "Elvik"), ("Crow Tower", "is a tower in", "Norway")]
    drawn = ("Jon Berg", "was engineer of", "Crow Tower")
    reading = ask("Which tower is taller, Silver Hall or Crow Tower?", *towers, drawn)
    assert reading.rule == ""
    assert not reading.answered
    assert {text for text, _ in reading.candidates} == {"Silver Hall", "Crow Tower"}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which is older, Silver Hall or Crow Tower?", "Silver Hall"),
        ("Which is younger, Silver Hall or Crow Tower?", "Crow Tower"),
    ],
)
def test_things_are_as_old_as_their_opening(ask: Ask, question: str, answer: str) -> None:
    reading = ask(question, *TOWN, ("Crow Tower", "was completed in", "1911"))
    assert (reading.text, reading.rule, reading.answered) == (answer, "date", True)
    assert len(reading.support) == 2


def test_people_are_not_as_old_as_what_they_founded(ask: Ask) -> None:
    founded = [("Ada Moe", "founded school in", "1890"), ("Jon Berg", "founded club in", "1880")]
    assert ask("Who is older, Ada Moe or Jon Berg?", *founded).rule == ""


def test_what_only_one_of_two_things_says_is_not_asserted_of_both(ask: Ask) -> None:
    works = [
        ("Tidal Clock", "was composed by", "Sara Lund"),
        ("Winter Ferry", "was composed by", "Erik Strand"),
        ("Sara Lund", "composed", "Salt Lantern"),
    ]
    assert not ask("Who composed Tidal Clock and Winter Ferry?", *works).answered


def nothing_found(reader: Reader, question: str) -> Evidence:
    [doc] = reader.parse([question])
    return Evidence(take_apart(question, doc), ())


@pytest.mark.parametrize(
    ("by", "scored", "shown"),
    [
        ("hand-tied", "Berit Lund", True),
        ("hand-tied", "Elvik", False),
        ("hand", "Berit Lund", False),
    ],
)
def test_a_path_over_a_guess_needs_the_scorer_to_agree(
    reader: Reader, by: str, scored: str, shown: bool
) -> None:
    evidence = nothing_found(reader, "Who is the mother of Ada Moe?")
    statement = Statement("moe", Triple("Ada Moe", "mother", "Elvik", extractor=by))
    ruling = Ruling("Elvik", "path", (statement,))
    aligned = np.ones(len(ALIGNED), dtype=np.float32)
    assert only_shown(evidence, 1.0, ruling, scored, aligned) is shown


FLAWS = (
    "away", "of_another", "of_another_thing", "of_no_kind", "misplaced",
)  # fmt: skip


@pytest.mark.parametrize("sure", [True, False])
@pytest.mark.parametrize("flaw", FLAWS)
def test_what_is_sure_may_stand_apart_or_only_fit_a_description(
    reader: Reader, flaw: str, sure: bool
) -> None:
    evidence = nothing_found(reader, "Who is the mother of Ada Moe?")
    place = SimpleNamespace(**(dict.fromkeys(FLAWS, False) | {flaw: True}))
    aligned = np.ones(len(ALIGNED))
    shown = only_shown(evidence, 1.0, None, "Berit Lund", aligned, place, sure=sure)
    assert shown is not (sure and flaw in ("away", "of_another"))


@pytest.mark.parametrize("sure", [True, False])
@pytest.mark.parametrize(
    ("question", "answer", "shown"),
    [
        ("Who pays the travel?", "the client", False),
        ("In what county is Silver Hall?", "Virginia", True),
        ("What does SXP stand for?", "secure protocol", True),
    ],
)
def test_only_where_words_tell_the_type_another_is_not_asserted(
    reader: Reader, question: str, answer: str, shown: bool, sure: bool
) -> None:
    evidence = nothing_found(reader, question)
    aligned = np.ones(len(ALIGNED))
    aligned[ALIGNED.index("fit")] = -0.2
    assert only_shown(evidence, 1.0, None, answer, aligned, sure=sure) is shown
