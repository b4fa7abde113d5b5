"""A real llama.cpp with random weights: it chooses and babbles, but the mechanics hold."""

import re

import pytest
from support.gguf_model import write_model

from hoptrail.models.llama.model import LlamaCpp
from hoptrail.reasoning.methods import answer as answered_by
from hoptrail.reasoning.methods.knowtrace.method import exploration
from hoptrail.reasoning.methods.trace.method import Trace
from hoptrail.reasoning.prompts import Template


@pytest.fixture(scope="module")
def llama(tmp_path_factory):
    prompts = [
        Template.named(name) for name in ("trace/select", "trace/read_triples", "shared/think")
    ]
    text = " ".join(template.text for template in prompts) + str(prompts[0].demonstrations)
    path = write_model(tmp_path_factory.mktemp("llama") / "random.gguf", context=8192, text=text)
    model = LlamaCpp(path, exact_memory=True)
    yield model
    model.close()


def test_a_model_that_knows_nothing_still_answers_with_real_evidence(ground, llama):
    question = ground.questions[0]
    parts, method = ground.parts(llama), Trace(passages=5, candidates=10, demonstrations=1)
    answer = answered_by(method, parts, question.text)
    assert 1 <= len(answer.chains) <= 5
    for chain in answer.chains:
        assert 1 <= len(chain.triples) <= 4
        assert chain.score < 0
        for step in chain.triples:
            assert step.triple in {s.triple for s in ground.store.triples_of(step.passage_ids)}
    found = ground.store.passages([citation.passage_id for citation in answer.passages])
    assert len(found) == len(answer.passages) > 0
    assert answer.model == "random.gguf"
    assert 1 <= answer.usage["calls"] <= 1 + 3 * 5 + 1
    again = answered_by(method, parts, question.text)
    assert (again.text, again.chains) == (answer.text, answer.chains)


@pytest.mark.parametrize("spec", ["flare:sentences=2", "react:turns=2", "era_cot:max_calls=4"])
def test_what_a_model_says_that_knows_no_form_is_borne(ground, llama, spec):
    question = ground.questions[0]
    answer = answered_by(f"{spec}:passages=2", ground.parts(llama), question.text)
    assert 1 <= answer.usage["calls"] <= 6
    assert {citation.passage_id for citation in answer.passages} == set(answer.shown)
    assert answer.model == "random.gguf"


def test_an_exploration_names_no_more_than_is_looked_up(ground, llama):
    """A small model repeats a line of guidance until it is cut off, or held to their number."""
    answer = answered_by("knowtrace:rounds=1:pairs=1", ground.parts(llama), "Where is Ulm?")
    said = next(step.output for step in answer.steps if step.name == "knowtrace/explore")
    assert said.startswith("Sufficient: ")
    assert said.count("\n- ") <= 1
    form, lines = exploration(2).form, ["Sufficient: no", "Guidance:", *["- Ulm: where it is"] * 3]
    assert [bool(re.fullmatch(form.pattern, "\n".join(lines[:n]))) for n in (4, 5)] == [True, False]
