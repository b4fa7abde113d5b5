"""The hop ranks its best passages as a set: each adds to those before it."""

import pytest
from support.building import batch, page, titles

from hoptrail.kg.errors import BadRequest
from hoptrail.reasoning.retrieval import Hop

pytestmark = pytest.mark.one_release

QUESTION = "Which lighthouse keeper knew the ballad that Runa Dahl sang?"
BALLADS = [page(f"Ballad {n}", f"Runa Dahl sang the ballad, number {n}.") for n in range(3)]
KEEPER = page(
    "Tor Vik", "Tor Vik, a keeper, lit the lighthouse in long winters by the northern sea."
)
OTHERS = [page(f"Mine {n}", f"Salt is mined in hill {n}.") for n in range(12)]


@pytest.fixture
def graph(store):
    store.add(batch(*BALLADS, KEEPER, *OTHERS))
    return store


def place(graph, retriever, title):
    return titles(graph, [f.id for f in retriever.search(QUESTION, 6)]).index(title)


def test_what_covers_the_open_words_comes_before_more_of_the_same(graph, encoder):
    assert place(graph, Hop(graph, encoder, cover=0), "Tor Vik") == 3
    assert place(graph, Hop(graph, encoder, cover=1.5), "Tor Vik") == 1


def test_fewer_asked_for_are_the_first_of_more(graph, encoder):
    hop = Hop(graph, encoder, chosen=3)
    found = hop.search(QUESTION, 6)
    assert len(found) == 6
    for limit in range(7):
        assert hop.search(QUESTION, limit) == found[:limit]
    assert [f.score for f in found] == sorted((f.score for f in found), reverse=True)


def test_none_chosen_is_each_on_its_own(graph, encoder):
    alone = Hop(graph, encoder, cover=0).search(QUESTION, 6)
    assert Hop(graph, encoder, chosen=0).search(QUESTION, 6) == alone


@pytest.mark.parametrize("setting", ["cover", "chosen"])
def test_settings_below_zero_are_refused(graph, encoder, setting):
    with pytest.raises(BadRequest):
        Hop(graph, encoder, **{setting: -1})
