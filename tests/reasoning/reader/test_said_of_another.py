"""What a sentence or row says of another thing than the one asked about is not asserted."""

import pytest

from .conftest import Read


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("Who is the treasurer?", ["Is Tom the treasurer now, or is it still Ann Lee?"]),
        ("Who has the key to Sandpiper?",
         ["[2025-04-16 10:30] <yuki> who has the key to sandpiper?"]),
    ],
)  # fmt: skip
def test_what_stands_in_a_question_is_not_asserted(
    read: Read, question: str, texts: list[str]
) -> None:
    assert not read(question, *texts).answered


def test_an_aside_of_a_question_states_something(read: Read) -> None:
    text = "Looking for a hall for your party (the hall seats 120 people)? Ring the office."
    reading = read("How many people does the hall seat?", text)
    assert (reading.text.split()[0], reading.answered) == ("120", True)


def test_what_is_stated_comes_before_what_is_asked(read: Read) -> None:
    stated = "HMRC have agreed to extend the reply till 17 April."
    asked = "Is it still 10 April for answering HMRC?"
    assert read("Until when must HMRC be answered?", stated, asked).text == "17 April"


KEPT = (
    "We keep closed files for seven years, wills for thirty years, and files about land for "
    "15 years."
)
GROUPS = "Groups of 12 or more receive 15% off, schools 30%."


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("How long are land files kept?", KEPT, "15 years"),
        ("How long are wills kept?", KEPT, "thirty years"),
        ("How long are closed files kept?", KEPT, "seven years"),
        ("What discount do schools get?", GROUPS, "30%"),
        ("What discount do groups get?", GROUPS, "15%"),
    ],
)
def test_numbers_in_words_are_figures_of_a_list(
    read: Read, question: str, text: str, answer: str
) -> None:
    assert read(question, text).text == answer


@pytest.mark.parametrize(
    "question",
    [
        "Who did Tobias Wren take over from?",
        "Who did Tobias replace?",
        "Who was Tobias Wren's predecessor?",
        "Whose place did Tobias Wren take?",
    ],
)
def test_whom_somebody_took_over_from_is_the_predecessor(read: Read, question: str) -> None:
    text = "Tobias Wren handles your matter. Tobias took over from Gillian Stott."
    reading = read(question, text)
    assert (reading.text, reading.answered) == ("Gillian Stott", True)


def test_what_is_compared_with_another_year_is_not_of_that_year(read: Read) -> None:
    text = "Last year the company carried 186,400 passengers, 6% more than in 2023."
    assert not read("How many passengers were carried in 2023?", text).answered


@pytest.mark.parametrize(
    ("question", "known"),
    [
        ("When does the office open on Wednesdays?", False),
        ("When does the office open?", True),
    ],
)
def test_an_hour_of_other_days_is_none_of_the_day_that_is_excepted(
    read: Read, question: str, known: bool
) -> None:
    text = "The office is open from 8.45 am to 5.15 pm, except on Wednesdays, when it opens late."
    assert read(question, text).answered is known


RETURN = (
    "SERVICE NOTICE 30 June 2025",
    "MV Fulmar - gearbox\n\nSailing 4 (16.40) leaves at 17:10.\n"
    "Fulmar is expected back from the yard at Buckie on 21 July.",
)
LATER = (
    "SERVICE NOTICE 18 July 2025 - supersedes the notice of 30 June",
    "The gearbox of the MV Fulmar needs a part from Norway. She will not return on 21 July; "
    "new date 11 August.",
)
SLIP = ("Notice", "The slip at Inchmoy will be closed to vehicles from 12 May to 23 May.")
MOVED = (
    "Notice: CHANGED DATES Inchmoy slip",
    "CHANGED DATES: repairs to Inchmoy slip\n\n9 May 2025\n\nBecause the steel has been delayed, "
    "the closure of the Inchmoy slip to vehicles announced on 28 April is postponed. The slip will "
    "now be closed from 26 May to 6 June.",
)
YARD = (
    "NOTICE",
    "Easter closing of the yard\n\nThe yard will be closed from Good Friday 18 April to Tuesday 22 "
    "April.\n\n21 March 2025, Ani",
)
NEWER = (
    "NOTICE (new version!! please bin the old one)",
    "Easter closing of the yard\n\nThe yard will be closed from Thursday 17 April to Tuesday 22 "
    "April.\n\n31 March 2025, Ani",
)
REVISED = ("Revised notice", NEWER[1])


@pytest.mark.parametrize(
    ("question", "texts", "answer"),
    [
        ("When will the Fulmar be back?", [RETURN, LATER], "11 August"),
        ("When will the Fulmar be back?", [RETURN], "21 July"),
        ("What is the mains voltage in India?",
         ["The mains voltage in India is 230V. In a cycle it changes from zero to 325V and back."],
         "230V"),
        ("When is the Inchmoy slip closed to vehicles?", [SLIP, MOVED], "26 May to 6 June"),
    ],
)  # fmt: skip
def test_a_later_notice_comes_before_what_it_changes(
    read: Read, question: str, texts: list[str | tuple[str, str]], answer: str
) -> None:
    reading = read(question, *texts)
    assert (reading.text, reading.answered) == (answer, True)


@pytest.mark.parametrize("newer", [REVISED, NEWER])
def test_a_later_notice_is_the_best_guess_where_both_say_a_day(
    read: Read, newer: tuple[str, str]
) -> None:
    reading = read("On which day does the yard close for Easter?", YARD, newer)
    assert reading.text == "Thursday 17 April"


