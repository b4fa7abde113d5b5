"""What tables' rows give in the column asked for, and what figures of a list are told of."""

from collections.abc import Callable

import pytest

from hoptrail.kg.extraction.topics import Part
from hoptrail.kg.extraction.triples import statements
from hoptrail.kg.types import Passage, Statement, Triple
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.reader import Reader, Reading
from hoptrail.reasoning.reader.pages import ReaderPassage

from .conftest import Given

STAFF = """\
Name: Ann Lee; Role: Technician; Hours per week: 30; Phone: 555 0163; Remote?: no; Loan no.: L-7
Name: Bo Ek; Role: Head; Hours per week: 37.5; Phone: 555 0198; Remote?: yes; Loan no.: L-9
Name: Cy Fox; Role: Director; Hours per week: 40; Phone: 555 0141; Remote?: yes; Loan no.: L-8"""
FAMILY = """\
Child: Ann Lee; Father: Ben Lee; Born: 1990
Child: Bo Ek; Father: Dag Ek; Born: 1992"""

Ask = Callable[[str, str], Reading]


@pytest.fixture
def rows(reader: Reader) -> Ask:
    """Reads a table whose rows are called after their first values."""

    def reading(question: str, table: str) -> Reading:
        passage = Passage("document", 0, "Registers", table)
        start, stated = 0, list[Statement]()
        for line in table.split("\n"):
            fields = [field.split(": ") for field in line.split("; ")]
            for column, value in fields[1:]:
                triple = Triple(fields[0][1], column, value, "table")
                stated.append(Statement(passage.id, triple, start, start + len(line)))
            start += len(line) + 1
        return reader.read(question, [ReaderPassage(passage, stated, 1.0)])

    return reading


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is Ann Lee's phone number?", "555 0163"),
        ("How many hours a week does Bo Ek work?", "37.5 hours per week"),
        ("What is the loan number of Cy Fox?", "L-8"),
        ("Who has the loan no. L-9?", "Bo Ek"),
        ("Does Ann Lee work remotely?", "no"),
        ("Does Bo Ek work remotely?", "yes"),
    ],
)
def test_a_row_is_sure_in_the_column_that_is_asked_for(
    rows: Ask, question: str, answer: str
) -> None:
    reading = rows(question, STAFF)
    assert (reading.text, reading.answered) == (answer, True)


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("When was Ben Lee born?", FAMILY),  # who is only told in Ann's row
        ("What is Dee Orr's phone number?", STAFF),
        ("What is Ann Lee's salary?", STAFF),
        ("What is the phone number of the lender of Ann Lee?", STAFF),
        ("Does Dee Orr work remotely?", STAFF),
        ("Does Ann Lee smoke?", STAFF),
    ],
)
def test_a_row_of_another_or_another_column_is_not(rows: Ask, question: str, table: str) -> None:
    assert not rows(question, table).answered


SPACE = (
    "You need at least 3.25 GB of disk space for Amber, 5.5 GB for Birch (4.5 GB if compressed), "
    "4.65 GB for Cedar (2 GB if compressed), and 3.10 GB for Dogwood."
)
TENTS = "The small and large tents sleep 3 and 8 people respectively."
FEES = "Adults pay 140 euros, students 90 euros."


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("How much disk space does Dogwood need?", SPACE, "3.10 GB"),
        ("How much disk space does Amber need?", SPACE, "3.25 GB"),
        ("How much disk space does Birch need?", SPACE, "5.5 GB"),
        ("How much disk space does Cedar need if compressed?", SPACE, "2 GB"),
        ("How many people do the large tents sleep?", TENTS, "8"),
        ("How many people do the small tents sleep?", TENTS, "3"),
        ("How much do students pay?", FEES, "90 euros"),
        ("How much do adults pay?", FEES, "140 euros"),
        ("How long does the ferry from Holm take?",
         "The ferry takes 40 minutes, and leaves every 2 hours from Holm.", "40 minutes"),
    ],
)  # fmt: skip
def test_a_figure_is_told_of_what_it_stands_with(
    reader: Reader, given: Given, question: str, text: str, answer: str
) -> None:
    assert reader.read(question, given([Passage("document", 0, "Notes", text)])).text == answer


@pytest.mark.parametrize("question", ["What do both tents sleep?", "How many sleep in the tents?"])
def test_no_single_figure_is_asserted_of_all(reader: Reader, given: Given, question: str) -> None:
    assert not reader.read(question, given([Passage("document", 0, "Notes", TENTS)])).answered


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Which version of Foobar do I need?", "You need a version of Foobar prior to 4.2.",
         "prior to 4.2"),
        ("Which option silences output?", "Output is silenced by the option --quiet.", "--quiet"),
        ("Where is the key kept?", "The key is kept in /etc/keys.", "/etc/keys"),
        ("Which file sets the colours?", "The colours are set by the file .lessrc.", ".lessrc"),
        ("What does RST stand for?", "RST Format - Abbreviation of Ready Stone Table.",
         "Ready Stone Table"),
    ],
)  # fmt: skip
def test_answers_are_whole(
    reader: Reader, given: Given, question: str, text: str, answer: str
) -> None:
    reading = reader.read(question, given([Passage("document", 0, "Notes", text)]))
    assert (reading.text, reading.answered) == (answer, True)


def test_section_numbers_and_what_two_lines_say_are_no_candidates(
    reader: Reader, given: Given
) -> None:
    text = "2.7.3 Turnouts\nTrains pass them.\nLoss: -1200\nShare: 15"
    reading = reader.read("How many turnouts are there?", given([Passage("d", 0, "Rail", text)]))
    shown = [candidate for candidate, _ in reading.candidates]
    assert "2.7.3" not in shown
    assert not any("1200 Share" in candidate for candidate in shown)


BOATS = (
    "The tug is commanded by Ole Berg. The pilot boat is commanded by Ann Lee; her mate is Bo Ek. "
    "The ferry is run by Liv Aas and her deputy Odd Moe."
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is Ann Lee's mate?", "Bo Ek"),
        ("Who is the deputy of Liv Aas?", "Odd Moe"),
        ("Who is the mate of Ole Berg?", ""),
    ],
)
def test_what_is_hers_is_of_whom_the_sentence_names(
    reader: Reader, pipeline: Pipeline, question: str, answer: str
) -> None:
    passage, doc = Passage("document", 0, "Harbour handbook", BOATS), next(iter(pipeline([BOATS])))
    parts = [Part(0, len(BOATS), "Harbour handbook", divided=True)]
    stated = statements(passage.id, doc, passage.title, parts)
    reading = reader.read(question, [ReaderPassage(passage, stated, 1.0)])
    assert (reading.text if reading.answered else "") == answer
    if not answer:
        assert reading.missing == "no passage found says it of Ole Berg"
