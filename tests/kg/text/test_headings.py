"""Which heading a sentence stands under, where its passage goes over several."""

import pytest

from hoptrail.kg.text.headings import heading_at

YARD = (
    "1 Kilns\n\nThe kilns burn lime. They were lit in 1901.\n\nCranes\n\n"
    "The tall crane was installed by Vickers in 1950.\n\nSee page\n\n- and so on"
)


@pytest.mark.parametrize(
    ("place", "heading"),
    [("They were", "Kilns"), ("The tall crane", "Cranes"), ("- and so on", "Cranes")],
)
def test_a_sentence_stands_under_the_last_heading_above_it(place, heading):
    assert heading_at(YARD, YARD.index(place), "Kilns") == heading


@pytest.mark.parametrize(
    "line",
    [
        "It was so.",
        "Ulm, 3 May 1990",
        "x = 5",
        "* Cranes",
        "cranes",
        "Minetest icon",
        "Photo of Ann",
    ],
)
def test_a_line_that_is_no_heading_leads_nothing(line):
    text = f"Kilns\n\nThe kilns burn lime.\n\n{line}\n\nThe tall crane is old."
    assert heading_at(text, text.index("The tall"), "Kilns") == "Kilns"


@pytest.mark.parametrize("heading", ["Kilns", "Lime", ""])
def test_a_passage_that_begins_within_a_section_goes_on_below_another(heading):
    within = YARD[9:]
    assert heading_at(within, within.index("They were"), heading) == heading
    assert heading_at(within, within.index("The tall crane"), heading) == "Cranes"


def test_what_a_format_told_goes_before_what_looks_like_a_heading():
    told = ("0 Kilns", f"{YARD.index('The tall')} cranes, all")
    assert heading_at(YARD, YARD.index("The tall"), "Kilns", told) == "cranes, all"
    assert heading_at(YARD, YARD.index("Cranes"), "Kilns", told) == "Kilns"


@pytest.mark.parametrize(
    ("heading", "first", "other", "second"),
    [
        ("Rooms", "1.2 Rooms\n\nRooms face the Lake of Varn", "1.3 Meals", "Meals"),
        ("Is there a deposit?", "Is there a deposit?", "When can I come?", "When can I come?"),
        ("sig_dashes", "sig_dashes", "sig_on_top", "sig_on_top"),
        ("cranes of ours", "cranes of ours", "kilns of ours", "kilns of ours"),
        ("Friday 11 July", "Friday 11 July", "Saturday 12 July", "Saturday 12 July"),
        ("Input A1:", "Input A1:", "Input A3:", "Input A3:"),
    ],
)
def test_headings_of_a_passage_are_written_alike(heading, first, other, second):
    text = f"{first}\n\nIt was so in 1901.\n\n{other}\n\nIt is so now."
    assert heading_at(text, text.index("It was"), heading) == heading
    assert heading_at(text, text.index("It is"), heading) == second
