"""`train knowtrace`: what is kept, what is left out, what is written, and adapters in rounds."""

import json
import shutil
from dataclasses import dataclass, replace
from importlib.resources import files

import pytest
from support.fakes import WordEncoder
from support.gguf_model import CHAT_TEMPLATE, write_model
from world import SymbolicReader
from world.reader import SAYS
from world.tracing import wordy

from hoptrail.kg.errors import BadRequest, ModelMissing
from hoptrail.models.language import Decoding
from hoptrail.models.llama.model import LlamaCpp
from hoptrail.reasoning.training.lora import Lora
from hoptrail.service import Hoptrail
from hoptrail.service.training.knowtrace import Collecting, Tuning, self_train

LORA = Lora(epochs=1, batch=8, learning_rate=1e-2, rank=4)
SAID = Decoding(max_tokens=12)


def trained(bench, out, model=None, tuning=None, **how):
    tools = Hoptrail(bench.graph, encoder=WordEncoder(256), model=model or SymbolicReader())
    plan = Collecting(**{"fixed_graph": True, **how})
    return list(self_train(tools, [bench.data], plan, tuning or Tuning(), out))


def lines(file):
    return [json.loads(line)["messages"] for line in file.read_text("utf-8").splitlines()]


def pairs(folder):
    return [lines(folder / "round-1" / f"{name}.jsonl") for name in ("explore", "complete")]


def test_what_led_to_right_answers_is_written_for_two_adapters(bench, tmp_path):
    [told] = trained(bench, tmp_path)
    assert told == json.loads((tmp_path / "round-1" / "manifest.json").read_text("utf-8"))
    assert told["questions"] == 8
    assert 4 <= told["kept"] <= 6
    explored, completed = pairs(tmp_path)
    assert (len(explored), len(completed)) == (told["explore"], told["complete"])
    assert len(explored) == len(completed) + told["kept"]
    for asked, said in explored + completed:
        assert (asked["role"], said["role"]) == ("user", "assistant")
    assert all(a["content"].startswith("Decide") for a, _ in explored)
    assert all(s["content"].startswith("Sufficient: ") for _, s in explored)
    assert all(a["content"].startswith("Pick out") for a, _ in completed)
    assert all(s["content"].startswith("⟨") for _, s in completed)


def test_wrong_answers_teach_nothing(bench, tmp_path):
    records = [json.loads(line) for line in bench.data.read_text("utf-8").splitlines()]
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text("\n".join(json.dumps({**one, "answer": "Nowhere"}) for one in records))
    [told] = trained(replace(bench, data=wrong), tmp_path / "out")
    assert (told["kept"], told["explore"], told["complete"]) == (0, 0, 0)


def test_backtracing_leaves_out_what_is_no_evidence(bench, tmp_path):
    def written(name, says=None, **how):
        model = SymbolicReader(says=says) if says else None
        [told] = trained(bench, tmp_path / name, model, **how)
        return told, [[said["content"] for _, said in of] for of in pairs(tmp_path / name)]

    _, plain = written("plain")
    says = {**SAYS, **wordy(pairs=True, also=True)}
    told, got = written("distilled", says)
    assert not [one for one in got[1] if "worked as" in one or "kind of work" in one]
    assert [len(of) for of in got] >= [len(of) for of in plain]
    assert 0 < told["filtered_to_all"] < 1
    _, every = written("all", says, backtracing=False)
    assert sum(map(len, every)) > sum(map(len, plain))


