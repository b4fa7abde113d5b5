"""What a short form stands for: asked in many ways, said in many ways."""

from collections.abc import Callable

import pytest

from hoptrail.kg.types import Passage
from hoptrail.reasoning.reader import Reader, Reading
from hoptrail.reasoning.reader.asked.initials import expands, long_forms, short_form

from .conftest import Given

Read = Callable[[str], Reading]
STORAGE = (
    "The mdadm command takes the name of the volume, with MD standing for Multiple Device, the RAID"
    " level, and the disks.",
    "RAID means Redundant Array of Independent Disks. Its goal is to prevent data loss.",
    "Names are resolved by the domain name system (DNS). A secure protocol is SXP.",
)


@pytest.fixture
def read(reader: Reader, given: Given) -> Read:
    passages = [Passage("book", n, "Storage", text) for n, text in enumerate(STORAGE)]
    return lambda question: reader.read(question, given(passages))


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("What does RAID stand for?", "RAID"),
        ("what do the letters apt stand for", "apt"),
        ("What is LTS short for?", "LTS"),
        ('What is "FTP" an abbreviation of?', "FTP"),
        ("What is the full form of DNS?", "DNS"),
        ("What is the meaning of the acronym S.O.S?", "S.O.S"),
        ("What does MX mean?", "MX"),
        ("What does the flag mean?", ""),
        ("What does the company stand by?", ""),
        ("Who stands for the party in Bern?", ""),
    ],
)
def test_which_short_form_a_question_is_about(question: str, short: str) -> None:
    assert short_form(question) == short


@pytest.mark.parametrize(
    ("short", "text", "long"),
    [
        (
            "RAID",
            "RAID: a Redundant Array of Independent Disks.",
            "Redundant Array of Independent Disks",
        ),
        ("HTTP", "the HyperText Transfer Protocol (HTTP)", "HyperText Transfer Protocol"),
        ("XML", "XML, the eXtensible Markup Language", "eXtensible Markup Language"),
        (
            "XSLT",
            "Extensible Stylesheet Language Transformations",
            "Extensible Stylesheet Language Transformations",
        ),
        ("LTS", "with long-term support", "long-term support"),
        ("BIOS", "a Basic Input/Output System", "Basic Input/Output System"),
        ("DoD", "The Department of Defense paid.", "Department of Defense"),
        ("MD", "MD: it must do; a Multiple Device", "Multiple Device"),
    ],
)
def test_long_forms_begin_with_the_letters(short: str, text: str, long: str) -> None:
    assert [text[start:end] for start, end in long_forms(short, text)] == [long]
    assert expands(short, long)


@pytest.mark.parametrize("text", ["RAID", "RAIDs", "a red fish", "Redundant Array", "MX"])
def test_other_words_are_no_long_form(text: str) -> None:
    assert not list(long_forms("RAID", text))
    assert not expands("RAID", text)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What does RAID stand for?", "Redundant Array of Independent Disks"),
        ("What is DNS short for?", "domain name system"),
        ("What does MD stand for?", "Multiple Device"),
    ],
)
def test_it_is_read_where_it_stands(read: Read, question: str, answer: str) -> None:
    reading = read(question)
    assert (reading.text, reading.answered) == (answer, True)


def test_what_no_passage_spells_out_is_not_answered(read: Read) -> None:
    reading = read("What does SXP stand for?")
    assert not reading.answered
    assert reading.missing == "no thing of the kind was found that is asked for"


@pytest.mark.parametrize(
    ("short", "texts", "long"),
    [
        ("TSV", ["TSV Import\n\nRead more.", "Use TSV (tab separated values) files."],
         "tab separated values"),
        ("PAM", ["Figure 2: (a) Decay (b) PAM wave", "Pulse Amplitude Modulated (PAM) waves."],
         "Pulse Amplitude Modulated"),
        ("OLT", ["OLT Files\n\nThe Open Ledger Transfer is read by most programs."],
         "Open Ledger Transfer"),
        ("SLR", ["Single Lens Reflexes (SLRs) are dear. An SLR, or single lens reflex, is."],
         "Single Lens Reflexes"),
        ("KPV", ["The KPV met. They keep paper visible for visitors."], ""),
        ("KPV", ["The Kleine Post Verein met at noon."], ""),
    ],
)  # fmt: skip
def test_it_stands_beside_the_short_form_or_is_a_name(
    reader: Reader, given: Given, short: str, texts: list[str], long: str
) -> None:
    passages = [Passage("book", n, "Manual", text) for n, text in enumerate(texts)]
    reading = reader.read(f"What does {short} stand for?", given(passages))
    assert (reading.text if reading.answered else "") == long
