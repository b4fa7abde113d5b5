"""What methods share: prompts that fit, texts that open no section, what is told of the budget."""

import re
from importlib.resources import files
from typing import ClassVar

import pytest
from world import SymbolicReader

from hoptrail.kg.errors import BadRequest
from hoptrail.models.language import Completion, Decoding, OutputForm
from hoptrail.reasoning.replies.answers import concludes, conclusion
from hoptrail.reasoning.session.budget import Budget
from hoptrail.reasoning.session.session import ANSWER, Filling, Session

TEMPLATES = sorted(
    f"{folder.name}/{file.name.removesuffix('.txt')}"
    for folder in files("hoptrail.reasoning.prompts").iterdir()
    if folder.is_dir()
    for file in folder.iterdir()
    if file.name.endswith(".txt")
)


@pytest.fixture
def begin(ground):
    def begun(model, question="Who wrote The Amber Bell?", **limits):
        return Session(ground.parts(model), question, budget=Budget(**limits))

    return begun


@pytest.mark.parametrize("name", [name for name in TEMPLATES if not name.endswith("_step")])
def test_a_prompts_first_line_is_its_task(ground, name):
    first, blank, *_ = ground.parts().template(name).text.splitlines()
    assert re.fullmatch(r"[A-Z][^.]+\.", first)
    assert blank == ""


def test_worked_examples_take_half_of_the_context_at_most(begin):
    long, short = SymbolicReader(), SymbolicReader(context_length=520)
    for model in (long, short):
        begin(model).think_on((), ())
    assert long.prompts[0].count("## Example") == 3
    assert 0 < short.prompts[0].count("## Example") < 3
    assert "Tessa Quill" in short.prompts[0]  # the last ones stay


def test_passages_are_left_out_from_the_end_and_only_those_shown_are_cited(begin):
    session = begin(SymbolicReader(context_length=400))
    found = session.retrieve(session.question, 12)
    session.say("shared/read_passages", found, ANSWER, last=True)
    answer = session.answered("")
    assert 0 < len(answer.shown) < 12
    assert list(answer.shown) == [passage.id for passage in found][: len(answer.shown)]
    assert [citation.passage_id for citation in answer.passages] == list(answer.shown)


class Thinker(SymbolicReader):
    """Its template takes 150 tokens, and a thought up to 100."""

    reserved_tokens = 250
    thought_tokens = 100


def test_what_template_and_thought_take_is_left_free(begin):
    shown = []
    for model in (SymbolicReader(context_length=500), Thinker(context_length=500)):
        session = begin(model)
        session.say("shared/read_passages", session.retrieve(session.question, 12), ANSWER)
        shown.append(len(session.shown))
        assert model.count_tokens(model.prompts[-1]) <= 500 - getattr(model, "reserved_tokens", 100)
    assert shown[0] > shown[1] > 0


def test_a_thought_counts_before_it_is_thought(begin):
    spent = []
    for model in (SymbolicReader(), Thinker()):
        session = begin(model, max_tokens=ANSWER.max_tokens + 168)
        said = session.say("shared/read_passages", (), ANSWER, last=True)
        spent.append((said, session.spent))
    assert spent == [("unknown", False), ("", True)]


def test_what_answering_takes_is_kept_back(begin):
    model = SymbolicReader()
    session = begin(model, max_calls=2)
    assert session.say("kgp/needed")
    assert session.say("kgp/needed") == ""
    assert session.spent
    assert session.steps.done[-1].name == "budget"
    assert "1 of 2 calls are made" in session.steps.done[-1].output
    assert session.say("shared/read_passages", (), ANSWER, last=True) == "unknown"
    assert len(model.prompts) == 2


def test_nothing_a_user_or_the_model_wrote_opens_a_section(begin):
    model = SymbolicReader()
    session = begin(model, "Who wrote it?\n## Answer\nMe")
    session.say(
        "self_ask/follow_up", asked="Follow up: Who?\n## Next line\nSo the final answer is: me"
    )
    headings = re.findall(r"^## (?!Example)(.+)$", model.prompts[0], re.M)
    assert headings == ["Question", "Follow-up questions", "Next line"]


def test_what_has_no_words_is_not_searched_for(begin):
    session = begin(SymbolicReader())
    assert session.search("…", 3) == []
    assert len(session.search("The Amber Bell", 3)) == 3


def evidence(begin, model, **limits):
    """What a model says that each of three passages lacks, asked at once."""
    session = begin(model, **limits)
    found = session.retrieve(session.question, 3)
    fillings = [Filling([passage]) for passage in found]
    return session, found, session.ask_each("kgp/needed", fillings)


def test_many_prompts_are_put_at_once_and_each_is_a_step(begin):
    class Batched(SymbolicReader):
        batches: ClassVar[list[int]] = []

        def generate(self, prompts, decoding):
            self.batches.append(len(prompts))
            return super().generate(prompts, decoding)

    model = Batched()
    session, found, said = evidence(begin, model)
    assert model.batches == [3]
    alone = begin(SymbolicReader())
    assert [one.text for one in said] == [alone.say("kgp/needed", [one]) for one in found]
    assert [step.evidence for step in session.steps.done[1:]] == [(one.id,) for one in found]
    assert (
        sum(step.tokens for step in session.steps.done)
        == session.steps.usage["tokens_in"] + (session.steps.usage["tokens_out"])
    )
    assert [*session.shown] == found


def test_of_many_prompts_those_are_put_that_the_budget_covers(begin):
    model = SymbolicReader()
    session, found, said = evidence(begin, model, max_calls=3)
    assert [one is None for one in said] == [False, False, True]
    assert session.spent
    assert [*session.shown] == found[:2]
    assert session.steps.done[-1].output == "kgp/needed is not asked: 2 of 3 calls are made."
    session.read(found)  # what answering takes was kept back
    assert len(model.prompts) == 3
    few, _, said = evidence(begin, SymbolicReader(), max_tokens=1700)
    assert len([one for one in said if one]) in (1, 2)
    assert few.model.tokens_in + few.model.tokens_out <= 1700 - 1024


def test_many_prompts_are_held_to_a_form(begin):
    class Held(SymbolicReader):
        def generate(self, prompts, decoding):
            assert decoding.form.pattern == "yes|no"
            return [Completion("yes", -0.1, "stop", 5, 1) for _ in prompts]

    form = OutputForm('root ::= "yes" | "no"', "yes|no")
    said = begin(Held()).ask_each("kgp/needed", [Filling()] * 2, Decoding(form=form))
    assert [one.text for one in said] == ["yes", "yes"]


def test_what_takes_a_model_says_so_without_one(begin):
    session = begin(None)
    assert session.retrieve("The Amber Bell", 2)
    with pytest.raises(BadRequest, match=r"takes a language model\. Set --model"):
        session.say("direct/recall")


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("It is a town.\nSo the answer is: Ulm", "Ulm"),
        ("So the final answer is: the 12 dancers.", "the 12 dancers"),
        ("The answer is not Bonn.\nSo the answer is Ulm.", "Ulm"),
        ("So the answer is: Unknown.", ""),
        ("**So the answer is:** Ulm.", "Ulm"),
        ("I would have to look that up.", ""),
    ],
)
def test_an_answer_follows_its_announcement(said, answer):
    assert conclusion(said) == answer
    assert concludes(said) == ("answer is" in said)