def test_what_was_asked_is_not_asked_again(bench, tmp_path):
    class Stops(SymbolicReader):
        calls = 0

        def generate(self, prompts, decoding):
            type(self).calls += 1
            if self.calls > 20:
                raise KeyboardInterrupt
            return super().generate(prompts, decoding)

    with pytest.raises(KeyboardInterrupt):
        trained(bench, tmp_path / "cut", Stops())
    asked = tmp_path / "cut" / "round-1" / "asked.jsonl"
    whole = asked.read_text("utf-8")
    assert 0 < len(whole.splitlines()) < 8
    asked.write_text(whole + whole[: len(whole) // 20], encoding="utf-8")  # killed in a line
    assert trained(bench, tmp_path / "cut") == trained(bench, tmp_path / "whole")
    assert pairs(tmp_path / "cut") == pairs(tmp_path / "whole")
    with pytest.raises(BadRequest, match=r"another training \(backtracing differ\)"):
        trained(bench, tmp_path / "cut", backtracing=False)
    for wrong in ("{", "[]", '{"pairs": 1}', '{"pairs": [["a"]]}', '{"x": 1, "pairs": []}'):
        asked.write_text(f"{wrong}\n{whole}", encoding="utf-8")
        with pytest.raises(BadRequest, match=r"asked\.jsonl, line 1 does not say"):
            trained(bench, tmp_path / "cut")
    for wrong in ("", "[]", "{"):
        (tmp_path / "cut" / "training.json").write_text(wrong, encoding="utf-8")
        with pytest.raises(BadRequest, match=r"training\.json says of no training"):
            trained(bench, tmp_path / "cut")


def test_what_can_not_be_trained_on_is_refused(bench, tmp_path):
    with pytest.raises(BadRequest, match="Only knowtrace traces a graph"):
        trained(bench, tmp_path, method="react")
    tools = Hoptrail(bench.graph, encoder=WordEncoder(256))
    with pytest.raises(BadRequest, match="set --model"):
        list(self_train(tools, [bench.data], Collecting(fixed_graph=True), Tuning(), tmp_path))
    with pytest.raises(BadRequest, match="--trainer lora"):
        trained(bench, tmp_path, tuning=Tuning(rounds=2))
    with pytest.raises(BadRequest, match="takes a GGUF file"):
        trained(bench, tmp_path, tuning=Tuning("lora"))
    assert [*tmp_path.iterdir()] == []


@dataclass(eq=False)
class Taught(LlamaCpp):
    """A random GGUF file for what is trained; what it says is the symbolic reader's."""

    asked = ()

    def generate(self, prompts, decoding):
        type(self).asked += ((self.adapters, decoding.adapter),)
        return SymbolicReader().generate(prompts, decoding)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    prompts = files("hoptrail.reasoning.prompts") / "knowtrace"
    text = " ".join(one.read_text("utf-8") for one in prompts.iterdir())
    path = tmp_path_factory.mktemp("taught") / "small.gguf"
    return write_model(path, layers=1, width=32, template=CHAT_TEMPLATE, text=text, context=4096)


@pytest.fixture(scope="module")
def rounds(bench, file, tmp_path_factory):
    out = tmp_path_factory.mktemp("rounds")
    trained(bench, out, Taught(file), Tuning("lora", 2, None, LORA))
    return out


def test_each_round_asks_with_the_adapters_of_the_one_before(rounds):
    asked = set(Taught.asked)
    assert {adapters for adapters, _ in asked} == {None, str(rounds / "round-1" / "adapters")}
    assert {name for _, name in asked} >= {"explore", "complete"}
    for number in (1, 2):
        made = sorted(f.name for f in (rounds / f"round-{number}" / "adapters").iterdir())
        assert made == ["complete.gguf", "explore.gguf"]


def test_llama_cpp_switches_between_adapters_of_one_base(rounds, file):
    folder = rounds / "round-2" / "adapters"
    base, tuned = LlamaCpp(file), LlamaCpp(file, adapters=str(folder))
    assert base.fingerprint != tuned.fingerprint
    prompt = "What is missing?\n" * 20  # several blocks that a switch must not keep
    said = {}
    for name in ("", "explore", "complete", "explore", "", "complete"):
        [one] = tuned.generate([prompt], Decoding(max_tokens=12, adapter=name))
        assert said.setdefault(name, one) == one
    assert len({one.log_probability for one in said.values()}) == 3
    for name, one in said.items():  # as if no other had ever read the prompt
        fresh = LlamaCpp(file, adapters=str(folder))
        assert fresh.generate([prompt], Decoding(max_tokens=12, adapter=name)) == [one]
    assert [said[""]] == base.generate([prompt], SAID)


def test_training_goes_on_after_a_kill(bench, file, rounds, tmp_path):
    shutil.copytree(rounds, tmp_path / "cut")
    lost = tmp_path / "cut" / "round-2" / "adapters" / "complete.gguf"
    whole = lost.read_bytes()
    lost.unlink()  # its checkpoint is there, as where the end came before the file was written
    kept = (tmp_path / "cut" / "round-1" / "adapters" / "explore.gguf").stat().st_mtime_ns
    Taught.asked = ()
    trained(bench, tmp_path / "cut", Taught(file), Tuning("lora", 2, None, LORA))
    assert lost.read_bytes() == whole
    assert Taught.asked == ()
    again = (tmp_path / "cut" / "round-1" / "adapters" / "explore.gguf").stat().st_mtime_ns
    assert again == kept


def test_a_loss_that_is_no_number_ends_it_with_what_there_is(bench, file, tmp_path):
    wild = Lora(epochs=40, batch=1, learning_rate=1e30, rank=4)
    with pytest.raises(BadRequest, match="loss is no number"):
        trained(bench, tmp_path, Taught(file), Tuning("lora", 1, None, wild))
    assert (tmp_path / "round-1" / "asked.jsonl").read_text("utf-8").count("\n") == 8
    assert not list((tmp_path / "round-1" / "adapters").iterdir())


def test_adapters_of_another_model_are_refused(rounds, file, tmp_path):
    other = write_model(tmp_path / "other.gguf", width=128, heads=4)
    adapters = str(rounds / "round-1" / "adapters")
    model = LlamaCpp(other, adapters=adapters)
    with pytest.raises(ModelMissing, match="made for another model"):
        model.generate(["Where?"], Decoding(max_tokens=1, adapter="explore"))
    with pytest.raises(ModelMissing, match="holds no adapters"):
        LlamaCpp(file, adapters=str(tmp_path / "none")).generate(["Where?"], SAID)
