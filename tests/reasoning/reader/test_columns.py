"""Tables whose columns are years, under a heading that says what is in them."""

import pytest

from hoptrail import Hoptrail

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
