"""Which candidates are named beside an answer, and in which order."""

import re
from collections.abc import Callable, Sequence

import pytest

from hoptrail.kg.types import Passage
from hoptrail.reasoning.reader import Reader, Reading
from hoptrail.reasoning.reader.asked.names import key
from hoptrail.reasoning.reader.beside import with_others
from hoptrail.reasoning.reader.candidates import AnswerCandidate, Mention
from hoptrail.reasoning.reader.judging.judged import Judgement

NOTES = (
    "The annual fee is £540 plus VAT, payable in May. "
    "Ann Lee came through Hatherley because of the rain.\n"
    "Room: Loft; Half day: £95; Full day: £160; Genre: comedy\n"
    "The pump was turned off during the Great Fog of 1911."
)
Beside = Callable[..., list[str]]


@pytest.fixture(scope="module")
def beside(reader: Reader, given: Callable[..., list]) -> Beside:
    """What is named beside the first of some texts, the later ones being less likely."""
    passages = given([Passage("d", 0, "Notes", NOTES)])

    def named(question: str, *texts: str, chances: Sequence[float] = ()) -> list[str]:
        study = reader.study(question, passages)
        page = study.evidence.pages[0]
        found = []
        for text in texts:
            start = page.text.index(text)
            at = Mention(page, "SPAN", start, start + len(text), page.sentence_at(start))
            found.append(AnswerCandidate(text, key(text) or text, [at]))
        likely = chances or [0.5 - 0.1 * n for n in range(len(texts))]
        judged = Judgement(dict(enumerate(likely)), None)
        asked = study.evidence.asked
        told = with_others(texts[0], likely[0], asked, found, judged, found[0])
        assert [chance for _, chance in told] == sorted((c for _, c in told), reverse=True)
        assert sum(chance for _, chance in told) <= 1
        return [text for text, _ in told]

    return named


@pytest.mark.parametrize(
    "piece", ["ley", "Hather", "T", "through", "because", "Genre", "Great Fog of"]
)
def test_a_piece_of_a_word_or_a_phrase_is_no_candidate(beside: Beside, piece: str) -> None:
    assert beside("How much is the fee?", "£540", piece, "the rain") == ["£540", "the rain"]


def test_a_word_that_says_something_is(beside: Beside) -> None:
    for other in ("comedy", "turned off", "Loft", "1911", "Ann Lee"):
        assert beside("How much is the fee?", "£540", other) == ["£540", other]


def test_of_one_answer_in_two_spellings_the_likelier_is_named(beside: Beside) -> None:
    question = "How much is the fee?"
    assert beside(question, "£540 plus VAT", "£540", "£95") == ["£540 plus VAT", "£95"]
    assert beside(question, "£540", "£540 plus VAT", "£95") == ["£540", "£95"]


def test_two_fields_of_a_row_are_no_candidate(beside: Beside) -> None:
    question = "How much is the loft for a whole day?"
    assert beside(question, "£160", "£95; Full day: £160", "£95") == ["£160", "£95"]


def test_candidates_are_in_order_whatever_was_preferred(beside: Beside) -> None:
    texts, chances = ("£160", "£95", "Ann Lee", "comedy"), (0.4, 0.0, 0.02, 0.1)
    assert beside("How much is it?", *texts, chances=chances) == ["£160", "comedy", "Ann Lee"]


def test_nothing_is_said_for_yes_where_nothing_is_known(read: Callable[..., Reading]) -> None:
    reading = read("Is the loft heated?", NOTES)
    assert {text for text, _ in reading.candidates} == {"yes", "no"}
    assert len({chance for _, chance in reading.candidates}) == 1
    assert not re.search(r"\d", reading.missing)
