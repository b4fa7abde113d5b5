"""Headings of typed text, and marks that are no text."""

import pytest

from hoptrail import Hoptrail
from hoptrail.loaders import documents


def read(tmp_path, text, name="a.txt"):
    path = tmp_path / name
    path.write_text(text)
    (document,) = documents([path])
    return document


def headed(document):
    """(heading, the line at its place) of every section."""
    return [
        (section.heading, document.text[section.start :].split("\n")[0])
        for section in document.sections
    ]


BODY = "The harbour is shallow at low water.\n"


@pytest.mark.parametrize(
    ("written", "heading"),
    [
        ("Tides\n-----\n", "Tides"),
        ("Tides and moons\n~~~~~~~~~~~~\n", "Tides and moons"),
        ("*****\nTides\n*****\n", "Tides"),
        ("How high is it?\n^^^^^^^^^^^^^^^\n", "How high is it?"),
        ("== Tides ==\n\n", "Tides"),
        ("## Tides\n\n", "Tides"),
        ("2.1. Tides\n\n", "Tides"),
        ("3. Tides\n\n", "3. Tides"),
        ("Chapter IV\n\n", "Chapter IV"),
        ("Appendix B: Tides\n\n", "Tides"),
        ("SPRING TIDES\n\n", "SPRING TIDES"),
        ("TIDES\n    Twice a day.\n\n", "TIDES"),
        ("3.  Tides\n3.1 They rise and fall twice a day.\n\n", "3. Tides"),
    ],
)
def test_a_heading_begins_a_section_and_its_line_is_gone(tmp_path, written, heading):
    document = read(tmp_path, f"Harbours\n========\n\n{BODY}\n{written}{BODY}")
    assert document.title == "Harbours"
    ((found, line),) = headed(document)
    assert found == heading
    assert " ".join(line.split()).endswith(heading)
    assert not any(set(line) <= set("-=~^*") for line in document.text.split("\n") if line)


@pytest.mark.parametrize(
    "written",
    [
        "Name    Height\n--------------\nNorth   4 m\n",  # a table
        "------\na = 1;\n------\n",  # code
        "1. Tides\n\n2. Moons\n\n3. Winds\n\n",  # a list
        "and so\nthe tide comes in at\n--------------------\n",
        "3. Tides\n3.1 Spring tides\n3.2 Neap tides\n\n",  # contents
        "2.1 Tides ........ 14\n\n2.2 Moons ........ 16\n\n",  # a table of contents
        "Tides rise and fall.\n\n",
        "OK\n\n",
        "# set the tide\ntide = 4\n",
    ],
)
def test_what_looks_like_a_heading_is_none(tmp_path, written):
    document = read(tmp_path, f"Harbours\n\n{BODY}\n{written}{BODY}")
    assert [found for found, _ in headed(document) if found not in ("3. Winds", "Moons")] == []


def test_unindented_lines_are_headings_where_all_else_is_set_in(tmp_path):
    text = "Harbours\n\n" + "".join(
        f"{name}\n\n" + f"   {BODY.strip()}\n" * 8 + "\n" for name in ("Name", "Low water")
    )
    assert [found for found, _ in headed(read(tmp_path, text))] == ["Name", "Low water"]


def test_a_passage_has_the_heading_above_it(tmp_path, new_store, encoder):
    long = BODY * 20
    (tmp_path / "a.txt").write_text(f"Harbours\n========\n\n{long}\nTides\n-----\n{long}")
    with Hoptrail(new_store(), encoder=encoder) as hop:
        hop.ingest(tmp_path / "a.txt")
        headings = {hit.passage.heading for hit in hop.search("low water")}
    assert headings == {"", "Tides"}


def test_marks_of_asciidoc_are_no_text(tmp_path):
    text = (
        "[[tides]]\nTides\n-----\n:Author: Ann Lee\n\nSee <<moon,the moon>>; `tide.level` is set.\n"
        "\n.Example\n----\ntide --high\n----\n"
    )
    document = read(tmp_path, text, "a.adoc")
    assert document.title == "Tides"
    assert document.text == "See the moon; tide.level is set.\n\nExample\n\n    tide --high"


def test_what_only_a_terminal_reads_goes(tmp_path):
    document = read(tmp_path, "\x1b[1mTides\x1b[0m\n=====\n\nH\x08Hi\x08igh tide is at six.\n")
    assert (document.title, document.text) == ("Tides", "High tide is at six.")


def test_prose_that_is_set_in_is_not_and_code_stays(tmp_path):
    prose = "    The server is extremely flexible,\n    and fast enough for all."
    code = "    if (x == 1) {\n      return;\n    }"
    text = read(tmp_path, f"The server\n\n{prose}\n\n{code}\n").text
    assert text == f"{' '.join(prose.split())}\n\n{code}"


def test_prose_with_words_in_braces_is_set_out(tmp_path):
    lines = "   It was named by a {hacker} who wrote\n   the {kernel} and the {shell} at night.\n"
    assert read(tmp_path, f"Names\n\n{lines}").text.startswith("It was named")


JOKES = """Folklore

   Hacking might be characterized as an appropriate application of
   ingenuity. Whether the result is a quick patchwork job or a carefully
   crafted work of art, you have to admire the cleverness of it.

   An important secondary meaning of it is a creative practical joke.
   This kind of hack is easier to explain to others than the programming
   kind. Of course, some hacks have both natures; see the entries.

   The computer crashed.

   * Tape drives would rewind and dismount their tapes in the middle of
     a job; it took hours.

     • disgust → disgustitude

   if (broken) { rewind(tape);
      dismount(tape); }

Portrait

   Intelligent. Scruffy. Intense. Abstracted. Surprisingly for a quiet
   profession, more of them run to skinny than fat; both extremes are more
   common than elsewhere. Tans are rare.
"""


def test_paragraphs_that_are_set_in_run_on_with_single_blanks(tmp_path):
    (tmp_path / "a.txt").write_text(JOKES)
    (document,) = documents([tmp_path / "a.txt"])
    _, joke, crashed, item, bullet, code, portrait, last = document.text.split("\n\n")
    assert joke == (
        "An important secondary meaning of it is a creative practical joke. This kind of hack is "
        "easier to explain to others than the programming kind. Of course, some hacks have both "
        "natures; see the entries."
    )
    assert crashed == "The computer crashed."
    assert item.endswith("in the middle of a job; it took hours.")
    assert bullet == "• disgust → disgustitude"
    assert code == "   if (broken) { rewind(tape);\n      dismount(tape); }"
    assert last.startswith("Intelligent. Scruffy.")
    assert "  " not in last
    assert "\n" not in last
    (section,) = document.sections
    assert (section.heading, document.text[section.start :].split("\n")[0]) == (portrait, portrait)


def test_a_bar_that_leads_through_pages_is_neither_title_nor_text(tmp_path):
    bar = "Prev  Up  Home  Next"
    (tmp_path / "a.txt").write_text(
        f"{bar}\n\n2.1 Gauges\n\nThe first was built in 1831.\n\n{bar}\n"
    )
    [document] = documents([tmp_path / "a.txt"])
    assert (document.title, document.text) == ("2.1 Gauges", "The first was built in 1831.")
