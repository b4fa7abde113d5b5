"""TRACE on a real llama.cpp with random weights: it chooses blindly, but the mechanics hold."""

import pytest
from gguf_model import write_model

from hoptrail.models.llama_cpp import LlamaCpp
from hoptrail.reasoning.methods.trace import Trace
from hoptrail.reasoning.prompts import Template


@pytest.fixture(scope="module")
def llama(tmp_path_factory):
    prompts = [Template.named(name) for name in ("trace_select", "read_triples")]
    text = " ".join(template.text for template in prompts) + str(prompts[0].demonstrations)
    path = write_model(tmp_path_factory.mktemp("llama") / "random.gguf", context=8192, text=text)
    model = LlamaCpp(path, exact_memory=True)
    yield model
    model.close()


def test_a_model_that_knows_nothing_still_answers_with_real_evidence(ground, llama):
    question = ground.questions[0]
    method = Trace(ground.parts(llama), passages=5, candidates=10, demonstrations=1)
    answer = method.answer(question.text)
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
    again = method.answer(question.text)
    assert (again.text, again.chains) == (answer.text, answer.chains)
