"""Lines in bold that stand alone: headings of a page that has none of its own."""

from hoptrail.loaders.html.markup import page

BOLD = """<html><title>Kiln FAQ</title><body><p>All about kilns.</p>
<ul><li>open</ul><li>an item that nobody closed<br><br>
<a name="a"></a><br><b><u>FAQ-1 : WHY IS IT COLD ?</u></b><br>
<font>PROBLEM:</font><br>It is cold.<br><br><b>Note</b><br>Wait.<br>
<br><b><u>FAQ-2 : WHY IS IT HOT ?</u></b><br>Shut the <b>door</b>.<br>
<b>Never</b> open it.<br><br><b>Note</b><br>Wait.<br><br><b><a href="x">elsewhere</a></b><br>
<br><b>FAQ-3 : ASH</b><br>Sweep it.<br>Follow @kiln_project</body></html>"""


def test_lines_in_bold_that_stand_alone_are_headings():
    found = page(BOLD)
    headings = [section.heading for section in found.sections]
    assert headings == ["FAQ-1 : WHY IS IT COLD ?", "FAQ-2 : WHY IS IT HOT ?", "FAQ-3 : ASH"]
    for section in found.sections:
        assert found.text[section.start :].startswith(f"{section.heading}\n\n")
    assert "kiln_project" not in found.text


def test_few_words_in_bold_are_emphasis():
    found = page(
        "<p>Fire it.</p><p><b>Take care</b></p><p>It is hot.</p><p><b>Wait</b></p><p>So.</p>"
    )
    assert found.sections == ()
