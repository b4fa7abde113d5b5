"""Pictures of HTML files: their texts are said once, and lists of them not at all."""

import pytest

from hoptrail.loaders.html.markup import page


@pytest.mark.parametrize(
    "figure",
    [
        "<p><b>Figure 3.5. The tide mill</b></p><div><img alt='The tide mill'></div>",
        "<figure><img alt='The tide mill.'><figcaption>Figure 3.5. The tide mill</figure>",
        "<table><tr><td><p>Figure 3.5. The tide mill<p><img alt='The tide mill'></table>",
        "<div><img alt='the tide mill'></div><p class=caption>Figure 3.5. The tide mill</p>",
    ],
)
def test_a_caption_that_is_its_pictures_text_is_said_once(figure):
    html = f"<h1>Mills</h1><p>One still turns.</p>{figure}<p>It was built in 1750.</p>"
    assert page(html).text == (
        "One still turns.\n\nFigure 3.5. The tide mill\n\nIt was built in 1750."
    )


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>See the <img alt=mill> here.", "See the mill here."),
        ("<p>The mill</p><img alt='A wheel'><p>It turns.", "The mill\n\nA wheel\n\nIt turns."),
        ("<p>Rated <img alt=star><img alt=star><img alt=star>", "Rated star star star"),
        ("<table><tr><td>yes<td><img alt=yes></table>", "yes, yes"),
        ("<img alt=Mill><h2>Mill</h2><p>It turns.", "Mill\n\nMill\n\nIt turns."),
    ],
)
def test_a_pictures_text_that_is_no_caption_stays(html, text):
    assert page(f"<title>Mills</title><h2>Wheels</h2>{html}").text == f"Wheels\n\n{text}"


def test_lists_of_figures_and_tables_are_no_text():
    kinds = ("figures", "tables", "examples")
    lists = "".join(
        f"<div class=list-of-{kind}><p><b>List of {kind}</b><dl><dt>1.1. Tides</dl></div>"
        for kind in kinds
    )
    assert page(f"<h1>Mills</h1>{lists}<p>One still turns.").text == "One still turns."
