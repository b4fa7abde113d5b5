"""`train knowtrace`: what is kept, what is left out, what is written."""

import json

import pytest
from support.fakes import WordEncoder
from world import SymbolicReader
from world.reader import SAYS
from world.tracing import wordy

from hoptrail.kg.errors import BadRequest
from hoptrail.service import Hoptrail
from hoptrail.service.training.knowtrace import Collecting, collect


def trained(bench, out, model=None, **how):
    tools = Hoptrail(bench.graph, encoder=WordEncoder(256), model=model or SymbolicReader())
    return collect(tools, [bench.data], Collecting(fixed_graph=True, **how), out)


def lines(file):
    return [json.loads(line)["messages"] for line in file.read_text("utf-8").splitlines()]


def manifest(folder):
    return json.loads((folder / "manifest.json").read_text("utf-8"))


def test_what_led_to_right_answers_is_written_for_two_adapters(bench, tmp_path):
    found = trained(bench, tmp_path)
    told = manifest(tmp_path)
    assert (told["questions"], found.asked) == (8, 8)
    assert 4 <= told["kept"] == found.kept <= 6
    explored, completed = (lines(tmp_path / f"{name}.jsonl") for name in ("explore", "complete"))
    assert (len(explored), len(completed)) == (told["explore"], told["complete"])
    assert len(explored) == len(completed) + told["kept"]
    for asked, said in explored + completed:
        assert (asked["role"], said["role"]) == ("user", "assistant")
    assert all(a["content"].startswith("Decide") for a, _ in explored)
    assert all(s["content"].startswith("Sufficient: ") for _, s in explored)
    assert all(a["content"].startswith("Pick out") for a, _ in completed)
    assert all(s["content"].startswith("⟨") for _, s in completed)


def test_backtracing_leaves_out_what_is_no_evidence(bench, tmp_path):
    def written(name, **how):
        model = SymbolicReader(says={**SAYS, **wordy(pairs=True, also=True)})
        trained(bench, tmp_path / name, model, **how)
        files = [tmp_path / name / f"{kind}.jsonl" for kind in ("explore", "complete")]
        return [[said["content"] for _, said in lines(file)] for file in files]

    trained(bench, tmp_path / "plain")
    plain = [
        [said["content"] for _, said in lines(tmp_path / "plain" / f"{kind}.jsonl")]
        for kind in ("explore", "complete")
    ]
    got = written("distilled")
    assert not [one for one in got[1] if "worked as" in one or "kind of work" in one]
    assert [len(told) for told in got] >= [len(told) for told in plain]
    assert 0 < manifest(tmp_path / "distilled")["filtered_to_all"] < 1
    assert manifest(tmp_path / "plain")["filtered_to_all"] == 0
    every = written("all", backtracing=False)
    assert every != plain
    assert sum(map(len, every)) > sum(map(len, plain))


def test_what_can_not_be_trained_on_is_refused(bench, tmp_path):
    with pytest.raises(BadRequest, match="Only knowtrace traces a graph"):
        trained(bench, tmp_path, method="react")
    tools = Hoptrail(bench.graph, encoder=WordEncoder(256))
    with pytest.raises(BadRequest, match="set --model"):
        collect(tools, [bench.data], Collecting(fixed_graph=True), tmp_path)
    assert [*tmp_path.iterdir()] == []
