"""docs/methods.md: its example is a method."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest
from world import SymbolicReader
from world.reader import SAYS
from world.thinking import need

from hoptrail.reasoning import methods
from hoptrail.reasoning.matching import exact_match

PAGE = Path(__file__).parents[3] / "docs" / "methods.md"


@pytest.fixture
def twice(tmp_path, monkeypatch):
    """The page's module and prompt, registered by its line; where the prompt lies."""
    page = PAGE.read_text(encoding="utf-8")
    [module], [prompt] = (
        re.findall(f"```{kind}\n(.*?)```", page, re.S) for kind in ("python", "text")
    )
    assert len(module.splitlines()) <= 30
    (tmp_path / "twice.py").write_text(module, encoding="utf-8")
    (tmp_path / "twice").mkdir()
    (tmp_path / "twice" / "missing.txt").write_text(prompt, encoding="utf-8")
    name = "hoptrail.reasoning.methods.twice"
    spec = importlib.util.spec_from_file_location(name, tmp_path / "twice.py")
    made = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, made)
    spec.loader.exec_module(made)
    [line] = re.findall(r'`"twice": "(.+)",`', page)
    monkeypatch.setitem(methods.METHODS.places, "twice", line)
    return tmp_path


def test_the_example_answers_what_one_retrieval_does_not(ground, twice):
    model = SymbolicReader(says={**SAYS, "Say in one sentence what passages lack": need})
    parts = ground.parts(model, prompts=twice)
    asked = [q for q in ground.questions if q.type == "chain" and q.hops == 2][:14]

    def right(spec):
        found = [(methods.answer(spec, parts, q.text), q.golds) for q in asked]
        return sum(exact_match(answer.text, golds) for answer, golds in found)

    assert right("twice") > right("rag:passages=6")
    answer = methods.answer("twice:passages=2:max_calls=2", parts, asked[0].text)
    assert [step.name.partition(" ")[0] for step in answer.steps] == [
        "retrieve", "twice/missing", "retrieve", "read_passages",
    ]  # fmt: skip


def test_every_method_has_its_rows():
    rows = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.M)
    named = [row for row in rows if row in methods.METHODS]
    assert named == [*methods.METHODS] * 2  # what it is, and how it does
