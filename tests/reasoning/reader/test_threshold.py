"""From which confidence on an answer is given."""

import math
from pathlib import Path

import pytest

import hoptrail
from hoptrail.reasoning.reader import Reading
from hoptrail.reasoning.reader.reader import THRESHOLD


@pytest.mark.parametrize(
    ("confidence", "given"),
    [(THRESHOLD, True), (math.nextafter(THRESHOLD, 0), False), (1.0, True), (0.0, False)],
)
def test_an_answer_is_given_from_the_threshold_on(confidence, given):
    assert Reading("Oslo", confidence, (), "", ()).answered is given


def test_the_threshold_is_what_the_page_on_answers_says():
    page = (Path(hoptrail.__file__).parent / "docs/answers.md").read_text("utf-8")
    assert f"Below a confidence of {THRESHOLD} the answer is not asserted" in page
