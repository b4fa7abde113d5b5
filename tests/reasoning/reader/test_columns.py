"""What the names of columns say of their values: a year, a unit."""

import pytest

from hoptrail import Hoptrail

from .conftest import Read

REVIEW = """\
# Annual Review 2024

## Availability

|    | 2023   | 2024   | Main reason for outage |
|----|--------|--------|------------------------|
| T1 | 94.7 % | 96.1 % | Excitation brushes     |
| T2 | 95.2 % | 88.4 % | Draft tube, 37 days    |

T2: the crack found in September.
"""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What was T1's availability in 2023?", "94.7 %"),
        ("What was T2's availability in 2024?", "88.4 %"),
        ("What was the availability of T2 in 2024?", "88.4 %"),
    ],
)
def test_the_value_is_that_of_the_year(tmp_path, question: str, answer: str) -> None:
    (tmp_path / "review.md").write_text(REVIEW, encoding="utf-8")
    with Hoptrail(tmp_path / "review.db") as hop:
        hop.ingest(tmp_path / "review.md")
        assert hop.ask(question).text == answer


@pytest.mark.parametrize(
    ("row", "question", "answer"),
    [
        ("Product: Alder 3; Price (EUR): 1490.5", "How much does the Alder 3 cost?", "1490.5 EUR"),
        ("Product: Alder 3; Weight kg: 4", "How heavy is the Alder 3?", "4 kg"),
        ("Name: Ann Lee; Teaches: cello; Room: 4b", "In which room does Ann Lee teach?", "4b"),
        ("Product: Alder 3; Colour: red; Staff: 4", "How many staff has the Alder 3?", "4"),
        ("To: abroad; Up to 2 kg: 13.00", "How much is a parcel of 2 kg abroad?", "13.00"),
        (
            "Grade: amber; Answer within: 2 hours; Told: nobody",
            "How quickly must I react to a grade of amber?",
            "2 hours",
        ),
        ("Vault: V2; Capacity (reels): 850", "How many reels fit into V2?", "850 reels"),
        (
            "Name: Ann Lee; Hours per week: 32",
            "How many hours does Ann Lee work?",
            "32 hours per week",
        ),
        ("Pump: P4; Flow (m³/h): 2250", "What is the flow of P4?", "2250 m³/h"),
        ("Year: 2023; Rate (p in £): 10.10", "What was the rate in 2023?", "10.10 p in £"),
        ("Hall: East; Hire (£ per hour): 45", "What does the hire of East cost?", "£45 per hour"),
        ("Pump: P4; Level (m OD): -2.10", "What is the level of P4?", "-2.10 m OD"),
        ("Pump: P4; 2022 (kWh): 81; 2023 (kWh): 97", "What did P4 use in 2023?", "97 kWh"),
        ("Vault: V2; Temperature: -5 °C", "What is the temperature in V2?", "-5 °C"),
        ("A lost badge costs € 25 and must be reported.", "What does a lost badge cost?", "€ 25"),
    ],
)
def test_a_figure_has_the_unit_of_its_column(
    read: Read, row: str, question: str, answer: str
) -> None:
    assert read(question, row).text == answer


def test_when_a_letter_was_written_is_not_when_that_is_which_it_is_about(read: Read) -> None:
    letter = (
        "Crane inspection",
        "From: Ann Lee; To: Bob Ray; Date: 2026-03-02 09:05\n\n"
        "Hi Bob,\n\nthe crane inspection was moved to 14 March. I will be there with Carl.",
    )
    assert read("When is the crane inspection?", letter).text == "14 March"


@pytest.mark.parametrize(
    ("cell", "question", "empty"),
    [
        ("–", "What is Nora Pell's mobile number?", True),
        ("n/a", "What is Nora Pell's phone number?", True),
        ("555 0199", "What is Nora Pell's phone number?", False),
        ("–", "What is Bo Ek's phone number?", False),
        ("–", "What is Nora Pell's salary?", False),
    ],
)
def test_an_empty_field_is_shown_as_such(tmp_path, cell: str, question: str, empty: bool) -> None:
    rows = f"| Bo Ek | 555 0133 | 4 |\n| Nora Pell | {cell} | 7 |"
    text = (
        f"# Staff\n\n| Name | Phone | Room |\n|---|---|---|\n{rows}\n\nNora Pell sold 612 cakes.\n"
    )
    (tmp_path / "staff.md").write_text(text, encoding="utf-8")
    with Hoptrail(tmp_path / "staff.db") as hop:
        hop.ingest(tmp_path / "staff.md")
        answer = hop.ask(question)
    assert (answer.missing == "the field that is asked for is empty") == empty
    assert not empty or (answer.quote and answer.quote.text.startswith("Name: Nora Pell"))
