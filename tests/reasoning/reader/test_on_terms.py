"""Values that hold on other days, for another year, for another one of several."""

import pytest

from hoptrail import Hoptrail

from .conftest import Read

CAFE = "The café is open Monday to Friday from 9:00 to 17:00, and on Saturdays from 10:00 to 14:00."
LIDO = (
    "The lido has two pools. Weekdays we open at 6.30 am and close at 8 pm; at weekends the hours "
    "are 8 to 6."
)
MILL = "The mill sold 420 tonnes of flour in 1910 and 95 in 1936."
CLOCK = "The clock has three weights. Weights are 95, 130 and 210 kg."


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (CAFE, "When does the café close on Saturdays?", "14:00"),
        (CAFE, "When does the café close on Wednesdays?", "17:00"),
        (MILL, "How many tonnes of flour did the mill sell in 1936?", "95"),
        (MILL, "How many tonnes of flour did the mill sell in 1910?", "420"),
        (CLOCK, "How heavy is the heaviest weight of the clock?", "210 kg"),
        (CLOCK, "How heavy is the lightest weight of the clock?", "95 kg"),
    ],
)
def test_the_value_of_the_day_the_year_or_the_one_asked_about_is_given(
    read: Read, text: str, question: str, answer: str
) -> None:
    reading = read(question, text)
    assert (reading.text, reading.answered) == (answer, True)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (LIDO, "What time does the lido close on Saturdays?"),
        (LIDO, "When does the lido close at weekends?"),
        (CAFE, "When does the café close on Sundays?"),
    ],
)
def test_hours_of_other_days_are_not_asserted(read: Read, text: str, question: str) -> None:
    reading = read(question, text)
    assert not reading.answered or reading.text == "6"


TABLES = """\
# Mill Street Surgery: report 2022/23

A quiet year.

## Figures

|          | 2021/22 | 2022/23 |
|----------|---------|---------|
| Patients | 8,410   | 8,733   |
| Nurses   | 6       | 7       |

## Rooms

| Room   | Half day | Full day | Ext. |
|--------|----------|----------|------|
| Studio | £95      | £160     | 31   |
| Cellar | £40      | £70      | 32   |
"""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many nurses did the Mill Street Surgery have in 2021/22?", "6"),
        ("How many nurses did the Mill Street Surgery have in 2022/23?", "7"),
        ("How many patients were there in 2022/23?", "8,733"),
        ("What does it cost to rent the studio for the whole day?", "£160"),
        ("What is the extension number of the cellar?", "32"),
        ("How many nurses were there in 2020/21?", None),
        ("How many doctors did the Mill Street Surgery have in 2021/22?", None),
    ],
)
def test_a_cell_is_found_by_its_row_and_its_column(
    tmp_path, question: str, answer: str | None
) -> None:
    (tmp_path / "report.md").write_text(TABLES, encoding="utf-8")
    with Hoptrail(tmp_path / "report.db") as hop:
        hop.ingest(tmp_path / "report.md")
        told = hop.ask(question)
    assert (None if told.abstained else told.text) == answer


ROTA = (
    "Christmas rota",
    "Please use this one:\n\n- 24 to 26 December: Barnaby Frost\n- 27 December: Ines\n"
    "- 28 December to 2 January: Agnes",
)
NIGHTS = "Night shift in May", "Sat 7 and Sun 8 May: Ann Lee and Bo Ek\nMon 9 May: Ole"
TALKS = "Winter talks", "24 February – A year in the reeds\n3 March – The eels of the Ouse"


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (ROTA, "Who is on duty on 25 December?", "Barnaby Frost"),
        (ROTA, "Who is on call on December 27th?", "Ines"),
        (ROTA, "Who is on duty on 1 January?", "Agnes"),
        (NIGHTS, "Who has the night shift on 8 May?", "Ann Lee and Bo Ek"),
        (TALKS, "What is the talk on 3 March?", "The eels of the Ouse"),
    ],
)
def test_a_line_answers_for_its_days(
    read: Read, text: tuple[str, str], question: str, answer: str
) -> None:
    reading = read(question, text)
    assert (reading.text, reading.answered) == (answer, True)


@pytest.mark.parametrize(
    ("texts", "question"),
    [
        ([ROTA], "Who is on duty on 3 January?"),
        ([ROTA], "Who sings on 25 December?"),
        ([("Christmas rota", "- 24 to 26 December: me\n- 27 December: Ines")],
         "Who is on duty on 25 December?"),
        ([("Old rota", ROTA[1])], "Who is on duty on 25 December?"),
        ([("Christmas rota 2024", ROTA[1])], "Who is on duty on 25 December 2025?"),
        ([("Presents", ROTA[1])], "Who is on duty on 25 December?"),
        ([("Rota: pumps", ROTA[1]), ("Rota: locks", "- 25 December: Ole\n- 26 December: Ines")],
         "Who is on duty on 25 December?"),
    ],
)  # fmt: skip
def test_a_line_of_other_days_or_lists_does_not(
    read: Read, texts: list[tuple[str, str]], question: str
) -> None:
    assert not read(question, *texts).answered
