"""What a line tells of the term that it begins with answers what that is, or does."""

import pytest

from hoptrail.kg.types import Passage
from hoptrail.reasoning.reader import Reader

from .conftest import Given

BRIM = """Brim keeps folders alike. It is recommended to use --quiet with --skip-hot to run it without a screen.

--skip-hot, Leaves out folders that somebody works in at the moment
--quiet, Prints nothing but errors
-k, --keep N: Keeps N copies of each file; the default is 3

Definitions

basket, A group of folders with one rule. It is what Brim copies.
default basket, The basket that is opened when Brim starts.
mirror – A copy of a basket on another machine."""  # noqa: E501
TRILL = (
    "Trill is run with --omit-busy to run it without a screen.\n\n--omit-busy: Leaves out folders "
    "that somebody works in; --still: Prints nothing but errors"
)
ROWS = (
    "It is recommended to use --mute together with --dry to run it without a screen.\n\n"
    "Option: --mute; Description: Prints nothing but errors\n"
    "Option: --dry; Description: Shows what would be done"
)
VARGO = (
    "Use --mute with --shun-hot to run vargo without a screen.\n\nOPTIONS\n\n"
    "  --shun-hot     Leaves out folders that somebody works in\n  --mute     Prints no errors"
)
TERMS = "casket\nA group of folders with one rule. It is copied.\nshadow\nA copy of a casket."
LEAVES = "Leaves out folders that somebody works in"


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("What does --skip-hot do?", BRIM, f"{LEAVES} at the moment"),
        ("What does the option --keep do?", BRIM, "Keeps N copies of each file"),
        ("what does --quiet do in Brim", BRIM, "Prints nothing but errors"),
        ("What is a basket?", BRIM, "A group of folders with one rule"),
        ("What are mirrors?", BRIM, "A copy of a basket on another machine"),
        ("What does --omit-busy do?", TRILL, LEAVES),
        ("What does --still do?", TRILL, "Prints nothing but errors"),
        ("What does --mute do?", ROWS, "Prints nothing but errors"),
        ("what does --shun-hot do", VARGO, LEAVES),
        ("What is a casket?", TERMS, "A group of folders with one rule"),
    ],
)
def test_the_line_that_begins_with_the_term_answers(
    reader: Reader, given: Given, question: str, text: str, answer: str
) -> None:
    reading = reader.read(question, given([Passage("d", 0, "Brim manual", text)]))
    assert (reading.text, reading.answered) == (answer, True)


def test_what_two_lines_tell_in_other_words_is_left_to_the_scorer(
    reader: Reader, given: Given
) -> None:
    texts = ["-v: Shows the version and stops", "-v: Prints whatever is done"]
    passages = [Passage(f"d{n}", 0, f"Manual {n}", text) for n, text in enumerate(texts)]
    assert reader.read("What does -v do?", given(passages)).rule != "reply"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What does -V do?", "-v: Prints whatever is done\n-q: Prints nothing at all"),
        ("What is the editor?", "Editor: Ann Lee of the Lakeside office"),
        ("What does --dry do?", "--dry-run: Shows what would be done"),
        ("What is a basket in Palter?", BRIM),
    ],
)
def test_another_term_is_not_meant(reader: Reader, given: Given, question: str, text: str) -> None:
    assert reader.read(question, given([Passage("d", 0, "Brim manual", text)])).rule != "reply"
