"""From when to when: the end that is asked for is the answer."""

import pytest

from hoptrail.kg.types import Passage
from hoptrail.reasoning.reader import Reader

from .conftest import Given

CAFE = "The cafe will be closed from Monday 4 August to Friday 22 August."
LAMPS = "The exhibition of lamps runs from 3 May to 9 June."
TOUR = "The guided tour takes place between 14:00 and 15:30."
WORKS = "The road works last from 7 to 19 September."
SERIES = "Harbour Lights aired on Channel 5 from May 5 to July 8, 2014."
HOURS = "The gallery is open from 10 am to 6 pm."


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("When does the exhibition of lamps begin?", LAMPS, "3 May"),
        ("When does the exhibition of lamps end?", LAMPS, "9 June"),
        ("When does the guided tour start?", TOUR, "14:00"),
        ("When does the guided tour end?", TOUR, "15:30"),
        ("When do the road works start?", WORKS, "7 September"),
        ("When do the road works end?", WORKS, "19 September"),
        ("Which is the first day of the exhibition of lamps?", LAMPS, "3 May"),
        ("From when is the cafe closed?", CAFE, "Monday 4 August"),
        ("Until when is the cafe closed?", CAFE, "Friday 22 August"),
        ("When does the cafe closing begin?", CAFE, "Monday 4 August"),
        ("When does the cafe close in August?", CAFE, "Monday 4 August"),
        ("When is the cafe closed?", CAFE, "Monday 4 August to Friday 22 August"),
        ("On what date was Harbour Lights last aired?", SERIES, "July 8, 2014"),
        ("What time does the gallery open?", HOURS, "10 am"),
        ("What time does the gallery close?", HOURS, "6 pm"),
    ],
)
def test_the_end_that_is_asked_for_is_the_answer(
    reader: Reader, given: Given, question: str, text: str, answer: str
) -> None:
    reading = reader.read(question, given([Passage("d", 0, "Lumen Gallery", text)]))
    assert (reading.text, reading.answered) == (answer, True)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When does the cafe open?", CAFE),
        ("When does the cafe reopen?", CAFE),
        ("From when is the gallery closed?", HOURS),
        ("When does the office open on Wednesdays?",
         "Our offices are open from 8.45 am to 5.15 pm on business days, except on Wednesdays, "
         "when they open at 10 am."),
    ],
)  # fmt: skip
def test_when_it_opens_is_not_told_by_when_it_is_closed(
    reader: Reader, given: Given, question: str, text: str
) -> None:
    assert not reader.read(question, given([Passage("d", 0, "Lumen Gallery", text)])).answered


def test_what_moved_is_no_range(reader: Reader, given: Given) -> None:
    text = "The start of the regatta has been moved from 12 July to 19 July."
    reading = reader.read("When does the regatta start?", given([Passage("d", 0, "News", text)]))
    assert reading.text == "19 July"


def test_days_are_no_time_of_the_day(reader: Reader, given: Given) -> None:
    text = "In the night of 21 to 22 November 2023 the decanter began to vibrate."
    passages = [Passage("d", 0, "Log", text)]
    reading = reader.read("At what time did the decanter begin to vibrate?", given(passages))
    assert reading.text != "21 November 2023"


RAISED = "The annual fee was raised from €40 to €45 in March."


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("What is the annual fee?", RAISED, "€45"),
        ("What was the annual fee before?", RAISED, "€40"),
        ("By how much was the annual fee raised?", RAISED, "€40 to €45"),
        ("What did the pump cost?", "The minutes of May were corrected: the price of the pump was "
         "corrected from £5,300 to £3,500.", "£3,500"),
        ("What does a ticket cost?", "A ticket costs from £3 to £5.", "from £3 to £5"),
    ],
)  # fmt: skip
def test_what_was_raised_is_what_it_came_to(
    reader: Reader, given: Given, question: str, text: str, answer: str
) -> None:
    reading = reader.read(question, given([Passage("d", 0, "News", text)]))
    assert (reading.text, reading.answered) == (answer, True)


def test_what_goes_from_when_to_when_has_not_moved(reader: Reader, given: Given) -> None:
    passages = [Passage("d", 0, "News", "The summer season extends from 3 May to 9 June.")]
    reading = reader.read("When is the summer season?", given(passages))
    assert reading.text == "3 May to 9 June"
