"""What is told of another day, or in brackets behind somebody else, is not asserted."""

import pytest

from hoptrail.kg.types import Passage
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.reader.asked.question import take_apart
from hoptrail.reasoning.reader.candidates import Mention
from hoptrail.reasoning.reader.pages import Page
from hoptrail.reasoning.reader.parsed import Parsed
from hoptrail.reasoning.reader.placed.numbered import of_another_number

from .conftest import Read

TRIPS = (
    "Trips of the summer school\n\n- 9 July: Kirkstall Abbey, on foot\n"
    "- 16 July: York by train, lunch in the museum\n- 23 July: Whitby by coach, fish and chips\n"
)
SHIFTS = (
    "date: 2024-05-06; boat: Gull; skipper: Ann Lee\ndate: 2024-05-07; boat: Gull; skipper: Bo Ek"
)
PROVINCE = (
    "In Serbia, the Serbian language is the official one, while both Serbian and Croatian are "
    "official in the province of Vojvodina."
)
RAID = "Operation Cold Comfort was a failed raid by a unit that was founded during World War II."
SINGER = (
    "name: Imke Adebayo; subject: singing; rooms_and_days: room 11 Mon Wed Fri; "
    "at_school_since: 2014; also: children's choir; remark: on sabbatical from February to July"
)
COUPLE = (
    "Name: Adaeze Lindahl; Born: 28 August 1858; Died: 2 May 1931; "
    "Husband: Ottokar Brandeis, dentist"
)
KEYS = "Action: Go to previous marker; Key: Alt+Left\nAction: Go to next marker; Key: Alt+Right"
AIDERS = "First aiders: Bea Lind, Hattie Moss, Denise Fox (her certificate runs out in May 2025)."


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Where did the summer school go on 23 July?", TRIPS, "Whitby"),
        ("Who skippered the Gull on 7 May 2024?", SHIFTS, "Bo Ek"),
        ("When does Denise Fox's certificate run out?", AIDERS, "May 2025"),
        ("When did Adaeze Lindahl die?", COUPLE, "2 May 1931"),
        ("Which key goes to the next marker?", KEYS, "Alt+Right"),
    ],
)
def test_what_is_told_of_it_is_the_answer(
    read: Read, question: str, text: str, answer: str
) -> None:
    assert read(question, text).text == answer


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Where did the summer school go on 30 July?", TRIPS),
        ("Who skippered the Gull on 8 May 2024?", SHIFTS),
        ("When does Bea Lind's certificate run out?", AIDERS),
        ("Who won the 1999 cup?", "The 1999 cup was lost. The 1998 cup was won by Bo Ek."),
        ("In which country is the province where Serbian and Croatian are official?", PROVINCE),
        ("The failed raid was by a unit that was founded in what year?", RAID),
        ("Who is standing in for Imke while she is on sabbatical?", SINGER),
        ("When did Lindahl's husband die?", COUPLE),
        ("Which key goes to the next marker?", KEYS.partition("\n")[0]),
        ("What time is the last departure from Graz?", "The last arrival in Graz is at 22:40."),
        ("Which extension do I ring to hire the net shaker?", "Net shaker hire: 28.00"),
        ("How much is the kit that I buy for E-15?", "E-15: buy a kit that lasts for 500 sheets."),
        ("How much does an apprentice get?", "Apprentices get £60 a month more straight away."),
        ("I call off early. How much do I get back?", "Early cancelling: all money minus £15."),
        ("How much money do I get back?", "Whoever cancels early gets all money back minus £15."),
    ],
)
def test_what_is_told_of_another_is_not_asserted(read: Read, question: str, text: str) -> None:
    assert not read(question, text).answered


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        (
            "How much more do apprentices get?",
            "Apprentices get £60 a month more now.",
            "£60 a month",
        ),
        ("How much did the hall cost?", "The new hall cost €10 m in the end.", "€10 m"),
        ("How many live there?", "10 million people live in Lunden.", "10 million"),
        ("How much is the deposit?", "The deposit is 3 months' rent.", "3 months' rent"),
        ("How much paint do I have to buy?", "You have to buy 5 litres of paint.", "5 litres"),
        (
            "How can I lower the seat?",
            "To lower the seat, press the upper lever.",
            "press the upper lever",
        ),
    ],
)
def test_what_only_looks_like_another_is_the_answer(
    read: Read, question: str, text: str, answer: str
) -> None:
    reading = read(question, text)
    assert (reading.text, reading.answered) == (answer, True)


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        (
            "What did Feodor get for turning the macros into proper software?",
            "Her neighbour, the programmer Feodor Achebe, turned the macros into a program in the "
            "winter of 2006; he took a walnut cupboard as his wage.",
            "walnut cupboard",
        ),
        (
            "Why did we say no to Corvane's money?",
            "We have never taken venture money; an offer from Corvane Partners was turned down in "
            "2019 since they wanted us to drop Larder.",
            "they wanted us to drop Larder",
        ),
    ],
)
def test_a_name_may_be_said_in_part(read: Read, question: str, text: str, answer: str) -> None:
    reading = read(question, text)
    assert (reading.answered, reading.text) == (True, answer)


