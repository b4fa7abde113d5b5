"""Methods with models that put what they say as chat models do."""

import functools

import pytest
from world import SymbolicReader, chatty, thoughtful

from hoptrail.models.language import Completion
from hoptrail.reasoning.matching import exact_match
from hoptrail.reasoning.methods import METHODS
from hoptrail.reasoning.methods import answer as answered_by
from hoptrail.reasoning.session.session import THOUGHTS

FEWER = {
    "self_consistency": "self_consistency:samples=3",
    "dsp": "dsp:queries=2:samples=3",
    "verify_and_edit": "verify_and_edit:samples=3",
}
SPECS = [FEWER.get(name, name) for name in METHODS]


@pytest.fixture(scope="module")
def some(ground):
    """Questions of two to four hops, twelve of them, and four that no page answers."""
    told = [q for q in ground.questions if q.answer]
    silent = [q for q in ground.questions if not q.answer]
    return told[:: len(told) // 12][:12], silent[:4]


@pytest.fixture(scope="module")
def right(ground, some):
    """How many questions a method answers with such a reader."""

    @functools.cache
    def counted(spec, persona):
        parts = ground.parts(SymbolicReader(persona=persona, held=False))
        found = [answered_by(spec, parts, q.text, within=ground.own(q)) for q in some[0]]
        return sum(exact_match(a.text, q.golds) for a, q in zip(found, some[0], strict=True))

    return counted


@pytest.mark.parametrize("persona", [chatty, thoughtful])
@pytest.mark.parametrize("spec", SPECS)
def test_a_persona_costs_no_method_an_answer(right, spec, persona):
    assert right(spec, persona) >= right(spec, str)


@pytest.mark.parametrize("persona", [chatty, thoughtful])
@pytest.mark.parametrize("spec", SPECS)
def test_what_no_page_says_is_not_answered_in_any_words(ground, some, spec, persona):
    parts = ground.parts(SymbolicReader(persona=persona, held=False))
    for question in some[1]:
        assert answered_by(spec, parts, question.text, within=ground.own(question)).text == ""


@pytest.mark.parametrize("persona", [chatty, thoughtful])
def test_sub_questions_answers_and_verdicts_are_understood(ground, some, persona):
    for question in some[0][:4]:
        told, plain = (
            asked(ground, question, "rgnn_ret", SymbolicReader(persona=p, held=False))
            for p in (persona, str)
        )
        steps, expected = ([step.name for step in one.steps] for one in (told, plain))
        assert steps == expected
        assert steps[-1] == "rgnn_ret/conclude"


def asked(ground, question, spec, model):
    return answered_by(spec, ground.parts(model), question.text, within=ground.own(question))


def test_a_model_that_thinks_first_is_asked_again_once_with_room(ground, some):
    plain, pensive = SymbolicReader(), SymbolicReader(persona=thoughtful)
    question = some[0][0]
    expected = asked(ground, question, "ircot", plain)
    answer = asked(ground, question, "ircot", pensive)
    assert len(pensive.prompts) == len(plain.prompts) + 1
    assert pensive.prompts[0] == pensive.prompts[1] == plain.prompts[0]
    assert [step.name for step in answer.steps] == [step.name for step in expected.steps]
    spent = sum(step.tokens for step in answer.steps)
    assert spent == answer.usage["tokens_in"] + answer.usage["tokens_out"]
    assert answer.usage["calls"] == len(pensive.prompts)


def test_of_samples_only_the_first_is_lost_to_a_thought_without_room(ground, some):
    class Served(SymbolicReader):
        in_flight = 4

        def generate(self, prompts, decoding):
            if decoding.max_tokens > THOUGHTS.max_tokens:
                return super().generate(prompts, decoding)
            self.prompts += prompts
            return [Completion("<think>Hm", None, "length", 9, decoding.max_tokens)]

    model = Served(persona=thoughtful)
    answer = asked(ground, some[0][0], "self_consistency:samples=6", model)
    assert len(model.prompts) == 7
    assert len([step for step in answer.steps if step.name == "think"]) == 6


def test_room_is_taken_within_the_budget_and_the_context(ground, some):
    for budget in ("max_calls=2", "max_tokens=2500", "max_tokens=1200"):
        answer = asked(ground, some[0][0], f"rag:{budget}", SymbolicReader(persona=thoughtful))
        field, _, most = budget.partition("=")
        usage = answer.usage
        spent = usage["tokens_in"] + usage["tokens_out"]
        assert (usage["calls"] if field == "max_calls" else spent) <= int(most)
    model = SymbolicReader(persona=thoughtful, context_length=900)
    asked(ground, some[0][0], "rag", model)
    assert len(model.prompts) == 2


def test_a_model_that_never_ends_its_thoughts_has_no_answer(ground, some):
    class Endless(SymbolicReader):
        def generate(self, prompts, decoding):
            self.prompts += prompts
            words = "<think>The answer is: Atlantis. " * (decoding.max_tokens // 8)
            return [Completion(words, None, "length", 9, decoding.max_tokens) for _ in prompts]

    for spec in SPECS:
        model = Endless()
        answer = asked(ground, some[0][0], spec, model)
        assert answer.abstained, spec
        assert len(model.prompts) < 60


def test_flare_and_ircot_search_with_sentences(ground, some):
    def queries(answer):
        return [s.prompt for s in answer.steps if s.name.startswith("retrieve")]

    flowing = SymbolicReader(persona=lambda told: " ".join(told.splitlines()))
    for spec in ("ircot", "flare"):
        plain = asked(ground, some[0][0], spec, SymbolicReader())
        assert queries(asked(ground, some[0][0], spec, flowing)) == queries(plain)
