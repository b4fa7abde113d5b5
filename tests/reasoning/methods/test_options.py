"""Questions that come with options: prompts show them, and a letter is as good as the words."""

import re

import pytest
from world import SymbolicReader

from hoptrail.kg.errors import BadRequest
from hoptrail.reasoning.methods import answer as answered_by
from hoptrail.service.hoptrail import Hoptrail

OFFERED = re.compile(r"\nChoose one by its letter:\n((?:[A-Z]\. .*(?:\n|$))+)")
POSSIBLE = re.compile(r"\nPossible answers:\n(?:- .*\n)+")


class Choosing(SymbolicReader):
    """Reads as ever, and says the letter of the option that it found."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []

    def generate(self, prompts, decoding):
        self.read += prompts
        said = super().generate([OFFERED.sub("\n", prompt) for prompt in prompts], decoding)
        for prompt, completion in zip(prompts, said, strict=True):
            for lines in OFFERED.findall(prompt):
                for letter, option in re.findall(r"^([A-Z])\. (.*)$", lines, re.M):
                    object.__setattr__(completion, "text", completion.text.replace(option, letter))
        return said

    def choose(self, prefix, tails, options):
        self.read.append(prefix)
        return super().choose(POSSIBLE.sub("\n", prefix), tails, options)


@pytest.fixture
def asked(ground):
    """A question of two hops, and options among which its answer is the second."""
    one = next(q for q in ground.questions if q.type == "chain" and q.hops == 2)
    return one, ("Nobody", one.answer, "The 12 Owls")


def choosing(ground, name, model, question, options):
    own = ground.own(question)
    return answered_by(name, ground.parts(model), question.text, within=own, options=options)


@pytest.mark.parametrize("name", ["trace", "cot", "self_consistency:samples=3", "self_ask"])
def test_a_letter_is_an_answer(ground, asked, name):
    question, options = asked
    model = Choosing()
    answer = choosing(ground, name, model, question, options)
    assert answer.text == question.answer
    assert any(f"B. {question.answer}\n" in prompt for prompt in model.read)


def test_options_are_shown_without_letters_where_candidates_have_them(ground, asked):
    question, options = asked
    model = Choosing()
    choosing(ground, "trace", model, question, options)
    [first, *_] = model.read
    assert "Possible answers:\n- Nobody\n" in first
    assert "Choose one by its letter" not in first


def test_follow_up_questions_come_without_the_options(ground, asked):
    question, options = asked
    model = Choosing()
    choosing(ground, "self_ask", model, question, options)
    follow_ups = [p for p in model.read if "Choose one" not in p]
    assert follow_ups


@pytest.mark.parametrize("count", [1, 27])
def test_one_option_or_more_than_letters_is_no_choice(ground, count):
    hop = Hoptrail(ground.store)
    with pytest.raises(BadRequest, match=f"2 to 26 options to choose from, not {count}"):
        hop.ask("Who?", options=[str(n) for n in range(count)])
