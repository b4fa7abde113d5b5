"""Lists of lists: what stands in an item over fields is said of that item."""

from pathlib import Path

from hoptrail.loaders.formats.markdown import load, reduced
from hoptrail.loaders.html.markup import page
from hoptrail.loaders.outline import Item, outlined

NESTED = """# Lab handbook

## Equipment

- Microscopes
  - Zeiss Axio
    - Location: room 12
    - **Booked by**: Ann Lee
    - needs training
  - Nikon Ti2
    - Location: room 14
    - **Booked by**: Tom Bek
- Printers
  - Room 4: LaserJet 400
  - Room 7: ET-2850
"""


def test_an_item_over_fields_is_a_row_named_by_it() -> None:
    _, text, _, table = reduced(NESTED)
    assert "Zeiss Axio; Location: room 12; Booked by: Ann Lee\nneeds training\nNikon Ti2;" in text
    assert [fact for one in table for fact in one.facts if fact[0] == "Nikon Ti2"] == [
        ("Nikon Ti2", "Location", "room 14"),
        ("Nikon Ti2", "Booked by", "Tom Bek"),
    ]


def test_items_that_are_names_themselves_stay_lines() -> None:
    assert "\nPrinters\nRoom 4: LaserJet 400\nRoom 7: ET-2850" in reduced(NESTED)[1]


def test_html_lists_read_the_same() -> None:
    read = page(
        "<h2>Equipment</h2><p>We have:</p><ul><li><b>Zeiss Axio</b><ul><li>Location: room 12</li>"
        "<li><b>Booked by</b>: <a href='ann'>Ann Lee</a></li></ul></li><li>Nikon<ul>"
        "<li>Location: room 14</li><li>Booked by: Tom Bek</li></ul></li></ul><p>Ask first.</p>"
    )
    assert (
        "Zeiss Axio; Location: room 12; Booked by: Ann Lee\nNikon; Location: room 14" in read.text
    )
    assert read.text.endswith("Ask first.")
    assert ("Nikon", "Booked by", "Tom Bek") in read.table[-1].facts


def test_fields_under_a_heading_are_about_it_and_stay_lines() -> None:
    _, text, _, table = reduced("# Tools\n\n## Lathe\n\n- Location: hall\n- Price: 5 EUR\n")
    assert text.endswith("Lathe\n\nLocation: hall\nPrice: 5 EUR")
    assert [one.facts for one in table] == [
        (("Lathe", "Location", "hall"),),
        (("Lathe", "Price", "5 EUR"),),
    ]
    html = page("<p>x</p><h2>Lathe</h2><ul><li>Location: hall</li><li>Price: 5 EUR</li></ul>")
    assert [one.facts for one in html.table] == [one.facts for one in table]


def test_a_bold_line_above_fields_names_them() -> None:
    _, text, *_ = reduced("# Tools\n\nTwo.\n\n**Lathe**\n- Location: hall\n- Training: Tuesday\n")
    assert text.endswith("Lathe; Location: hall; Training: Tuesday")


def test_steps_and_sentences_are_no_fields() -> None:
    steps = "- Before the visit\n  - book: call first\n  - Tell the warden\n  - Bring boots\n"
    assert reduced(f"# Visits\n\n{steps}")[1] == (
        "Before the visit\nbook: call first\nTell the warden\nBring boots"
    )
    said = [Item(0, "You may come by."), Item(1, "Location: hall"), Item(1, "Time: noon")]
    assert outlined(said, ()) is None


def test_an_item_that_goes_on_keeps_its_words() -> None:
    text = reduced("# T\n\n- Lathe\n  - Location: the hall\n    behind the yard\n  - Price: 5\n")[1]
    assert text == "Lathe\nLocation: the hall behind the yard\nPrice: 5"


def test_a_long_list_takes_linear_time() -> None:
    lines = "".join(
        f"- Machine {n}\n  - Location: room {n}\n  - Price: {n}\n" for n in range(20_000)
    )
    assert reduced("# T\n\n" + lines)[1].count("\n") == 19_999
    assert reduced("# T\n\n" + "- a\n  b\n" * 20_000)[1].count("\n") == 19_999
    assert reduced("# T\n\n" + "\n".join("  " * min(n, 400) + f"- a {n}" for n in range(5000)))


def test_a_row_that_begins_a_text_is_not_its_title(tmp_path: Path) -> None:
    (tmp_path / "tools.md").write_text("**Lathe**\n- Location: hall\n- Price: 5\n\nAsk first.\n")
    (document,) = load(tmp_path / "tools.md")
    assert (document.title, document.text.split("\n")[0]) == (
        "tools",
        "Lathe; Location: hall; Price: 5",
    )
