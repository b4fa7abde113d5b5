"""What is shown and not asserted however sure the weights are; and where an answer is quoted."""

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from hoptrail.kg.extraction.triples import statements
from hoptrail.kg.types import Passage
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.reader import Reader, ReaderPassage, Reading
from hoptrail.reasoning.reader.judging.trees import Trees
from hoptrail.reasoning.reader.judging.weights import Weights, packaged

Read = Callable[..., Reading]
SONGS = (
    ("Alder Song", "Alder Song was composed by Mia Lund in 1931. It answers the Birch Song."),
    ("Birch Song", "Birch Song is a song that was composed by Per Dahl in 1948."),
)
HALLS = (
    ("Silver Hall", "Silver Hall was designed by Jon Berg."),
    ("Jon Berg", "Jon Berg was an architect. He was born in Elvik."),
)


@pytest.fixture(scope="module")
def read() -> Read:
    """With weights that are always sure."""
    return reading_with(always(9.0))


@pytest.fixture(scope="module")
def read_as_packaged() -> Read:
    return reading_with(packaged())


def always(logit: float) -> Weights:
    """Weights that are as sure of everything."""
    weights = packaged()
    return replace(
        weights,
        calibration=np.zeros_like(weights.calibration),
        calibration_intercept=logit,
        trees=Trees.none(logit, np.zeros_like(weights.trees.slopes)),
    )


def reading_with(weights: Weights) -> Read:
    parse = Pipeline()
    reader = Reader(parse, weights)

    def ask(question: str, pages: tuple[tuple[str, str], ...]) -> Reading:
        passages = [Passage(title, 0, title, text) for title, text in pages]
        docs = parse(passage.text for passage in passages)
        stated = (statements(p.id, doc, p.title) for p, doc in zip(passages, docs, strict=True))
        given = zip(passages, stated, strict=True)
        return reader.read(question, [ReaderPassage(p, s, 1.0) for p, s in given])

    return ask


@pytest.mark.parametrize(
    "question",
    [
        "Who composed the Alder Song and the Birch Song?",  # each has another composer
        "Who composed the Poplar Song?",  # which no page says
    ],
)
def test_a_guess_is_not_asserted_however_sure_the_weights_are(read: Read, question: str) -> None:
    reading = read(question, SONGS)
    assert reading.candidates
    assert not reading.answered


def test_one_song_s_composer_is(read: Read) -> None:
    reading = read("Who composed the Alder Song?", SONGS)
    assert (reading.text, reading.answered) == ("Mia Lund", True)


def test_a_year_is_no_number_of_verses(read_as_packaged: Read) -> None:
    assert not read_as_packaged("How many verses has the Alder Song?", SONGS).answered


@pytest.mark.parametrize(
    "question",
    ["In which town was it composed?", "Where was it composed?", "It was composed in which genre?"],
)
def test_who_did_it_is_not_where_or_how(read_as_packaged: Read, question: str) -> None:
    reading = read_as_packaged(re.sub(r"\b[Ii]t\b", "the Alder Song", question), SONGS)
    assert not reading.answered


def test_a_path_is_followed_however_unsure_the_weights_are() -> None:
    read = reading_with(always(-9.0))
    question, composer = "Where was the composer of the Alder Song born?", "Mia Lund"
    reading = read(question, (*SONGS, (composer, f"{composer} was born in Elvik in 1890.")))
    assert (reading.text, reading.rule, reading.answered) == ("Elvik", "path", True)
    assert not read(question, SONGS).answered


@pytest.mark.parametrize("part", ["middle name", "surname"])
def test_a_whole_name_is_no_part_of_one(read: Read, part: str) -> None:
    reading = read(f"What is the {part} of the composer of the Alder Song?", SONGS)
    assert not (reading.answered and reading.text == "Mia Lund")


def test_the_answer_is_quoted_from_the_last_hop(read: Read) -> None:
    reading = read("Where was the designer of Silver Hall born?", HALLS)
    assert (reading.text, len(reading.support)) == ("Elvik", 2)
    assert reading.sentence == "He was born in Elvik."
