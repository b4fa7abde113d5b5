"""Plain questions of yes or no over whole documents, and those that mislead."""

import pytest

from .conftest import Read

ANNA = (
    "Anna Rell",
    "Anna Rell (12 May 1881 – 3 October 1959) was a botanist. She was born in Linz, the third "
    "daughter of a chemist. Her brother Edwin studied medicine; Anna never went to university.\n\n"
    "In 1903 she joined the museum in Graz, where she drew mosses for Karl Penn. Penn paid her. "
    "She discovered two mosses in 1911. Her book appeared in 1924. It was not translated during "
    "her life. A second edition was planned but never printed.\n\n"
    "Rell never married. She adopted her niece Clara after the death of Edwin. She spoke German "
    "and Danish, but no French. She wrote neither letters nor diaries. She lost her left eye in "
    "1938, when a lamp exploded. Most of the drawings were burnt by Clara. A street is named after "
    "Karl Penn. Nobody has written her biography.",
)
IDA = (
    "Ida Moll",
    "Ida Moll was a novelist.\n\nIn 1934 she married the composer Paul Voss. They lived in Graz, "
    "where they kept bees. They separated in 1959 but never divorced. Moll wrote standing up.",
)
CLUB = (
    "Marlow Sailing Club",
    "Neither jet skis nor kites are allowed on the lake. The pump is in the shed. 2 The harbour "
    "does not have showers. You can rent a wetsuit but not a life jacket. We do not hire to "
    "strangers, and we do not hire out boats, oars or sails. The clubhouse is open on Saturdays "
    "and Sundays. There are no lockers "
    "or baths. There is no need to book the sauna. There is no key for opening all doors. There is "
    "no shortcut to copy just the text. Cups and plates are provided. Members and guests can sleep "
    "in the loft, but not in July. Guests can attend but cannot vote. The lease was signed by the "
    "chair but not by the council. The fee was not paid in March, but it was paid in April. The "
    "new stove was delivered but has not been lit yet. The scouts no longer use the hall. The "
    "rules apply only to members. Not every room is heated. The mill was sold but bought back. "
    "Nobody volunteered to bake. You need not print the form.",
)  # fmt: skip
ASKED = (
    "Questions about Brindle Campsite",
    "Can I arrive late at night?\nNo. The gate is locked.\n\nAre campfires allowed?\nNo.\n\n"
    "Is there a shop on the site?\nNo, but the village is near.\n\nCan I sleep in my car?\n"
    "Of course not.\n\nCan I print here?\nYes. It costs 10 cents.\n\nDo I have to pay by card?\n"
    "No.\n\nWho may fish?\nNo guests may.\n\nMay I eat in the hall?\nYes and no.",
)


@pytest.mark.parametrize(
    ("document", "question", "answer"),
    [
        (ANNA, "Did Anna Rell ever marry?", "no"),
        (ANNA, "Was Anna Rell born in Linz?", "yes"),
        (ANNA, "Did Anna Rell go to university?", "no"),
        (ANNA, "Did Anna Rell join the museum in Graz?", "yes"),
        (ANNA, "Was a second edition ever printed?", "no"),
        (ANNA, "Did Anna Rell adopt her niece?", "yes"),
        (ANNA, "Did Anna Rell speak Danish?", "yes"),
        (ANNA, "Did Rell speak French?", "no"),
        (ANNA, "Did Anna Rell write letters?", "no"),
        (ANNA, "Did Anna Rell lose her left eye?", "yes"),
        (ANNA, "Has anyone written her biography?", "no"),
        (IDA, "Did Ida Moll ever get divorced?", "no"),
        (CLUB, "Are jet skis allowed on the lake?", "no"),
        (CLUB, "Are kites allowed on the lake?", "no"),
        (CLUB, "Does the harbour have showers?", "no"),
        (CLUB, "Can I rent a life jacket?", "no"),
        (CLUB, "Can I rent an oar?", "no"),
        (CLUB, "Is the clubhouse open on Sundays?", "yes"),
        (CLUB, "Are there any lockers?", "no"),
        (CLUB, "Do I have to book the sauna?", "no"),
        (CLUB, "Is there a shortcut for copying just the text?", "no"),
        (CLUB, "Are plates provided?", "yes"),
        (CLUB, "Can guests vote?", "no"),
        (CLUB, "Was the lease signed by the council?", "no"),
        (CLUB, "Has the new stove been lit?", "no"),
        (CLUB, "Do the scouts still use the hall?", "no"),
        (CLUB, "Did anybody volunteer to bake?", "no"),
        (CLUB, "Do I have to print the form?", "no"),
        (ASKED, "Can I turn up late at night?", "no"),
        (ASKED, "Are camp fires permitted?", "no"),
        (ASKED, "Is there any shop at the campsite?", "no"),
        (ASKED, "Can I stay overnight in my car?", "no"),
    ],
)
def test_a_plain_question_is_answered(
    read: Read, document: tuple[str, str], question: str, answer: str
) -> None:
    reading = read(question, document)
    assert (reading.text, reading.answered) == (answer, True)


@pytest.mark.parametrize(
    ("document", "question"),
    [
        (ANNA, "Did Karl Penn ever marry?"),
        (ANNA, "Did Penn discover two mosses?"),  # "she" is not he who paid her
        (ANNA, "Did Edwin Rell go to university?"),
        (ANNA, "Did Clara adopt her niece?"),
        (ANNA, "Did Edwin lose his left eye?"),
        (ANNA, "Did Anna Rell lose her right eye?"),
        (ANNA, "Was her book translated?"),
        (ANNA, "Were all the drawings burnt?"),
        (ANNA, "Is a street named after Anna Rell?"),
        (ANNA, "Did Anna Rell study medicine?"),
        (ANNA, "Did Karl Penn speak French?"),
        (ANNA, "Did Anna Rell pay Penn?"),
        (IDA, "Did Paul Moll ever get divorced?"),
        (CLUB, "Are boats allowed on the lake?"),
        (CLUB, "Is there a key for opening a door?"),  # one for all there is not
        (CLUB, "Can guests sleep in the loft?"),
        (CLUB, "Was the lease signed?"),
        (CLUB, "Was the fee paid?"),
        (CLUB, "Is every room lit?"),
        (CLUB, "Do the rules apply to guests?"),
        (CLUB, "Was the mill sold?"),
        (CLUB, "Is the shed open on Sundays?"),
        (CLUB, "Did the scouts bake?"),
        (ASKED, "Can I leave late at night?"),
        (ASKED, "Are campfires allowed in the village?"),
        (ASKED, "Can I print here for free?"),
        (ASKED, "Can I pay by card?"),  # only "Do I have to" is answered
        (ASKED, "May I fish?"),
        (ASKED, "May I eat in the hall?"),
    ],
)
def test_a_question_that_misleads_is_not(
    read: Read, document: tuple[str, str], question: str
) -> None:
    assert not read(question, document).answered
