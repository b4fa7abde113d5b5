"""Figures of other things, people who did another thing, and lines beside the one asked about."""

import re
from dataclasses import replace

import pytest

from hoptrail.kg.types import PARSED, Passage, Statement, Triple
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.reader import Reader
from hoptrail.reasoning.reader.parsed import Parsed
from hoptrail.reasoning.reader.placed.contrast import is_found_wanting
from hoptrail.reasoning.reader.places import is_whole

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


LOANS = "The loan period may be extended by up to 2 weeks."


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("How long is the loan period?", LOANS, ""),
        ("By how long may the loan period be extended?", LOANS, "2 weeks"),
        ("How long is the exam?", "In the exam the injured get an additional 30 minutes.", ""),
        ("How long do we have to vote?", "During that 24 hour period nobody may vote twice.", ""),
        ("How long is the course?", "This 3-week course teaches turning.", "3 weeks"),
        ("How long was the train delayed?", "The train was delayed by 2 hours.", "2 hours"),
        ("How long is the training?", "Everybody gets a 3-day training.", "3 days"),
    ],
)
def test_what_comes_to_a_time_is_not_its_length(
    read: Read, question: str, text: str, answer: str
) -> None:
    reading = read(question, text)
    assert (reading.text if reading.answered else "") == answer


RULES = (
    "The members may:\n1. Dissolve the club.\n2. Change the rules, provided that they agree by a"
    " 2:1 majority.\n3. Elect the chair."
)
FLOOR = "Dogs are not allowed in the hall"
BOARD = "The board consists of up to 7 members, and should have at least 3 women."


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("What majority is needed to dissolve the club?", RULES, ""),
        ("What majority is needed to dissolve the club?", re.sub(r"\d\. ", "- ", RULES), ""),
        ("What majority is needed to change the rules?", RULES, "2:1 majority"),
        ("What is the scale of the map?", "The map has a scale of 1:25,000.", "1:25,000"),
        ("How many people can sit on the board at most?", BOARD, "7"),
        ("Why are dogs not allowed in the hall?", f"{FLOOR}, except for guide dogs.", ""),
        ("Why are dogs not allowed in the hall?", f"{FLOOR}, as they scratch it, except for guide"
         " dogs.", "they scratch it"),
        ("Why was the bridge closed?", "The bridge was closed for the following reasons.", ""),
        ("When was the Old Guild founded?", "The fair was started in 1904 by the Old Guild.", ""),
        ("When was the Old Guild founded?", "The Old Guild was founded in 1904 by Ann.", "1904"),
        ("Who is the Fund Treasurer?", "The Fund Treasurer is chosen by the Fund Council and the"
         " current Fund Treasurer.", ""),
        ("Who is the Fund Treasurer?", "The Fund Treasurer is Ann Lee.", "Ann Lee"),
        ("What must be done with old paint?", "Old paint has to be sealed and brought to the depot"
         " in Hull; never pour it away.", "sealed and brought to the depot in Hull"),
    ],
)  # fmt: skip
def test_only_what_is_said_of_it_is_the_answer(
    read: Read, question: str, text: str, answer: str
) -> None:
    reading = read(question, text)
    assert (reading.text if reading.answered else "") == answer


def test_a_sentence_that_speaks_of_changes_is_no_notice_of_one(read: Read) -> None:
    later = "Then the list is closed to changes.\nFor the 24 hour period no loan is made."
    reading = read("How long is the loan period?", "The loan period is 3 weeks.", later)
    assert (reading.text, reading.answered) == ("3 weeks", True)


@pytest.mark.parametrize(
    ("text", "part", "whole"),
    [
        ("a 3:1 majority", "1", False),
        ("a 3:1 majority", "3", False),
        ("a 3:1 majority", "3:1", True),
        ("a 3:1 majority", "a 3:1 majority", True),
        ("from 17:30 on", "17", True),
    ],
)
def test_a_ratio_is_one_figure(pipeline: Pipeline, text: str, part: str, whole: bool) -> None:
    of, at = Parsed(Passage("d", 0, "Rules", text), next(iter(pipeline([text])))), text.index(part)
    assert is_whole(of, at, at + len(part)) is whole
