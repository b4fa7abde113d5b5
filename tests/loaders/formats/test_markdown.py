"""Markdown as plain text: what a reader would see."""

import pytest

from hoptrail.loaders.formats.markdown import load, plain


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("Some *emphasis*, __strong__ and ***both***.", "Some emphasis, strong and both."),
        ("**bold *in* bold** ~~gone~~", "bold in bold"),
        ("2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name"),
        ('[Bergen](https://e.org/a_(b) "title") is wet.', "Bergen is wet."),
        ("[Bergen][1] is ![a town](b.png).\n\n[1]: https://e.org", "Bergen is a town."),
        ("[![logo](a.png)](https://e.org)", "logo"),
        ("[[Bergen]] and [[Oslo|the capital]]", "Bergen and the capital"),
        ("<https://e.org>", "https://e.org"),
        ("Write to <ann@e.org>.", "Write to ann@e.org."),
        ("| a | b |\n|---|---|\n| help<br>manual | 2 |", "a: help manual; b: 2"),
        ("Note[^1].\n\n[^1]: The note.", "Note.\n\nThe note."),
        ("a <b>bold</b> word<br/>", "a bold word"),
        ("if a < b and c > d", "if a < b and c > d"),
        ("&amp; &eacute;", "& é"),
        (r"\*not emphasis\*", "*not emphasis*"),
        ("`a *b* <c>` stays", "a *b* <c> stays"),
        ("One\n<!-- hidden\n# no title -->\nTwo", "One\n\nTwo"),
        ("wrapped\nline", "wrapped line"),
        ("hard  \nbreak", "hard\nbreak"),
        ("- one\n  goes on\n- [x] two\n1. three", "one goes on\ntwo\nthree"),
        ("> quoted\n> twice", "quoted twice"),
        ("above\n\n***\n\nbelow", "above\n\nbelow"),
        ("| a | b |\n|---|:-:|\n| 1 | 2 |", "a: 1; b: 2"),
        ("```python\n# x *y*\n  z = a_b_c\n```\nafter", "    # x *y*\n      z = a_b_c\n\nafter"),
        ("~~~\nunclosed", "    unclosed"),
        ("one\n\n## Two ##\n\nthree", "one\n\nTwo\n\nthree"),
    ],
)
def test_markup_goes_and_text_stays(markup, text):
    assert plain(f"start\n\n{markup}")[1] == f"start\n\n{text}"


@pytest.mark.parametrize(
    ("markup", "title", "text"),
    [
        ("# Edvard *Grieg* #\n\nHe composed.", "Edvard Grieg", "He composed."),
        ("Edvard Grieg\n============\nHe composed.", "Edvard Grieg", "He composed."),
        ("Before.\n\n## Later\n\nAfter.", "Later", "Before.\n\nLater\n\nAfter."),
        (
            "---\ntitle: 'Grieg'\nyear: 1843\nlist:\n  - x\n---\nHe composed.",
            "Grieg",
            "He composed.",
        ),
        ("---\ntitle: Other\n---\n# Grieg\nHe composed.", "Grieg", "He composed."),
        ("# Only a title", "Only a title", "Only a title"),
        ("He composed.\n\n```\n# comment\n```", "my notes", "He composed.\n\n    # comment"),
    ],
)
def test_title_is_heading_or_front_matter_or_file_name(tmp_path, markup, title, text):
    path = tmp_path / "my_notes.md"
    path.write_text(markup)
    (document,) = load(path)
    assert (document.title, document.text) == (title, text)


@pytest.mark.parametrize(
    ("markup", "sections"),
    [
        ("# Grieg\n\n## Early *years* ##\nBergen.\n\n### `In` Oslo", ["Early years", "In Oslo"]),
        ("Life.\n\nEarly years\n-----\n\nBergen.\n\nLater\n===", ["Early years", "Later"]),
        ("# Grieg\n## Life\n#\n## ![](a.png)\n```\n# comment\n```\n- # item", ["Life"]),
        ("Text.\n\n## " + "long " * 100, [("long " * 40)[:199] + "…"]),
        ("# Grieg", []),
    ],
)  # fmt: skip
def test_every_heading_but_the_titles_begins_a_section(markup, sections):
    _, text, found = plain(markup)
    assert [section.heading for section in found] == sections
    for section in found:
        assert text[section.start :].startswith(section.heading.rstrip("…"))


@pytest.mark.parametrize(
    "head",
    [
        "---\ntags: [draft, 'my own']\nyear: 1843\n---\n",
        "---\ntags:\n  - draft\n  - my own\nyear: 1843\n---\n",
        '+++\ntags = ["draft", "my own"]\nyear = 1843\n+++\n',
    ],
)
def test_lists_of_front_matter_are_metadata(tmp_path, head):
    (tmp_path / "a.md").write_text(f"{head}Text.")
    (document,) = load(tmp_path / "a.md")
    assert (document.text, document.metadata) == (
        "Text.", {"tags": "draft, my own", "year": "1843"}
    )  # fmt: skip


