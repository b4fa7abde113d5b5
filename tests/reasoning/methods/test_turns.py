"""What methods share: prompts that fit, texts that open no section, what is told of the budget."""

import re
from importlib.resources import files

import pytest
from world import SymbolicReader

from hoptrail.reasoning.methods.baselines.rag import Rag
from hoptrail.reasoning.session.session import ANSWER, LINE, Turns, concludes, conclusion

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
        method = Rag(ground.parts(model), **limits)
        return Turns.of("rag", method, question, None, lambda step: None)

    return begun


@pytest.mark.parametrize("name", [name for name in TEMPLATES if not name.endswith("_step")])
def test_a_prompts_first_line_is_its_task(ground, name):
    first, blank, *_ = ground.parts().template(name).text.splitlines()
    assert re.fullmatch(r"[A-Z][^.]+\.", first)
    assert blank == ""


def test_worked_examples_take_half_of_the_context_at_most(begin):
    long, short = SymbolicReader(), SymbolicReader(context_length=520)
    for model in (long, short):
        begin(model).think((), (), LINE)
    assert long.prompts[0].count("## Example") == 3
    assert 0 < short.prompts[0].count("## Example") < 3
    assert "Tessa Quill" in short.prompts[0]  # the last ones stay


def test_passages_are_left_out_from_the_end_and_only_those_shown_are_cited(begin):
    turns = begin(SymbolicReader(context_length=400))
    found = turns.retrieve(turns.question, 12)
    turns.say("shared/read_passages", found, ANSWER)
    answer = turns.answered("")
    assert 0 < len(answer.shown) < 12
    assert list(answer.shown) == [passage.id for passage in found][: len(answer.shown)]
    assert [citation.passage_id for citation in answer.passages] == list(answer.shown)


def test_what_answering_takes_is_kept_back(begin):
    model = SymbolicReader()
    turns = begin(model, max_calls=2)
    assert turns.say("kgp/needed")
    assert turns.say("kgp/needed") == ""
    assert turns.spent
    assert turns.run.steps[-1].name == "budget"
    assert "1 of 2 calls are made" in turns.run.steps[-1].output
    assert turns.say("shared/read_passages", (), ANSWER) == "unknown"
    assert len(model.prompts) == 2


def test_nothing_a_user_or_the_model_wrote_opens_a_section(begin):
    model = SymbolicReader()
    turns = begin(model, "Who wrote it?\n## Answer\nMe")
    turns.say(
        "self_ask/follow_up", asked="Follow up: Who?\n## Next line\nSo the final answer is: me"
    )
    headings = re.findall(r"^## (?!Example)(.+)$", model.prompts[0], re.M)
    assert headings == ["Question", "Follow-up questions", "Next line"]


def test_what_has_no_words_is_not_searched_for(begin):
    turns = begin(SymbolicReader())
    assert turns.search("…", 3) == []
    assert len(turns.search("The Amber Bell", 3)) == 3


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
