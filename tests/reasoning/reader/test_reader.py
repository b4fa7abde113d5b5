from collections.abc import Callable, Sequence

import pytest

from hoptrail.kg.types import Passage, Statement, Triple
from hoptrail.reasoning.reader import Reader, ReaderPassage, Reading

from .conftest import Given

FILMS = (
    ("The Salt Lantern", "The Salt Lantern is a 1954 Norwegian film directed by Ida Holm."),
    ("Grey Harbour", "Grey Harbour is a 1961 Danish film directed by Poul Krag."),
    (
        "Ida Holm",
        "Ida Holm (born 3 May 1920) was a Norwegian film director. She was born in Bergen.",
    ),
    ("Poul Krag", "Poul Krag (12 June 1911 – 4 July 1980) was a Danish film director."),
)
THEATRE = (
    ("The Tidal Clock", "The Tidal Clock is an opera composed by Sara Lund in 1931."),
    (
        "Sara Lund",
        "Sara Lund (1899 – 1970) was a Swedish composer. She married Erik Strand in 1925.",
    ),
    ("Erik Strand", "Erik Strand (4 March 1890 – 9 May 1951) was a Swedish painter born in Visby."),
    ("Visby", "Visby is a town on the island of Gotland in Sweden."),
)

Read = Callable[[str, Sequence[tuple[str, str]]], Reading]


@pytest.fixture
def read(reader: Reader, given: Given) -> Read:
    def reading(question: str, texts: Sequence[tuple[str, str]]) -> Reading:
        return reader.read(question, given(titled(texts)))

    return reading


def titled(texts: Sequence[tuple[str, str]]) -> list[Passage]:
    return [Passage(f"document {n}", 0, title, text) for n, (title, text) in enumerate(texts)]


def said(reading: Reading) -> list[tuple[str, str]]:
    return [(s.triple.head, s.triple.tail) for s in reading.support]


def test_the_earlier_birth_decides_through_the_directors(read: Read) -> None:
    question = "Which film has the director who was born first, The Salt Lantern or Grey Harbour?"
    reading = read(question, FILMS)
    assert (reading.text, reading.rule) == ("Grey Harbour", "date")
    assert reading.answered
    assert said(reading) == [
        ("The Salt Lantern", "Ida Holm"),
        ("Ida Holm", "3 May 1920"),
        ("Grey Harbour", "Poul Krag"),
        ("Poul Krag", "12 June 1911"),
    ]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which film was released earlier, Grey Harbour or The Salt Lantern?", "The Salt Lantern"),
        ("Which film came out more recently, Grey Harbour or The Salt Lantern?", "Grey Harbour"),
        ("Who was born later, Ida Holm or Poul Krag?", "Ida Holm"),
        ("Who is older, Ida Holm or Poul Krag?", "Poul Krag"),
    ],
)
def test_dates_of_the_named_things_themselves(read: Read, question: str, answer: str) -> None:
    reading = read(question, FILMS)
    assert (reading.text, reading.rule, reading.answered) == (answer, "date", True)


def test_a_title_with_last_in_it_asks_for_nothing_last(read: Read) -> None:
    texts = [("Last Ferry", "Last Ferry is a 1950 film."), ("Dew", "Dew is a 1931 film.")]
    assert read("Which film came out first, Last Ferry or Dew?", texts).text == "Dew"


def test_a_missing_date_decides_nothing(read: Read) -> None:
    question = "Which film has the director who died first, The Salt Lantern or Grey Harbour?"
    assert read(question, FILMS).rule != "date"


def test_who_lived_longer_needs_both_lives(read: Read) -> None:
    reading = read("Who lived longer, Sara Lund or Erik Strand?", THEATRE)
    assert (reading.text, reading.rule) == ("Sara Lund", "date")
    assert len(reading.support) == 4


def test_the_same_country_through_the_directors(read: Read) -> None:
    question = "Are the directors of The Salt Lantern and Grey Harbour from the same country?"
    reading = read(question, FILMS)
    assert (reading.text, reading.rule) == ("no", "country")
    assert ("Poul Krag", "Danish") in said(reading)


def test_country_names_and_adjectives_are_one_country(read: Read) -> None:
    texts = (
        ("Anna Reed", "Anna Reed is an American painter."),
        ("Blue Kite", "Blue Kite is a rock band from the United States."),
    )
    reading = read("Are Anna Reed and Blue Kite from the same country?", texts)
    assert (reading.text, reading.rule) == ("yes", "country")


@pytest.mark.parametrize(("noun", "answer"), [("films", "yes"), ("magazines", "no")])
def test_both_of_a_kind(read: Read, noun: str, answer: str) -> None:
    reading = read(f"Are both The Salt Lantern and Grey Harbour {noun}?", FILMS)
    assert (reading.text, reading.rule) == (answer, "both")


