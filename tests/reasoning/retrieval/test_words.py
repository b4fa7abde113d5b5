"""A retriever is spelt as it is read, and what makes one is as good as one."""

import functools

import pytest

from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.reasoning.registry import word as said
from hoptrail.reasoning.retrieval import Dense, Hop, retriever


@pytest.fixture
def graph(tmp_path):
    """That nothing has been put into."""
    return SqliteStore(tmp_path / "graph.db")


@pytest.mark.parametrize(
    "word",
    [
        "dense",
        "bm25",
        "hybrid:pool=50",
        "hop:senders=10:cover=0.0",
        "gnn:alpha=0.6+0.4:layers=2:kinds=NEXT+NAMES",
        "rgnn:senders=3:beta=0.8",
        "ranker:file=r.json",
    ],
)
def test_a_retriever_is_spelt_as_it_is_read(graph, encoder, word):
    made = retriever(word, graph, encoder)
    assert said(made) == word


def test_what_makes_a_retriever_gets_graph_and_encoder(graph, encoder):
    assert retriever(Dense, graph, encoder) == Dense(graph, encoder)
    made = retriever(functools.partial(Hop, shares=0.5), graph, encoder)
    assert made == Hop(graph, encoder, shares=0.5)
    assert retriever(made, graph, encoder) is made
