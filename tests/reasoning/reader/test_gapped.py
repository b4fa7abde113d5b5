"""Sentences that say a verb once, of several things."""

import pytest

KEEP = "Anna looks after the library and Ben after the workshop."
POSTERS = "Paul Ende designed the logo, Rita Voss the website and Omar Diaz the posters."
WATER = "Water the tomatoes daily, the beans every other day and the herbs once a week."
BRIDGE = "The bridge is 412 metres long, 18 metres wide and 60 metres above the river."
ORDER = "The order was placed on 2 May, shipped on 5 May and delivered, after a delay, on 19 May."
CAREER = (
    "From 2009 to 2014 Ida Novak worked for Lumen Optics as a laser engineer, "
    "then for Straight Beam as head of research."
)
SAWS = "The Hartung 300 weighs 18 kg, its little sister, the Hartung 120, only 7."
CARS = (
    "Model A has a range of 310 km and charges in 40 minutes, "
    "model B goes 420 km but takes an hour."
)
ADMISSION = "Admission is 4.50, for children under twelve 2.20."
LEAD = "Ms Weber leads sales and Mr Okafor development; both report to the director, Ms Lind."


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (KEEP, "Who looks after the workshop?", "Ben"),
        (KEEP, "Who looks after the library?", "Anna"),
        (POSTERS, "Who designed the posters?", "Omar Diaz"),
        (POSTERS, "Who designed the logo?", "Paul Ende"),
        (WATER, "How often should I water the beans?", "every other day"),
        (WATER, "How often do the herbs need water?", "once a week"),
        (WATER, "How often should the tomatoes be watered?", "daily"),
        (BRIDGE, "How wide is the bridge?", "18 metres"),
        (BRIDGE, "How long is the bridge?", "412 metres"),
        (CAREER, "What was Ida Novak's job at Straight Beam?", "head of research"),
        (SAWS, "How much does the Hartung 120 weigh?", "7"),
        (SAWS, "How much does the Hartung 300 weigh?", "18 kg"),
        (CARS, "What is the range of model B?", "420 km"),
        (CARS, "How long does model A take to charge?", "40 minutes"),
        (ADMISSION, "How much is admission for a child?", "2.20"),
        (LEAD, "Who leads development?", "Mr Okafor"),
        (LEAD, "Who is the director?", "Ms Lind"),
        ("The hall seats 120 people, the foyer 40.", "How many people does the foyer seat?", "40"),
        (
            "Bus 4 leaves from the station and bus 7 from the market.",
            "Where does bus 4 leave from?",
            "station",
        ),
        (
            "The red pump delivers 300 litres a minute, while the blue one manages only 180.",
            "How many litres a minute does the blue pump deliver?",
            "180",
        ),
        ("Call Lisa for bookings, Marc for repairs.", "Whom do I call for repairs?", "Marc"),
    ],
)
def test_what_a_part_says_is_told_of_its_own_thing(read, text, question, answer):
    reading = read(question, text)
    assert (reading.text, reading.answered) == (answer, True)


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (
            "Anna Berg, head of the workshop, leads the choir on Mondays.",
            "Who is the head of the workshop?",
            "Anna Berg",
        ),
        (
            "Anna Berg wrote the book in 1990, with drawings by Ole Holm.",
            "Who wrote the book with drawings?",
            "Anna Berg",
        ),
        (
            "The bakery opens at 7 on weekdays, and the owner, Tom Reed, lives upstairs.",
            "Who owns the bakery?",
            "Tom Reed",
        ),
        (
            "The boiler was repaired in March by Karl Moser, the heating engineer.",
            "Which heating engineer repaired the boiler?",
            "Karl Moser",
        ),
        (
            "Bring boots, gloves and a helmet to the site at 8 am on Monday.",
            "What should I bring to the site?",
            "boots, gloves and a helmet",
        ),
    ],
)
def test_what_only_stands_apart_is_none(read, text, question, answer):
    assert read(question, text).text == answer


def test_one_of_a_kind_is_not_the_one_that_is_named(read):
    keys = (
        "The key to the boiler room hangs behind the kitchen door; "
        "the one to the attic is with the caretaker, Mr Pohl."
    )
    assert not read("Who has the key to the boiler room?", keys).answered
    attic = read("Who has the key to the attic?", keys)
    assert (attic.text, attic.answered) == ("Mr Pohl", True)


@pytest.mark.parametrize(
    ("question", "answered"), [("Where does Mira live?", False), ("Where is Jana a vet?", True)]
)
def test_where_a_relative_is_says_nothing_of_somebody(read, question, answered):
    text = "Mira's sister Jana is a vet in Brno; Mira herself teaches physics."
    assert read(question, text).answered is answered


@pytest.mark.parametrize(
    ("question", "answer"),
    [("When was the order placed?", "2 May"), ("When was the order shipped?", "5 May")],
)
def test_each_of_several_deeds_has_its_day(read, question, answer):
    assert read(question, ORDER).text == answer


def test_the_day_of_one_deed_is_not_asserted_of_another(read):
    reading = read("When was the order delivered?", ORDER)
    assert reading.text == "19 May" or not reading.answered


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Which symbol marks a comment?", 'A comment is marked by this symbol.\n\n"#"\n', "#"),
        ("Which wildcard is used?", 'Wildcard used:\n\n"*"', "*"),
    ],
)
def test_a_symbol_that_stands_alone_is_read(read, question, text, answer):
    assert answer in [candidate for candidate, _ in read(question, text).candidates]
