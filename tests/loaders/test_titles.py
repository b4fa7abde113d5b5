"""What a file is called: numbers leave titles, a first line that is set apart is one."""

import pytest

from hoptrail.kg.text.titles import unnumbered
from hoptrail.loaders.formats import text


@pytest.mark.parametrize(
    ("heading", "bare"),
    [
        ("9.6. The inetd Super-Server", "The inetd Super-Server"),
        ("Chapter 3: Tides", "Tides"),
        ("Appendix A. The Manifesto", "The Manifesto"),
        ("A.2 Maps", "Maps"),
        ("II. Background", "Background"),
        ("1) Aims", "Aims"),
        ("Chapter 1", "Chapter 1"),
        ("2001: A Space Odyssey", "2001: A Space Odyssey"),
        ("12 Angry Men", "12 Angry Men"),
        ("Part of the Union", "Part of the Union"),
        ("A. Einstein", "A. Einstein"),
        ("12.05.2024 Meeting", "12.05.2024 Meeting"),
    ],
)
def test_numbers_leave_headings(heading, bare):
    assert unnumbered(heading) == bare


@pytest.mark.parametrize(
    ("written", "title", "body"),
    [
        ("Travel policy\n\nHotels are paid.", "Travel policy", "Hotels are paid."),
        ("Travel policy\n=====\nHotels are paid.", "Travel policy", "Hotels are paid."),
        (
            "Minutes of March\nDate: 3 March\nAll came.",
            "Minutes of March",
            "Date: 3 March\nAll came.",
        ),
        ("3. Travel policy\n\nHotels are paid.", "Travel policy", "Hotels are paid."),
        ("Hotels are paid.\n\nTrains, too.", "a file", "Hotels are paid.\n\nTrains, too."),
        ("Dear Anna,\n\nHotels are paid.", "a file", "Dear Anna,\n\nHotels are paid."),
        ("Only a line", "a file", "Only a line"),
        ("Date: 3 March\n\nAll came.", "a file", "Date: 3 March\n\nAll came."),
    ],
)
def test_a_first_line_set_apart_is_the_title(tmp_path, written, title, body):
    path = tmp_path / "a_file.txt"
    path.write_text(written)
    (document,) = text.load(path)
    assert (document.title, document.text) == (title, body)
