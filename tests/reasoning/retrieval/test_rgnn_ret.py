"""RGNN-Ret: what earlier sub-questions found stays near; self-critique ends the chain."""

from dataclasses import dataclass, field

import pytest
from support.building import batch, page, titles

from hoptrail.kg.errors import BadRequest
from hoptrail.reasoning.retrieval import GnnRet
from hoptrail.reasoning.retrieval.rgnn_ret import Recurrence, RgnnRet

QUESTION = "What else did the creator of Shrek write?"
FILM = page("Shrek", "Shrek was created by William Steig.", mentions=("William Steig",))
BOOK = page("Doctor De Soto", "A mouse, by William Steig.", mentions=("William Steig",))
OTHERS = [page(f"Mill {n}", f"The mill of village number {n} grinds flour.") for n in range(4)]
ASKED = ["Who created Shrek?", "Which notable works did Steig write?"]


@dataclass
class Script:
    """Asks what it was given, in order; fails on more; has enough after `enough` answers."""

    questions: list[str]
    enough: int = 99
    read: list[list[str]] = field(default_factory=list)

    def ask(self, question, hops):
        assert question == QUESTION
        assert [hop.question for hop in hops] == self.questions[: len(hops)]
        return self.questions[len(hops)]

    def answer(self, subquestion, passages):
        self.read.append([passage.title for passage in passages])
        return f"answer to {subquestion}"

    def suffices(self, question, hops):
        assert hops[-1].answer == f"answer to {hops[-1].question}"
        return len(hops) >= self.enough


@pytest.fixture
def graph(store):
    store.add(batch(FILM, BOOK, *OTHERS))
    return store


def test_a_step_remembers_the_one_before(graph, encoder):
    gnn = GnnRet(graph, encoder, senders=1)
    first, second = ({f.id: f.score for f in gnn.search(asked, 9)} for asked in ASKED)
    recurrence = Recurrence(gnn, 0.75)
    assert {f.id: f.score for f in recurrence.search(ASKED[0], 9)} == pytest.approx(first)
    found = recurrence.search(ASKED[1], 9)
    expected = {id_: 0.75 * second[id_] + 0.25 * first[id_] for id_ in first}
    assert {f.id: f.score for f in found} == pytest.approx(expected)
    assert [f.score for f in found] == sorted((f.score for f in found), reverse=True)


def test_a_wrong_sub_question_is_mended_by_the_step_before(graph, encoder):
    gnn = GnnRet(graph, encoder)
    astray = "Who grinds flour in the village mill?"
    assert titles(graph, [f.id for f in gnn.search(astray, 1)])[0].startswith("Mill")
    recurrence = Recurrence(gnn, 0.2)
    recurrence.search(ASKED[0], 5)
    found = titles(graph, [f.id for f in recurrence.search(astray, 2)])
    assert set(found) == {"Shrek", "Doctor De Soto"}


def test_with_beta_one_each_step_is_gnn_ret(graph, encoder):
    gnn, recurrence = GnnRet(graph, encoder), Recurrence(GnnRet(graph, encoder), 1.0)
    for asked in ASKED:
        found = [f.id for f in recurrence.search(asked, 4)]
        assert found == [f.id for f in gnn.search(asked, 4)]


def test_a_small_pool_gives_the_same_scores(graph, encoder):
    small = Recurrence(GnnRet(graph, encoder, senders=1, pool=2))
    large = Recurrence(GnnRet(graph, encoder, senders=1))
    for asked in ASKED:
        few = small.search(asked, 2)
        many = {f.id: f.score for f in large.search(asked, 6)}
        assert {f.id: f.score for f in few} == pytest.approx({f.id: many[f.id] for f in few})


def test_self_critique_ends_the_chain(graph, encoder):
    script = Script(ASKED, enough=1)
    [hop] = RgnnRet(graph, encoder, script, passages=2).follow(QUESTION)
    assert hop.question == ASKED[0]
    assert hop.answer == f"answer to {ASKED[0]}"
    assert [set(read) for read in script.read] == [{"Shrek", "Doctor De Soto"}]


def test_both_hops_are_found(graph, encoder):
    found = RgnnRet(graph, encoder, Script(ASKED, enough=2)).search(QUESTION, 2)
    assert set(titles(graph, [f.id for f in found])) == {"Shrek", "Doctor De Soto"}


def test_the_steps_take_turns_with_what_they_found(graph, encoder):
    asked = [ASKED[0], "Who grinds flour in the village mill?"]
    rgnn = RgnnRet(graph, encoder, Script(asked, enough=2), GnnRet(graph, encoder, senders=1))
    first, second = ([f.id for f in hop.found] for hop in rgnn.follow(QUESTION, 4))
    found = rgnn.search(QUESTION, 4)
    assert [f.id for f in found] == [first[0], second[0], first[1], second[1]]
    assert [f.score for f in found] == sorted((f.score for f in found), reverse=True)


def test_it_stops_when_the_model_never_does(graph, encoder):
    endless = RgnnRet(graph, encoder, Script(ASKED * 9), steps=3)
    assert len(endless.follow(QUESTION)) == 3


def test_without_sub_questions_the_question_is_asked(graph, encoder):
    found = RgnnRet(graph, encoder, Script([" "])).search(QUESTION, 3)
    assert [f.id for f in found] == [f.id for f in GnnRet(graph, encoder).search(QUESTION, 3)]


def test_within_keeps_to_the_given_passages(graph, encoder):
    own = [BOOK.passages[0].id, OTHERS[0].passages[0].id]
    found = RgnnRet(graph, encoder, Script(ASKED, enough=2)).search(QUESTION, 9, own)
    assert {f.id for f in found} == set(own)


def test_an_empty_graph_has_nothing(store, encoder):
    assert RgnnRet(store, encoder, Script(ASKED, enough=2)).search(QUESTION, 5) == []


@pytest.mark.parametrize("wrong", [{"beta": -0.1}, {"steps": 0}, {"passages": 0}])
def test_settings_out_of_range_are_refused(graph, encoder, wrong):
    with pytest.raises(BadRequest):
        RgnnRet(graph, encoder, Script([]), **wrong)
