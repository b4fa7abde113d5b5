"""One layer of message passing on every store, against the formula spelled out here."""

import numpy as np
import pytest
from support.building import WORDS, batch, page

from hoptrail.kg.errors import EncoderMismatch

SONG = page(
    "Left and Right", "A song by Ana Dov.", "It sold well in Brno.", "Critics hated it.",
    mentions=("Ana Dov", "Brno"),
)  # fmt: skip
SINGER = page("Ana Dov", "Ana Dov was born in Richmond.", mentions=("Ana Dov", "Richmond"))
TOWN = page("Richmond", "Richmond is a town on a river.", mentions=("Richmond",))
ALONE = page("Glass", "Glass is made of sand.", mentions=("Glass",))
FIRST, SECOND, THIRD = [passage.id for passage in SONG.passages]
[ANA], [RICHMOND], [GLASS] = ([p.id for p in one.passages] for one in (SINGER, TOWN, ALONE))
QUESTION = WORDS.encode_queries(["Where was the performer of Left and Right born?"])[0]
ALL = ("NEXT", "SHARES_KEYWORD")


@pytest.fixture
def graph(store):
    store.add(batch(SONG, SINGER, TOWN, ALONE))
    return store


def cosine_distances(graph):
    return {s.id: 1 - s.score for s in graph.nearest_passages(QUESTION, 100)}


def test_neighbours_take_over_a_part_of_the_senders_distance(graph):
    own = cosine_distances(graph)
    found = graph.propagate(own, [FIRST], 0.3, QUESTION, ALL)
    assert found == {
        id_: pytest.approx(0.3 * own[id_] + 0.7 * own[FIRST], abs=1e-12)
        for id_ in sorted([SECOND, ANA])
    }
    assert list(found) == sorted(found)


def test_the_nearest_of_several_senders_is_heard(graph):
    sent = {FIRST: 0.5, RICHMOND: 0.25, THIRD: 0.75}
    found = graph.propagate(sent | {ANA: 1.0}, list(sent), 0.5, QUESTION, ALL)
    assert found[ANA] == 0.5 * 1.0 + 0.5 * 0.25
    assert found.keys() == {ANA, SECOND}
    assert graph.propagate(sent | {ANA: 1.0}, [FIRST, THIRD], 0.5, QUESTION, ALL)[ANA] == 0.75


def test_distances_that_nobody_gives_are_those_of_the_vectors(graph):
    own = cosine_distances(graph)
    given = graph.propagate(own, [FIRST], 0.5, QUESTION, ALL)
    found = graph.propagate({FIRST: own[FIRST]}, [FIRST], 0.5, QUESTION, ALL)
    assert found == pytest.approx(given, abs=2e-6)
    exact = 1 - float(
        WORDS.encode_passages(["Ana Dov\nAna Dov was born in Richmond."])[0] @ QUESTION
    )
    assert found[ANA] == pytest.approx(0.5 * exact + 0.5 * own[FIRST], abs=2e-6)


def test_senders_receive_from_each_other(graph):
    found = graph.propagate({FIRST: 0.2, ANA: 0.6}, [FIRST, ANA], 0.5, QUESTION, ALL)
    assert found[FIRST] == found[ANA] == 0.4


def test_only_the_asked_kinds_of_edges_carry(graph):
    sent = {FIRST: 0.1, ANA: 0.1}
    assert graph.propagate(sent, [FIRST], 0.5, QUESTION, ["NEXT"]).keys() == {SECOND}
    assert graph.propagate(sent, [FIRST], 0.5, QUESTION, ["SHARES_KEYWORD"]).keys() == {ANA}
    assert graph.propagate(sent, [ANA], 0.5, QUESTION, ["NAMES"]).keys() == {FIRST, RICHMOND}
    assert graph.propagate(sent, [FIRST], 0.5, QUESTION, []) == {}


def test_a_keyword_of_many_passages_carries_nothing(graph):
    graph.add(batch(*(page(f"Song {n}", "By Ana Dov.", mentions=("Ana Dov",)) for n in range(9))))
    assert graph.propagate({FIRST: 0.1}, [FIRST], 0.5, QUESTION, ["SHARES_KEYWORD"]) == {}


def test_within_limits_who_receives(graph):
    assert graph.propagate({FIRST: 0.1}, [FIRST], 0.5, QUESTION, ALL, [ANA, GLASS]).keys() == {ANA}
    assert graph.propagate({FIRST: 0.1}, [FIRST], 0.5, QUESTION, ALL, []) == {}


def test_unknown_ids_and_silent_senders_are_passed_over(graph):
    odd = {"nobody": 0.1, "\ud800": 0.2, "": 0.3, FIRST: 0.4}
    found = graph.propagate(odd, [*odd, ANA], 0.5, QUESTION, ALL, None)
    assert found.keys() == {SECOND, ANA}


def test_a_vector_of_another_encoder_is_refused(graph):
    with pytest.raises(EncoderMismatch):
        graph.propagate({FIRST: 0.1}, [FIRST], 0.5, np.ones(3, np.float32), ALL)


def test_an_empty_graph_has_no_neighbours(new_store):
    assert new_store().propagate({"x": 0.1}, ["x"], 0.5, QUESTION, ALL) == {}
