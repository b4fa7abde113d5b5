import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoptrail.kg.text.lines import unwrapped
from hoptrail.kg.text.splitting import sentences

WRAPPED = """\
The old lighthouse at Sandur was built in 1893 by a merchant who had lost
two ships on the rocks below it. Its lamp was lit with whale oil until the
year 1921, when the island got its first power station. Ever since the lamp
has been electric.

It has three keepers:
- Jens Thorkil, who lives there all the year and also repairs the clocks of
  the village,
- Olga Brekke.

Sandur Light
12 Harbour Road
Sandur
"""
POEM = """\
Two ships went down below the hill
On a grey morning, in the rain,
The lamp was cold, the wind was still,
And no one saw the sea again.
"""


def test_a_wrapped_paragraph_is_a_line_and_lists_and_addresses_stay_lines():
    first, second, *rest = unwrapped(WRAPPED).split("\n\n")
    assert "\n" not in first
    assert first.endswith("Ever since the lamp has been electric.")
    assert [line.split(",")[0].strip(" -.") for line in second.split("\n")] == [
        "It has three keepers:",
        "Jens Thorkil",
        "Olga Brekke",
    ]
    assert rest == ["Sandur Light\n12 Harbour Road\nSandur\n"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(POEM, id="verse"),
        pytest.param("Ada Holm\nJens Thorkil\nRolf Lund\n", id="names"),
        pytest.param(
            "Ada Holm is a painter, born in the town of Sandur in 1950.\n"
            "Rolf Lund is an actor who lived in Oslo and in Bergen, too.\n",
            id="a sentence a line",
        ),
        pytest.param("| a | b |\n| c | d |\n", id="a table"),
        pytest.param("if x:\n    return the_answer_of(everything, and_more)\nelse:\n", id="code"),
    ],
)
def test_lines_that_nobody_wrapped_stay(text):
    assert unwrapped(text) == text


@pytest.mark.parametrize("end", ["\r\n", "\r", "\x0b", "\x85", "\u2028"])
def test_every_kind_of_line_end_is_one(end):
    text = f"Heading{end}Ada Holm lives here"
    assert unwrapped(text).replace(" \n", "\n") == "Heading\nAda Holm lives here"


@given(st.text(max_size=200) | st.text(st.sampled_from("ab .\n-|\r"), max_size=300))
def test_it_is_as_long_as_the_text(text):
    joined = unwrapped(text)
    assert len(joined) == len(text)
    assert joined.split() == text.split()


def test_a_line_end_ends_a_sentence():
    assert sentences("History\nThe Project was founded in 1993\nby Ian") == [
        "History",
        "The Project was founded in 1993",
        "by Ian",
    ]


def test_numbered_headings_over_their_text_do_not_hide_that_it_is_wrapped():
    heads = "\n\n".join(f"{n}. Open day\nThe day is on Sunday." for n in range(1, 6))
    wrapped = "It was planned for the thirteenth of June, but it is\nnow on the twentieth of June."
    text = f"{heads}\n\n{wrapped}\n\n{wrapped}"
    assert unwrapped(text) == f"{heads}\n\n{wrapped}\n\n{wrapped}".replace("is\nnow", "is now")


def test_an_initial_that_begins_a_line_is_no_item():
    text = WRAPPED.replace("by a merchant who had lost", "by President Paul Rolf Dietz").replace(
        "two ships on", "E. Gray ships on"
    )
    assert "Dietz E. Gray" in unwrapped(text)


def test_rows_of_a_table_keep_their_lines_and_count_for_no_width():
    table = "\n".join(
        f"Port: P{n}; Known for: " + "very old boats and barges " * 6 for n in range(9)
    )
    text = unwrapped(f"{WRAPPED}\n{table}\n")
    assert table in text
    assert "had lost two ships" in text


RAGGED = """\
* The userspace part of the GANLK code is based on the master
  thesis and the code
  provided by Vojtech Trefny. Other open projects were
  also looked at and used to verify the
  implementation.

* The on-disk header of Gannet can now be detached, e.g. placed on a separate
  device or in a file,
  using the new --gannet-header option.
"""


def test_text_that_was_wrapped_by_hand_has_whole_sentences():
    first, second = unwrapped(RAGGED).rstrip().split("\n\n")
    assert "\n" not in first
    assert "\n" not in second
    listed = "red apples of the valley\ngreen pears of the hill\nplums\nnuts of the old trees\n"
    assert unwrapped(listed * 3) == listed * 3


def test_settings_and_code_under_an_item_are_lines_of_their_own():
    listed = (
        f"{WRAPPED}\n"
        "  * Parallel port interface by Jan Kansky (linux, win32)\n"
        "    inputMethod.method = PARALLEL\n"
        "    Setup the port in crrcsim.xml\n"
        "  * Sound card interface, which works with any of the transmitters\n"
        "    that have an output.\n"
        "    open_port(1);\n"
    )
    lines = [" ".join(line.split()) for line in unwrapped(listed).split("\n")]
    assert "* Parallel port interface by Jan Kansky (linux, win32)" in lines
    assert "inputMethod.method = PARALLEL" in lines
    assert "Setup the port in crrcsim.xml" in lines
    assert "open_port(1);" in lines
    assert any(line.endswith("transmitters that have an output.") for line in lines)


def test_clauses_whose_lines_are_set_in_under_their_text_are_put_together():
    clauses = (
        "6.  COMPLAINTS\n"
        "6.1 Complaints go first to the person handling your matter and, if that does not help,\n"
        "    to our complaints partner, Henrik Vale.\n"
        "6.2 We acknowledge a complaint within 3 Business Days and reply in full within a month.\n"
        "6.3 If you are still unhappy you may go to the Ombudsman within a limit that is normally\n"
        "    2.5 months after our final reply.\n"
    )
    lines = [" ".join(line.split()) for line in unwrapped(clauses).split("\n")]
    assert [line.split()[0] for line in lines if line] == ["6.", "6.1", "6.2", "6.3"]
    assert lines[1].endswith("if that does not help, to our complaints partner, Henrik Vale.")
    assert lines[3].endswith("2.5 months after our final reply.")


@pytest.mark.parametrize("begin", ["£42", "$744", "#7 of", "€42", "“Plant”", "[VAT]", "(VAT)"])
@pytest.mark.parametrize("text", [WRAPPED.split("\n\n")[0], RAGGED], ids=["wrapped", "by hand"])
def test_a_line_may_go_on_with_a_price_a_number_or_a_bracket(begin, text):
    line = "The machine was rented for one day and has gone back, and a credit note of"
    whole = unwrapped(f"{text}\n{line}\n{begin} goes out today.\n\n{text}")
    assert f"a credit note of {begin} goes out today." in whole


@pytest.mark.parametrize("mark", ["$ ", "# ", "#", "> ", "| "])
def test_lines_with_a_prompt_or_a_mark_stay_lines(mark):
    line = "The package is installed by anyone who may, with the two commands of"
    commands = f"{mark}apt-get install it\n{mark}apt-get upgrade"
    assert f"{line}\n{commands}" in unwrapped(f"{WRAPPED}\n{line}\n{commands}\n")
