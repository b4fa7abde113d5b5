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


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        (
            "Can I pay my mooring fees in cash?",
            (
                "Mooring fees",
                "We accept cheques; we no longer take cash, because the office has no safe.",
            ),
            "no",
        ),
        ("Can I pay in cash?", "We accept bank transfer and cheque; we no longer take cash.", "no"),
        ("Do you take cash?", "We no longer take cash, because the office has no safe.", "no"),
        ("Do you sell tickets by post?", "We have stopped selling tickets by post.", "no"),
        ("Does the bus run on Sundays?", "The bus does not run on Sundays any more.", "no"),
        ("Does the library lend tapes?", "The library has stopped lending tapes.", "no"),
        ("Does the library lend tapes?", "The library ceased lending tapes in 2019.", "no"),
        ("Does the library lend tapes?", "The library stopped lending tapes in 2019.", "no"),
        (
            "Must goats be kept off the lawn?",
            "Horses must be kept off the lawn by at least two metres. Goats need not be.",
            "no",
        ),
        ("Must goats be tethered?", "Horses must be tethered. Goats need not be.", "no"),
        ("May the staff use the lift?", "Visitors may not use the lift. The staff may.", "yes"),
        ("May dogs use the pool?", "Children may use the pool. Dogs may not.", "no"),
        ("Do members pay for parking?", "Visitors pay for parking. So do members.", "yes"),
        ("Do members pay for parking?", "Visitors do not pay for parking. Members do.", "yes"),
        ("Is the hall heated?", "The barn is not heated. The hall is.", "yes"),
        ("Is the hall heated?", "The barn is heated. The hall is not.", "no"),
        ("Is the hall heated?", "The barn is heated. The hall isn't.", "no"),
        (
            "Can guests vote at the meeting?",
            "Members can vote at the meeting. Guests cannot.",
            "no",
        ),
        (
            "Are dogs allowed on the towpath?",
            "Are dogs allowed on the towpath?\nThey are, on a lead.",
            "yes",
        ),
        (
            "Are dogs allowed on the towpath?",
            ("Are dogs allowed on the towpath?", "They are."),
            "yes",
        ),
        ("Can I fish from the bridge?", "Can I fish from the bridge?\nYou can't.", "no"),
        ("Can I fish from the bridge?", "Can I fish from the bridge?\nYou may.", "yes"),
        ("Do you sell bait?", "Do you sell bait?\nWe don't. Try the shop in Mill Street.", "no"),
        (
            "Does the lock close at night?",
            "Does the lock close at night?\nIt does, from ten.",
            "yes",
        ),
        ("Is the cafe open in winter?", "Is the cafe open in winter?\nIt is not.", "no"),
        (
            "Are folders of folders supported?",
            "Brindle supports one level of folders (folders of folders are not supported).",
            "no",
        ),
        (
            "Are budgets imported from OFX files?",
            (
                "Brindle reads OFX files",
                "OFX is read by File, Import. Budgets, rates, and tags are not imported.",
            ),
            "no",
        ),
        (
            "Can several maps be shown at once?",
            "Multiple maps can not be shown simultaneously.",
            "no",
        ),
        (
            "Can several maps be shown at once?",
            "Several maps can not be shown at the same time.",
            "no",
        ),
        (
            "May the same person be both Treasurer and Auditor?",
            "The Treasurer and the Auditor must be distinct.",
            "no",
        ),
        (
            "May the same person be both Treasurer and Auditor?",
            "The Chair, the Treasurer and the Auditor must be different persons.",
            "no",
        ),
        ("Do I have to book?", "Do I have to book?\nYou need not.", "no"),
        ("Do I have to book?", "Do I have to book?\nYou must.", "yes"),
        ("Is there a bus?", "Is there a bus?\nThere is: line 4 stops at the gate.", "yes"),
        ("Do members pay for parking?", "Visitors do not pay for parking. Nor do members.", "no"),
        ("Is it possible to pay by cheque?", "We have stopped taking cheques.", "no"),
        (
            "Does the clinic treat horses?",
            "The clinic does not treat horses, as it has no stable.",
            "no",
        ),
        ("Do visitors pay for parking?", "Visitors do not pay for parking. Members do.", "no"),
        (
            "Can the Treasurer also be the Auditor?",
            "A member may hold two posts, except that Club Treasurer and Auditor must be distinct.",
            "no",
        ),
        ("Must I wear a helmet?", "You must wear a helmet.", "yes"),
        ("Must I wear a helmet?", "You do not have to wear a helmet.", "no"),
    ],
)
def test_what_is_left_out_or_said_by_another_verb_decides(
    read: Read, question: str, text: str | tuple[str, str], answer: str
) -> None:
    reading = read(question, text)
    assert (reading.text, reading.answered) == (answer, True)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "Must goats be tethered?",
            "Horses must be tethered at the gate by a rope. Goats need not be.",
        ),
        ("Can I park in the yard?", "You do not have to park in the yard."),
        (
            "Can I pay my mooring fees in cash?",
            "We accept bank transfer and cheque; we no longer take cash on Sundays.",
        ),
        ("Can I pay my fines in cash?", "We no longer take cash for mooring fees."),
        ("Do you sell tickets by post?", "We have stopped selling tickets at the door."),
        ("Does the library lend tapes?", "The library has stopped lending tapes to schools."),
        ("Does the library lend tapes?", "The museum has stopped lending tapes."),
        ("Does the library lend tapes?", "The library has not stopped lending tapes to schools."),
        (
            "Does the library lend tapes?",
            "The library stopped lending tapes in 2019 and began again in 2021.",
        ),
        ("Does the library lend tapes?", "The library stopped lending tapes during the war."),
        (
            "Must sheep be tethered?",
            "Horses must be tethered at the gate by a rope. Goats need not be.",
        ),
        (
            "Must goats be shod?",
            "Horses must be tethered at the gate by a rope. Goats need not be.",
        ),
        ("May dogs use the sauna?", "Children may use the pool. Dogs may not."),
        ("May cats use the pool?", "Children may use the pool. Dogs may not."),
        ("May dogs use the pool?", "Children may use the pool. On Sundays dogs may not."),
        ("May dogs use the pool?", "Children may use the pool. Dogs may not in summer."),
        ("May dogs use the pool?", "Children may use the pool. Dogs may not. But guide dogs may."),
        ("Is the hall heated in winter?", "The barn is heated. The hall is not."),
        ("Is the hall heated?", "The barn is not heated. The hall is being built."),
        ("Is the hall heated?", "The barn is not heated. The hall is, if you pay."),
        ("Is the hall cold?", "The barn is heated. The hall is not."),
        ("Do members pay for lockers?", "Visitors do not pay for parking. Members do."),
        (
            "Are dogs allowed on the banks?",
            "Are dogs allowed on the towpath?\nThey are, on a lead.",
        ),
        (
            "Are dogs allowed on the towpath?",
            "Are dogs allowed on the towpath?\nThey are if they are on a lead.",
        ),
        ("Are dogs allowed on the towpath?", "Are dogs allowed on the towpath?\nIt depends."),
        ("Are dogs allowed on the towpath?", "Are dogs allowed on the towpath?\nThey are dirty."),
        (
            "Are dogs allowed on the towpath?",
            "Are dogs allowed on the towpath?\nThey are not always.",
        ),
        ("Can I fish from the bridge?", "Can I fish from the bridge?\nYou can ask the warden."),
        (
            "Can I fish from the bridge?",
            "Can I fish from the bridge?\nYou may, unless a boat is coming.",
        ),
        ("Can I fish from the bridge?", "Can I fish from the bank?\nYou can't."),
        ("Do you sell bait?", "Do you sell bait?\nWe do not know."),
        ("Is the cafe open in winter?", "Is the cafe open in winter?\nIt is in the mill."),
        ("Is the cafe open in winter?", "Is the cafe open in winter?\nIt is not certain."),
        (
            "Is it possible to print folders?",
            "Brindle supports one level of folders (folders of folders are not supported).",
        ),
        (
            "Are budgets exported to OFX files?",
            (
                "Brindle reads OFX files",
                "OFX is read by File, Import. Budgets, rates, and tags are not imported.",
            ),
        ),
        (
            "Are budgets imported from CSV files?",
            "From OFX files budgets, rates, and tags are not imported.",
        ),
        ("Can several maps be shown at once?", "Multiple tables can not be shown simultaneously."),
        ("Can several maps be printed at once?", "Multiple maps can not be shown simultaneously."),
        (
            "Can several maps be shown at once?",
            "Multiple maps can not be shown simultaneously on small screens.",
        ),
        ("Can a map be shown?", "Multiple maps can not be shown simultaneously."),
        (
            "May the same person be both Treasurer and Auditor?",
            "The Treasurer and the Secretary must be distinct.",
        ),
        (
            "May the same person be both Treasurer and Auditor?",
            "The Treasurer and the Auditor should be distinct.",
        ),
        (
            "May the same person be both Treasurer and Auditor?",
            "The reports of Treasurer and Auditor must be distinct.",
        ),
        (
            "May the same person be both Treasurer and Auditor?",
            "The Treasurer and the Auditor must not be distinct.",
        ),
        ("Do I have to book?", "Do I have to book?\nYou needn't, but it helps."),
        ("Do I have to book?", "Do I have to book?\nYou need to ask the warden."),
        ("Is there a bus?", "Is there a bus?\nThere is a train."),
        ("Are dogs allowed?", "Are dogs allowed?\nThey may, on Sundays only."),
        ("Does the lock close at night?", "Does the lock close at night?\nIt will, we think."),
        ("Do guests pay for parking?", "Visitors do not pay for parking. Nor do members."),
        ("Does the clinic treat ponies?", "The clinic does not treat horses, as it has no stable."),
        (
            "Does the clinic have a stable?",
            "The clinic does not treat horses as it has a stable in Graz.",
        ),
        ("Is the hall heated?", "The barn is not heated, I think. The hall may be."),
        ("Is the barn locked?", "The hall is locked. If it rains the barn is not."),
        (
            "Can the Treasurer also be the Auditor?",
            "The Treasurer and the Chair must be different people. The Auditor must be a member.",
        ),
        (
            "Can the Treasurer also be the Auditor?",
            "The Treasurer and the Auditor must be different people if they are paid.",
        ),
        (
            "Can the Treasurer also be invited?",
            "The Treasurer and the Auditor must be different people.",
        ),
        ("Must I wear a helmet?", "You must wear a helmet on the ramp."),
        ("May I wear a helmet?", "You need not wear a helmet."),
        ("Do children pay?", "Adults pay 5 euros. Children do not."),
        ("Do you sell maps?", "We may stop selling maps."),
        ("Do you sell maps?", "We have stopped selling maps. In May we will sell them again."),
    ],
)
def test_what_is_left_out_of_another_thing_or_on_a_condition_does_not(
    read: Read, question: str, text: str | tuple[str, str]
) -> None:
    assert not read(question, text).answered
