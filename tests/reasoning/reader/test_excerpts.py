"""Which sentences are read, where passages say more than is read."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from hoptrail.kg.extraction.triples import tidy
from hoptrail.kg.types import Passage
from hoptrail.models.parser import Pipeline
from hoptrail.models.span_reader import SpanScores
from hoptrail.reasoning.reader.asked.question import Asked, take_apart
from hoptrail.reasoning.reader.excerpts import ENOUGH, ROOM, excerpts
from hoptrail.reasoning.reader.pages import Page
from hoptrail.reasoning.reader.parsed import Parsed

FILLER = "The weather was fair on that day and many people came to the harbour. " * 12
BORN = "Peter Adeyemi was born in Lagos. He studied chemistry there until 1988. "


@pytest.fixture
def pages(pipeline: Pipeline) -> Callable[..., list[Page]]:
    def of(*texts: str) -> list[Page]:
        docs = pipeline(tidy(text) for text in texts)
        return [
            Page(Parsed(Passage(f"d{rank}", 0, "Notes", text), doc), (), rank)
            for rank, (text, doc) in enumerate(zip(texts, docs, strict=True))
        ]

    return of


@pytest.fixture
def asking(pipeline: Pipeline) -> Callable[[str], Asked]:
    return lambda question: take_apart(question, next(iter(pipeline([question]))))


@pytest.fixture
def said(asking) -> Callable[..., dict[int, str]]:
    def read(question: str, pages: Sequence[Page]) -> dict[int, str]:
        return {one.page.rank: one.text for one in excerpts(asking(question), pages)}

    return read


def test_a_few_short_passages_are_read_whole(pages, said):
    texts = [BORN.strip(), "  Ann Lee leads the laboratory.\n\nIt has nine rooms. "]
    given = pages(*texts)
    assert said("Where was Peter Adeyemi born?", given) == {p.rank: p.text for p in given}


@pytest.mark.parametrize("before", [0, 1, 4])
def test_of_much_text_what_shares_the_questions_words_is_read_and_its_neighbours(
    pages, said, before
):
    given = pages(*[FILLER] * before, FILLER + BORN + FILLER)
    read = said("Where was Peter Adeyemi born?", given)
    assert BORN in read[before]
    assert ENOUGH <= sum(map(len, read.values())) < ENOUGH + 100  # the filler says nothing of it


def test_more_is_read_where_it_is_as_likely(pages, said):
    many = "Peter Adeyemi was seen in the harbour of Lagos. " * 60
    read = said("Where was Peter Adeyemi born?", pages(many))
    assert ROOM <= sum(map(len, read.values())) < ROOM + 100


def test_the_rarest_words_count_most(pages, said):
    many = "Adeyemi chairs the harbour's board. " * 20
    given = pages(many, many, many + "The board was founded in 1871.")
    assert "1871" in said("When was the board of Adeyemi founded?", given)[2]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who wrote the ferry song?", "The author of the tune was Ida Holm."),
        ("When did the ferry begin to run?", "Service started on 3 May 1957."),
    ],
)
def test_words_alike_and_the_type_asked_for_count(pages, said, question, text):
    ferry = "The ferry is loved by all who see it. " * 40
    assert text in said(question, pages(ferry, FILLER + text + " " + FILLER))[1]


def test_a_text_without_sentences_is_read_and_leaves_no_room(pages, said):
    table = "; ".join(f"row {n}: {n * n}" for n in range(200))
    given = pages(table, FILLER)
    assert "row 150: 22500" in said("What does row 150 say?", given)[0]


def test_nothing_to_read(pages, said, asking):
    assert excerpts(asking("Where?"), pages("")) == []
    assert excerpts(asking("Where?"), []) == []
    assert said("", pages(BORN)) == {0: BORN}


def test_scores_are_those_of_the_same_words_in_the_page(pages, asking):
    (excerpt,) = excerpts(
        asking("Where was Peter Adeyemi born?"), pages(FILLER + BORN + FILLER * 2)
    )
    first = excerpt.text.index("Lagos")
    offsets = np.array([[0, 3], [first, first + 5]])
    scores = excerpt.in_page(SpanScores(np.array([0.0, 2]), np.array([0.0, 1]), offsets))
    at = (FILLER + BORN).index("Lagos")
    assert scores.of(at, at + 5) == 3
    assert scores.of(0, 3) == 0


def test_what_stands_in_the_middle_of_long_passages_is_answered(read):
    answered = read("Where was Peter Adeyemi born?", *[FILLER] * 3, FILLER + BORN + FILLER)
    assert (answered.text, answered.answered) == ("Lagos", True)
