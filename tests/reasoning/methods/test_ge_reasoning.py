"""GE-Reasoning in the made-up world: graphs of questions, what is asked, dropped and concluded."""

from dataclasses import replace

import pytest
from world import SymbolicReader, World, chatty, questions, thoughtful
from world.prompted import Doubtful
from world.reader import SAYS
from world.wording import triples

from hoptrail.kg.errors import BadRequest
from hoptrail.reasoning.matching import exact_match
from hoptrail.reasoning.methods import answer as answered_by
from hoptrail.reasoning.methods.ge_reasoning.question_graph import QuestionGraph, Variable
from hoptrail.reasoning.prompts.showing import triple_lines
from hoptrail.reasoning.replies.triples import malformed
from hoptrail.reasoning.replies.triples import triples as told_triples

WRITE, TELL = "Write a question as triples", "Tell the answer of one sub-question"


class Silent(SymbolicReader):
    """A server that tells no log-probabilities."""

    def generate(self, prompts, decoding=None):
        said = super().generate(prompts, decoding)
        return [replace(one, log_probability=None, tokens=()) for one in said]


@pytest.fixture
def chains(ground):
    return [q for q in ground.questions if q.type == "chain"][:8]


@pytest.fixture(scope="module")
def meeting():
    return questions(World.made(), 6, kinds=("comparison", "intersection"))


def asked(ground, question, spec="ge_reasoning", model=None, **more):
    within = ground.own(question)
    model = model or SymbolicReader()
    return answered_by(spec, ground.parts(model), question.text, within=within, **more)


def names(answer):
    return [step.name for step in answer.steps]


def says(**handlers):
    return {**SAYS, **{WRITE: handlers.get("write", SAYS[WRITE])}}


def graph_of(reply):
    return QuestionGraph.of(told_triples(reply) or [], malformed(reply))


def test_the_chain_of_evidence_is_the_gold_chain(ground, chains):
    for question in chains:
        answer = asked(ground, question)
        assert exact_match(answer.text, question.golds)
        used = [step.triple for chain in answer.chains for step in chain.triples]
        facts = set(triples(triple_lines(used)))
        assert {f for f in question.chain if f.relation != "alias"} <= facts
        assert {f for f in facts if f.relation != "alias"} <= set(question.chain)
        assert {c.title for c in answer.passages} == set(question.titles)
        assert answer.usage["rounds"] == answer.usage["question_triples"] == question.hops


def test_ways_that_meet_are_all_asked(ground, meeting):
    for question in meeting:
        answer = asked(ground, question)
        assert exact_match(answer.text, question.golds)
        assert {c.title for c in answer.passages} == set(question.titles)
    apart = asked(ground, meeting[1], "ge_reasoning:meeting=false")
    assert apart.text == ""
    assert apart.usage["rounds"] == 3


def test_where_the_two_ways_of_an_intersection_part_there_is_no_answer(ground):
    [question, *_] = [q for q in ground.questions if q.type == "comparison" and q.answer == "no"]
    both = question.text.removeprefix("Were ").removesuffix(" born in the same town?")
    apart = replace(question, text=f"In which town were both {both} born?")
    assert asked(ground, apart).text == ""


@pytest.mark.parametrize("persona", [chatty, thoughtful])
def test_a_model_that_is_held_to_no_form_answers_as_well(ground, chains, meeting, persona):
    for question in (*chains[:4], *meeting[:2]):
        answer = asked(ground, question, model=SymbolicReader(persona=persona, held=False))
        assert exact_match(answer.text, question.golds)


def test_a_seed_draws_the_order_and_first_needs_none(ground, meeting):
    def order(spec):
        answer = asked(ground, meeting[0], spec)
        return [s.output for s in answer.steps if s.name == "ge_reasoning/ask"]

    assert order("ge_reasoning") == order("ge_reasoning")
    assert len({tuple(order(f"ge_reasoning:seed={n}")) for n in range(6)}) > 1
    first = {tuple(order(f"ge_reasoning:order=first:seed={n}")) for n in range(3)}
    assert len(first) == 1


def test_a_graph_without_a_triple_to_begin_with_is_thought_over_instead(ground, chains):
    for reply in ("none", "⟨person: #1; teacher; person: #2⟩", "⟨The Bell; the author⟩", ""):
        model = SymbolicReader(
            held=False, says=says(write=lambda prompt, judge, reply=reply: reply)
        )
        answer = asked(ground, chains[0], model=model)
        assert [s.output for s in answer.steps if s.name == "fallback"] == [
            "No triple of the question's graph has exactly one variable: a plain chain of thought."
        ]
        assert names(answer)[-1] == "think"
        assert answer.usage["question_triples"] == (1 if "teacher" in reply else 0)


