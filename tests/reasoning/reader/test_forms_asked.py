"""Questions that ask for a price, a time or a span of time in other words than "how much"."""

import pytest

from hoptrail.kg.types import Passage
from hoptrail.reasoning.reader import Reader

from .conftest import Given, Read


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("What does the tax return cost?",
         "The tax return is done for £2,850 plus VAT.",
         "£2,850 plus VAT"),
        ("What do I pay for the locker?", "You pay £35 for the locker, for 12 months.", "£35"),
        ("price of island card", "The island card costs £8 and is valid for 2 years.", "£8"),
        ("What time does the café close?",
         "The café closes at 5 pm. It closed in 2019 for a year.", "5 pm"),
        ("At what time does sailing 3 leave?", "Sailing 3 leaves on 4 May at 12:30.", "12:30"),
        ("How far in advance must cars be booked?",
         "Cars must be booked at least 24 hours in advance. The ferry takes 18 cars.",
         "at least 24 hours"),
        ("How soon are complaints acknowledged?",
         "Complaints are acknowledged in 3 business days, and answered in 8 weeks.",
         "3 business days"),
        ("What discount do schools get?",
         "Schools get a discount of 30%. Groups of 12 get less.", "30%"),
        ("Who speaks on 8 May?",
         "Date: 8 May; Speaker: Anneke de Wit; Host: Otto Lund\n"
         "Date: 15 May; Speaker: Bo Ek; Host: Ann Lee", "Anneke de Wit"),
        ("What does an adult single to Inchmoy cost now?",
         "An adult single to Inchmoy costs £7.40.", "£7.40"),
    ],
)  # fmt: skip
def test_what_is_asked_for_is_told_by_other_words(
    reader: Reader, given: Given, question: str, text: str, answer: str
) -> None:
    reading = reader.read(question, given([Passage("document", 0, "Notes", text)]))
    assert (reading.text, reading.answered) == (answer, True)


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("How fast may boats go inside the breakwaters?",
         "No vessel shall proceed within the breakwaters at more than four knots.", "four knots"),
        ("For how many nights may one sleep on a boat?",
         "Nobody may sleep on a boat for more than 28 nights in a year.", "28"),
        ("How old are the two oldest boats?",
         "The two oldest boats are more than 90 years old.", "more than 90 years"),
    ],
)  # fmt: skip
def test_what_may_not_be_passed_is_the_bound(
    read: Read, question: str, text: str, answer: str
) -> None:
    assert read(question, text).text == answer
