"""RGNN-Ret: sub-questions, each retrieved for by a retriever that remembers, until they suffice."""

import pytest
from support.building import batch, page
from support.steig import BOOK, FILM, FIRST, OTHERS, QUESTION, SECOND, SOTO, STEIG, Steig, section

from hoptrail.kg.errors import BadRequest
from hoptrail.reasoning.methods import answer as answered_by
from hoptrail.reasoning.retrieval import retriever
from hoptrail.reasoning.session.parts import Parts

pytestmark = pytest.mark.one_release

TASKS = {
    "Ask the next": "ask",
    "Answer a sub-question": "answer",
    "Judge whether": "critique",
    "Answer the question from the answers": "conclude",
    "Answer the question from the passages": "read",
}


@pytest.fixture
def ask(store, encoder):
    """Asks the question; a graph has been made."""
    store.add(batch(FILM, BOOK, *OTHERS))

    def asked(spec="rgnn_ret", model=None, by="rgnn", question=QUESTION, **more):
        model = model or Steig()
        parts = Parts(store, encoder, list, retriever(by, store, encoder), model=model, **more)
        return answered_by(spec, parts, question), model

    return asked


def tasks(model):
    return [next(t for start, t in TASKS.items() if p.startswith(start)) for p in model.prompts]


def test_sub_questions_are_asked_until_their_answers_suffice(ask):
    answer, model = ask("rgnn_ret:passages=2")
    assert (answer.text, answer.abstained) == ("Doctor De Soto", False)
    assert tasks(model) == ["ask", "answer", "critique"] * 2 + ["conclude"]
    found = [s.prompt for s in answer.steps if s.name.startswith("retrieve (rgnn)")]
    assert found == [FIRST, SECOND]
    assert {p.title for p in answer.passages} >= {"Shrek", "Doctor De Soto"}


def test_the_critique_is_said_in_the_steps_and_needs_no_probabilities(ask):
    answer, model = ask()
    said = [step.output for step in answer.steps if step.name == "rgnn_ret/critique"]
    assert said == [
        f"It is known: {STEIG}\nNo other work of his is named.\nCritique: no",
        f"It is known: {STEIG}\nIt is known: {SOTO}\nCritique: yes",
    ]
    assert "options_named" not in answer.usage
    assert section(model.prompts[-2], "Found") == f"{STEIG}\n{SOTO}"


@pytest.mark.parametrize(
    "verdicts",
    [
        ("**Critique:** Yes.", "**Critique:** No."),
        ("critique - yes", "critique - no"),
        ("## Critique\n\n**yes**", "## Critique\n\n**no**"),
        ("Critique: yes\n\nNo further facts are needed.", "Critique: no\n\nYes, one is missing."),
        ("<think>\nCritique: no?\n</think>\nCritique: yes", "<think>yes</think>Critique: no"),
        ("Verdict: Yes, it is enough.", "I can not tell."),
        ("Kritik: yes", "Critique:"),
    ],
)
def test_a_verdict_is_read_as_chat_models_write_it(ask, verdicts):
    _, model = ask(model=Steig(verdicts=verdicts))
    assert tasks(model) == ["ask", "answer", "critique"] * 2 + ["conclude"]


def test_an_unknown_answer_is_not_judged_and_the_passages_are_read_in_the_end(ask, store):
    """The answers before it were judged already."""
    store.remove([BOOK.document.id])
    answer, model = ask()
    assert tasks(model) == ["ask", "answer", "critique", "ask", "answer", "ask", "read"]
    assert answer.abstained


def test_a_sub_question_asked_again_ends_them(ask):
    class Stubborn(Steig):
        def say(self, prompt, task):
            return FIRST.upper() if task.startswith("Ask") else super().say(prompt, task)

    _, model = ask(model=Stubborn())
    assert tasks(model).count("ask") == 2
    assert tasks(model)[-1] == "read"


def test_it_stops_when_the_model_never_has_enough(ask):
    class Endless(Steig):
        def say(self, prompt, task):
            if task.startswith("Ask"):
                return f"Who created Shrek the {len(self.prompts)}th?"
            return "Shrek is a film." if task.startswith("Answer a") else super().say(prompt, task)

    _, model = ask("rgnn_ret:steps=3", Endless())
    assert tasks(model) == ["ask", "answer", "critique"] * 3 + ["read"]


def test_without_a_sub_question_the_question_is_retrieved_for(ask):
    class Incurious(Steig):
        def say(self, prompt, task):
            return "none" if task.startswith("Ask") else "Doctor De Soto"

    answer, model = ask(model=Incurious())
    assert tasks(model) == ["ask", "read"]
    assert answer.text == "Doctor De Soto"
    assert [s.prompt for s in answer.steps if s.name.startswith("retrieve")] == [QUESTION]


def test_another_retriever_makes_it_self_critique_alone(ask):
    answer, _ = ask(by="dense")
    assert answer.text == "Doctor De Soto"
    assert [s.name for s in answer.steps if s.name.startswith("retrieve")] == [
        "retrieve (dense)"
    ] * 2


def test_prompts_of_ones_own_go_first(ask, tmp_path):
    (tmp_path / "rgnn_ret").mkdir()
    (tmp_path / "rgnn_ret" / "ask.txt").write_text("Ask the next sub-question!\n{nonsense}")
    with pytest.raises(BadRequest, match="nonsense"):
        ask(prompts=tmp_path)


def test_texts_open_no_section_and_fill_no_gap(ask, store):
    store.add(batch(page("T", "# Heading\n{passages} {0} $x Shrek")))
    _, model = ask()
    shown = section(model.prompts[1], "Passages")
    assert "{passages} {0} $x" in shown
    assert "# Heading" not in shown