def test_triples_that_are_none_are_dropped_and_counted(ground, chains):
    def sloppy(prompt, judge):
        more = (
            "⟨The Bell; author⟩",
            "⟨Ulm; lies on; Danube⟩",
            "⟨a; b; the child of the person: #1⟩",
        )
        told = SAYS[WRITE](prompt, judge)
        return "\n".join((*more, told, told.partition("\n")[0].lower()))

    answer = asked(ground, chains[0], model=SymbolicReader(held=False, says=says(write=sloppy)))
    assert exact_match(answer.text, chains[0].golds)
    [dropped] = [step.output for step in answer.steps if step.name == "dropped"]
    assert dropped == "Triples of the question: 2 malformed, 1 without a variable, 1 repeated."


@pytest.mark.parametrize(
    ("reply", "shown"),
    [
        ("1. (Hypocrite (Film); director; name: #1)", ["⟨Hypocrite (Film); director; name: #1⟩"]),
        ("- <A; b; #1>\n- <#1; c; date: #2>", ["⟨A; b; #1⟩", "⟨#1; c; date: #2⟩"]),
        ("⟨A; b; film director:#1⟩", ["⟨A; b; film director: #1⟩"]),
        ("⟨A; b; [person: #1]⟩\n⟨#1; c; D⟩", ["⟨A; b; person: #1⟩", "⟨person: #1; c; D⟩"]),
        ('{"triples": [["A", "b", "person: #1"]]}', ["⟨A; b; person: #1⟩"]),
        ("| A | b | person: #1 |", ["⟨A; b; person: #1⟩"]),
        ("⟨#1; b; #1⟩\n⟨A; of #1; #2⟩\n⟨; b; #1⟩\n⟨A; b; #123⟩", []),
    ],
)
def test_variables_are_read_however_they_are_written(reply, shown):
    assert [str(edge) for edge in graph_of(reply).edges] == shown


def test_a_bound_variable_is_bound_everywhere():
    graph = graph_of("⟨A; author; person: #1⟩\n⟨#1; place of birth; place: #2⟩")
    [(first, variable)] = graph.open(meeting=True)
    assert (str(first), variable) == ("⟨A; author; person: #1⟩", Variable(1, "person"))
    first.asked = True
    graph.values[1] = "Lena Marsh"
    [(second, variable)] = graph.open(meeting=True)
    assert str(graph.shown(second, variable)) == "⟨Lena Marsh; place of birth; place: #2⟩"


def test_what_is_not_sure_is_retrieved_for_then_dropped_and_tried_again(ground, chains):
    def unsure(prompt, judge):
        return Doubtful(SAYS[TELL](prompt, judge))

    model = SymbolicReader(says={**SAYS, TELL: unsure})
    answer = asked(ground, chains[0], model=model)
    assert answer.text == ""
    assert answer.missing == "No sub-question has an answer that is sure."
    assert answer.usage["rounds"] == 10
    dropped = [s.output for s in answer.steps if s.name == "dropped"]
    assert len(dropped) == 10
    assert all(one.endswith("confidence 0.50 is below 0.6.") for one in dropped)
    assert names(answer).count("ge_reasoning/ask") == 1
    unfiltered = asked(ground, chains[0], "ge_reasoning:k2=0", model=model)
    assert exact_match(unfiltered.text, chains[0].golds)
    certain = asked(ground, chains[0], "ge_reasoning:temperature=0", model=model)
    assert certain.usage["rounds"] == 1  # the same prompt would be answered the same


def test_retrieval_by_confidence_always_or_never(ground, chains):
    def knows(prompt, judge):
        """Answers from memory, as sure as from triples."""
        return str(SAYS[TELL](prompt, judge)).replace("unknown", "Atlantis")

    model = SymbolicReader(says={**SAYS, TELL: knows})

    def retrieved(spec):
        steps = names(asked(ground, chains[0], spec, model=model))
        return sum(name.startswith("retrieve") for name in steps)

    assert retrieved("ge_reasoning") == retrieved("ge_reasoning:retrieval=never") == 0
    assert retrieved("ge_reasoning:retrieval=always") == chains[0].hops
    closed = asked(ground, chains[0], "ge_reasoning:retrieval=never", model=model)
    assert closed.shown == closed.passages == closed.chains == ()


