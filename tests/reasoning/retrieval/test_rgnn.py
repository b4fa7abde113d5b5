"""RGNN: what earlier queries of a question found stays near."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.building import batch, page, titles
from support.fakes import SilentModel
from support.steig import BOOK, FILM, OTHERS, QUESTION

from hoptrail.kg.errors import BadRequest
from hoptrail.reasoning.fitted import Fitted
from hoptrail.reasoning.registry import word
from hoptrail.reasoning.retrieval import GnnRet, Rgnn, retriever
from hoptrail.reasoning.retrieval.gnn_parameters import GNN_RET, GnnParameters
from hoptrail.reasoning.session.parts import Parts
from hoptrail.reasoning.session.session import Session

pytestmark = pytest.mark.one_release

ASKED = ["Who created Shrek?", "Which notable works did Steig write?"]
ASTRAY = "Who grinds flour in the village mill?"


@pytest.fixture
def graph(store):
    store.add(batch(FILM, BOOK, *OTHERS))
    return store


def scores(made, asked, limit=9):
    return {f.id: f.score for f in made.search(asked, limit)}


def test_a_query_remembers_those_before(graph, encoder):
    gnn = GnnRet(graph, encoder, senders=1)
    alone = [scores(gnn, asked) for asked in [*ASKED, ASTRAY]]
    remembering = Rgnn(graph, encoder, senders=1, beta=0.75).remembering()
    assert scores(remembering, ASKED[0]) == pytest.approx(alone[0])
    second = {id_: 0.75 * alone[1][id_] + 0.25 * alone[0][id_] for id_ in alone[0]}
    assert scores(remembering, ASKED[1]) == pytest.approx(second)
    found = remembering.search(ASTRAY, 9)
    third = {id_: 0.75 * alone[2][id_] + 0.25 * second[id_] for id_ in second}
    assert {f.id: f.score for f in found} == pytest.approx(third)
    assert [f.score for f in found] == sorted((f.score for f in found), reverse=True)


def test_a_query_that_leads_astray_is_mended_by_the_one_before(graph, encoder):
    rgnn = Rgnn(graph, encoder, beta=0.2)
    assert titles(graph, [f.id for f in rgnn.search(ASTRAY, 1)])[0].startswith("Mill")
    remembering = rgnn.remembering()
    remembering.search(ASKED[0], 5)
    found = titles(graph, [f.id for f in remembering.search(ASTRAY, 2)])
    assert set(found) == {"Shrek", "Doctor De Soto"}


def test_with_beta_one_each_query_is_gnn_ret(graph, encoder):
    gnn, remembering = GnnRet(graph, encoder), Rgnn(graph, encoder, beta=1.0).remembering()
    for asked in ASKED:
        assert remembering.search(asked, 4) == pytest.approx(gnn.search(asked, 4))


@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    asked=st.lists(st.sampled_from(["mill 3", "mill 11 7", "Shrek", "flour 29"]), max_size=4),
    beta=st.floats(0, 1),
    pool=st.integers(1, 4),
    limit=st.integers(1, 9),
)
def test_the_nearest_are_found_however_few_are_looked_at_first(
    store, encoder, asked, beta, pool, limit
):
    if not store.statistics()["passages"]:
        mills = (page(f"Mill {n}", f"The mill number {n} grinds {n % 7}.") for n in range(40))
        store.add(batch(FILM, BOOK, *mills))
    small = Rgnn(store, encoder, senders=2, pool=pool, beta=beta).remembering()
    large = Rgnn(store, encoder, senders=2, pool=99, beta=beta).remembering()
    for query in asked:
        few, many = small.search(query, limit), large.search(query, limit)
        assert [f.id for f in few] == [f.id for f in many]
        assert [f.score for f in few] == pytest.approx([f.score for f in many])


def test_no_question_remembers_another(graph, encoder):
    parts = Parts(graph, encoder, list, Rgnn(graph, encoder, beta=0.2), model=SilentModel())
    first = Session(parts, QUESTION)
    first.retrieve(ASKED[0], 2)
    mended = [p.title for p in first.retrieve(ASTRAY, 2)]
    other = [p.title for p in Session(parts, QUESTION).retrieve(ASTRAY, 2)]
    assert set(mended) == {"Shrek", "Doctor De Soto"}
    assert all(title.startswith("Mill") for title in other)


def test_within_keeps_to_the_given_passages(graph, encoder):
    own = [BOOK.passages[0].id, OTHERS[0].passages[0].id]
    remembering = Rgnn(graph, encoder).remembering()
    for asked in ASKED:
        assert {f.id for f in remembering.search(asked, 9, own)} == set(own)
        assert remembering.search(asked, 0, own) == []


def test_an_empty_graph_has_nothing(store, encoder):
    remembering = Rgnn(store, encoder).remembering()
    assert [remembering.search(asked, 5) for asked in ASKED] == [[], []]


def test_settings_are_given_in_a_word_and_checked(graph, encoder):
    made = retriever("rgnn:beta=0.8:alpha=0.3+0.4:layers=2", graph, encoder)
    assert made == Rgnn(graph, encoder, (0.3, 0.4), 2, beta=0.8)
    assert word(made) == "rgnn:alpha=0.3+0.4:layers=2:beta=0.8"
    with pytest.raises(BadRequest, match="beta of RGNN-Ret lies between"):
        retriever("rgnn:beta=2", graph, encoder)
    with pytest.raises(BadRequest, match="at least one layer"):
        retriever("rgnn:senders=0", graph, encoder)


def test_what_was_fitted_to_the_graph_holds_where_the_word_sets_nothing(graph, encoder):
    assert retriever("rgnn", graph, encoder) == Rgnn(graph, encoder)
    kept = Fitted(GnnParameters((0.3,), 0.7, (0.6, 0.4)), encoder.fingerprint)
    graph.keep_parameters(GNN_RET.kind, GNN_RET.to_json(kept))
    assert retriever("rgnn", graph, encoder) == Rgnn(graph, encoder, (0.6, 0.4), 2, beta=0.7)
    assert retriever("gnn", graph, encoder) == GnnRet(graph, encoder, (0.3,))
    assert retriever("rgnn:beta=0.9", graph, encoder) == Rgnn(graph, encoder)
    graph.keep_parameters(GNN_RET.kind, GNN_RET.to_json(Fitted(GnnParameters((0.3,)))))
    assert retriever("rgnn", graph, encoder) == Rgnn(graph, encoder, (0.3,))
