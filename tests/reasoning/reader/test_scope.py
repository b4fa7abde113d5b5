"""A document's opening and its signature say what it is of, and who speaks in it."""

import pytest

from hoptrail.kg.types import Passage

LEASE = (
    "between\n\nThe Harbour Trustees of Wexcombe, 2 Quay Street\n\nand\n\n"
    "Tollard Oyster Company, represented by Ms Edith Marrow\n\n1. Subject\n\n"
    "The Trustees let two sheds on the east mole with the slipway between them.",
    "3. Rent\n\n3.1 The annual rent is £4,200 and falls due on 1 March and 1 September.\n\n"
    "3.2 The tenant pays for water and electricity.",
    "6. Term\n\nThis lease begins on 1 May 2023 and runs for six years.",
)
LETTER = (
    "Rose Cottage\n9th May\n\nDear Philip,\n\nThe swallows are back in the barn, and the pear is "
    "in flower. My driving test is on the 3rd of July, at Launceston. Clara is to learn the cello.",
    "The vet says that I may keep the goat. Come before the hay is cut.\n\n"
    "Your loving aunt,\nHarriet",
)
MAIL = (
    "From: Jonas Pell <pell@vans.example>\nTo: Mira Sand\nDate: Mon, 3 June 2024\n"
    "Subject: Van hire for the Thornbury tour\n\nDear Mira,\n\n"
    "The van costs 310 pounds for the week. It has nine seats.",
)


def of_one(title, texts):
    return [Passage("one", n, title, text) for n, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("title", "texts", "question", "answer"),
    [
        ("LEASE No. 12", LEASE, "What is Tollard Oyster Company's annual rent?", "£4,200"),
        ("LEASE No. 12", LEASE, "Who pays for water at Tollard Oyster Company?", "tenant"),
        ("LEASE No. 12", LEASE, "When does Wexcombe's lease begin?", "1 May 2023"),
        ("letter 3", LETTER, "When is Aunt Harriet's driving test?", "3rd of July"),
        ("letter 3", LETTER, "When is Harriet's driving test?", "3rd of July"),
        ("mail 7", MAIL, "How many seats does the van for the Thornbury tour have?", "nine"),
    ],
)  # fmt: skip
def test_what_a_document_is_of_is_said_of_it_throughout(
    reader, given, title, texts, question, answer
):
    reading = reader.read(question, given(of_one(title, texts)))
    assert (reading.answered, answer in reading.text) == (True, True), reading


@pytest.mark.parametrize(
    ("title", "texts", "question"),
    [
        ("LEASE No. 12", LEASE, "What is the annual rent in the lease of Pennard Boatyard?"),
        ("LEASE No. 12", LEASE, "When does the Marlingate lease begin?"),
        ("letter 3", LETTER, "When is Clara's driving test?"),
        ("letter 3", LETTER, "When is Philip's driving test?"),
        ("letter 3", (LETTER[0], "Love,\nAgnes"), "When is Harriet's driving test?"),
        ("mail 7", MAIL, "How many seats does the van for the Saltmoor tour have?"),
    ],
)  # fmt: skip
def test_but_not_of_others(reader, given, title, texts, question):
    assert not reader.read(question, given(of_one(title, texts))).answered


HIRE = (
    'between\n\nMarsh Cranes Ltd, Dock Road ("the Owner")\n\nand\n\n'
    'Pell Roofing ("the Hirer")\n\n1. Subject\n\nThe Owner lets a crane for six weeks.',
    "4. Insurance\n\nThe Owner holds liability insurance of 3 million pounds. "
    "The Hirer holds liability insurance of 800,000 pounds.",
)


def test_what_a_contract_calls_its_parties_tells_them_apart(reader, given):
    question, passages = "How much liability insurance does {} hold?", given(of_one("HIRE", HIRE))
    own = reader.read(question.format("Marsh Cranes"), passages)
    assert (own.answered, own.text) == (True, "3 million pounds")
    other = reader.read(question.format("Pell Roofing"), passages)
    assert not (other.answered and other.text == own.text)


def test_of_several_messages_each_speaks_for_its_own_writer(reader, given):
    thread = (
        "From: Jonas Pell\nTo: Mira Sand\nSubject: leave\n\nMy holiday begins on 4 August.",
        "From: Mira Sand\nTo: Jonas Pell\nSubject: Re: leave\n\nMy holiday begins on 18 August.",
    )
    passages = given(of_one("mail 9", thread))
    assert reader.read("When does Mira Sand's holiday begin?", passages).text == "18 August"
    assert reader.read("When does Jonas Pell's holiday begin?", passages).text == "4 August"