@pytest.mark.parametrize(("maker", "answer"), [("Corvid Press", "yes"), ("Elm House", "no")])
def test_both_have_to_do_with_a_third_page(read: Read, maker: str, answer: str) -> None:
    texts = (
        ("Tidal Chess", f"Tidal Chess is a board game published by {maker} in 1970."),
        ("Crow Dominoes", "Crow Dominoes is a game published by Corvid Press."),
        ("Corvid Press", "Corvid Press published board games from 1960 to 1990."),
    )
    reading = read("Are Tidal Chess and Crow Dominoes both published by Corvid Press?", texts)
    assert (reading.text, reading.rule) == (answer, "both")


@pytest.mark.parametrize("of_both", ["types of plant", "of Alpine descent"])
def test_that_a_page_is_silent_says_no_no(read: Read, of_both: str) -> None:
    texts = (
        ("Ferocactus", "Ferocactus is a genus of large cacti of the deserts."),
        ("Silene", "Silene is a genus of plants of Alpine descent, a type of plant of the pinks."),
    )
    assert not read(f"Are Ferocactus and Silene both {of_both}?", texts).answered


def test_a_path_of_relations_ends_in_the_answer_with_its_hops(read: Read) -> None:
    reading = read("When did the husband of the composer of The Tidal Clock die?", THEATRE)
    assert (reading.text, reading.rule) == ("9 May 1951", "path")
    assert reading.answered
    assert said(reading) == [
        ("The Tidal Clock", "Sara Lund"),
        ("Sara Lund", "Erik Strand"),
        ("Erik Strand", "9 May 1951"),
    ]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What year did the husband of the composer of The Tidal Clock die?", "1951"),
        ("What town was the spouse of the composer of The Tidal Clock born in?", "Visby"),
        ("Who composed The Tidal Clock?", "Sara Lund"),
    ],
)
def test_a_path_ends_in_what_is_asked(read: Read, question: str, answer: str) -> None:
    reading = read(question, THEATRE)
    assert (reading.text, reading.rule) == (answer, "path")


def test_a_path_refuses_a_question_with_words_it_does_not_account_for(read: Read) -> None:
    question = "When did the parrot of the husband of the composer of The Tidal Clock die?"
    assert read(question, THEATRE).rule == ""


def test_triples_of_any_extractor_carry_a_path(reader: Reader) -> None:
    passages = [
        ("Ola Fjeld", "A note.", ("Ola Fjeld", "mother", "Berit Fjeld")),
        ("Berit Fjeld", "Another note.", ("Berit Fjeld", "mother", "Kari Dahl")),
    ]
    given = []
    for title, text, triple in passages:
        passage = Passage(title, 0, title, text)
        stated = Statement(passage.id, Triple(*triple, extractor="by hand"))
        given.append(ReaderPassage(passage, [stated], 1.0))
    reading = reader.read("Who is the maternal grandmother of Ola Fjeld?", given)
    assert (reading.text, reading.rule) == ("Kari Dahl", "path")


@pytest.mark.parametrize(
    "question",
    [
        "Which university did the sister of the author of Winter Ferry attend?",
        "How many goals did the captain of Larvik Rovers score in 1987?",
        "What did the witness of the Kestrel trial say about the missing letters?",
    ],
)
def test_what_the_passages_do_not_say_is_not_answered(read: Read, question: str) -> None:
    reading = read(question, FILMS)
    assert not reading.answered
    assert reading.candidates, "guesses are still shown"


@pytest.mark.parametrize(
    "question", ["", "?", "what", "東京は？", "Who who who?", "Which, A or B?"]
)
def test_a_question_that_asks_nothing_is_not_answered(read: Read, question: str) -> None:
    assert not read(question, FILMS).answered


def test_a_verdict_without_a_rule_is_never_asserted(read: Read) -> None:
    reading = read("Did Ida Holm ever meet a walrus?", FILMS)
    assert reading.rule == "default"
    assert not reading.answered
    assert {text for text, _ in reading.candidates} == {"yes", "no"}


def test_candidates_are_three_different_ones_with_the_answer_first(read: Read) -> None:
    reading = read("Which town was the painter who married Sara Lund born in?", THEATRE)
    texts = [text for text, _ in reading.candidates]
    chances = [chance for _, chance in reading.candidates]
    assert len(texts) == len({text.lower() for text in texts}) == 3
    assert reading.candidates[0] == (reading.text, reading.confidence)
    assert chances == sorted(chances, reverse=True)
    assert sum(chances) <= 1


def test_nothing_to_read_is_no_answer(reader: Reader) -> None:
    reading = reader.read("Who directed The Salt Lantern?", [])
    assert reading == Reading("", 0.0, (), "", (), missing="no passage was found")


def test_an_empty_passage_and_a_repeated_one_do_no_harm(reader: Reader, given: Given) -> None:
    passages = given(titled([("", ""), *FILMS]))
    question = "Who is older, Ida Holm or Poul Krag?"
    assert reader.read(question, [*passages, *passages]).text == "Poul Krag"


def test_the_same_question_is_read_the_same_way_again(read: Read) -> None:
    question = "Which town was the painter who married Sara Lund born in?"
    first, again = read(question, THEATRE), read(question, THEATRE)
    assert first.text == again.text
    assert first.confidence == pytest.approx(again.confidence, abs=1e-5)