POOL = "The pool is closed on Mondays. From Tuesday to Friday it opens at 6:30, at weekends at 8."
FIELDS = "The rye is cut in August and taken to the mill."
DAMAGE = "Damage by water is covered up to 20,000 euros, damage by fire up to 100,000."
CREEK = "Deckers Creek begins west of Arthurdale and flows to the river."
FAMILY = (
    "Alma Berg left Riga and came to Leeds in 1921. Her sister Vera Berg stayed behind and ran a "
    "bakery there."
)
TRAINS = "Trains leave from platform 4. The journey to Mainz takes 42 minutes."
SHIPS = "The Petrel carries 12 passengers. Her sister ship Tern was scrapped in 2001."
FILMS = "Tess Marlow directed the 1968 horror film 'The Mill' and lives in Bath."


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When does the pool close?", POOL),
        ("When is the barley cut?", FIELDS),
        ("Up to what amount is storm damage covered?", DAMAGE),
        ("What is the beginning of Deckers Creek named after?", CREEK),
        ("When did Vera Berg leave Riga?", FAMILY),
        ("Which 1999 film did Tess Marlow direct?", FILMS),
        ("How long does the journey to Worms take?", TRAINS),
        ("When was the Petrel scrapped?", SHIPS),
    ],
)
def test_what_another_thing_does_is_not_asserted(read: Read, question: str, text: str) -> None:
    assert not read(question, text).answered


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("When does the pool open at weekends?", POOL, "8"),
        ("When is the rye cut?", FIELDS, "August"),
        ("Up to what amount is damage by fire covered?", DAMAGE, "100,000"),
        ("When did Alma Berg come to Leeds?", FAMILY, "1921"),
        ("How long does the journey to Mainz take?", TRAINS, "42 minutes"),
        ("When was the Tern scrapped?", SHIPS, "2001"),
    ],
)
def test_nor_is_what_is_told_of_it_held_back(
    read: Read, question: str, text: str, answer: str
) -> None:
    reading = read(question, text)
    assert answer in reading.text
    assert reading.answered


def test_who_somebody_is_does_not_say_who_came_before(read: Read) -> None:
    text = "Project manager is Lin Zhou; her predecessor, Bert Olsen, has moved to the archive."
    assert read("Who was Lin Zhou's predecessor?", text).text == "Bert Olsen"
    assert read("Who is the project manager?", text).text == "Lin Zhou"


def test_what_a_thing_is_now_is_not_what_it_was_before(read: Read) -> None:
    text = "The default port is now 8443 (was 8080)."
    before = read("What was the default port before?", text)
    assert before.text == "8080" or not before.answered
    assert read("What is the default port now?", text).text == "8443"


EDITIONS = (
    "Edition 1.9 adopted on 7 July 2021.\n\nSupersedes Edition 1.8 adopted on 3 May 2019, "
    "Edition 1.7 adopted on 9 August 2017, and Edition 1.6 adopted on 1 June 2015."
)
HALL = "Room 11 has 30 seats, and room 12 is the hall, built in 1980."
ROOMS = "Room 3 is where Ann Lee works, and Ben Ek works in room 5."
REPLACED = "Version 1.7, which replaced version 1.6, was published on 3 May 2020."


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("When was edition 1.9 adopted?", EDITIONS, "7 July 2021"),
        ("When was edition 1.7 adopted?", EDITIONS, "9 August 2017"),
        ("How many seats does room 11 have?", HALL, "30 seats"),
        ("Who works in room 5?", ROOMS, "Ben Ek"),
        ("Who works in room 3?", ROOMS, "Ann Lee"),
        ("When was version 1.7 published?", REPLACED, "3 May 2020"),
        ("How many seats do rooms 3 and 4 have?", "Rooms 3 and 4 have 30 seats each.", "30 seats"),
    ],
)
def test_what_is_told_of_a_numbered_thing_is_given(
    read: Read, question: str, text: str, answer: str
) -> None:
    reading = read(question, text)
    assert (reading.text, reading.answered) == (answer, True)


def test_what_was_replaced_is_not_the_latest(read: Read) -> None:
    assert read("When was the latest edition adopted?", EDITIONS).text == "7 July 2021"


def test_what_another_number_has_is_not_asserted(read: Read) -> None:
    assert not read("How many seats does room 12 have?", HALL).answered


@pytest.mark.parametrize(
    ("text", "start", "other"),
    [
        ("Supersedes Rule 11 of 3 May, Rule 10 of 9 June", "9 June", True),
        ("Rule 12 was made on 9 June, rule 11 on 3 May", "9 June", False),
        ("Rule 12 was made on 9 June, rule 11 on 3 May", "3 May", True),
        ("On 3 May rule 11 was made", "3 May", True),
        ("On 3 May rule 12 took the place of rule 11", "3 May", False),
        ("Rules 10 to 14 were made on 3 May", "3 May", False),
        ("Rule 12.1 was made on 3 May", "3 May", False),
        ("Unlike rule 11 it was made on 3 May", "3 May", False),
        ("It was made on 3 May", "3 May", False),
    ],
)
def test_a_day_is_that_of_the_nearest_before_it(
    pipeline: Pipeline, text: str, start: str, other: bool
) -> None:
    asked = take_apart(question := "When was rule 12 made?", next(iter(pipeline([question]))))
    page = Page(Parsed(Passage("d", 0, "Rules", text), next(iter(pipeline([text])))), (), 0)
    at = text.index(start)
    assert of_another_number(asked, page, Mention(page, "DATE", at, at + len(start))) is other
