"""Running heads of a PDF's pages, its headings and its title, by where they stand and go on."""

from support.printed import pdf

from hoptrail.loaders.formats.pdf import load
from hoptrail.loaders.formats.printed.pages import Page, joined


def text(*pages):
    return joined([Page(number, "\n".join(lines)) for number, lines in enumerate(pages, 1)], ())


def test_running_heads_with_the_printed_number_are_no_text():
    pages = [
        [f"{n} CHAPTER 2. KILNS" if n % 2 else f"2.{n}. FIRING {n}", "Fire it."]
        for n in range(1, 9)
    ]
    pages = [
        ["Kilns", "By Ann."],
        *([head, f"Door {n} is shut and"] for n, (head, _) in enumerate(pages)),
    ]
    said, _ = text(*pages)
    assert "CHAPTER" not in said
    assert "FIRING" not in said


def test_headings_that_begin_with_the_number_of_their_page_stay():
    pages = [
        [f"{n} {name}", "It is fired twice."]
        for n, name in enumerate("Clay Glaze Kiln Wheel Salt Ash".split(), 1)
    ]
    said, _ = text(*pages)
    assert "3 Kiln" in said


def test_a_hyphen_that_belongs_to_the_word_stays_at_a_line_end():
    said, _ = text(
        [
            "A slip-cast bowl is dried. The slip-",
            "cast bowl is then fired, and the tem-",
            "perature is kept.",
        ]
    )
    assert "The slip-cast bowl is then fired, and the temperature is kept." in said


def test_a_numbered_heading_goes_on_below_a_word_that_ends_none():
    lines = [
        "2.1 Firing and Cooling the Bowls of",
        "Stoneware",
        "They are fired at night. They are cooled by day, slowly.",
    ]
    _, sections = text(["1 Clay", "Clay is dug."], ["2 Firing", *lines])
    assert "Firing and Cooling the Bowls of Stoneware" in [s.heading for s in sections]


def test_a_title_over_two_lines_is_told_whole(tmp_path):
    title = ["A Handbook of Kilns, Wheels and", "Glazes"]
    path = tmp_path / "kilns.pdf"
    path.write_bytes(pdf(title, ["Clay is dug in spring. It is kept wet."]))
    (document,) = load(path)
    assert document.title == " ".join(title)
