"""Lines and clauses beside the one asked about."""

import pytest

from .conftest import Read

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
