"""What stands around the text of a page, and first rows that name columns."""

import pytest

from hoptrail.loaders.html.markup import page

SAID = "<h1>Tides</h1><p>The first gauge was built by Henry Palmer.</p>"
LINKS = "<li><a href=a>Overview</a><li><a href=b>Install</a><li><a href=c>FAQ</a>"
PAGES = "<td><a href=a>Prev</a><td><a href=u>Up</a><td><a href=b>Next</a>"


@pytest.mark.parametrize(
    "around",
    [
        "{}<hr><a href=3>Next</a> <a href=1>Previous</a> <a href=c>Contents</a>",
        f"{{}}<hr><table><tr>{PAGES}<tr><td>9.5. Quotas<td>Home<td>9.7. Tasks</table>",
        '<p>Kestrel docs.</p><a href="#content">Skip to main content</a>{}',
        f"<p>Kestrel docs.</p><div class=sidebar><ul>{LINKS}</ul></div>{{}}",
        f"<p>Kestrel docs.</p><aside><ul>{LINKS}</ul></aside>{{}}",
        "{}<p><a href=edit>Edit this page on GitHub</a></p>",
        "{}<p>Was this page helpful? <a href=y>Yes</a> <a href=n>No</a></p>",
        "{}<div class=cookie-banner>We use cookies. <button>Accept</button></div>",
        "{}<div>We use cookies to improve your visit. <button>Accept all</button></div>",
    ],
)
def test_what_leads_elsewhere_around_a_page_is_no_text(around):
    found = page(around.format(SAID)).text.removeprefix("Kestrel docs.").strip()
    assert found.removeprefix("Tides").strip() == "The first gauge was built by Henry Palmer."


def test_links_that_are_described_stay():
    listed = (
        "<ul><li><a href=a>Almanac</a>: heights of a year<li><a href=b>Admiralty</a>: charts</ul>"
    )
    assert "Almanac: heights" in page(f"{SAID}<div class=sidebar>{listed}</div>").text
    assert "Which cookies" in page(f"{SAID}<p>Which cookies we use: none.</p>").text
    assert "uses cookies" in page(f"{SAID}<p>This website uses cookies for carts.</p>").text
    plans = "<table><tr><td>Next<td>Mill<tr><td>Prev<td>Barn</table>"
    assert "Barn" in page(f"{SAID}{plans}").text


@pytest.mark.parametrize(
    ("table", "states"),
    [
        (
            "Item|Price|Supplier/Tea|€ 2|Ronne/Bun|€ 3.50|Elm",
            "Item: Tea; Price: € 2; Supplier: Ronne",
        ),
        ("Day|Opens/Monday|9:00/Tuesday|10:00", "Day: Monday; Opens: 9:00"),
        ("Name|Ann Lee/Phone|123 45/Fax|123 46", "Name: Ann Lee"),
        ("Capital|Oslo/People|700,000/Area|480 km2", "Capital: Oslo"),
        ("Ann|Graz|12/Bo|Linz|14", "Ann, Graz, 12"),
        ("Ann|Graz|chair/Bo|Linz|treasurer", "Ann, Graz, chair"),
    ],
)
def test_a_first_row_over_figures_names_the_columns(table, states):
    lines = ("".join(f"<td>{cell}" for cell in line.split("|")) for line in table.split("/"))
    rows = "".join(f"<tr>{line}" for line in lines)
    assert states in page(f"<h1>Kiosk</h1><p>See:</p><table>{rows}</table>").text
