"""What is allowed or forbidden, decided by the one sentence that says so."""

import pytest

from hoptrail.kg.types import Passage
from hoptrail.reasoning.reader import Reader

from .conftest import Given

DOGS = "Dogs aren't allowed in the saloon."
SMOKE = "Smoking is forbidden on board."


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Are dogs allowed in the saloon?", DOGS, "no"),
        ("Can I take my dog into the saloon?", DOGS, "no"),
        ("Are dogs allowed in the saloon?", "No dogs are allowed in the saloon.", "no"),
        ("Is smoking allowed on board?", SMOKE, "no"),
        ("Is smoking forbidden on board?", SMOKE, "yes"),
        ("May visitors park in the yard?", "Visitors may park in the yard.", "yes"),
    ],
)
def test_one_sentence_decides(
    reader: Reader, given: Given, question: str, text: str, answer: str
) -> None:
    reading = reader.read(question, given([Passage("d", 0, "Notes", text)]))
    assert (reading.text, reading.answered) == (answer, True)


@pytest.mark.parametrize(
    ("question", "text", "first"),
    [
        ("Is smoking allowed on board?", "Smoking is forbidden on board, save on deck.", "no"),
        ("Are dogs allowed?", DOGS, "no"),  # elsewhere they may be
        ("Are cats allowed in the saloon?", DOGS, "yes"),  # a guess
        ("May visitors park here?", "Visitors may park here if they are members.", "yes"),
    ],
)
def test_a_condition_or_another_place_is_shown_at_most(
    reader: Reader, given: Given, question: str, text: str, first: str
) -> None:
    reading = reader.read(question, given([Passage("d", 0, "Notes", text)]))
    assert (reading.text, reading.answered) == (first, False)


ROOMS = "Dogs are welcome in the garden but not in the dining room."


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Are dogs welcome in the garden?", ROOMS, "yes"),
        ("Are dogs allowed in the dining room?", ROOMS, "no"),
        ("Is smoking allowed?", "Smoking is forbidden everywhere in the building.", "no"),
        ("May guests use the dryer?", "Guests may use the dryer free of charge.", "yes"),
    ],
)
def test_each_clause_speaks_of_its_place(
    reader: Reader, given: Given, question: str, text: str, answer: str
) -> None:
    reading = reader.read(question, given([Passage("d", 0, "Notes", text)]))
    assert (reading.text, reading.answered) == (answer, True)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Are dogs welcome?", ROOMS),
        ("May guests smoke?", "Guests may smoke on the terrace."),
        ("Are bicycles allowed in the hall?", "Bicycles left in the hall may be removed."),
        ("Can I use the pool?", "The pool may be closed."),
        ("Is food allowed in the hall?", "Food must not be wasted in the hall."),
        ("May pupils sit here?", "Not all pupils may sit here."),
        ("Is smoking allowed on the terrace?", "Smoking isn't forbidden on the terrace."),
        ("Can I swim in the lake?", "Swimming in the lake was stopped in May."),
    ],
)
def test_one_place_is_not_everywhere(
    reader: Reader, given: Given, question: str, text: str
) -> None:
    assert not reader.read(question, given([Passage("d", 0, "Notes", text)])).answered
