"""The command line with a server of language models: what is said of what the server lacks."""

import json

import pytest
from support.model_servers import Hosted, Kind, Mistral, Ollama, Vllm, log, serving

ULM = "# Ulm\n\nAlbert Einstein was born in Ulm. Ulm lies on the Danube.\n"
VIENNA = "# Vienna\n\nVienna is the capital of Austria. The Danube flows through Vienna.\n"
QUESTION = "Where was Albert Einstein born?"


class Letters(Kind):
    """Names an option where it has to, else a place; gives no log-probabilities."""

    letters = "BBBBBBBB"

    def held(self, body):
        if "response_format" not in body:
            return self.says
        letter, self.letters = self.letters[0], self.letters[1:]
        return json.dumps({"reply": letter})


@pytest.fixture
def graph(run, tmp_path):
    (tmp_path / "ulm.md").write_text(ULM)
    (tmp_path / "vienna.md").write_text(VIENNA)
    assert run("ingest", "ulm.md", "vienna.md")[0] == 0


def asked(run, url, *options, settings=""):
    model = f"openai:{url}#m{settings}"
    status, out, err = run("--model", model, "ask", QUESTION, "--json", *options)
    assert status == 0, err
    return json.loads(out)


def steps(answer, name):
    return [step["output"] for step in answer["steps"] if step["name"].startswith(name)]


def doctor(run, spec):
    _, out, _ = run("--model", spec, "doctor", "--json")
    [found] = [f for f in json.loads(out)["findings"] if f["what"] == "language model"]
    return found["ok"], found["detail"]


# Without log-probabilities


def test_trace_follows_the_letter_that_is_named_and_says_so(run, graph):
    with serving(Letters("Ulm")) as url:
        answer = asked(run, url)
    assert answer["answer"] == "Ulm"
    assert len(answer["chains"]) == 1
    [said] = steps(answer, "log-probabilities")
    assert said.startswith("m names an option and gives no log-probabilities: it makes one chain")
    assert answer["usage"]["options_named"] == len(steps(answer, "chain"))


def test_no_need_for_more_triples_can_be_named_too(run, graph):
    kind = Letters("Ulm")
    kind.letters = "BA"
    with serving(kind) as url:
        answer = asked(run, url)
    [chain] = answer["chains"]
    assert len(chain["triples"]) == 1
    assert len(steps(answer, "chain")) == 2


@pytest.mark.parametrize("stop", ["true", "false"])
def test_a_chain_that_is_named_nothing_for_is_none(run, graph, stop):
    kind = Letters("Ulm")
    kind.letters = "AAAA"
    with serving(kind) as url:
        answer = asked(run, url, "--method", f"trace:adaptive_stop={stop}")
    assert answer["chains"] == []
    assert answer["answer"] == "Ulm"  # read from the passages


def test_the_self_critique_of_rgnn_ret_is_said_and_chooses_nothing(run, graph):
    with serving(Letters("Ulm. Critique: yes")) as url:
        answer = asked(run, url, "--method", "rgnn_ret")
    assert [step["name"] for step in answer["steps"]] == [
        "rgnn_ret/ask",
        "retrieve (rgnn)",
        "rgnn_ret/answer",
        "rgnn_ret/critique",
        "rgnn_ret/conclude",
    ]
    assert "options_named" not in answer["usage"]


def test_a_cached_choice_is_told_of_as_well(run, graph):
    with serving(Letters("Ulm")) as url:
        first = asked(run, url)
        again = asked(run, url)
    assert steps(again, "log-probabilities") == steps(first, "log-probabilities") != []
    assert [c["triples"] for c in again["chains"]] == [c["triples"] for c in first["chains"]]


# Models that think


def test_a_thought_stands_in_the_step_and_never_in_the_answer(run, graph):
    with serving(Kind("Ulm", thinks=True, thought="Einstein, of course")) as url:
        answer = asked(run, url, "--method", "rag", settings=":thinking=on:thinking_tokens=64")
        plain = asked(run, url, "--method", "rag")
    [said] = steps(answer, "read_passages")
    assert said == "<think>\nEinstein, of course\n</think>\nUlm"
    assert (answer["answer"], plain["answer"]) == ("Ulm", "Ulm")
    assert steps(plain, "read_passages") == ["Ulm"]


def test_a_thought_without_an_answer_is_no_insufficient_evidence(run, graph):
    class Stubborn(Kind):
        def silent(self, body):
            return False

    with serving(Stubborn("Ulm", thinks=True, thought="hm " * 300)) as url:
        model = f"openai:{url}#m"
        status, out, err = run("--model", model, "ask", QUESTION, "--method", "rag")
        assert (status, out) == (1, "")
        assert "m thought (192 tokens: 'hm hm" in err
        ok, detail = doctor(run, model)
    assert not ok
    assert "gave no answer" in detail


def test_a_choice_with_no_option_among_the_likeliest_is_no_chain(run, graph):
    with serving(Kind("Ulm", scores=log(Okay=0.9, So=0.05))) as url:
        status, out, err = run("--model", f"openai:{url}#m", "ask", QUESTION)
    assert (status, out) == (1, "")
    assert "None of the options A to" in err


# doctor


@pytest.mark.parametrize("kind", [Kind, Hosted, Mistral, Ollama])
def test_doctor_tries_a_server_and_says_what_it_lacks(run, kind):
    class Yes(kind):
        def held(self, body):
            if "response_format" in body and "A" in str(body["response_format"]):
                return json.dumps({"reply": "A"})
            return super().held(body)

    with serving(Yes(says="yes")) as url:
        ok, detail = doctor(run, f"openai:{url}#m")
    assert ok, detail
    assert "gives no log-probabilities: TRACE follows the letter it names, one chain" in detail
    if kind is Hosted:
        assert "the server does not take logprobs, stop, temperature" in detail


def test_doctor_says_nothing_of_probabilities_that_are_there(run):
    with serving(Vllm(says="yes", scores=log(A=0.9, B=0.1))) as url:
        ok, detail = doctor(run, f"openai:{url}#m:thinking=off")
        thinks = doctor(run, f"openai:{url}#m:thinking=on:thinking_tokens=77")[1]
    assert ok
    assert "log-probabilities" not in detail
    assert "its chat template takes 6 tokens" in detail
    assert "it thinks first, up to 77 tokens" in thinks


# The list of settings


def test_models_help_lists_every_setting_with_its_default(run):
    status, out, _ = run("models", "--help")
    assert status == 0
    for one in ("context=8192", "gpu_layers=none", "thinking=off", "in_flight=8", "timeout=120.0"):
        assert f"  {one} " in out
    assert "the model thinks before it answers" in " ".join(out.split())
    kinds = json.loads(run("models", "--json")[1])["models"]
    assert all(one["help"] for settings in kinds.values() for one in settings)


def test_a_wrong_setting_is_named_with_those_there_are(run):
    status, _, err = run("--model", "m.gguf:contxt=5", "doctor")
    assert status == 2
    assert "no setting 'contxt'; there are: context, gpu_layers" in err
