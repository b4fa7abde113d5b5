"""What a text calls in full that its file is called after."""

import pytest

from hoptrail.kg.extraction.full_names import is_of_file, name_in_full
from hoptrail.kg.extraction.topics import parts_of


@pytest.mark.parametrize(
    ("title", "text", "name"),
    [
        ("bench", "The Calibration Bench was built by Otto Lindqvist.", "Calibration Bench"),
        ("petrov", "Dr. Mina Petrov leads the lab. Petrov is old.", "Mina Petrov"),
        ("petrov", "The lab is led by Mina Petrov.", "Mina Petrov"),
        ("nordahl", "Nordahl & Sons AS was founded in 1911.", "Nordahl & Sons AS"),
        ("holm", "Holm's mill burned down.", "Holm"),
        ("mill bridge", "In May the Mill Bridge was closed.", "Mill Bridge"),
        ("library", "The city library opened. The City Library closed.", ""),
        ("müller", "Dr. Eva Müller leads it.", "Eva Müller"),
        ("Kestrel", "Nobody says so.", "Kestrel"),
    ],
)
def test_the_name_in_full_is_what_the_text_says_first(title, text, name):
    assert name_in_full(title, text) == name


@pytest.mark.parametrize(
    ("title", "source", "told"),
    [
        ("petrov", "/docs/petrov.txt", True),
        ("mill bridge", "C:\\docs\\mill_bridge.txt", True),
        ("Petrov", "Petrov.md", True),
        ("Ada Holm", "Ada Holm.md", False),
        ("Staff", "petrov.txt", False),
        ("petrov", "https://example.org/petrov.html", False),
        ("", "", False),
    ],
)
def test_a_title_is_a_files_name_if_it_is_written_so(title, source, told):
    assert is_of_file(title, source) is told


def test_a_text_is_about_what_it_calls_in_full():
    text = "The Calibration Bench was built by Otto Lindqvist. It was moved to Bergen."
    (of_file,), (of_title,) = (parts_of(text, "bench", [], s) for s in ("bench.txt", "list.csv"))
    assert (of_file.topic, of_title.topic) == ("Calibration Bench", "bench")
