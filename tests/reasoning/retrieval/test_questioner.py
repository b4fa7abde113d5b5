"""RGNN-Ret with a language model: what its prompts show, and what becomes of what it says."""

import math
import re
from dataclasses import dataclass, field

import numpy as np
import pytest
from support.building import batch, page, titles

from hoptrail.kg.errors import BadRequest
from hoptrail.kg.types import Passage
from hoptrail.models.language import GREEDY, Completion, OptionScores
from hoptrail.reasoning.retrieval import GnnRet
from hoptrail.reasoning.retrieval.rgnn_ret import Hop, ModelQuestioner, RgnnRet

QUESTION = "What else did the creator of Shrek write?"
FILM = page("Shrek", "Shrek was created by William Steig.", mentions=("William Steig",))
BOOK = page("Doctor De Soto", "A mouse, by William Steig.", mentions=("William Steig",))
OTHERS = [page(f"Mill {n}", f"The mill of village number {n} grinds flour.") for n in range(4)]
FIRST, SECOND = "Who created Shrek?", "What else did William Steig write?"
STEIG, SOTO = "Shrek was created by William Steig.", "Steig also wrote Doctor De Soto."


def section(prompt: str, name: str) -> str:
    """What stands under the last heading of that name."""
    found = re.findall(rf"^## {name}\n(.*?)(?=\n## |\Z)", prompt, re.S | re.M)
    assert found, f"no section {name} in: {prompt}"
    return found[-1].strip()


@dataclass
class Steig:
    """A model that knows what the prompts show it, and fails on a prompt it does not know."""

    context_length: int = 4096
    name: str = "steig"
    fingerprint: str = "steig"
    prompts: list[str] = field(default_factory=list)

    def count_tokens(self, text):
        return len(text.split())

    def generate(self, prompts, decoding=GREEDY):
        assert decoding.stop == ("\n",)
        [prompt] = prompts
        self.prompts.append(prompt)
        task = prompt.partition("\n")[0]
        if task.startswith("Ask the next sub-question"):
            assert section(prompt, "Question") == QUESTION
            said = SECOND if STEIG in section(prompt, "Answered so far") else FIRST
        elif task.startswith("Answer a sub-question"):
            said = self.read(section(prompt, "Sub-question"), section(prompt, "Passages"))
        else:
            raise AssertionError(f"unexpected prompt: {task}")
        return [Completion(f" {said} ", None, "stop", self.count_tokens(prompt), 8)]

    def read(self, asked, passages):
        if asked == FIRST and "created by William Steig" in passages:
            return STEIG
        if asked == SECOND and "Doctor De Soto" in passages:
            return SOTO
        return "Unknown."

    def choose(self, prefix, tails, options):
        [tail] = tails
        prompt = prefix + tail
        assert tuple(options) == ("A", "B")
        assert prompt.endswith("## Verdict")
        found = section(prompt, "Found")
        assert FIRST not in found
        enough = 0.9 if SOTO in found else 0.2
        return OptionScores(np.array([[math.log(enough), math.log(1 - enough)]]))

    def close(self):
        pass


def hop(question: str, answer: str) -> Hop:
    return Hop(question, (), answer)


def test_the_chain_ends_when_the_answers_suffice(store, encoder):
    store.add(batch(FILM, BOOK, *OTHERS))
    rgnn = RgnnRet(store, encoder, ModelQuestioner(Steig()), GnnRet(store, encoder), passages=2)
    first, second = rgnn.follow(QUESTION)
    assert (first.question, first.answer) == (FIRST, STEIG)
    assert (second.question, second.answer) == (SECOND, SOTO)
    found = rgnn.search(QUESTION, 2)
    assert set(titles(store, [f.id for f in found])) == {"Shrek", "Doctor De Soto"}


def test_what_the_passages_do_not_tell_is_no_answer():
    asked = ModelQuestioner(Steig())
    assert asked.answer(FIRST, [Passage("d", 0, "Mill", "A mill.")]) == ""
    assert asked.answer(FIRST, []) == ""


def test_without_an_answer_the_model_is_not_asked_whether_it_suffices():
    asked = ModelQuestioner(Steig())
    assert not asked.suffices(QUESTION, [hop(FIRST, "")])
    assert not asked.suffices(QUESTION, [hop(FIRST, STEIG), hop(SECOND, "")])
    assert asked.suffices(QUESTION, [hop(FIRST, STEIG), hop(SECOND, SOTO)])


def test_a_sub_question_asked_again_ends_the_chain():
    assert ModelQuestioner(Steig()).ask(QUESTION, [hop(FIRST.upper(), "")]) == ""


def test_passages_that_do_not_fit_are_left_out_from_the_end():
    model = Steig(context_length=200)
    long = [Passage("d", 0, "Mill", "flour " * 150), Passage("e", 0, "Quern", "stone " * 150)]
    ModelQuestioner(model).answer(FIRST, [FILM.passages[0], *long])
    assert "Shrek was created" in model.prompts[0]
    assert "flour" not in model.prompts[0]


def test_braces_and_headings_in_texts_are_left_as_they_are():
    model = Steig()
    ModelQuestioner(model).answer("Who {is} $he?", [Passage("d", 0, "T", "{passages} {0} $x")])
    assert "{passages} {0} $x" in model.prompts[0]
    assert section(model.prompts[0], "Sub-question") == "Who {is} $he?"


def test_prompts_of_ones_own_go_first(tmp_path):
    (tmp_path / "rgnn_ret").mkdir()
    (tmp_path / "rgnn_ret" / "ask.txt").write_text(
        "Ask the next sub-question!\n## Question\n{nonsense}"
    )
    with pytest.raises(BadRequest, match="nonsense"):
        ModelQuestioner(Steig(), tmp_path).ask(QUESTION, [])
