"""What counts as a name, and where it ends."""

import pytest

from hoptrail.kg.extraction.mentions import mention_spans
from hoptrail.models.parser import Pipeline


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Use the Status Bar (Section 3.1) for this.", ["Status Bar (Section 3.1)"]),
        ("The University of Graz (KFU) is old.", ["University of Graz", "KFU"]),
        ("Ask Ann Lee (Graz).", ["Ann Lee", "Graz"]),
        ("Refer to Graz.", ["Graz"]),
        ("Select the Alder in Linz.", ["Alder", "Linz"]),
    ],
)
def test_names(pipeline: Pipeline, text: str, names: list[str]) -> None:
    [doc] = pipeline([text])
    assert [text[start:end] for start, end, _ in mention_spans(doc, "")] == names