def test_the_other_ablations_answer_too(ground, chains, meeting):
    for question in (chains[0], meeting[0]):
        raw = asked(ground, question, "ge_reasoning:reads=passages")
        assert "ge_reasoning/extract" not in names(raw)
        untyped = asked(ground, question, "ge_reasoning:types=false")
        assert ": #" not in next(s.output for s in untyped.steps if "graph" in s.name)
        without = asked(ground, question, "ge_reasoning:question_graph=false")
        assert "rgnn_ret/ask" in names(without)
        for answer in (raw, untyped, without):
            assert exact_match(answer.text, question.golds)
    whole = asked(ground, chains[0], "ge_reasoning:query=question")
    assert {s.prompt for s in whole.steps if s.name.startswith("retrieve")} == {chains[0].text}


def test_without_log_probabilities_samples_agree_and_a_step_says_so(ground, chains):
    answer = asked(ground, chains[0], "ge_reasoning:samples=3", model=Silent())
    assert exact_match(answer.text, chains[0].golds)
    [told] = [s.output for s in answer.steps if s.name == "log-probabilities"]
    assert told.startswith("symbolic reader gives none; confidence is the agreement of samples=3")
    agreed = [s.output for s in answer.steps if s.name == "agreement"]
    assert len(agreed) == 2 * chains[0].hops
    assert agreed[0] == "confidence is agreement: 'unknown', 1.00 of 3 samples (samples=3)."
    wanted = asked(ground, chains[0], "ge_reasoning:samples=3:confidence=agreement")
    assert "log-probabilities" not in names(wanted)
    assert [s.output for s in wanted.steps if s.name == "agreement"] == agreed


def test_samples_that_disagree_are_not_sure(ground, chains):
    spread = iter(f"Town {n}" for n in range(1000))
    model = Silent(says={**SAYS, TELL: lambda prompt, judge: next(spread)})
    answer = asked(ground, chains[0], "ge_reasoning:loops=1:temperature=0", model=model)
    assert answer.text == ""
    [dropped] = [s.output for s in answer.steps if s.name == "dropped"]
    assert dropped.endswith("confidence 0.20 is below 0.6.")


def test_an_answer_of_another_kind_is_refused(ground):
    [question, *_] = [q for q in ground.questions if q.text.startswith("When was") and q.answer]

    def vague(prompt, judge):
        told = SAYS[TELL](prompt, judge)
        return "long ago" if str(told).isdigit() else told

    model = SymbolicReader(says={**SAYS, TELL: vague})
    answer = asked(ground, question, model=model)
    assert answer.text == ""
    assert any(s.output.endswith("long ago: that is no date.") for s in answer.steps)
    untyped = asked(ground, question, "ge_reasoning:types=false", model=model)
    assert not any("that is no" in s.output for s in untyped.steps)


def test_what_the_graph_holds_costs_no_answer(ground, chains):
    told = 0
    for question in chains:
        only = asked(ground, question, "ge_reasoning:graph=only")
        assert not {"ge_reasoning/answer", "ge_reasoning/extract", "retrieve (hop)"} & set(
            names(only)
        )
        assert only.stated == ()
        assert only.text in ("", *question.golds)
        told += bool(only.text)
        supported = {p for c in only.chains for s in c.triples for p in s.passage_ids}
        assert supported <= set(only.shown)
        first = asked(ground, question, "ge_reasoning:graph=first")
        assert exact_match(first.text, question.golds)
        assert first.usage["calls"] <= asked(ground, question).usage["calls"]
    assert told >= 2  # where both word the relation alike


def test_settings_that_can_not_be_are_refused(ground, chains):
    with pytest.raises(BadRequest, match="retrieval of ge_reasoning takes"):
        asked(ground, chains[0], "ge_reasoning:retrieval=sometimes")
    with pytest.raises(BadRequest, match="loops of ge_reasoning is at least 1"):
        asked(ground, chains[0], "ge_reasoning:loops=0")
    with pytest.raises(BadRequest, match="samples of ge_reasoning is at least 2"):
        asked(ground, chains[0], "ge_reasoning:samples=1")


def test_what_was_found_first_stands_where_another_way_finds_something_else(ground):
    """Two people of two towns are told to be of one, whose river is asked for."""
    [question, *_] = [q for q in ground.questions if q.type == "comparison" and q.answer == "no"]
    (one, town), (other, _) = [
        (fact.head, fact.tail) for fact in question.chain if fact.relation == "birthplace"
    ]
    told = "⟨{}; place of birth; town: #1⟩\n⟨{}; place of birth; town: #1⟩\n⟨#1; river; river: #2⟩"
    graph = told.format(one, other)
    model = SymbolicReader(says=says(write=lambda prompt, judge: graph))
    answer = asked(ground, question, "ge_reasoning:order=first", model=model)
    *_, last = [s.output for s in answer.steps if s.name == "ge_reasoning/ask"]
    assert last.startswith(("Which river", "On which river"))
    assert town in last
