"""What is told of another name, another part of a life, or of a thing of another type."""

import pytest

from hoptrail import Hoptrail

STAFF = (
    "Staff of Harrow Optics",
    "Peter Adeyemi was born in Lagos. Harrow Labs tests lenses for the Keele Observatory. "
    "The Pic Observatory bought a mirror. Alderline is a company in Linz, Austria. "
    "Alderline supplies glass to Harrow Optics. Mina Sato works in Osaka.",
)


@pytest.mark.parametrize(
    "question",
    [
        "In which country is Harrow Optics?",
        "Who tests lenses for the Pic Observatory?",
        "Where does Mina Sato live?",
        "Where does Peter Adeyemi live?",
        "Which museum does Mina Sato work at?",
        "Which observatory does Mina Sato work at?",
        "In which country does Mina Sato work?",
        "In which part of the country is Alderline?",
    ],
)
def test_what_is_told_of_another_is_not_asserted(read, question):
    assert not read(question, STAFF).answered


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("In which country is Alderline?", "Austria"),
        ("Who tests lenses for the Keele Observatory?", "Harrow Labs"),
        ("Where does Mina Sato work?", "Osaka"),
        ("Where was Peter Adeyemi born?", "Lagos"),
        ("What does Alderline supply?", "glass"),
    ],
)
def test_what_is_told_of_it_is(read, question, answer):
    reading = read(question, STAFF)
    assert (reading.text, reading.answered) == (answer, True)


ROWS = (
    "Boat: Kestrel; Length: 12 m; Built: 1988\nBoat: Osprey; Length: 15 m; Built: 1979",
    "Room: Aspen; Capacity: 12; Floor: 2\nRoom: Birch; Capacity: 40; Floor: 1",
)


@pytest.mark.parametrize(
    "question", ["Which boat is longest?", "Which boat is the oldest?", "How many rooms are there?"]
)
def test_no_row_tells_which_is_the_longest_or_how_many_there_are(read, question):
    assert not read(question, *ROWS).answered


def test_an_episode_is_no_season(read):
    said = "Ann Lee appeared in Low Tide, an episode of the third season of Far Shore."
    reading = read("On which season of Far Shore did Ann Lee appear?", said)
    assert not reading.answered or "third" in reading.text
    only = read(
        "On which season of Far Shore did Ann Lee appear?", "Ann Lee was in Far Shore's Low Tide."
    )
    assert not only.answered


def test_a_row_tells_of_itself(read):
    reading = read("How long is the Osprey?", *ROWS)
    assert (reading.text, reading.answered) == ("15 m", True)


TERMS = """\
Term,First day,Half-term,Last day
Spring 2025,Mon 6 Jan 2025,17 - 21 Feb,Sat 29 Mar 2025
Summer 2025,Tue 22 Apr 2025,26 - 30 May,Sat 12 Jul 2025
"""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When does the summer term start?", "Tue 22 Apr 2025"),
        ("When does the spring term begin?", "Mon 6 Jan 2025"),
        ("When does the summer term end?", "Sat 12 Jul 2025"),
    ],
)
def test_the_first_day_is_when_it_starts(tmp_path, question, answer):
    (tmp_path / "calendar.csv").write_text(TERMS)
    with Hoptrail(tmp_path / "calendar.db") as hop:
        hop.ingest(tmp_path / "calendar.csv")
        assert hop.ask(question).text == answer


RELEASES = (
    "Version: 4.3.0; Date: 30 Apr 2001; Entries: 2319\n"
    "Version: 3.2.0; Date: 15 Mar 1995; Entries: 2031"
)


def test_a_release_is_its_whole_number(read):
    assert read("How many entries did version 3.2.0 have?", ("Revisions", RELEASES)).text == "2031"
    assert not read("How many entries did version 3.0.0 have?", ("Revisions", RELEASES)).answered


def test_a_release_is_no_measure(read):
    text = (
        "With Dia 0.98 there is an additional way to create image shapes. PNG pictures are small."
    )
    assert not read("At what resolution does Dia export PNG pictures?", ("Dia", text)).answered


def test_a_telephone_number_is_no_code(read):
    text = ("Useful numbers", "Calder Alarms 01632 962 114. Floodline 0345 988 1188.")
    assert not read("What is the code of the burglar alarm?", text).answered
    assert read("What is the number of Calder Alarms?", text).text == "01632 962 114"
