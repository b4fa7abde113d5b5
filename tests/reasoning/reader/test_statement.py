"""Questions of yes or no that one sentence decides by saying their words."""

import pytest

from hoptrail.kg.types import Passage
from hoptrail.reasoning.reader import Reader

from .conftest import Given

CHEQUES = "We do not accept cheques."
HOSTS = "Tasks between 2 remote hosts is not supported."
ABROAD = "Transfers between two accounts abroad are not supported."


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Is parking included?", "Parking is included.", "yes"),
        ("Is delivery included in the price?", "Delivery is not included in the price.", "no"),
        ("Are dogs insured?", "Trailers are white. Dogs are no longer insured. Tea is sold.", "no"),
        ("Do you accept cheques?", CHEQUES, "no"),
        ("Are cheques accepted?", CHEQUES, "no"),
        ("Are cheques accepted?", "We no longer take cheques.", "no"),
        ("Does Larkin Hire accept cheques?", CHEQUES, "no"),
        ("Is parking included at Larkin Hire?", "Parking is included.", "yes"),
        ("Do you accept cheques?", "Cheques are accepted.", "yes"),
        ("Are cards without a chip accepted?", "Cards without a chip are not accepted.", "no"),
        ("Can tasks run between two remote hosts?", HOSTS, "no"),
        ("Are tasks between two remote hosts supported?", HOSTS, "no"),
        ("Can I transfer between two accounts abroad?", ABROAD, "no"),
        ("Can I pay in dollars?", "It is not possible to pay in dollars.", "no"),
        ("Is it possible to pay in dollars?", "You can pay in dollars.", "yes"),
        ("Can trailers be returned on Sundays?", "On Sundays trailers can be returned.", "yes"),
        ("Is there a lift?", "There is no lift.", "no"),
        ("Do you accept cheques?", "We accept no cheques.", "no"),
        ("Are dogs welcome?", "No dogs are welcome. No", "no"),
        ("Does the ferry run on Sundays?", "The ferry never runs on Sundays.", "no"),
    ],
)  # fmt: skip
def test_a_sentence_with_the_words_of_the_question_decides(
    reader: Reader, given: Given, question: str, text: str, answer: str
) -> None:
    reading = reader.read(question, given([Passage("d", 0, "Terms of Larkin Hire", text)]))
    assert (reading.text, reading.answered) == (answer, True)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Is parking included?", "Parking is included in the large rooms."),  # not in all
        ("Is parking included?", "Parking is included. But not in August."),
        ("Is parking included?", "Parking is included. Parking is not included in August."),
        ("Is parking included?", "Parking is included. Parking is included only for members."),
        ("Is parking included?", "Parking may be included."),
        ("Is parking included?", "Parking was included."),
        ("Is parking included?", "Parking is usually included."),
        ("Is parking included?", "In August:\nParking is included."),
        ("Is parking included?", "Parking is included? Ask at the desk."),
        ("Is parking included?", "The message “Parking is included.” is shown."),
        ("Is parking included?", "Some parking is included."),
        ("Is parking included?", "Parking is included\nin the large rooms."),
        ("Is parking included?", "If you book the large room\n\nparking is included."),
        ("Are dogs with a chip accepted?", "Dogs with no chip are accepted."),
        ("Are cards that are signed accepted?", "Cards that are not signed are accepted."),
        ("Is breakfast included?", "Parking is included."),
        ("Is the key in the box?", "The key is on the box."),
        ("Did Graz beat Linz?", "Linz beat Graz."),
        ("Does the ferry run from Oban to Craig?", "The ferry runs from Craig to Oban."),
        ("Are vans insured?", "Cars are insured."),
        ("Do I need a helmet?", "We need a helmet."),
        ("Is parking not included?", "Parking is not included."),
    ],
)  # fmt: skip
def test_what_is_said_of_less_or_is_not_sure_decides_nothing(
    reader: Reader, given: Given, question: str, text: str
) -> None:
    reading = reader.read(question, given([Passage("d", 0, "Terms of Larkin Hire", text)]))
    assert not reading.answered


def test_an_old_notice_decides_nothing(reader: Reader, given: Given) -> None:
    passages = [Passage("d", 0, "Old terms (until 2023)", "Parking is included.")]
    assert not reader.read("Is parking included?", given(passages)).answered


KESTREL = (
    "Kestrel Ltd was founded by Mara Voss in 2009. It is a member of the Chamber of Engineers. The "
    "Linz office was closed in 2023. Mara Voss is no longer the managing director; since 2021 that "
    "has been Tomas Rell. All employees work from home on Fridays."
)
HOUSE = (
    "The hotel has no restaurant, but there is a bar on the ground floor. You don't need to bring "
    "towels; we provide them. Credit cards are accepted. Bicycles can be stored in the cellar. "
    "Breakfast is included in the price."
)


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Was Kestrel founded by Mara Voss?", KESTREL, "yes"),
        ("Is Kestrel a member of the Chamber of Engineers?", KESTREL, "yes"),
        ("Has the Linz office been closed?", KESTREL, "yes"),
        ("Is Mara Voss the managing director?", KESTREL, "no"),
        ("Do employees work from home on Fridays?", KESTREL, "yes"),
        ("Does the hotel have a restaurant?", HOUSE, "no"),
        ("Is there a bar?", HOUSE, "yes"),
        ("Do I have to bring towels?", HOUSE, "no"),
        ("Can I pay by credit card?", HOUSE, "yes"),
        ("Is breakfast included?", HOUSE, "yes"),
    ],
)
def test_a_clause_or_the_beginning_of_a_sentence_decides(
    reader: Reader, given: Given, question: str, text: str, answer: str
) -> None:
    reading = reader.read(question, given([Passage("d", 0, "Kestrel Ltd", text)]))
    assert (reading.text, reading.answered) == (answer, True)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Is the museum open on Sundays?", "The museum is open on Sundays in summer."),
        ("Can I pay by card?", "Cards are accepted from 10 euros."),
        ("Can luggage be stored?", "Luggage can be stored by members."),
        ("Is there a lift?", "There is a lift for goods."),
        ("Is there a lift?", "There is a lift under construction."),
        ("Can I store my bicycle?", HOUSE),  # elsewhere than in the cellar
        ("Was the plan agreed?", "The plan was agreed in principle."),
        ("Were the workers paid?",
         "Tom claimed that the plant was closed and the workers were paid."),
        ("Are the stalls closed?", "Should it rain, the gates are shut and the stalls are closed."),
        ("Are the showers heated?", "The showers are not all heated."),
        ("Has Ann Vogel taught Latin?", "Ann Vogel was taught Latin."),
        ("Are bats blind?", "Bats are blind. Wrong!"),
        ("Do I empty the bins?", "The bins are emptied."),
        ("Does Hotel Belmar have a pool?", "Hotel Belmar has a pool for children."),
        ("Is Ann Lee a member?", "Ann Lee is a member of the board."),
        ("Was the bridge built by Ann Lee?", "The bridge was built by Ann Lee's brother."),
        ("Are tickets refunded?",
         "If it rains, the game is cancelled and tickets are refunded."),
        ("Was the mill sold?", "The mill was sold but bought back."),
        ("Did Graz beat Linz in 1999?", "Graz beat Linz in 1998."),
        ("Is Vienna a branch?", "Kestrel has branches in Graz and Linz; it has none in Vienna."),
    ],
)  # fmt: skip
def test_what_is_added_may_say_that_it_is_not_always_so(
    reader: Reader, given: Given, question: str, text: str
) -> None:
    assert not reader.read(question, given([Passage("d", 0, "Notes", text)])).answered
