"""What tables' rows give in the column asked for, and what figures of a list are told of."""

from collections.abc import Callable

import pytest

from hoptrail.kg.extraction.topics import Part
from hoptrail.kg.extraction.triples import statements
from hoptrail.kg.types import Passage, Statement, Triple
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.reader import Reader, Reading
from hoptrail.reasoning.reader.pages import ReaderPassage

from .conftest import Given, Read

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
                triple = Triple(fields[0][-1], column, value, "table")
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
DELAY = (
    "In day mode (8 kHz) the delay of dotterel is 30 ms, while for night mode (16 kHz), "
    "the delay is 34 ms."
)
RATES = (
    "The codec can encode wideband speech (16 kHz sampling rate) in addition to narrowband speech "
    "(telephone quality, 8 kHz sampling rate)."
)
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
        ("How long is the delay of dotterel in night mode?", DELAY, "34 ms"),
        ("How long is the delay of dotterel in day mode?", DELAY, "30 ms"),
        ("What sampling rate does wideband speech have?", RATES, "16 kHz"),
        ("What sampling rate does narrowband speech have?", RATES, "8 kHz"),
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
        ("What is TCA short for?", "Term: TCA; Meaning: Time of closest approach – when it is up.",
         "Time of closest approach"),
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
        assert reading.missing == "what was found may not be about Ole Berg"


AIDERS = (
    "The first-aiders are Sofia Berger in Linz, Anton Reitner in Steyr and Anna Reiter in Passau."
)
STORAGE = "The storage fee is 30 euros a year for a kayak and 45 euros for a canoe."


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Who is the first-aider in Passau?", AIDERS, "Anna Reiter"),
        ("Who is the first-aider in Steyr?", AIDERS, "Anton Reitner"),
        ("Who is the first-aider in Linz?", AIDERS, "Sofia Berger"),
        ("How much is the storage fee for a kayak?", STORAGE, "30 euros a year"),
        ("How much is the storage fee for a canoe?", STORAGE, "45 euros"),
        ("What is the number of Tides 7.00's bug?", "Tides 7.00 has a bug (418928).", "418928"),
    ],
)
def test_each_of_a_list_is_told_of_what_it_stands_with(
    reader: Reader, given: Given, question: str, text: str, answer: str
) -> None:
    assert reader.read(question, given([Passage("document", 0, "Notes", text)])).text == answer


TIDES = "Tides was written by Ann Lee and Bo Ek. It reads PNG, JPEG and TIFF images."


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who wrote Tides?", "Ann Lee and Bo Ek"),
        ("Who wrote Tides together with Bo Ek?", "Ann Lee"),
        ("Which images does Tides read?", "PNG, JPEG and TIFF images"),
    ],
)
def test_what_several_did_or_are_is_not_answered_by_one(
    reader: Reader, given: Given, question: str, answer: str
) -> None:
    assert reader.read(question, given([Passage("t", 0, "Tides", TIDES)])).text == answer


@pytest.mark.parametrize(
    ("question", "text", "wrong"),
    [
        ("Who took over the library in June 1996?",
         "Having taken over the library from Guy Rand in June 1996, Andreas Dilg mended it.",
         "Guy Rand"),
        ("Which chunk comes first?", "The palette must come before the first pixel chunk.",
         "first pixel chunk"),
        ("Who is the deputy treasurer?", "The treasurer is Owen Tait.", "Owen Tait"),
        ("When does the autumn camp begin?", "The summer camp begins on 2 August.", "2 August"),
        ("Who is on duty on Tuesday?", "On Monday Ann Lee is on duty.", "Ann Lee"),
        ("What is the ISBN of the second edition of Tides?",
         "The third edition of Tides has the ISBN 0-262-68092-0.", "ISBN 0-262-68092-0"),
    ],
)  # fmt: skip
def test_what_is_set_against_it_or_another_of_its_kind_is_not_asserted(
    reader: Reader, given: Given, question: str, text: str, wrong: str
) -> None:
    reading = reader.read(question, given([Passage("document", 0, "Notes", text)]))
    assert not (reading.answered and reading.text == wrong)


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("When is the summer party?", "The summer party was moved from 12 July to 19 July.",
         "19 July"),
        ("In which town is Alder's office?", "Alder's office moved from Graz to Linz.", "Linz"),
    ],
)  # fmt: skip
def test_what_has_moved_is_where_it_moved_to(
    reader: Reader, given: Given, question: str, text: str, answer: str
) -> None:
    assert reader.read(question, given([Passage("document", 0, "Notes", text)])).text == answer


def test_what_holds_now_may_stand_beside_what_no_longer_does(reader: Reader, given: Given) -> None:
    text = "The barn now belongs to Immo Traun, no longer to the Weid family."
    reading = reader.read("Who owns the barn now?", given([Passage("document", 0, "Notes", text)]))
    assert reading.missing != "what was found was so until some time, and may not be now"


