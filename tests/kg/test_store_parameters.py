"""Fitted parameters are kept with the graph, on every store."""

import pytest
from support.building import batch, content, kind, page

from hoptrail.kg.errors import BadRequest

PAGE = page("Salt", "Salt is mined in Vaagur.", mentions=("Vaagur",))


def test_what_is_kept_is_found_again_and_the_last_replaces_the_former(store):
    store.keep_parameters("ranker", '{"a": 1}')
    store.keep_parameters("gnn-ret", '{"alpha": 0.5, "title": "Þór – \\u0000"}')
    store.keep_parameters("ranker", '{"a": 2}')
    assert store.parameters("ranker") == '{"a": 2}'
    assert store.parameters("gnn-ret") == '{"alpha": 0.5, "title": "Þór – \\u0000"}'
    assert store.parameters("reader") is None


def test_they_are_exported_after_the_info_by_kind(store):
    store.keep_parameters("ranker", "{}")
    store.keep_parameters("gnn-ret", "[]")
    assert [record["kind"] for record in store.maintenance.records()] == [
        "info",
        "parameters",
        "parameters",
    ]
    assert [(r["id"], r["text"]) for r in kind(store, "parameters")] == [
        ("gnn-ret", "[]"),
        ("ranker", "{}"),
    ]


def test_forgetting_them_leaves_the_graph_as_if_they_had_never_been(store):
    store.add(batch(PAGE))
    before = content(store)
    store.keep_parameters("ranker", "{}")
    assert store.forget_parameters("ranker")
    assert not store.forget_parameters("ranker")
    assert content(store) == before


def test_they_outlive_documents(store):
    store.add(batch(PAGE))
    store.keep_parameters("ranker", "{}")
    store.remove([PAGE.document.id])
    assert store.parameters("ranker") == "{}"


def test_keeping_them_needs_a_prepared_graph(new_store):
    with pytest.raises(BadRequest, match="prepare"):
        new_store().keep_parameters("ranker", "{}")
