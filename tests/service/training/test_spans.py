"""`train spans` as people call it, and what it wrote as `ask` uses it."""

import json

import torch
from safetensors.torch import load_file, save_file
from support.networks import small_network

from hoptrail.models.span_reader import SENTENCES

TEXT = "Umeå lies on the Ume River. Its museum was opened by Ingrid Bohlin in 1951."


def squad(path, answer="Ingrid Bohlin"):
    asked = {
        "id": "1",
        "question": "Who opened the museum?",
        "answers": [{"text": answer, "answer_start": TEXT.index(answer)}] if answer else [],
    }
    paragraphs = [{"context": TEXT, "qas": [asked]}]
    path.write_text(json.dumps({"data": [{"title": "Umeå", "paragraphs": paragraphs}]}))
    return str(path)


def fitted(run, asked, few, name):
    """Fit from the packaged encoder, at a rate that changes nothing."""
    assert run("train", "spans", asked, "--rate", "1e-9", *few, name)[0] == 0
    return name


def asked_with(setting, run, tmp_path, monkeypatch):
    """Ask with the weights that were written, and with a file that is not there."""
    document = tmp_path / "umea.txt"
    document.write_text(TEXT)
    assert run("ingest", str(document))[0] == 0
    monkeypatch.setenv(setting, "mine.safetensors")
    assert run("ask", "Who opened the museum?")[0] in (0, 1)
    monkeypatch.setenv(setting, "lost.safetensors")
    status, _, err = run("ask", "Who opened the museum?")
    assert status
    assert "lost.safetensors can't be read" in err


def test_what_it_writes_is_used_and_says_where_it_comes_from(run, tmp_path, monkeypatch):
    asked = squad(tmp_path / "squad.json")
    status, out, err = run(
        *("train", "spans", asked, "--steps", "2", "--out", "mine.safetensors", "--json")
    )
    assert status == 0, err
    told = json.loads(out)
    assert (told["fitted"], told["out"]) == ("spans", "mine.safetensors")
    assert told["provenance"]["files"][0]["questions"] == 1
    asked_with("HOPTRAIL_SPANS", run, tmp_path, monkeypatch)


def test_questions_without_an_answer_in_their_paragraphs_teach_nothing(run, tmp_path):
    status, _, err = run("train", "spans", squad(tmp_path / "squad.json", answer=""))
    assert status
    assert "No question has an answer that stands in one of its paragraphs" in err


def test_training_goes_on_with_questions_read_from_the_graph(run, tmp_path):
    document = tmp_path / "umea.txt"
    document.write_text(TEXT)
    assert run("ingest", str(document))[0] == 0
    asked = {"question": "Who opened the museum?", "answer": "Ingrid Bohlin"}
    own, general = tmp_path / "own.jsonl", tmp_path / "general.safetensors"
    own.write_text(json.dumps(asked))
    few = ("--steps", "1", "--json", "--out")
    asked = squad(tmp_path / "squad.json")
    assert run("train", "spans", asked, "--rate", "0.5", *few, str(general))[0] == 0
    hardly = ("--rate", "1e-9", "--begin", str(general))
    status, out, err = run("train", "spans", str(own), *few, "own.sf", *hardly)
    assert status == 0, err
    assert "begun" in json.loads(out)["provenance"]
    begun, fresh = (
        load_file(name)["head.weight"] for name in (general, fitted(run, asked, few, "fresh.sf"))
    )
    assert torch.allclose(load_file("own.sf")["head.weight"], begun, atol=1e-4)
    assert not torch.allclose(fresh, begun, atol=1e-3)
    status, _, err = run("train", "spans", str(own), *few, "own.sf", "--begin", str(document))
    assert status
    assert "umea.txt can't be read" in err
    former = tmp_path / "former.safetensors"
    save_file({"encoder.layer.0.output.dense.weight.down": torch.ones(2, 2)}, former)
    status, _, err = run("train", "spans", str(own), *few, "own.sf", "--begin", str(former))
    assert status
    assert "no span reader of this encoder, or one of an older version" in err


def test_the_sentence_reader_goes_on_from_the_packaged_one(run, tmp_path, monkeypatch):
    asked = squad(tmp_path / "squad.json")
    few = ("--steps", "1", "--rate", "1e-9", "--out", "mine.safetensors")
    status, _, err = run("train", "spans", asked, "--sentences", *few)
    assert status == 0, err
    assert "Use it with HOPTRAIL_SENTENCES=mine.safetensors" in err
    mine, packaged = load_file("mine.safetensors"), load_file(SENTENCES.packaged)
    assert set(mine) == set(packaged)
    assert torch.allclose(mine["head.weight"], packaged["head.weight"], atol=1e-4)
    asked_with("HOPTRAIL_SENTENCES", run, tmp_path, monkeypatch)


def test_a_larger_network_teaches_and_is_told_of(run, tmp_path):
    asked = squad(tmp_path / "squad.json")
    few = ("--steps", "1", "--out", "mine.safetensors", "--json")
    larger = str(small_network(tmp_path / "larger"))
    status, out, err = run("train", "spans", asked, *few, "--teacher", larger)
    assert status == 0, err
    assert json.loads(out)["provenance"]["teacher"] == "larger"
    status, _, err = run("train", "spans", asked, *few, "--teacher", str(tmp_path))
    assert status
    assert "can't be loaded" in err
