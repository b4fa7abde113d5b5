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


@pytest.mark.parametrize("line", ["It was so.", "Ulm, 3 May 1990", "x = 5", "* Cranes", "cranes"])
def test_a_line_that_is_no_heading_leads_nothing(line):
    text = f"Kilns\n\nThe kilns burn lime.\n\n{line}\n\nThe tall crane is old."
    assert heading_at(text, text.index("The tall"), "Kilns") == "Kilns"


def test_nothing_is_guessed_where_the_passage_begins_within_a_section():
    assert heading_at(YARD[9:], 90, "Kilns") == "Kilns"
    assert heading_at(YARD, 90, "") == ""
