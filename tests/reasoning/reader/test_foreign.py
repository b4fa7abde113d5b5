"""What is in another language than English is shown, with the reason, and not asserted."""

import pytest

from hoptrail.kg.types import Passage
from hoptrail.reasoning.reader import Reader, Reading

from .conftest import Given

FLIGHTS = "Flüge innerhalb Deutschlands sind nicht gestattet. Bahnfahrten sind erlaubt."
CONSOLE = "仮想コンソールを切り替えるには、Alt-F2 を押すことにより戻れます。次の文です。"
SUPPLIERS = (
    "Lieferant: Glashütte Jäger; Ort: Passau; Ware: Verbundglas\n"
    "Lieferant: Schraubenhandel Köhler; Ort: Zürich; Ware: Edelstahlschrauben"
)
GERMAN = "the passage is in German, and without a language model only English is read"


def read(reader: Reader, given: Given, question: str, text: str, language: str) -> Reading:
    return reader.read(
        question, given([Passage("document", 0, "Regeln", text, "", None, language)])
    )


@pytest.mark.parametrize(
    ("question", "text", "language", "sentence"),
    [
        ("Sind Flüge innerhalb Deutschlands gestattet?", FLIGHTS, "de", FLIGHTS[:50]),
        ("Where are flights gestattet?", FLIGHTS, "de", ""),
        ("仮想コンソールを切り替えるにはどうしますか", CONSOLE, "ja", CONSOLE[:-6]),
        ("Wer leitet die Werkstatt?", "The workshop is led by Ann Lee.", "", ""),
    ],
)
def test_a_guess_is_shown_and_not_asserted(
    reader: Reader, given: Given, question: str, text: str, language: str, sentence: str
) -> None:
    reading = read(reader, given, question, text, language)
    assert not reading.answered
    assert reading.text in text
    assert "without a language model only English is read; give one" in reading.missing
    assert reading.sentence.startswith(sentence)
    assert len(reading.sentence) < len(text) or not language


@pytest.mark.parametrize(
    "question", ["Was kosten Verbundgläser?", "Will Herr Weiß fliegen?", "Has visto el informe?"]
)
def test_a_question_in_another_language_asks_for_no_yes(
    reader: Reader, given: Given, question: str
) -> None:
    reading = read(reader, given, question, FLIGHTS, "de")
    assert not {text for text, _ in reading.candidates} & {"yes", "no"}
    assert reading.missing.startswith(GERMAN)


def test_a_row_says_what_is_asked_in_english(reader: Reader, given: Given) -> None:
    reading = read(reader, given, "What is the Ort of Glashütte Jäger?", SUPPLIERS, "de")
    assert (reading.text, reading.answered, reading.missing) == ("Passau", True, "")


def test_what_no_passage_names_is_told_first(reader: Reader, given: Given) -> None:
    reading = read(reader, given, "Who founded Quantrel Devices?", FLIGHTS, "de")
    assert reading.missing == "no passage found says Quantrel Devices"
