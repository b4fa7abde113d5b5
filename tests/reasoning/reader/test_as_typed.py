"""Questions as people type them, and documents that ask and answer questions themselves."""

import pytest

from hoptrail.kg.types import Passage
from hoptrail.reasoning.reader import Reader
from hoptrail.reasoning.reader.asked.plainly import plainly
from hoptrail.reasoning.reader.asked.question import take_apart

from .conftest import Given

TEXT = "Dana Kowalski works in Steyr. Old Bess is an old canoe. The RAID is new."


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("where is dana kowalski based", "Where is Dana Kowalski based?"),
        ("Can you tell me who founded Tessel?", "Who founded Tessel?"),
        ("could you please tell me in which town it is", "In which town it is?"),
        ("Do you know when it opens?", "When it opens?"),
        ("hi, who owns the barn pls", "Who owns the barn?"),
        ("Who owns the barn, please?", "Who owns the barn?"),
        ("whats the raid level", "What is the RAID level?"),
        ("Give me the phone number of Ann", "What is the phone number of Ann?"),
        ("how long is old bess", "How long is old Bess?"),
        ("Is the book shop open?", "Is the book shop open?"),
        ("Where do they hold the book sale?", "Where do they hold the book sale?"),
        ("What books please children?", "What books please children?"),
        ("Can you swim here?", "Can you swim here?"),
        ("please", "Please?"),
    ],
)
def test_what_is_only_polite_goes_and_names_have_capitals(typed: str, meant: str) -> None:
    assert plainly(typed, [TEXT]) == meant


@pytest.mark.parametrize(
    ("typed", "text", "meant"),
    [
        ("Who sailed on 7 May 2024?", "date: 2024-05-07", "Who sailed on 2024-05-07?"),
        ("Who sailed on May 7th, 2024?", "On 7 May Bo sailed.", "Who sailed on 7 May?"),
        ("Who sailed on 2024-05-07?", "7th of May 2024: Bo", "Who sailed on 7th of May 2024?"),
        ("Who sailed on 7 May 2024?", "7 May 2024, 2024-05-07", "Who sailed on 7 May 2024?"),
        ("Who sailed on 7 May 2023?", "date: 2024-05-07", "Who sailed on 7 May 2023?"),
        ("Who may sail?", "3 May", "Who may sail?"),
        ("Who sailed in '91?", "In 1991 Bo sailed.", "Who sailed in 1991?"),
        ("Who sailed in '91?", "1891 and 1991", "Who sailed in '91?"),
        ("Who sailed the '12 metre'?", "2012", "Who sailed the '12 metre'?"),
        ("How many of 12 juniors sail?", "12 June 2024", "How many of 12 juniors sail?"),
        ("Who sailed on 8 May 2024?", "08.05.2024", "Who sailed on 08.05.2024?"),
        ("Who sailed on 8 May 2024?", "08/05/2024", "Who sailed on 8 May 2024?"),
        ("Who sailed on 08/05/2024?", "8 May, 5 August", "Who sailed on 08/05/2024?"),
        ("Who sailed on 18/05/2024?", "18 May, 5 August", "Who sailed on 18 May?"),
    ],
)
def test_a_day_is_asked_for_as_the_texts_write_it(typed: str, text: str, meant: str) -> None:
    assert plainly(typed, [text]) == meant


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        (
            "They said no to my request. My situation is different now; how long must I wait?",
            "A refused request can be handed in once more after sixty days, if the situation of "
            "the family has changed.",
            "sixty days",
        ),
        (
            "The projector is broken and Pavel is away. What number do I ring?",
            "Projector: Pavel mends it. If he is away, ring 01632 960 418.",
            "01632 960 418",
        ),
    ],
)
def test_a_question_may_tell_a_situation_first(
    reader: Reader, given: Given, question: str, text: str, answer: str
) -> None:
    reading = reader.read(question, given([Passage("office", 0, "Office", text)]))
    assert (reading.text, reading.answered) == (answer, True)


def test_a_day_is_read_of_those_that_it_is_one_of(reader: Reader, given: Given) -> None:
    text = "Monday to Friday: Ann Lee, extension 12. At weekends: Bo Ek, extension 14."
    passages = given([Passage("office", 0, "Office", text)])
    assert reader.read("Who do I call on Sundays?", passages).text == "Bo Ek"


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("My holiday is off. Until when can I say so?", "date"),
        ("The lamp is broken. Who mends it? I need it.", "person"),
        ("Our treasurer, what's her job?", "other"),
        ("How many stairs are there? Settle a bet for us.", "number"),
    ],
)
def test_the_sentence_that_asks_tells_the_kind(reader: Reader, question: str, kind: str) -> None:
    asked = take_apart(question, next(iter(reader.parse([question]))))
    assert (asked.kind, asked.names) == (kind, ())


FAQ = """\
Q: Can I take my dog to work?
A: No, because of the workshop.
Q: Is there a canteen?
A: Not any more.
Q: May visitors park in the yard?
A: Yes, behind the shed.
Q: Whom do I call when my van breaks down?
A: The car club, on 0820 120 120. The fire brigade rescues people from lifts."""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Can I take my dog to work?", "no"),
        ("is there a canteen", "no"),
        ("May visitors park in the yard?", "yes"),
    ],
)
def test_a_document_that_asks_the_question_answers_it(
    reader: Reader, given: Given, question: str, answer: str
) -> None:
    reading = reader.read(question, given([Passage("faq", 0, "House rules", FAQ)]))
    assert (reading.text, reading.answered) == (answer, True)
    assert reading.sentence.startswith("A: ")


@pytest.mark.parametrize(
    "question", ["Can I take my cat to work?", "Is there a shower?", "May visitors park outside?"]
)
def test_another_question_is_not_answered_by_it(
    reader: Reader, given: Given, question: str
) -> None:
    assert not reader.read(question, given([Passage("faq", 0, "House rules", FAQ)])).answered


def test_what_stands_behind_the_question_comes_before_what_stands_elsewhere(
    reader: Reader, given: Given
) -> None:
    question = "Whom do I call when my van breaks down?"
    reading = reader.read(question, given([Passage("faq", 0, "House rules", FAQ)]))
    assert "fire brigade" not in reading.text


def test_who_asks_is_not_the_answer(reader: Reader, given: Given) -> None:
    chat = "Beatrice Lowe: Who has the key to the cricket gate?\nOwen Tait: it is under the stairs"
    reading = reader.read(
        "Who has the key to the cricket gate?", given([Passage("chat", 0, "Chat", chat)])
    )
    assert reading.text != "Beatrice Lowe" or not reading.answered