def test_a_later_notice_is_the_best_guess_also_of_a_range(read: Read) -> None:
    reading = read("From when to when is the Inchmoy slip closed?", SLIP, MOVED)
    assert reading.text == "26 May to 6 June"


TEAM = (
    "Role: Data steward; Person: Otto Lindqvist\n"
    "Role: Safety rep; Person: Yuki Tanabe; Backup: Fergus Mair"
)


def test_a_cell_that_is_empty_is_not_filled_from_another_row(read: Read) -> None:
    assert not read("Who is the backup for the data steward?", TEAM).answered
    reading = read("Who is the backup for the safety rep?", TEAM)
    assert (reading.text, reading.answered) == ("Fergus Mair", True)


AIDERS = (
    "Name: Ann Lee; Role: First aider\nName: Bo Ek; Role: First aider\nName: Cy Fox; Role: Cook"
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who are the first aiders?", "Ann Lee, Bo Ek"),
        ("Who is the first aider?", "Ann Lee, Bo Ek"),
        ("Who is the cook?", "Cy Fox"),
    ],
)
def test_all_rows_that_fit_alike_are_the_answer(read: Read, question: str, answer: str) -> None:
    reading = read(question, AIDERS)
    assert (reading.text, reading.answered) == (answer, True)


LEAVE = (
    "Leave\n\n## Annual leave\n\nUp to five days may be carried over, but they must be taken by "
    "30 June.\n\n## Parental leave\n\nTell us as early as you can."
)
FILES = "We keep closed files for seven years. Accounts are closed 6 months after you leave."


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many days of parental leave can be carried over?", LEAVE),
        ("How many days of paternity leave can be carried over?", LEAVE),
        ("By when must overtime be taken?", LEAVE),
        ("How long are personnel files kept?", FILES),
    ],
)
def test_what_is_said_of_another_sort_of_thing_is_not_asserted(
    read: Read, question: str, text: str
) -> None:
    assert not read(question, text).answered


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Which flour is the dark bread flour for beginners?",
         "Graumehl is a dark bread flour that suits whoever bakes seldom.", "Graumehl"),
        ("How many days of annual leave can be carried over?", LEAVE, "five days"),
        ("How many days of leave can be carried over?", LEAVE, "five days"),
        ("By when must annual leave be taken?", LEAVE, "30 June"),
        ("How long are closed files kept?", FILES, "seven years"),
        ("What is the inspection speed on top of the car?",
         "Rules\n\nB. ON TOP OF THE CAR\n\nThe inspection speed is 0.3 m/s.\n", "0.3 m/s"),
    ],
)  # fmt: skip
def test_what_is_said_of_this_sort_is_asserted(
    read: Read, question: str, text: str, answer: str
) -> None:
    reading = read(question, text)
    assert (reading.text, reading.answered) == (answer, True)


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Since when can you order without a fax?",
         "Order by web form or by telephone; no longer by fax, since December 2023.",
         "December 2023"),
        ("What is the inspection speed on top of the car?",
         "The inspection speed on top of the car is not above 0.3 m/s.", "0.3 m/s"),
    ],
)  # fmt: skip
def test_not_every_not_takes_a_figure_back(
    read: Read, question: str, text: str, answer: str
) -> None:
    assert answer in read(question, text).text


def test_what_another_clause_says_of_them_tells_no_other_thing(read: Read) -> None:
    text = (
        "Hospitals ring the line printed on the sticker; harbours do not, they write. "
        "The kitchen opens at six."
    )
    reading = read("Where does a kitchen find the phone?", text)
    assert reading.missing != "what was found is told of another thing"


def test_what_is_now_so_in_another_sentence_is_no_notice(read: Read) -> None:
    early = "The bridge at Holm opened on 3 May 1901, when ferries still went there."
    late = "On the Ulm ferries (which are now rare) one pays. The bridge opened on 9 June 1911."
    assert read("When did the bridge at Holm open?", early, late).text == "3 May 1901"


OBITUARY = (
    "Judith Marr, 1931–2023",
    "Judith Marr ran the ferry at Pennel for thirty years. She is survived by three sons and a "
    "sister, Agatha. She died in hospital on 4 March.",
)


def test_she_is_whom_the_page_is_about_where_another_was_only_mentioned(read):
    reading = read("When did Judith Marr die?", OBITUARY)
    assert (reading.answered, reading.text) == (True, "4 March")


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (
            "Restoration, which cost £61,000 and took two winters, was delayed by frost.",
            "How much did the restoration of the Orrell Mill cost?",
            "£61,000",
        ),
        (
            "The canal was closed to barges in 1951 and widened, after many petitions, in 1987.",
            "When was the canal widened?",
            "1987",
        ),
        (
            "The B3212 stays closed between Dunsop and Marley Head because of a burst main, and "
            "children are being taken to school by boat.",
            "Why is the B3212 closed?",
            "because of a burst main",
        ),
        (
            "The firm was started in 1961 by Hilda Brandt in a stable behind the brewery.",
            "Who founded the company?",
            "Hilda Brandt",
        ),
    ],
)  # fmt: skip
def test_what_is_told_of_the_thing_itself_is_asserted(read, text, question, answer):
    reading = read(question, ("Orrell Mill", text))
    assert (reading.answered, reading.text) == (True, answer), reading


def test_of_two_deeds_each_has_its_own_date(read):
    page = (
        "Trams",
        "The tramway was cut back to the depot in 1951 and extended, after petitions, in 1987.",
    )
    assert read("When was the tramway cut back to the depot?", page).text == "1951"
