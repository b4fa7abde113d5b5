"""What every method has to do: made-up world (tests/world), symbolic reader."""

import re

import pytest
from world import SymbolicReader

from hoptrail.kg.errors import BadRequest
from hoptrail.models.language import GREEDY, Completion
from hoptrail.reasoning.matching import exact_match
from hoptrail.reasoning.methods import METHODS
from hoptrail.reasoning.methods import answer as answered_by
from hoptrail.reasoning.methods.baselines.cot import ChainOfThought

SPECS = {
    "self_consistency": "self_consistency:samples=3",
    "dsp": "dsp:queries=2:samples=3",
    "verify_and_edit": "verify_and_edit:samples=3",
}
"""With fewer samples than by default."""
WITHOUT_PASSAGES = {"direct"}
ONCE = {"rag", "cot", "self_consistency", "zero_plus_few_shot", "top_triples", "era_cot"}
ONCE |= {"sg_prompt"}
"""They retrieve once: what the question's own words do not lead to, they do not see."""
ALL = [SPECS.get(name, name) for name in METHODS]


class Babbling(SymbolicReader):
    """A model that says much and never what the prompt asks for."""

    def generate(self, prompts, decoding=GREEDY):
        self.prompts += prompts
        words = f"Well {len(self.prompts)}, let us see."
        return [Completion(words, -30.0, "stop", self.count_tokens(p), 8) for p in prompts]


@pytest.fixture(params=ALL)
def spec(request):
    return request.param


def asked(ground, spec, model, question, **more):
    parts = ground.parts(model)
    return answered_by(spec, parts, question.text, within=ground.own(question), **more)


def name_of(spec):
    return spec.partition(":")[0]


@pytest.fixture
def easy(ground):
    """Questions of two hops whose first page stands among their own paragraphs."""
    return [q for q in ground.questions if q.type == "chain" and len(q.chain) == 2][:8]


def test_easy_questions_are_answered(ground, spec, easy):
    answers = [(asked(ground, spec, SymbolicReader(), q), q) for q in easy]
    right = [exact_match(answer.text, question.golds) for answer, question in answers]
    if name_of(spec) in WITHOUT_PASSAGES:
        assert not any(right)  # nothing in this world is known beforehand
    else:
        assert sum(right) >= (3 if name_of(spec) in ONCE else 7)
    for answer, question in answers:
        assert answer.abstained == (not answer.text)
        assert (answer.question, answer.method) == (question.text, name_of(spec))
        assert answer.model == "symbolic reader"


def test_what_no_page_says_is_not_answered(ground, spec):
    silent = [q for q in ground.questions if q.type == "unanswerable"][:4]
    for question in silent:
        answer = asked(ground, spec, SymbolicReader(), question)
        assert answer.abstained
        assert answer.text == ""


def test_a_model_that_never_says_stop_is_stopped(ground, spec, easy):
    model = Babbling()
    answer = asked(ground, spec, model, easy[0])
    assert 0 < len(model.prompts) < 60
    assert answer.usage["calls"] >= len(answer.steps) - 40


@pytest.mark.parametrize("budget", ["max_calls=0", "max_calls=1", "max_calls=2", "max_tokens=900"])
def test_a_budget_is_kept(ground, spec, easy, budget):
    model = SymbolicReader()
    field, _, most = budget.partition("=")
    answer = asked(ground, f"{spec}:{budget}", model, easy[0])
    tokens = answer.usage["tokens_in"] + answer.usage["tokens_out"]
    assert (answer.usage["calls"] if field == "max_calls" else tokens) <= int(most)
    if budget == "max_calls=0":
        assert answer.abstained
        assert answer.steps[-1].name == "budget"
        assert model.prompts == []
        assert answer.shown == ()


def test_a_short_context_is_kept(ground, spec, easy):
    model = SymbolicReader(context_length=900)
    many = f"{spec}:passages=20" if "passages" in fields(spec) else spec
    asked(ground, many, model, easy[0])
    assert model.prompts
    assert max(map(model.count_tokens, model.prompts)) <= 900


def fields(spec):
    return METHODS[name_of(spec)].__dataclass_fields__


def test_only_passages_that_were_shown_are_cited(ground, spec, easy):
    for question in easy[:4]:
        model = SymbolicReader()
        answer = asked(ground, spec, model, question)
        cited = [citation.passage_id for citation in answer.passages]
        assert set(cited) <= set(answer.shown) <= set(ground.own(question))
        assert len(set(answer.shown)) == len(answer.shown)
        looks = [step.output for step in answer.steps if step.name == "graph"]
        seen = "\n".join([*model.prompts, *looks])  # what the graph holds needs no prompt
        for title in ground.titles(answer.shown):
            assert re.search(rf"\] {re.escape(title)}\n|[⟨;] ?{re.escape(title)}[;⟩]", seen)
        if name_of(spec) in WITHOUT_PASSAGES:
            assert answer.shown == ()


def test_an_answer_is_recorded_with_what_it_cites(ground, easy):
    answer = answered_by("ircot", ground.parts(SymbolicReader()), easy[0].text)
    ground.store.record(answer)
    [held] = ground.store.answers([answer.id])
    assert (held.method, held.text, held.passages) == ("ircot", answer.text, answer.passages)
    assert held.shown == ()


def test_usage_and_steps_tell_what_the_model_was_asked(ground, spec, easy):
    model, seen = SymbolicReader(), []
    answer = asked(ground, spec, model, easy[0], on_step=seen.append)
    assert tuple(seen) == answer.steps
    assert answer.usage["calls"] == len(model.prompts)
    spent = sum(step.tokens for step in answer.steps)
    assert spent == answer.usage["tokens_in"] + answer.usage["tokens_out"]
    again = SymbolicReader()
    asked(ground, spec, again, easy[0])
    assert again.prompts == model.prompts


def test_examples_do_not_come_from_what_is_asked_about(ground, spec, easy):
    """Worked examples name nothing of the world, so no answer is taken from them."""
    model = SymbolicReader()
    asked(ground, spec, model, easy[0])
    for prompt in model.prompts:
        for example in re.findall(r"^## Example \d+\n(.*?)(?=^## )", prompt, re.S | re.M):
            assert not [t for t in easy[0].paragraphs if t.partition(" (")[0] in example]


PLAIN = {"trace", "semi_structured"}  # they answer without one, too


@pytest.mark.parametrize("name", [name for name in METHODS if name not in PLAIN])
def test_without_a_model_it_says_so_before_any_work(ground, name):
    with pytest.raises(BadRequest, match=f"{name} takes a language model: set --model"):
        answered_by(name, ground.parts(), "Who?")


def test_counts_below_the_least_are_refused(ground):
    parts = ground.parts(SymbolicReader())
    with pytest.raises(BadRequest, match="passages of rag is at least 1, not 0"):
        answered_by("rag:passages=0", parts, "Who?")
    with pytest.raises(BadRequest, match="passages of cot is at least 0, not -1"):
        answered_by(ChainOfThought(passages=-1), parts, "Who?")