def test_front_matter_is_metadata(tmp_path):
    path = tmp_path / "a.md"
    path.write_text('---\nauthor: "A. Writer"\nyear: 1843\nempty:\n---\nText.')
    (document,) = load(path)
    assert document.metadata == {"author": "A. Writer", "year": "1843"}


@pytest.mark.parametrize(
    "piece",
    ["*", "_a ", "[", "`", "<!--", "[a](", "[a]((", "```\n", "`a", "<a ", "~~a", "**a", "- "],
)
def test_hostile_markup_ends_and_never_grows(piece):
    """A pattern that backtracks over its input would need hours for these."""
    for text in (piece * 20_000, "# a" + " " * 20_000 + piece):
        assert len(plain(text)) <= len(text)


def test_a_title_of_front_matter_goes_before_a_heading_of_a_lower_level(tmp_path):
    for heading, title in [("## Logging in", "How to use silt"), ("# Silt", "Silt")]:
        path = tmp_path / "a.md"
        path.write_text(f"---\ntitle: How to use silt\n---\n\n{heading}\n\nAsk Ann.\n")
        (document,) = load(path)
        assert document.title == title
        assert ("Logging in" in document.text) == (title != "Silt")


def test_each_definition_is_a_line_with_its_term():
    listed = "ADR\n: Another way\n  to agree\n: A road\n\nBADR\n: Relief\n\nAt 9:\n\n- a\n: b\n"
    text = plain(listed)[1]
    assert text == "ADR: Another way to agree\nADR: A road\n\nBADR: Relief\n\nAt 9:\n\na : b"


FAQ = """# FAQ

  * **5.8 What is a "salt"?**

  A random value.

  * **5.9 Is it secret?**
  No.

**6. Bold alone**

It is **5.8 bold?** within.

__Why_so?__

* **Who?**
* **When?**

**6 apples are good.**
"""


def test_numbered_lines_and_questions_in_bold_are_headings():
    heading, text, sections = plain(FAQ)
    named = ['What is a "salt"?', "Is it secret?", "Bold alone", "Why_so?"]
    assert heading == "FAQ"
    assert [section.heading for section in sections] == named
    assert '5.8 What is a "salt"?\n\n  A random value.' in text


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("It is Ann Lee <ann@lee.org> who", "It is Ann Lee (ann@lee.org) who"),
        ("Write to <ann@lee.org>.", "Write to ann@lee.org."),
        ("The --F3 <x> option, <device name>", "The --F3 <x> option, <device name>"),
        ('A <b>b</b> <Tab id="x">c</Tab> <hr/> <Tip /><div>d</div>', "A b c  d"),
    ],
)
def test_addresses_and_placeholders_stay_and_tags_go(line, text):
    assert plain(line)[1] == text


@pytest.mark.parametrize(
    "bar",
    [
        "[Prev](a.md) | [Up](b.md) | [Home](c.md) | [Next](d.md)",
        "[« Previous](a.md) | [Next »](b.md)",
        "Prev | Up | Home | Next",
        "[Edit this page on GitHub](e)",
        "[[toc]]",
        "[TOC]",
    ],
)
def test_what_leads_through_the_pages_is_no_text(bar):
    assert plain(f"{bar}\n\n# Gauges\n\n{bar}\n\nBuilt in 1831.\n\n{bar}\n")[:2] == (
        "Gauges",
        "Built in 1831.",
    )


def test_links_that_lead_elsewhere_stay():
    text = (
        "[Almanac](a) | [Charts](b)\n\n[Next](c), says Ann, is the mill.\n\n- [Home page of Ann](d)"
    )
    assert plain(text)[1].split("\n\n") == [
        "Almanac | Charts",
        "Next, says Ann, is the mill.",
        "Home page of Ann",
    ]


def test_minutes_with_headings_that_run_in(tmp_path):
    path = tmp_path / "board.md"
    path.write_text(
        "**WEIR TRUST**\n**Minutes of 3 May 2024**\n\n1. **Minutes** of April were approved.\n\n"
        "2. **Money.** Ann presented the accounts, which show a loss.\n\n"
        "3. **Weir:** the sluice has to be painted by August.\n\n"
        "4. **Eels**: there are more of them than last year.\n"
    )
    (document,) = load(path)
    assert document.title == "Minutes of 3 May 2024 (WEIR TRUST)"
    assert [s.heading for s in document.sections] == ["Money", "Weir", "Eels"]
    assert all(section.apart for section in document.sections)
    assert "Money\n\nAnn presented the accounts" in document.text


def test_warnings_in_bold_are_no_headings(tmp_path):
    path = tmp_path / "a.md"
    told = "the sluice has to be painted by August.\n\n"
    path.write_text(f"The weir is old.\n\n**Note:** {told}**Weir:** {told}**Note:** {told}")
    (document,) = load(path)
    assert document.sections == ()
