"""Questions that nobody should ask, on every store: the hop answers them all, and stays bounded."""

import logging

import pytest
from support.building import WORDS, batch, page, titles

from hoptrail.kg.candidates import Candidates
from hoptrail.reasoning.retrieval import Hop

pytestmark = pytest.mark.one_release

THEATRE = page(
    "Vaagur Theatre",
    "The Vaagur Theatre was designed by Jens Thorkil.",
    mentions=("Vaagur Theatre", "Jens Thorkil"),
)
PAGES = [
    THEATRE,
    page("The Salt Lantern", "It opened at the Vaagur Theatre.", mentions=("Vaagur Theatre",)),
    page("Jens Thorkil", "Jens Thorkil was born in Sandur.", mentions=("Jens Thorkil", "Sandur")),
    page("北京", "北京 是 中国 的 首都。", mentions=("北京",)),
    page("القاهرة", "القاهرة عاصمة مصر.", mentions=("القاهرة",)),
]
ASKED = "Who designed the Vaagur Theatre?"
LONG = f"{ASKED} {'It was a very long evening in the harbour. ' * 2000}"
ODD = {
    "nothing": "",
    "no words": "?! … — «» \u200b 🎭",
    "stop words": "Who was it, and what did they do?",
    "halves of surrogate pairs": "\ud800 \udfff",
    "control characters": "\x00\x1f\x7f",
    "syntax": "words:* AND (title:[a TO b]) ~2^9 \" OR NEAR(/ ' {",
    "one long word": "x" * 100_000,
    "longer than any window": LONG,
    "Chinese": "谁 设计 了 北京 的 剧院？",
    "Arabic": "ما هي عاصمة مصر؟",
    "a thousand titles": "Who knows " + ", ".join(f"Page {number}" for number in range(1000)) + "?",
}


@pytest.fixture(params=ODD.values(), ids=ODD)
def odd(request) -> str:
    return request.param


@pytest.fixture
def graph(store):
    store.add(batch(*PAGES))
    return store


def statements(caplog) -> list[str]:
    """Names of the Cypher statements that were run."""
    return [record.args[0] for record in caplog.records if record.name.endswith("neo4j.statements")]


def test_every_question_gets_passages_best_first(graph, odd, caplog):
    graph.info()
    caplog.set_level(logging.DEBUG, "hoptrail.kg.neo4j.statements")
    found = Hop(graph, WORDS).search(odd, 3)
    assert len(statements(caplog)) <= 3
    assert [f.score for f in found] == sorted((f.score for f in found), reverse=True)
    assert len(graph.passages([f.id for f in found])) == 3


def test_every_question_finds_the_only_passage_there_is(store, odd):
    store.add(batch(THEATRE))
    found = Hop(store, WORDS).search(odd, 5)
    assert [f.id for f in found] == [THEATRE.passages[0].id]


def test_every_question_keeps_to_the_given_passages(graph, odd):
    own = [PAGES[0].passages[0].id, PAGES[2].passages[0].id]
    assert {f.id for f in Hop(graph, WORDS).search(odd, 5, own)} == set(own)


def test_every_question_finds_nothing_in_an_empty_graph(store, odd):
    assert Hop(store, WORDS).search(odd, 5) == []


@pytest.mark.parametrize(
    ("question", "title"),
    [(LONG, "Vaagur Theatre"), (ODD["Chinese"], "北京"), (ODD["Arabic"], "القاهرة")],
    ids=["longer than any window", "Chinese", "Arabic"],
)
def test_what_can_be_understood_is_found(graph, question, title):
    found = Hop(graph, WORDS).search(question, 1)
    assert titles(graph, [found[0].id]) == [title]


def test_a_thousand_titles_are_found_with_as_few_statements_as_one(store, caplog):
    pages = [page(f"Page {number}", f"It follows Page {number + 1}.") for number in range(300)]
    store.add(batch(*pages))
    caplog.set_level(logging.DEBUG, "hoptrail.kg.neo4j.statements")
    found = Hop(store, WORDS).search(ODD["a thousand titles"], 50)
    assert len(found) == 50
    assert len(statements(caplog)) <= 3


def test_a_hub_is_crossed_with_as_few_statements_as_any(store, caplog):
    """A title that every passage names, and an entity that fifty mention."""
    pages = [
        page(
            f"Night {number}",
            f"Night {number} at the Vaagur Theatre.",
            mentions=("Vaagur Theatre",),
        )
        for number in range(49)
    ]
    store.add(batch(THEATRE, *pages))
    caplog.set_level(logging.DEBUG, "hoptrail.kg.neo4j.statements")
    found = Hop(store, WORDS, pool=2).search("Who is Jens Thorkil?", 60)
    assert len(found) == 50
    assert len(statements(caplog)) <= 3


class Watched:
    """A graph that remembers how much it was asked for at once."""

    def __init__(self, graph) -> None:
        self.graph, self.longest = graph, 0

    def candidates(self, vector, text, asked, stems, *more) -> Candidates:
        self.longest = max(self.longest, len(asked), len(stems))
        return self.graph.candidates(vector, text, asked, stems, *more)

    def bridges(self, scores, vector, stems, *more) -> list:
        self.longest = max(self.longest, len(scores), len(stems))
        return self.graph.bridges(scores, vector, stems, *more)


def test_what_a_statement_carries_does_not_grow_with_the_question(graph):
    watched = Watched(graph)
    names = " ".join(f"Vaagur{number} Theatre{number}" for number in range(20_000))
    assert len(Hop(watched, WORDS).search(f"{ASKED} {names}", 5)) == 5
    assert watched.longest <= 2000
