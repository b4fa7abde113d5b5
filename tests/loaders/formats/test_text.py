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


SET_IN = """                  How the looms are kept

   The looms are oiled once a month by whoever has the key of the hall.
   It is done on a Monday, before the others come, as they would slip.

  Which oil is it?

   It is the thin one that stands below the stairs, in the green can.
   The thick one is for the hinges of the door and of the shutters.

  Belts

   A belt that slips is taken to Ann Lee, who has the press for the eyelets.

Owner of the key

Owner: ann@loom.example

   tells all the others that the key is with her until the next Monday.

Telling everybody else that the hall is closed for a day

   It is written on the slate at the door, where all of them come by.
   The slate is wiped when the hall is open again.

                           More about the looms

   The oldest of them came from Ghent, and was made there in 1871.
"""


def test_lines_left_of_all_else_or_in_its_middle_are_headings(tmp_path):
    document = read(tmp_path, SET_IN)
    assert document.title == "How the looms are kept"
    assert [found for found, _ in headed(document)] == [
        "Which oil is it?",
        "Belts",
        "Owner of the key",
        "Telling everybody else that the hall is closed for a day",
        "More about the looms",
    ]


def test_a_title_of_two_lines_in_the_middle_is_one(tmp_path):
    first = "How looms in the old hall are kept, oiled and handed on"
    text = f"  ______\n{first}\n{'to others':>33}\n\n   They are oiled once a month.\n"
    assert read(tmp_path, text).title == f"{first} to others"


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


def numbered_faq(times):
    """A list of questions whose headings number on, below its table of contents."""
    heads = ["1.0\tKilns"]
    heads += [f"1.{n}\tWhy does the kiln report fault {n} when its\n\tdoor is open?" for n in times]
    heads += ["2.0\tGlazes", "2.1\tWhich glazes are there?", "2.1.1 Salt glazes", "2.2\tLead"]
    said = "\tThe potter looks at the door first, and then at\n\tthe coil below the floor."
    return (
        "Kiln questions\n\n"
        + "\n".join(heads)
        + "\n\n"
        + "\n\n".join(f"{h}\n\n{said}" for h in heads)
    )


def test_headings_that_number_on_are_told_over_lines_and_as_questions(tmp_path):
    found = [heading for heading, _ in headed(read(tmp_path, numbered_faq([1, 2])))]
    fault = "Why does the kiln report fault {} when its door is open?"
    assert found[:3] == ["Kilns", fault.format(1), fault.format(2)]
    assert found[3:] == ["Glazes", "Which glazes are there?", "Salt glazes", "Lead"]


def test_no_other_line_is_a_heading_where_headings_number_on(tmp_path):
    text = numbered_faq([1, 2, 3]).replace(
        "2.0\tGlazes", "\t    $ su\n\t    ...\n\n9.5 BAR\n\n2.0\tGlazes"
    )
    found = [heading for heading, _ in headed(read(tmp_path, text))]
    assert len(found) == 8
    assert not {"$ su", "BAR", "9.5 BAR"} & set(found)


LETTERED = "".join(
    f"{heading}\n\n   The harbour is shallow here.\n\n"
    for heading in (
        *("1. Quays", "  1.1. Fees", "  1.2. Hours", "2. Moorings", "  2.1. Fees"),
        *("A. Charts", "  A.0. Old ones", "  A.1. Scales", "B. Words"),
    )
)


def test_appendices_with_letters_are_headings_and_shared_ones_say_of_what(tmp_path):
    document = read(tmp_path, f"Harbours\n\n{BODY}\n{LETTERED}")
    assert [found for found, _ in headed(document)] == [
        *("Quays", "Quays: Fees", "Hours", "Moorings", "Moorings: Fees"),
        *("Charts", "Old ones", "Scales", "Words"),
    ]


@pytest.mark.parametrize(
    "letters", ["A. Ebb\n\nB. Flood\n\nC. Both\n\nD. None\n", f"C. Ebb\n\n{BODY}\nD. Flood\n"]
)
def test_answers_to_choose_from_are_no_headings(tmp_path, letters):
    assert headed(read(tmp_path, f"Tides\n\n{BODY}\n{letters}\n{BODY}")) == []


@pytest.mark.parametrize("prompt", ["$ su", "% LS", "C:\\> DIR", "ann@loom:~$ TOP"])
def test_a_command_line_is_no_heading(tmp_path, prompt):
    text = f"Looms\n\n{BODY}\n    {prompt}\n    ...\n    # cd /loom\n\n{BODY}\n{prompt}\n\n{BODY}"
    assert headed(read(tmp_path, text)) == []


