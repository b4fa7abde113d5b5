"""Documents whose titles name nothing that the question does."""

from collections.abc import Callable, Sequence

import pytest

from hoptrail.kg.types import Passage
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.reader import Reader, Reading
from hoptrail.reasoning.reader.fields import fields_of

from .conftest import Given

TITLE = "Company handbook"
PEOPLE = (
    "Peter Adeyemi was born in Lagos. He joined the company in 2011.",
    "Marta Quist leads the workshop in Tromsø. The workshop has 14 employees.",
    "The Alder 3 was designed by Peter Adeyemi. It was released in May 2019.",
)
COMPANIES = (
    "Alderline is a company in Linz, Austria. It was founded by Hanna Pichler in 1998.",
    "Brightwater makes pumps. Its office is in Graz, Austria.",
)

Read = Callable[[str, Sequence[str]], Reading]


@pytest.fixture
def read(reader: Reader, given: Given) -> Read:
    def reading(question: str, texts: Sequence[str]) -> Reading:
        passages = [Passage("document", n, TITLE, text) for n, text in enumerate(texts)]
        return reader.read(question, given(passages))

    return reading


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where was Peter Adeyemi born?", "Lagos"),
        ("Who designed the Alder 3?", "Peter Adeyemi"),
    ],
)
def test_a_stated_relation_of_a_named_thing_is_sure(read: Read, question: str, answer: str) -> None:
    reading = read(question, PEOPLE)
    assert (reading.text, reading.answered, reading.missing) == (answer, True, "")


def test_the_answer_s_sentence_is_told(read: Read) -> None:
    reading = read("Where was Peter Adeyemi born?", PEOPLE)
    assert reading.sentence == "Peter Adeyemi was born in Lagos."


@pytest.mark.parametrize(
    "question", ["In which country is Quantrel Devices?", "Who founded Quantrel Devices?"]
)
def test_what_is_known_of_another_is_no_answer(read: Read, question: str) -> None:
    reading = read(question, COMPANIES)
    assert not reading.answered
    assert reading.missing == "no passage found says Quantrel Devices"
    assert reading.sentence


def test_a_thing_of_the_right_type_in_another_s_sentence_comes_behind(read: Read) -> None:
    reading = read(
        "Which river flows through Neu-Ulm?",
        [
            "The wide river flows through the old town of Bonn.",
            "The red river flows through the new town of Neu-Ulm.",
        ],
    )
    assert reading.text == "red river"
    assert "Neu-Ulm" in reading.sentence


def test_an_answer_of_another_type_is_not_given(read: Read) -> None:
    reading = read("When was Marta Quist born?", PEOPLE[1:2])
    assert not reading.answered
    assert reading.missing


def test_who_did_it_is_not_what_was_done(read: Read) -> None:
    reading = read("Who designed Peter Adeyemi?", PEOPLE)
    assert not reading.answered


def test_a_title_of_many_parts_is_no_candidate(read: Read) -> None:
    reading = read("Which book tells of Marta Quist?", PEOPLE)
    assert TITLE not in [text for text, _ in reading.candidates]


OFFICES = (
    "City: Linz; Street: Hafengasse 4; Opened: 2011; Staff: 14; Phone: +43 732 555 018\n"
    "City: Graz; Street: Murweg 20; Opened: 2016; Staff: 9; Phone: +43 316 555 022",
    "Contact: Hanna Pichler\nThe lift in the Graz office was repaired on 3 May 2024.",
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the phone number of the Linz office?", "+43 732 555 018"),
        ("When was the office in Graz opened?", "2016"),
        ("In which street is the office in Linz?", "Hafengasse 4"),
    ],
)
def test_a_row_is_read_by_the_names_of_its_fields(read: Read, question: str, answer: str) -> None:
    reading = read(question, OFFICES)
    assert reading.text == answer
    assert answer in reading.sentence


TOOLS = (
    "Two main tools are used for backups: Restora and Keepsafe. The utility vault-sync packs and "
    "unpacks archives.",
    "The pump costs 310 euros and weighs 4.5 kg. It was presented in Edinburgh, Scotland.",
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much does the pump cost?", "310 euros"),
        ("How heavy is the pump?", "4.5 kg"),
    ],
)
def test_the_answer_looks_as_the_question_says(read: Read, question: str, answer: str) -> None:
    assert read(question, TOOLS).text == answer


