"""What documents deny, in another order than a question has, or by the "No" behind the same one."""

import pytest

from hoptrail.kg.types import Passage
from hoptrail.reasoning.reader import Reader

from .conftest import Given, Read

PLOTS = (
    "Penny Lane Allotments: rules for plot holders",
    "Water is not included in the rent. There is no electricity on the "
    "site. Keeping of pigs is forbidden. Hens are permitted, cockerels are not. Ponies are not "
    "allowed on the paths. Never dig alone. There is no slide: the old one was taken down in 1995. "
    "Weekly mowing is not part of this lease and remains with the tenants. You can't cook or wash "
    "in the barn. Carpets must not be used to keep down weeds.\n"
    "- Shed A: 2 barrows, mower, no strimmer\n"
    "- Shed B: shredder, no fuel, no bike rack\n"
    "The insurance does not cover tools left on plots.",
)
FINCH = (
    "Orla Finch",
    "Orla Finch was a glass painter. She was not related to the brewer Tom Finch. She did not "
    "sign her early windows. Tom Finch was not invited by Ann Lowe.",
)
HIRE = (
    "Rolling Stock cycle hire",
    "Do you rent out tandems?\nNot any more. We sold the last one in 2021.\n"
    "Is there a workshop at the station branch?\nNo, repairs are done in Mill Street.\n"
    "Are helmets included?\nYes, for children and adults alike.",
)


@pytest.mark.parametrize(
    ("document", "question", "answer"),
    [
        (PLOTS, "Is water included in the rent of a plot?", "no"),
        (PLOTS, "Is there electricity at the Penny Lane Allotments?", "no"),
        (PLOTS, "Can I keep pigs on my plot?", "no"),
        (PLOTS, "Are cockerels permitted?", "no"),
        (PLOTS, "Are hens permitted?", "yes"),
        (PLOTS, "Can I dig alone?", "no"),
        (PLOTS, "Is there a slide?", "no"),
        (PLOTS, "Is weekly mowing included in the lease?", "no"),
        (PLOTS, "Can you cook in the barn?", "no"),
        (PLOTS, "Is there a strimmer in shed A?", "no"),
        (PLOTS, "Is there a bike rack in shed B?", "no"),
        (PLOTS, "Does the insurance cover tools left on plots?", "no"),
        (FINCH, "Was Orla Finch related to Tom Finch?", "no"),
        (HIRE, "Do you have tandems for rent?", "no"),
        (HIRE, "Is there a workshop at your station branch?", "no"),
        (HIRE, "Are helmets included in the price?", "yes"),
    ],
)
def test_what_is_denied_is_answered_no(
    read: Read, document: tuple[str, str], question: str, answer: str
) -> None:
    reading = read(question, document)
    assert (reading.text, reading.answered) == (answer, True)


@pytest.mark.parametrize(
    ("document", "question"),
    [
        (PLOTS, "Is electricity included in the rent?"),
        (PLOTS, "Are geese permitted?"),
        (PLOTS, "Can I keep rabbits on my plot?"),
        (PLOTS, "May I bring a pony?"),  # on the paths
        (PLOTS, "Is there a strimmer in shed B?"),
        (PLOTS, "Is there a strimmer?"),
        (PLOTS, "Does the insurance cover tools?"),
        (PLOTS, "Can you cook in the kitchen?"),
        (PLOTS, "Are carpets used?"),
        (FINCH, "Was Orla Finch related to the Duke of Bath?"),
        (FINCH, "Did Orla Finch sign her late windows?"),
        (FINCH, "Was Ann Lowe invited by Tom Finch?"),
        (HIRE, "Are locks included?"),
        (HIRE, "Is there a workshop at the harbour branch?"),
    ],
)
def test_what_is_denied_of_another_thing_is_not_asserted(
    read: Read, document: tuple[str, str], question: str
) -> None:
    assert not read(question, document).answered


def test_another_sentence_may_say_that_it_is_so(read: Read) -> None:
    question, denied = "Is there a lift?", "There is no lift."
    assert read(question, denied).answered
    assert not read(question, f"{denied} Take the lift to the third floor.").answered
    assert not read(question, f"{denied} But a lift is in the annexe.").answered


def test_a_reply_may_stand_in_the_passage_behind_its_question(reader: Reader, given: Given) -> None:
    asks = "Call us first.\nCan I bring my own easel?"
    passages = [Passage("d", 0, "Studio", asks), Passage("d", 1, "Studio", "No. Ours are enough.")]
    reading = reader.read("Can I bring my own easel?", given(passages))
    assert (reading.text, reading.answered) == ("no", True)


def test_a_guess_says_no_where_the_sentence_shown_does(read: Read) -> None:
    reading = read(
        "Will a careless visitor be able to start a fire in the stove?",
        "What if a visitor wants to start a fire in the stove?\nNo. A lock keeps it shut.",
    )
    assert (reading.text, reading.answered) == ("no", False)
    assert reading.sentence.startswith("No.")
