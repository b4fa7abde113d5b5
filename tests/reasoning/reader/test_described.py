"""Questions about what they describe rather than name: "Where was the founder of X born?"."""

from collections.abc import Callable, Sequence

import pytest

from hoptrail.kg.text.words import terms
from hoptrail.kg.types import Passage
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.reader import Reader, Reading
from hoptrail.reasoning.reader.asked.described import unsaid
from hoptrail.reasoning.reader.asked.names import key, same_name
from hoptrail.reasoning.reader.asked.question import take_apart

from .conftest import Given

Read = Callable[[str, Sequence[tuple[str, str]]], Reading]


@pytest.fixture
def read(reader: Reader, given: Given) -> Read:
    def reading(question: str, pages: Sequence[tuple[str, str]]) -> Reading:
        return reader.read(
            question, given([Passage(title, 0, title, text) for title, text in pages])
        )

    return reading


@pytest.mark.parametrize(
    ("question", "described"),
    [
        ("Where was the founder of Skywave Weekly born?", {"founder"}),
        ("When was Ida Moberg's husband born?", {"husband"}),
        ("When did the company that bought Fenwick Mills open?", {"compani", "bought"}),
        ("Who is the founder of Skywave Weekly?", set()),  # asks for no more than the founder
        ("How many members were there at the end of 2022?", set()),
        ("In which town does Ida Moberg live?", set()),
        ("Which languages are spoken on the list for Skywave Weekly?", set()),
    ],
)
def test_what_a_question_describes(pipeline: Pipeline, question: str, described: set[str]) -> None:
    [doc] = pipeline([question])
    assert take_apart(question, doc).described == described


MOBERG = "Ida Moberg", "Ida Moberg (born 4 May 1952) is a painter. She lives in Bergen."
NOTHING_SAID = "what was found may not be about what the question describes"


@pytest.mark.parametrize(
    "question", ["When was Ida Moberg's husband born?", "Where does Ida Moberg's sister live?"]
)
def test_what_is_said_of_the_one_named_is_not_asserted_of_another(
    read: Read, question: str
) -> None:
    reading = read(question, [MOBERG])
    assert (reading.answered, reading.missing) == (False, NOTHING_SAID)
    assert read("When was Ida Moberg born?", [MOBERG]).answered


def test_what_is_asked_of_the_thing_described_has_to_be_said(read: Read) -> None:
    pages = [("Skywave Weekly", "The founder of Skywave Weekly studied in Bergen.")]
    reading = read("Where was the founder of Skywave Weekly born?", pages)
    assert (reading.answered, reading.missing) == (False, NOTHING_SAID)


def test_a_page_that_another_leads_to_need_not_say_the_description(read: Read) -> None:
    pages = [
        ("Tidal Clock", "Tidal Clock is a play in which Ida Moberg played the nurse Vera Lund."),
        ("Ida Moberg", "Ida Moberg (born 4 May 1952) is a Norwegian actress."),
    ]
    reading = read("When was the actress who played Vera Lund in Tidal Clock born?", pages)
    assert reading.text == "4 May 1952"
    assert reading.missing != NOTHING_SAID


@pytest.mark.parametrize(
    ("wanted", "said", "is_said"),
    [("founder", "founded", True), ("mother", "child", False), ("mother", "mother", True)],
)
def test_relatives_are_said_in_so_many_words(wanted: str, said: str, is_said: bool) -> None:
    assert bool(unsaid(frozenset(terms(wanted)), frozenset(terms(said)))) is not is_said


def test_a_sentence_that_says_the_description_answers(read: Read) -> None:
    pages = [("Handbook", "The caretaker of Silver Hall lives in Elvik.")]
    reading = read("Where does the caretaker of Silver Hall live?", pages)
    assert (reading.text, reading.answered) == ("Elvik", True)


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (
            "Ola Fjeld is the son of Princess Berit and Jens Dahl.",
            "Who is Ola Fjeld's mother?",
            "Berit",
        ),
        (
            "Ola Fjeld is the son of Princess Berit and Jens Dahl.",
            "Who is Ola Fjeld's father?",
            "Jens Dahl",
        ),
        (
            "Ola Fjeld is the son of Jens Dahl and Berit Holm.",
            "Who is Ola Fjeld's mother?",
            "Berit Holm",
        ),
    ],
)
def test_titles_tell_mothers_from_fathers(
    read: Read, text: str, question: str, answer: str
) -> None:
    assert read(question, [("Ola Fjeld", text)]).text.endswith(answer)


def test_a_granddaughter_is_no_daughter(read: Read) -> None:
    page = "Ola Fjeld", "Ola Fjeld is the granddaughter of Queen Berit and King Jens."
    assert not read("Who is Ola Fjeld's mother?", [page]).answered


def test_nobody_is_married_to_a_town(read: Read) -> None:
    page = "Ola Fjeld", "Ola Fjeld is a sailor. He married in Bergen in 1932."
    assert read("Who is the spouse of Ola Fjeld?", [page]).rule != "path"


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("Hugh Stafford, 2nd Earl of Stafford", "Thomas Stafford, 3rd Earl of Stafford", False),
        ("Robert Louis Stevenson", "Robert L Stevenson", True),
        ("Dr Jon Berg", "Jon Berg", True),
    ],
)
def test_names_of_other_first_words_are_others(first: str, second: str, same: bool) -> None:
    assert same_name(key(first), key(second)) is same


def test_two_people_are_nobody_s_full_name(read: Read) -> None:
    text = "Ola Fjeld was born to Eleanor and Jens Dahl. His mother is Eleanor."
    assert read("Who is Ola Fjeld's mother?", [("Ola Fjeld", text)]).text == "Eleanor"


def test_nobles_are_named_with_their_land(read: Read) -> None:
    pages = [
        ("Ola Fjeld", "Ola Fjeld is a count. His mother is Eleanor, who was born in 1350."),
        ("Fjordland", "Eleanor of Fjordland ruled the island of Fjordland."),
    ]
    assert read("Who is Ola Fjeld's mother?", pages).text == "Eleanor of Fjordland"
