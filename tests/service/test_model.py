"""The command line with a language model: a real llama.cpp, whose random weights say nonsense."""

import json
import shutil

import pytest
from support.gguf_model import write_model
from support.model_servers import Kind, serving

ULM = "# Ulm\n\nAlbert Einstein was born in Ulm. Ulm lies on the Danube.\n"
VIENNA = "# Vienna\n\nVienna is the capital of Austria. The Danube flows through Vienna.\n"


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """With a context long enough for a prompt spelt in bytes."""
    folder = tmp_path_factory.mktemp("model")
    return write_model(folder / "random.gguf", context=8192, layers=1, width=32, heads=2)


@pytest.fixture
def model(file, tmp_path):
    return str(shutil.copy(file, tmp_path))


@pytest.fixture
def docs(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "ulm.md").write_text(ULM)
    (tmp_path / "docs" / "vienna.md").write_text(VIENNA)
    return "docs"


def exported(run, graph):
    status, out, _ = run("--graph", graph, "export", "-")
    assert status == 0
    records = [json.loads(line) for line in out.splitlines()]
    return [{k: v for k, v in r.items() if k != "ingested_at"} for r in records]


def test_doctor_tries_the_model(run, model):
    _, out, _ = run("--model", model, "doctor", "--json")
    [finding] = [f for f in json.loads(out)["findings"] if f["what"] == "language model"]
    assert finding["ok"]
    assert "keeps to a grammar" in finding["detail"]
    assert "tokens a second" in finding["detail"]


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("gone.gguf", "gone.gguf"),
        ("gpt", "--model takes file.gguf, openai:"),
        ("openai:http://127.0.0.1:9/v1#m", "Check that the server runs"),
    ],
)
def test_a_model_that_is_not_there_is_a_clear_error(run, docs, monkeypatch, spec, said):
    monkeypatch.setattr("hoptrail.models.server.requests.time.sleep", lambda seconds: None)
    status, _, err = run("--model", spec, "ingest", docs, "--triples", "model")
    assert status in (1, 2)
    assert said in err


class Squeamish(Kind):
    """Refuses whatever is about Vienna, until it is told otherwise."""

    refusing = True

    def chat(self, body):
        reply = super().chat(body)
        if self.refusing and "[1] Vienna" in body["messages"][0]["content"]:
            reply["choices"][0]["message"].update(content=None, refusal="I'm sorry, not that.")
            reply["choices"][0]["finish_reason"] = "content_filter"
        return reply


def test_a_passage_that_a_model_refuses_is_named_and_taken_up_again(run, docs):
    kind = Squeamish(says="⟨Vienna; lies on; the Danube⟩")
    with serving(kind) as url:
        command = ["--model", f"openai:{url}#m", "ingest", docs, "--triples", "model"]
        status, _, err = run(*command)
        assert status == 1
        assert 'refuses to answer: "I\'m sorry, not that."' in " ".join(err.split())
        assert "a passage of 'Vienna'" in " ".join(err.split())
        kind.refusing = False
        status, _, err = run(*command)
    assert status == 0
    assert "2 documents added, 0 changed" in err


def test_triples_by_a_model_need_one(run, docs):
    status, _, err = run("ingest", docs, "--triples", "model")
    assert status == 2
    assert "--model file.gguf" in err


def test_a_run_can_be_repeated_without_its_model(run, model, docs, monkeypatch, tmp_path):
    command = ["--model", model, "ingest", docs, "--triples", "model"]
    assert run("--graph", "first.db", *command)[0] == 0
    first = exported(run, "first.db")
    said = {r["extractor"] for r in first if r["kind"] == "extracted_by"}
    assert all(extractor.startswith("random.gguf ") for extractor in said)
    (tmp_path / "random.gguf").unlink()
    monkeypatch.setenv("HOPTRAIL_REPLAY", "1")
    assert run("--graph", "again.db", *command)[0] == 0
    assert exported(run, "again.db") == first
    (tmp_path / "docs" / "new.md").write_text("# Linz\n\nLinz lies on the Danube.\n")
    status, _, err = run("--graph", "again.db", *command)
    assert status == 1
    assert "[1] Linz" in err  # the prompt that is missing


def test_regenerate_replaces_the_rules_triples(run, model, docs):
    assert run("ingest", docs)[0] == 0
    _, _, err = run("--model", model, "ingest", docs, "--triples", "model")
    assert "2 unchanged" in err
    assert "--regenerate" in err
    _, _, err = run("--model", model, "ingest", docs, "--triples", "model", "--regenerate")
    assert "2 changed" in err
    extractors = {r["extractor"] for r in exported(run, "hoptrail.db") if r["kind"] == "triple"}
    assert all(extractor.startswith("random.gguf ") for extractor in extractors)


@pytest.mark.parametrize("most", [0, 1])
def test_a_methods_word_sets_the_budget_of_a_question(run, model, docs, most):
    assert run("ingest", docs)[0] == 0
    asked = ("ask", "Where was Albert Einstein born?", "--json", "--method")
    status, out, _ = run("--model", model, *asked, f"rag:passages=2:max_calls={most}")
    assert status == 0
    assert json.loads(out)["usage"]["calls"] == most
    status, _, err = run("--model", model, *asked, "rag:max_call=1")
    assert status == 2
    assert "rag has no setting 'max_call'; there are: passages, max_calls, max_tokens" in err


def test_ask_shows_the_models_steps_as_they_come(run, model, docs):
    assert run("ingest", docs)[0] == 0
    status, out, _ = run("--model", model, "ask", "Where was Albert Einstein born?", "--steps")
    assert status == 0
    assert "Step 1: retrieve (hop)" in out
    assert "tokens" in out
    status, out, _ = run("--model", model, "ask", "Where was Albert Einstein born?", "--json")
    answer = json.loads(out)
    assert answer["usage"]["calls"] > 0
    assert answer["model"] == "random.gguf"
