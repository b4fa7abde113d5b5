"""Figures of other things, people who did another thing, and lines beside the one asked about."""

from dataclasses import replace

import pytest

from hoptrail.kg.types import PARSED, Passage, Statement, Triple
from hoptrail.reasoning.reader import Reader
from hoptrail.reasoning.reader.placed.contrast import is_found_wanting

from .conftest import Given, Read

SCHOOL = """\
There are up to 28 pupils per class. A coach may carry 40 passengers per trip.
The bakery makes 300 rolls a day, and the shop has 9 staff. The path is 12 km long.
The stay lasts two weeks."""
TESTS = (
    "The maximum number of pupils per test is limited to 4,095, and the maximum number of pages per"
    " test is limited to 63."
)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the maximum number of teachers per class?", SCHOOL),
        ("How many teachers are there per class?", SCHOOL),
        ("How many suitcases may a coach carry per trip?", SCHOOL),
        ("How many cakes does the bakery make a day?", SCHOOL),
        ("What is the maximum number of questions per test?", TESTS),
    ],
)
def test_how_many_of_another_thing_is_not_asserted(read: Read, question: str, text: str) -> None:
    assert not read(question, text).answered


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("How many pupils are there per class?", SCHOOL, "28"),
        ("How many students are there per class?", SCHOOL, "28"),
        ("How many passengers may a coach carry per trip?", SCHOOL, "40"),
        ("How many kilometres long is the path?", SCHOOL, "12 km"),
        ("What is the maximum number of pages per test?", TESTS, "63"),
        ("How many people work in the shop?", "The shop has 9 staff.", "9 staff"),
        ("How many days does the stay last?", "The stay lasts two weeks.", "two weeks"),
        ("How many barrels does the cellar hold?", "The cellar holds 90 casks.", "90 casks"),
    ],
)
def test_how_many_of_the_same_is(read: Read, question: str, text: str, answer: str) -> None:
    reading = read(question, text)
    assert (reading.text, reading.answered) == (answer, True)


LETTER = """\
The damaged gate will be replaced by our smith, Col Brandt, on Thursday.
The stolen bicycle was found by a neighbour, Eva Lund.
The late delivery was reported by the caretaker, Ned Foss."""


@pytest.mark.parametrize(
    "question",
    [
        "Who broke the gate?",
        "Who damaged the gate?",
        "Who stole the bicycle?",
        "Who delivered late?",
    ],
)
def test_who_mends_or_finds_it_has_not_done_it(read: Read, question: str) -> None:
    assert not read(question, LETTER).answered


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who shot the mayor?", "Ann Lee, the mayor, was shot at 9:30 am on 2 July 1981."),
        ("Who trained the coach?", "The coach, Bo Ek, was trained in Linz."),
    ],
)
def test_to_whom_it_was_done_has_not_done_it(read: Read, question: str, text: str) -> None:
    assert not read(question, text).answered


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Who replaces the gate?", LETTER, "Col Brandt"),
        ("Who trained in Linz?", "Bo Ek was trained in Linz.", "Bo Ek"),
        ("Who married Ann Lee?", "Bo Ek was married to Ann Lee.", "Bo Ek"),
        ("Who found the bicycle?", LETTER, "Eva Lund"),
        ("Who delivers the bread?", "The delivery of bread is done by Ned Foss.", "Ned Foss"),
        ("Who stole the bicycle?", "The bicycle was stolen by Eva Lund.", "Eva Lund"),
    ],
)
def test_who_did_it_has(read: Read, question: str, text: str, answer: str) -> None:
    reading = read(question, text)
    assert (reading.text, reading.answered) == (answer, True)


COLOURS = (
    "The program draws a square around the boxes of a page:\n\ncyan for empty answers,\n\n"
    "yellow for invalid answers."
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("In what colour are empty answers drawn?", "cyan"),
        ("In what colour are invalid answers drawn?", "yellow"),
    ],
)
def test_the_line_that_says_more_is_meant(read: Read, question: str, answer: str) -> None:
    assert read(question, ("Marker", COLOURS)).text == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [("How do double items begin?", "**"), ("How do simple items begin?", "*")],
)
def test_the_clause_that_says_more_is_meant(read: Read, question: str, answer: str) -> None:
    text = "Simple items begin with a * sign, and double items begin with a **."
    reading = read(question, text)
    assert reading.text.removesuffix(" sign") == answer


@pytest.mark.parametrize(("said", "known"), [("PARALLEL", False), ("CFO", True)])
def test_who_somebody_is_says_no_word_in_capitals_but_an_office(
    reader: Reader, given: Given, said: str, known: bool
) -> None:
    [page] = given([Passage("document", 0, "Interfaces", f"Interface by Jan Kansky, {said}.")])
    stated = Statement(page.passage.id, Triple("Jan Kansky", "is", said, PARSED[0]), 13, 23)
    found = reader.read("Who is Jan Kansky?", [replace(page, statements=[stated])])
    assert (found.rule == "path", found.answered) == (known, known)


def test_what_is_too_low_is_not_what_should_be(read: Read) -> None:
    text = (
        "Back room, Monday: humidity 38% - too low, as the heating was left on. Keep it between 45 "
        "and 55."
    )
    assert read("What was the humidity in the back room?", text).text == "38%"
    should = read("What should the humidity in the back room be?", text)
    assert "38" not in should.text or not should.answered


@pytest.mark.parametrize(
    ("question", "wanting"),
    [("How old must a visitor be to hold a falcon?", True), ("Who can't hold a falcon?", False)],
)
def test_what_is_said_of_nobody_is_not_how_it_must_be(question: str, wanting: bool) -> None:
    assert is_found_wanting(question, "Nobody ", "under 16", " holds a falcon.") == wanting


def test_what_has_the_same_name_is_not_what_the_name_is_of(read: Read) -> None:
    text = "Ann Lee plays Tom Hart in Low Tide. In the war Tom Hart was caught by surprise."
    who = "Who plays the man with the same name as he who was caught by surprise?"
    assert not read(who, text).answered
    assert read("Who plays Tom Hart in Low Tide?", text).answered


HOUSE = (
    "The car insurance ends on 4 May 2025. The spare key of the house is with Mrs Quill. The cat's "
    "vet is Dr Lamb. The kitchen tap was fixed by Lou Ott."
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who has the spare key of the house?", "Mrs Quill"),
        ("Who is the cat's vet?", "Dr Lamb"),
        ("Who fixed the kitchen tap?", "Lou Ott"),
        ("Who has the spare key of the office?", ""),
        ("Who has the spare key of the car?", ""),
        ("Who is the dog's vet?", ""),
        ("Who fixed the bathroom tap?", ""),
    ],
)
def test_the_key_of_the_house_is_not_the_car_s(read: Read, question: str, answer: str) -> None:
    reading = read(question, HOUSE)
    assert reading.answered is bool(answer)
    assert answer in reading.text
