"""What is told of another day, or in brackets behind somebody else, is not asserted."""

import pytest

from .conftest import Read

TRIPS = (
    "Trips of the summer school\n\n- 9 July: Kirkstall Abbey, on foot\n"
    "- 16 July: York by train, lunch in the museum\n- 23 July: Whitby by coach, fish and chips\n"
)
SHIFTS = (
    "date: 2024-05-06; boat: Gull; skipper: Ann Lee\ndate: 2024-05-07; boat: Gull; skipper: Bo Ek"
)
AIDERS = "First aiders: Bea Lind, Hattie Moss, Denise Fox (her certificate runs out in May 2025)."


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Where did the summer school go on 23 July?", TRIPS, "Whitby"),
        ("Who skippered the Gull on 7 May 2024?", SHIFTS, "Bo Ek"),
        ("When does Denise Fox's certificate run out?", AIDERS, "May 2025"),
    ],
)
def test_what_is_told_of_it_is_the_answer(
    read: Read, question: str, text: str, answer: str
) -> None:
    assert read(question, text).text == answer


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Where did the summer school go on 30 July?", TRIPS),
        ("Who skippered the Gull on 8 May 2024?", SHIFTS),
        ("When does Bea Lind's certificate run out?", AIDERS),
    ],
)
def test_what_is_told_of_another_is_not_asserted(read: Read, question: str, text: str) -> None:
    assert not read(question, text).answered