UNSURE = (
    "Who taught chemistry?",
    "From whom was the boatyard bought?",
)
"""What the best guess is right about, and the calibrator not sure enough of."""
PRODUCTS = (
    "The Alder 3 costs 310 euros; all other pumps cost 520 euros. Ann Lee designed it, and Tom Bek "
    "sold it. Backups are made every two weeks.",
    "Supplier: Fenwick\nTown: Graz\nContact: Ida Holm",
    "restora is a tool which unpacks archives of the company.",
    "The magazine was founded by Rosa Lind, who taught chemistry in Oslo, and by Jens Thorkil.",
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much does the Alder 3 cost?", "310 euros"),
        ("How often are backups made?", "every two weeks"),
        ("Who is the contact of Fenwick?", "Ida Holm"),
        ("Which tool unpacks archives?", "restora"),
        ("Who taught chemistry?", "Rosa Lind"),
    ],
)
def test_clauses_records_and_definitions(read: Read, question: str, answer: str) -> None:
    reading = read(question, PRODUCTS)
    assert reading.text == answer
    assert reading.answered or question in UNSURE


def test_a_row_does_not_speak_of_the_row_before(read: Read) -> None:
    rows = "Product: Alder 3; Colour: red\nProduct: Birch 5; Weight: 4 kg"
    assert not read("How heavy is the Alder 3?", (rows,)).answered


def test_a_phrase_that_only_repeats_the_question_is_no_answer(read: Read) -> None:
    reading = read("Which tools are used for backups?", TOOLS)
    assert "main tools" not in reading.text


def test_a_row_is_one_sentence() -> None:
    rows = [
        "name: Ann Lee; role: head of sales; office: Graz",
        "Absent: Tom Bek",
        "Dep. Port Carrow: 10:45; Arr. Skerra: 12:05; Dep. Skerra: 15:30",
    ]
    [doc] = Pipeline()(["\n".join(rows)])
    assert [s.text.strip() for s in doc.sents] == rows
    names = [name for name, _, _ in fields_of(rows[-1], 0)]
    assert names == ["Dep. Port Carrow", "Arr. Skerra", "Dep. Skerra"]


MUSEUM = (
    "The museum's chairwoman is Ingrid Bohlin. The boatyard was bought from the Sandström family.",
    "The Nordstjernan was a barque. On 12 October 1911 she sank off Luleå. Her captain, Nils "
    "Forsell, later became harbour master.",
    "Adults pay 140 kronor, students 90 kronor.",
    "Name: Ada Nwosu; Instrument: singing; Room: 3.05\n\nName: Kenji Mori; Instrument: piano; "
    "Room: 2.10",
    "The Brass Band rehearses on Wednesdays. The Youth Orchestra toured Portugal in 2019.",
    "Minutes of the board. Present: Ingrid Bohlin, Hamid Rezai. Expenses were 18.4 million kronor.",
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who chairs the museum?", "Ingrid Bohlin"),  # "his successor is", not "succeeded by"
        ("From whom was the boatyard bought?", "Sandström family"),
        ("When did the Nordstjernan sink?", "12 October 1911"),
        ("On which day does the Brass Band rehearse?", "Wednesdays"),
        ("Which country did the Youth Orchestra tour in 2019?", "Portugal"),
    ],
)
def test_roles_rows_and_helped_verbs(read: Read, question: str, answer: str) -> None:
    reading = read(question, MUSEUM)
    assert reading.text == answer
    assert reading.answered or question in UNSURE


@pytest.mark.parametrize(
    ("question", "never"),
    [
        ("What does a ticket cost for students?", "140 kronor"),
        ("What did the captain of the Nordstjernan become later?", "Nils Forsell"),
        ("What is the salary of Hamid Rezai?", "18.4 million kronor"),
    ],
)
def test_what_is_said_of_another_thing_of_the_page_is_not_asserted(
    read: Read, question: str, never: str
) -> None:
    reading = read(question, MUSEUM)
    assert reading.text != never or not reading.answered


def test_a_row_names_whom_it_is_about(read: Read) -> None:
    assert read("Who teaches singing?", MUSEUM).text == "Ada Nwosu"


@pytest.mark.parametrize("name", ["Nick Park", "Sun Yat-sen"])
def test_people_may_be_called_like_places_and_days(read: Read, name: str) -> None:
    reading = read("Who designed the Alder 5?", [f"The Alder 5 was designed by {name} in Linz."])
    assert (reading.text, reading.answered) == (name, True)


HANDBOOK = (
    "The Tern Long Term Care project started in 2014 and maintains old releases of Tern.",
    "BKS is the abbreviation for Basic Keeping System.",
    "Hosts are listed in /etc/tern/hosts.list, which is read every night by the utility terntool.",
)


def test_a_longer_name_is_another_one_s(read: Read) -> None:
    reading = read("In which year was Tern started?", HANDBOOK)
    assert not reading.answered
    assert reading.missing == "what was found may not be about Tern"
    assert read("In which year was Tern Long Term Care started?", HANDBOOK).text == "2014"


def test_an_abbreviation_stands_for_what_it_is_said_to_be(read: Read) -> None:
    reading = read("What does BKS stand for?", HANDBOOK)
    assert (reading.text, reading.answered) == ("Basic Keeping System", True)


