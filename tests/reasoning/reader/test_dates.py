"""Dates in figures, in texts and titles."""

import pytest

from hoptrail.kg.types import Passage
from hoptrail.reasoning.reader import Reader
from hoptrail.reasoning.reader.asked.dates import is_date
from hoptrail.reasoning.reader.whole_dates import whole_date

from .conftest import Given


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("2009-07-22", True),
        ("22/07/2009", True),
        ("8.5.2025", True),
        ("May 2025", True),
        ("1.2.3", False),
        ("13.13.2009", False),
        ("2009-07", False),
        ("10.0.2009.3", False),
    ],
)
def test_dates_are_written_in_figures_too(text: str, is_one: bool) -> None:
    assert is_date(text) == is_one


def test_a_date_in_figures_is_an_answer(reader: Reader, given: Given) -> None:
    text = "The club met on 2025-05-08 in Linz. It met on 2025-06-09 in Graz."
    asked = "When did the club meet in Linz?"
    reading = reader.read(asked, given([Passage("club", 0, "Club", text)]))
    assert (reading.text, reading.answered) == ("2025-05-08", True)


def test_a_date_in_a_title_is_a_candidate(reader: Reader, given: Given) -> None:
    title = "Siskin 1.0.7 Release Notes (2009-07-22)"
    passage = Passage("notes", 0, title, "Changes since 1.0.6, of 2009-06-02: none.")
    study = reader.study("When was Siskin 1.0.7 released?", given([passage]))
    texts = {candidate.text for candidate in study.found}
    assert {"2009-07-22", "2009-06-02"} <= texts
    assert not {"07", "22", "06", "02"} & texts


FROM = "Two of its songs are from 2011's Far Shore."
SONGS = (
    ("Low Tide", f"Low Tide is an album by Ann Lee. {FROM}"),
    ("Far Shore", "Far Shore is Ann Lee's third album. It was released on 11 March 2011."),
)


@pytest.mark.parametrize(
    ("question", "sentence", "told"),
    [
        ("When did Ann Lee release Far Shore?", FROM, "11 March 2011"),
        ("In which year did Ann Lee release Far Shore?", FROM, "2011"),
        ("When did Ann Lee release Far Shore?", "It is of 2011.", "2011"),
        ("When did Ann Lee sell Far Shore?", FROM, "2011"),
    ],
)
def test_a_year_has_the_day_that_the_page_of_it_tells(
    reader: Reader, given: Given, question: str, sentence: str, told: str
) -> None:
    passages = [Passage(title, 0, title, text) for title, text in SONGS]
    evidence = reader.study(question, given(passages)).evidence
    assert whole_date("2011", evidence.asked, sentence, evidence.pages) == told
