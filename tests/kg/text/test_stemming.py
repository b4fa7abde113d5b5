"""Stems of other languages: which texts and questions have them, and that they meet."""

import pytest

from hoptrail.kg.text.stemming import asked, searched, stems_in
from hoptrail.kg.text.words import words


@pytest.mark.parametrize(
    ("question", "text", "language"),
    [
        ("Wie prüft man die Fehler eines Pakets?", "Fehlern in Paketen", "de"),
        ("Quel outil vérifie les paquets signés ?", "la vérification d'un paquet signé", "fr"),
        ("В каком городе строят мосты?", "мостов города", "ru"),
    ],
)
def test_other_inflections_meet(question, text, language):
    assert len(set(asked(question)).intersection(stems_in(text, language))) >= 2
    assert not set(asked(question)).intersection(words(text))


@pytest.mark.parametrize(
    "question", ["Where was Goethe born?", "Who?", "", "42", "How many are sold?"]
)
def test_an_english_question_asks_for_none(question):
    assert asked(question) == ()


def test_what_is_english_or_has_no_stemmer_is_searched_by_its_words():
    assert searched("Houses of the Town", "") == "houses of the town"
    assert searched("人民的房屋", "zh") == " ".join("人民的房屋")
