"""RGNN-Ret with a language model: what its prompts show, and what becomes of what it says."""

import pytest
from support.building import batch, titles
from support.steig import BOOK, FILM, FIRST, OTHERS, QUESTION, SECOND, SOTO, STEIG, Steig, section

from hoptrail.kg.errors import BadRequest
from hoptrail.kg.types import Passage
from hoptrail.reasoning.fitted import Fitted
from hoptrail.reasoning.registry import word
from hoptrail.reasoning.retrieval import GnnRet, described, retriever
from hoptrail.reasoning.retrieval.gnn_parameters import GNN_RET, GnnParameters
from hoptrail.reasoning.retrieval.rgnn_ret import ModelQuestioner, RgnnRet, SubQuestion
from hoptrail.reasoning.session.budget import Budget
from hoptrail.reasoning.session.parts import Parts
from hoptrail.reasoning.session.session import Session


def sub_question(question: str, answer: str) -> SubQuestion:
    return SubQuestion(question, (), answer)


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
    assert not asked.suffices(QUESTION, [sub_question(FIRST, "")])
    assert not asked.suffices(QUESTION, [sub_question(FIRST, STEIG), sub_question(SECOND, "")])
    assert asked.suffices(QUESTION, [sub_question(FIRST, STEIG), sub_question(SECOND, SOTO)])


def test_a_sub_question_asked_again_ends_the_chain():
    assert ModelQuestioner(Steig()).ask(QUESTION, [sub_question(FIRST.upper(), "")]) == ""


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


def test_it_is_found_by_name_where_there_is_a_model(store, encoder):
    store.add(batch(FILM, BOOK, *OTHERS))
    model = Steig()
    rgnn = retriever("rgnn:beta=0.8:passages=2", store, encoder, model)
    assert rgnn == RgnnRet(store, encoder, ModelQuestioner(model), beta=0.8, passages=2)
    found = rgnn.search(QUESTION, 2)
    assert set(titles(store, [f.id for f in found])) == {"Shrek", "Doctor De Soto"}
    assert word(rgnn) == "rgnn:beta=0.8:passages=2"


def test_without_a_model_the_setting_is_named(store, encoder):
    with pytest.raises(BadRequest, match=r"rgnn.*--model.*HOPTRAIL_MODEL"):
        retriever("rgnn", store, encoder)
    with pytest.raises(BadRequest, match="beta of RGNN-Ret lies between"):
        retriever("rgnn:beta=2", store, encoder, Steig())
    with pytest.raises(BadRequest, match="rgnn has no setting 'gnn'; there are: beta, passages"):
        retriever("rgnn:gnn=x", store, encoder, Steig())


def test_what_was_fitted_to_the_graph_holds_where_the_word_sets_nothing(store, encoder):
    model = Steig()
    plain = RgnnRet(store, encoder, ModelQuestioner(model))
    assert retriever("rgnn", store, encoder, model) == plain
    kept = Fitted(GnnParameters((0.3,), 0.7, (0.6, 0.4)), encoder.fingerprint)
    store.keep_parameters(GNN_RET.kind, GNN_RET.to_json(kept))
    steps = GnnRet(store, encoder, (0.6, 0.4), 2)
    fitted = RgnnRet(store, encoder, ModelQuestioner(model), steps, 0.7)
    assert retriever("rgnn", store, encoder, model) == fitted
    assert described(fitted)["step"]["alpha"] == (0.6, 0.4)
    assert retriever("rgnn:steps=5", store, encoder, model) == plain
    store.keep_parameters(GNN_RET.kind, GNN_RET.to_json(Fitted(GnnParameters((0.3,)))))
    alone = RgnnRet(store, encoder, ModelQuestioner(model), GnnRet(store, encoder, (0.3,)))
    assert retriever("rgnn", store, encoder, model) == alone


def test_its_questions_can_be_put_to_another_model(store, encoder, tmp_path):
    first, second = Steig(), Steig(name="second")
    rgnn = RgnnRet(store, encoder, ModelQuestioner(first, tmp_path), beta=0.8)
    other = RgnnRet(store, encoder, ModelQuestioner(second, tmp_path), beta=0.8)
    assert rgnn.asking(second) == other
    scripted = RgnnRet(store, encoder, Scripted())
    assert scripted.asking(second) is scripted


@pytest.mark.parametrize(("calls", "asked"), [(8, 4), (3, 2), (1, 0)])
def test_what_it_asks_counts_and_ends_with_the_budget_of_a_question(store, encoder, calls, asked):
    """Of every budget one call is kept back for the answer."""
    store.add(batch(FILM, BOOK, *OTHERS))
    model = Steig()
    parts = Parts(store, encoder, list, retriever("rgnn", store, encoder, model), model=model)
    session = Session(parts, QUESTION, budget=Budget(max_calls=calls))
    assert session.retrieve(QUESTION, 3)
    assert len(model.prompts) == asked
    assert session.spent == (calls < 8)
    assert [step.name for step in session.steps.done[1:]] == ["budget"] * session.spent
    assert session.steps.done[0].tokens == sum(
        session.steps.usage[name] for name in ("tokens_in", "tokens_out")
    )


class Scripted:
    """A questioner that is no model."""

    def ask(self, question, answered):
        return ""

    def answer(self, subquestion, passages):
        raise AssertionError

    def suffices(self, question, answered):
        raise AssertionError
