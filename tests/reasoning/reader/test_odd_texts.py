"""What is hardly a text, or long, or written as long ago, keeps no question from an answer."""

import pytest

from hoptrail.kg.types import Passage
from hoptrail.reasoning.reader import Reader

from .conftest import Given, Read

ANN = "Ann Lee was born in Oslo."


@pytest.mark.parametrize("mark", ["✓", ".", "?", "–", "👍", '"', "**"])
def test_beside_a_passage_of_one_mark(read: Read, mark: str) -> None:
    reading = read("Where was Ann Lee born?", ANN, mark)
    assert (reading.text, reading.answered) == ("Oslo", True)


def test_below_a_title_of_two_hundred_words(reader: Reader, given: Given) -> None:
    title = " ".join(f"quorum{n}" for n in range(200))
    reading = reader.read("Where was Ann Lee born?", given([Passage("a", 0, title, ANN)]))
    assert reading.text == "Oslo"


@pytest.mark.parametrize("month", ["ſept", "ſeptember", "auguſt"])
def test_months_with_a_long_s(read: Read, month: str) -> None:
    text = f"Bo Ek was born on 3 {month} 1910 in Bergen."
    assert not read(f"Who died on 3 {month} 1911?", text).answered
    assert read("Where was Bo Ek born on 3 September 1910?", text).text == "Bergen"


def test_of_a_name_that_is_asked_for_a_thousand_times(read: Read) -> None:
    reading = read("Is " + "Ann or " * 500 + "Bo?", ANN)
    assert not reading.answered
    assert read("Zug " * 500 + "is what?", ANN).missing.endswith("…")
