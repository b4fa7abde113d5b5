"""GNN-Ret ranks by what a passage is near to as well as by what it says."""

import pytest
from support.building import batch, page, titles

from hoptrail.kg.errors import BadRequest
from hoptrail.reasoning.retrieval import Dense, GnnRet, retriever

pytestmark = pytest.mark.one_release

QUESTION = "Who composed the song Salt Lantern?"
SONG = page("Salt Lantern", "The song Salt Lantern, composed by Eide.", mentions=("Eide",))
COMPOSER = page("Eide", "Eide of Sandur.", mentions=("Eide", "Sandur"))
SANDUR = page("Sandur", "Sandur is an island village.", mentions=("Sandur",))
LOOKALIKES = [
    page("Salt", "Salt is mined in mountains and dried in pans by the sea."),
    page("Song", "A song is sung by birds and by choirs."),
    page("Lantern", "The lantern of a lighthouse turns at night."),
]


@pytest.fixture
def graph(store):
    store.add(batch(SONG, COMPOSER, SANDUR, *LOOKALIKES))
    return store


def ranked(graph, retriever, question=QUESTION, limit=10, within=None):
    return titles(graph, [found.id for found in retriever.search(question, limit, within)])


def test_a_neighbour_of_the_best_passage_outranks_lookalikes(graph, encoder):
    assert ranked(graph, Dense(graph, encoder))[0] == "Salt Lantern"
    assert ranked(graph, Dense(graph, encoder)).index("Eide") > 2
    found = GnnRet(graph, encoder, senders=1).search(QUESTION, 10)
    assert titles(graph, [f.id for f in found])[:2] == ["Salt Lantern", "Eide"]
    assert [f.score for f in found] == sorted((f.score for f in found), reverse=True)


def test_integrated_distances_are_the_papers(graph, encoder):
    own = {f.id: 1 - f.score for f in Dense(graph, encoder).search(QUESTION, 10)}
    found = {f.id: 1 - f.score for f in GnnRet(graph, encoder, 0.25, senders=1).search(QUESTION, 9)}
    song, eide = SONG.passages[0].id, COMPOSER.passages[0].id
    assert found.pop(eide) == pytest.approx(0.25 * own.pop(eide) + 0.75 * own[song])
    assert found == pytest.approx(own)


def test_a_second_layer_reaches_the_neighbours_neighbour(graph, encoder):
    sandur = SANDUR.passages[0].id
    one, two = (
        {f.id: f.score for f in GnnRet(graph, encoder, 0.2, layers, senders=2).search(QUESTION, 9)}
        for layers in (1, 2)
    )
    assert two[sandur] > one[sandur]


def test_each_layer_has_its_alpha(graph, encoder):
    single = GnnRet(graph, encoder, 0.3, senders=2).search(QUESTION, 9)
    second_is_idle = GnnRet(graph, encoder, (0.3, 1.0), 2, senders=2).search(QUESTION, 9)
    assert second_is_idle == single


def test_with_alpha_one_it_is_dense(graph, encoder):
    assert ranked(graph, GnnRet(graph, encoder, 1.0)) == ranked(graph, Dense(graph, encoder))


def test_kinds_of_edges_are_a_setting(graph, encoder):
    deaf = GnnRet(graph, encoder, senders=1, kinds=("NEXT",))
    assert ranked(graph, deaf) == ranked(graph, Dense(graph, encoder))


@pytest.mark.parametrize("layers", [1, 3])
def test_a_small_pool_gives_the_same(graph, encoder, layers):
    """Also where messages take the nearest passages further away than some not yet looked at."""
    few = GnnRet(graph, encoder, 0.1, layers, senders=3, pool=1)
    many = GnnRet(graph, encoder, 0.1, layers, senders=3)
    for limit in range(1, 7):
        assert few.search(QUESTION, limit) == many.search(QUESTION, limit)


def test_within_keeps_to_the_given_passages(graph, encoder):
    own = [COMPOSER.passages[0].id, SONG.passages[0].id]
    assert ranked(graph, GnnRet(graph, encoder), within=own) == ["Salt Lantern", "Eide"]
    assert ranked(graph, GnnRet(graph, encoder), within=[]) == []


def test_an_empty_graph_has_nothing(store, encoder):
    assert GnnRet(store, encoder).search(QUESTION, 5) == []
    assert GnnRet(store, encoder).search(QUESTION, 0) == []


def test_it_is_found_by_name(graph, encoder):
    assert ranked(graph, retriever("gnn", graph, encoder)) == ranked(graph, GnnRet(graph, encoder))


@pytest.mark.parametrize(
    "wrong", [{"alpha": (0.5, 0.5)}, {"alpha": 1.5}, {"senders": 0}, {"layers": 0}, {"pool": 0}]
)
def test_settings_out_of_range_are_refused(graph, encoder, wrong):
    with pytest.raises(BadRequest):
        GnnRet(graph, encoder, **wrong)