FEES_BY_YEAR = """\
Kind: Full; Fee 2024 (£): 96.00; Fee 2025 (£): 104.00
Kind: Junior (under 18); Fee 2024 (£): 48.00; Fee 2025 (£): 50.00"""
SUITS = "Thing: Dry suit; Size: L; Price (£): 10\nThing: Wetsuit; Size: S; Price (£): 8"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the full fee in 2025?", "£104.00"),
        ("How much was the junior fee in 2024?", "£48.00"),
    ],
)
def test_a_year_in_a_columns_name_chooses_it(rows: Ask, question: str, answer: str) -> None:
    reading = rows(question, FEES_BY_YEAR)
    assert (reading.text, reading.answered) == (answer, True)


@pytest.mark.parametrize(
    ("question", "answer"), [("How long is the Ulm?", "24 m"), ("How old is the Ulm?", "9")]
)
def test_a_measure_is_asked_by_its_adjective(rows: Ask, question: str, answer: str) -> None:
    boats = (
        "Boat: Ulm; Length (m): 24; Age: 9; Crew: 5\nBoat: Elbe; Length (m): 30; Age: 4; Crew: 7"
    )
    reading = rows(question, boats)
    assert (reading.text, reading.answered) == (answer, True)


def test_a_row_of_another_size_is_not_meant(rows: Ask) -> None:
    assert rows("What is the price of a dry suit of size S?", SUITS).text != "£10"


def test_a_row_that_says_less_of_what_is_asked_than_another_is_not_meant(read: Read) -> None:
    stations = (
        "Station: Weir; Built: 1926; Pumps: 1; Power: diesel; Notes: Grade II listed\n"
        "Station: Four Acre; Built: 2009; Pumps: 2; Power: electric; Notes: solar roof\n"
        "Station: Drove; Built: 1988; Pumps: 3; Power: electric; Notes: new doors"
    )
    question = "How many pumps does the station with the listed building have?"
    reading = read(question, ("Stations", stations))
    assert not reading.answered or reading.text == "1"


@pytest.mark.parametrize(("asked", "answered"), [("Ann Lee", "yes"), ("Bo Ek", "no")])
def test_y_and_n_are_yes_and_no(rows: Ask, asked: str, answered: str) -> None:
    table = "Name: Ann Lee; Key?: y\nName: Bo Ek; Key?: n"
    reading = rows(f"Does {asked} have a key?", table)
    assert (reading.text, reading.answered) == (answered, True)


MACHINES = """\
Zeiss Axio; Location: room 12; Booked by: Dr. Mara Keller
Lathe; Location: workshop C; Training: every Tuesday"""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where is the Zeiss Axio?", "room 12"),
        ("Who books the Zeiss Axio?", "Dr. Mara Keller"),
        ("where is the lathe", "workshop C"),
        ("When is training for the lathe?", "every Tuesday"),
    ],
)
def test_a_row_whose_name_has_no_column_is_one(rows: Ask, question: str, answer: str) -> None:
    reading = rows(question, MACHINES)
    assert (reading.text, reading.answered) == (answer, True)


def test_a_row_of_another_thing_is_not_meant(rows: Ask) -> None:
    assert not rows("Where is training?", MACHINES).answered


CREW = "Name: Ann Lee; Position: tour guide; Office: 12\nName: Bo Ek; Role: chair; Job: nurse"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is Ann Lee's role?", "tour guide"),
        ("Where is Ann Lee's office?", "12"),
        ("What is Bo Ek's profession?", "nurse"),
    ],
)
def test_a_column_is_asked_by_a_word_that_says_the_same(
    rows: Ask, question: str, answer: str
) -> None:
    reading = rows(question, CREW)
    assert (reading.text, reading.answered) == (answer, True)


def test_where_somebody_lives_is_no_position(rows: Ask) -> None:
    assert not rows("Where does Ann Lee live?", CREW).answered


def test_a_line_of_a_field_is_about_what_its_triple_says(reader: Reader) -> None:
    passage = Passage("document", 0, "Lab handbook", "Nikon Ti2\nLocation: room 14\n", "Nikon Ti2")
    stated = [Statement(passage.id, Triple("Nikon Ti2", "Location", "room 14", "table"), 10, 27)]
    reading = reader.read("Where is the Nikon Ti2?", [ReaderPassage(passage, stated, 1.0)])
    assert (reading.text, reading.answered) == ("room 14", True)


def test_a_list_whose_last_the_parser_takes_for_another_word_s_is_whole(read: Read) -> None:
    text = (
        "The Xorg windowing system provides a graphical user interface for Linux, and countless X "
        "applications including the GNOME, KDE and Xfce desktop environments."
    )
    reading = read("Which desktop environments are there for Linux?", text)
    assert reading.text == "GNOME, KDE and Xfce"
