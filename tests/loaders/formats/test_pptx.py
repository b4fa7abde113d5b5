"""PowerPoint presentations: slides in order, tables, notes, and what stays out."""

import pytest
from pptx.util import Inches
from support.archives import members, packed, slide, slides

from hoptrail import Hoptrail
from hoptrail.kg.errors import SourceError
from hoptrail.loaders.formats.pptx import load


def loaded(tmp_path, data):
    path = tmp_path / "plan.pptx"
    path.write_bytes(data)
    return list(load(path))


def fill(presentation):
    first = slide(presentation, "The plan", "First point\nSecond point")
    first.notes_slide.notes_text_frame.text = "Say hello."
    table = slide(presentation, "Numbers").shapes
    cells = table.add_table(2, 2, Inches(1), Inches(1), Inches(4), Inches(1)).table
    for place, text in enumerate(("City", "Staff", "Graz", "12")):
        cells.cell(place // 2, place % 2).text = text
    slide(presentation, "Hidden", "Not shown.")._element.set("show", "0")


def test_slides_are_sections_with_their_numbers(tmp_path):
    [document] = loaded(tmp_path, slides(fill))
    assert document.title == "The plan"
    assert document.text == (
        "The plan\n\nFirst point\nSecond point\n\nSay hello.\n\nNumbers\n\nCity: Graz; Staff: 12"
    )
    assert [(s.heading, s.page) for s in document.sections] == [("The plan", 1), ("Numbers", 2)]
    assert [(f.head, f.relation, f.tail) for f in document.facts] == [("Graz", "Staff", "12")]


def test_what_a_slide_says_is_cited_with_its_number(tmp_path, new_store, encoder):
    def fill(presentation):
        for title, text in [("Welcome", "Hello."), ("", "Ann keeps the keys."), ("End", "Bye.")]:
            slide(presentation, title, text)

    (tmp_path / "brief.pptx").write_bytes(slides(fill))
    with Hoptrail(new_store(), encoder=encoder) as hop:
        hop.ingest(tmp_path / "brief.pptx")
        found = hop.search("Who keeps the keys?")
        assert (found[0].passage.page, found[0].passage.heading) == (2, "")
        assert [hit.passage.page for hit in found if "Bye" in hit.passage.text] == [3]


def test_another_archive_is_no_presentation(tmp_path):
    with pytest.raises(SourceError, match="not a PowerPoint presentation"):
        loaded(tmp_path, packed(members(slides(fill)) | {"_rels/.rels": b"<Relationships/>"}))
