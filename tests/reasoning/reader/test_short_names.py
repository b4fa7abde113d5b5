"""What a document says of "Wilma" is said of Wilma Garrioch, where it names her so elsewhere."""

import pytest

from hoptrail.kg.types import Passage
from hoptrail.reasoning.reader import Reader, Reading

from .conftest import Given

CLUB = (
    "The Marlow Rowing Club was founded in 1921 by Ernest Tuck, a butcher, and eleven of his "
    "friends, who met in the back room of the Anchor.",
    "In 1934 the Club moved to Temple Lane, where it had leased a barn from the miller.",
    "The Club had lost nine members. Ernest had left his savings of £310 to it.",
)


def read(reader: Reader, given: Given, question: str, *documents: tuple[str, ...]) -> Reading:
    """What is read of documents, each of some passages."""
    passages = [
        Passage(f"d{of}", n, "Notes", text)
        for of, texts in enumerate(documents)
        for n, text in enumerate(texts)
    ]
    return reader.read(question, given(passages))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When did the Marlow Rowing Club move to Temple Lane?", "1934"),
        ("How much did Ernest Tuck leave to the club?", "£310"),
    ],
)
def test_a_part_of_a_name_says_the_whole_where_another_passage_does(
    reader: Reader, given: Given, question: str, answer: str
) -> None:
    reading = read(reader, given, question, CLUB)
    assert (reading.text, reading.answered) == (answer, True)


def test_not_of_another_document(reader: Reader, given: Given) -> None:
    question, other = "How much did Ernest Tuck leave to the club?", CLUB[2:]
    alone = read(reader, given, question, CLUB[:2], other)
    assert alone.confidence < read(reader, given, question, CLUB).confidence


def test_not_where_two_share_the_part(reader: Reader, given: Given) -> None:
    both = (f"{CLUB[0]} Ernest Pratt, the miller, rowed for them.", CLUB[2])
    question = "How much did Ernest Tuck leave to the club?"
    assert not read(reader, given, question, both).answered


def test_a_form_of_address_is_no_part_of_a_name(reader: Reader, given: Given) -> None:
    told = ("While Marion Thackeray is away, Lorcan does the buying for the shop.",)
    reading = read(reader, given, "Who does the buying while Ms Thackeray is away?", told)
    assert (reading.text, reading.answered) == ("Lorcan", True)


def test_a_name_that_need_not_be_said_keeps_back_nothing_sure(reader: Reader, given: Given) -> None:
    told = ("Ruaridh Eunson keeps the books; by day he runs the post office.",)
    reading = read(reader, given, "Who keeps the books of the Trust?", told)
    assert (reading.text, reading.answered) == ("Ruaridh Eunson", True)


def test_a_passage_goes_on_with_what_the_one_before_names(reader: Reader, given: Given) -> None:
    before = "In 1991 Gerald Tesauro of IBM wrote TD-Gammon, which taught itself."
    after = "By version 2.1, which had played 1.5 million games, it was as good as a strong master."
    question = "How many games had TD-Gammon played against itself by version 2.1?"
    reading = read(reader, given, question, (before, after))
    assert (reading.text, reading.answered) == ("1.5 million", True)
    assert not read(reader, given, question, (before, "Nothing else is known."), (after,)).answered
