"""A run is gone on with only where all that decides its figures is as it was."""

import shutil
from dataclasses import replace

import pytest
from support.fakes import WordEncoder
from support.towns import plain_ranker

from hoptrail.kg.errors import BadRequest
from hoptrail.kg.sqlite.store import SqliteStore


@pytest.fixture
def own_bench(bench, tmp_path):
    """A bench whose files a test may change."""
    graph, data = tmp_path / "world.db", tmp_path / "dev.jsonl"
    shutil.copy(bench.graph, graph)
    shutil.copy(bench.data, data)
    return replace(bench, graph=graph, data=data)


def test_names_beside_the_questions_are_data(own_bench, tmp_path):
    names = tmp_path / "id_aliases.json"
    names.write_text('{"Q_id": "Q1", "aliases": ["Cynna"], "demonyms": []}\n')
    [result] = own_bench.measured(tmp_path / "runs", methods=["direct"])
    assert len(result.manifest["data"]["aliases"]) == 64
    own_bench.measured(tmp_path / "runs", methods=["direct"])
    names.write_text('{"Q_id": "Q1", "aliases": ["Cinna"], "demonyms": []}\n')
    with pytest.raises(BadRequest, match=r"data\.aliases was '[0-9a-f]{12}…', is '"):
        own_bench.measured(tmp_path / "runs", methods=["direct"])


def test_a_ranker_is_told_by_what_was_fitted(own_bench, tmp_path):
    how = {"methods": ["rag"], "retriever": "ranker"}
    text = plain_ranker(WordEncoder(256))
    with SqliteStore(own_bench.graph) as store:
        store.keep_parameters("ranker", text)
    own_bench.measured(tmp_path / "runs", **how)
    with SqliteStore(own_bench.graph) as store:
        store.keep_parameters("ranker", text.replace("1.0", "2.0"))
    with pytest.raises(BadRequest, match="runs holds another run of this name: ranker was '"):
        own_bench.measured(tmp_path / "runs", **how)


def test_prompts_of_ones_own_are_told_by_their_names_too(own_bench, tmp_path, monkeypatch):
    prompts = tmp_path / "prompts"
    prompts.mkdir()
    (prompts / "kgp").mkdir()
    (prompts / "kgp" / "needed.txt").write_text("{question}")
    monkeypatch.setenv("HOPTRAIL_PROMPTS", str(prompts))
    own_bench.measured(tmp_path / "runs", methods=["direct"])
    (prompts / "kgp").rename(prompts / "react")
    with pytest.raises(BadRequest, match="prompts was '"):
        own_bench.measured(tmp_path / "runs", methods=["direct"])