def test_a_numbered_list_has_no_headings(tmp_path):
    items = [f"{n}. Turn the wheel {n} times\n" for n in range(1, 7)]
    for between in ("", "\n"):
        found = headed(read(tmp_path, f"Wheels\n\n{BODY}\n{between.join(items)}\n{BODY}"))
        assert len(found) <= 1
    sentences = [f"{n}. Turn the wheel {n} times, and wait.\n\n" for n in range(1, 7)]
    assert headed(read(tmp_path, f"Wheels\n\n{BODY}\n{''.join(sentences)}\n{BODY}")) == []


MINUTES = """BRIDGE ROWING CLUB
Committee, Tue 4 June 2024, boathouse

Present: Ida, Piet, Sam

1. Last minutes
   agreed, with one correction by Ida that nobody disputed.

2. Slipway – the concrete has cracked. Piet asks three builders.

3. New eight: 14,200 from the yard in Genoa, delivery in May.

4. Sam has passed the umpire's exam. Applause.

5. AOB
   - cake

Next: 2 July
"""


def test_items_of_minutes_are_under_their_headings(tmp_path):
    document = read(tmp_path, MINUTES)
    assert document.title == "Committee, Tue 4 June 2024 (BRIDGE ROWING CLUB)"
    assert [s.heading for s in document.sections] == [
        "Last minutes",
        "Slipway",
        "New eight",
        "",
        "AOB",
    ]
    assert "2. Slipway – the concrete has cracked." in document.text
    with Hoptrail(tmp_path / "graph.db") as hoptrail:
        hoptrail.ingest(tmp_path / "a.txt")
        (hit,) = hoptrail.search("What does the new eight cost, 14,200?", limit=1)
        assert [one.heading for one in hit.sentences()][:1] == ["New eight"]


OVER_THEIR_TEXT = """Ferry association

1. The minutes of May were approved.

2. Landing stage
Two piles are rotten. The joiner from Holm looks at them in June, and says what new ones cost.

3. Fares
Children pay half from July on. Bicycles stay free.

4. Bell
Sold to the museum.
"""


def test_items_have_the_headings_that_stand_over_their_text(tmp_path):
    document = read(tmp_path, OVER_THEIR_TEXT)
    assert [s.heading for s in document.sections] == ["", "Landing stage", "Fares", "Bell"]
    assert "2. Landing stage\n\nTwo piles are rotten." in document.text


@pytest.mark.parametrize(
    "items",
    [
        "1. The joiner from Holm looks at\nTwo piles. They are rotten.\n\n"
        "2. The piles of the long stage in\nHolm are rotten.\n\n3. All of the others are\nSound.\n",
        "1. Ann Lee\n5 Quay Street\n\n2. Bo Ek\n7 Quay Street\n\n3. Cy Roe\nMill Lane\n",
    ],
    ids=["wrapped", "addresses"],
)
def test_the_first_line_of_an_item_is_no_heading_where_it_goes_on(tmp_path, items):
    document = read(tmp_path, f"Harbours\n\n{BODY}\n{items}")
    assert not any(heading for heading, _ in headed(document))


THREAD = """From: Ida Roe <ida@row.example>
To: Piet Bos
Date: Tue, 4 Jun 2024 16:52
Subject: Re: Slipway

I have the key.

> On Mon, 3 Jun 2024 Piet Bos wrote:
>
> Who has the key?

From: Piet Bos
To: Ida Roe
Date: Wed, 5 Jun 2024 08:40
Subject: Re: Slipway

Then I come at nine.
"""


def test_a_thread_of_mail_saved_as_text_is_read_as_mail(tmp_path):
    document = read(tmp_path, THREAD)
    assert document.title == "Slipway"
    assert document.metadata["author"] == "Ida Roe"
    said = [(s.heading, document.text[s.start :].split("\n")[-1]) for s in document.sections]
    assert [heading for heading, _ in said] == ["On Mon, 3 Jun 2024 Piet Bos wrote", "Piet Bos"]


def test_a_text_that_only_speaks_of_mail_is_none(tmp_path):
    text = f"Letters\n\n{BODY}\nFrom: Ida\nTo: Piet\nSubject: Tides\n\n{BODY}"
    assert read(tmp_path, text).title == "Letters"