def test_a_file_is_named_by_its_whole_path(read: Read) -> None:
    assert read("In which file are the hosts listed?", HANDBOOK).text == "/etc/tern/hosts.list"


def test_a_file_is_a_candidate_wherever_it_stands(reader: Reader, given: Given) -> None:
    text = "Copy foo.c and /usr/share/tern-doc/README.gz there."
    passages = given([Passage("document", 0, TITLE, text)])
    study = reader.study("Which file has the rules?", passages)
    assert study.evidence.asked.form == "path"
    assert {"foo.c", "/usr/share/tern-doc/README.gz"} <= {c.text for c in study.found}


def test_a_state_is_no_county(read: Read) -> None:
    text = "Silver Hall is a shopping mall in Virginia."
    assert not read("In what county is Silver Hall located?", (text,)).answered
    assert read("In what state is Silver Hall located?", (text,)).answered


def test_what_is_only_used_is_of_no_kind(read: Read) -> None:
    text = "On the client side, mail is set up to use Bluebell."
    assert not read("Which mail server is used?", (text,)).answered


RELEASES = (
    "The names of the releases are taken from the characters of the Salt Road movie. The movie is"
    " from 1995.",
    "The sources of packages are listed in the file /etc/pkg/sources.list, as Section 6.1 tells.",
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which film are the names of the releases taken from?", "Salt Road"),
        ("In which file are the sources of packages listed?", "/etc/pkg/sources.list"),
    ],
)
def test_neither_the_noun_asked_for_nor_a_section_is_the_answer(
    read: Read, question: str, answer: str
) -> None:
    assert answer in read(question, RELEASES).text


def test_a_triple_that_ends_at_a_part_of_the_answer_carries_it(read: Read) -> None:
    said = "The warehouse is cleaned every second Monday. The code is changed by Marta Quist."
    reading = read("How often is the warehouse cleaned?", [said])
    assert reading.text == "every second Monday"
    assert [s.triple.tail for s in reading.support] == ["Monday"]


HOUSE = (
    "The keys are kept under the stairs. The rent of the hut is one crown.",
    "Two thirds of the votes are required to change the rules.",
    "The clinic is open between 4 and 5 pm.",
    "The club's colours were green and white until 1951.",
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where are the keys kept?", "stairs"),
        ("What rent has to be paid for the hut?", "one crown"),
        ("What share of the votes is required to change the rules?", "Two thirds"),
        ("When is the clinic open?", "between 4 and 5 pm"),
    ],
)
def test_answers_need_neither_capitals_nor_figures(read: Read, question: str, answer: str) -> None:
    reading = read(question, HOUSE)
    assert (answer in reading.text, reading.missing.startswith("no ")) == (True, False)


def test_what_was_until_a_year_is_not_what_is_today(read: Read) -> None:
    today = read("What are the colours of the club today?", HOUSE)
    assert (today.answered, "until" in today.missing) == (False, True)
    assert read("What were the colours of the club until 1951?", HOUSE).text == "green and white"


MINUTES = (
    "Present: Anna Lindqvist, Robert Castellan, Marta Kovacs.\nAbsent: Tom Bek, Lea Roy.\n\n"
    "The board met on Monday. Robert Castellan, the chief financial officer, opened the meeting.",
)


def test_who_somebody_is_says_a_description(read: Read) -> None:
    reading = read("Who is Robert Castellan?", MINUTES)
    assert reading.answered
    assert reading.text == "chief financial officer"


@pytest.mark.parametrize("name", ["Tom Bek", "Anna Lindqvist"])
def test_who_stands_beside_somebody_is_another(read: Read, name: str) -> None:
    assert not read(f"Who is {name}?", MINUTES).answered


def test_the_support_is_of_the_sentence_that_says_it(read: Read) -> None:
    reading = read("Who is the chief financial officer?", MINUTES)
    assert reading.text == "Robert Castellan"
    text = MINUTES[0]
    assert all(text.index("Robert Castellan, the") <= one.start for one in reading.support)
    assert "chief financial officer" in [one.triple.tail for one in reading.support]


def test_what_only_speaks_of_the_answer_is_no_support(read: Read) -> None:
    text = "Absent: Tom Bek.\n\nThe first prize of the village was given to Tom Bek in May."
    reading = read("Who was absent?", (text,))
    assert reading.text == "Tom Bek"
    assert all(one.end < text.index("\n") for one in reading.support)


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("How are tabs closed?", "Tabs are closed by pressing 'c'.", "by pressing 'c'"),
        ("Which option names the folder?", "The option `save.path` names the folder.", "save.path"),
    ],
)
def test_quotation_marks_come_in_pairs(read: Read, question: str, text: str, answer: str) -> None:
    said = read(question, (text,))
    for shown, _ in said.candidates:
        assert shown.count("'") % 2 == 0
        assert shown.count("`") % 2 == 0
    assert said.text == answer
